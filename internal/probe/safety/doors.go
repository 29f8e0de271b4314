package safety

import (
	"fmt"
	"slices"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/facts"
	"github.com/automaton-auditor/automaton/internal/il"
	"github.com/automaton-auditor/automaton/internal/tables"
)

// startsByDoors are the processes of Python that are started by other libraries than
// the standard one, by native code, and by functions that are only named at run time.
func (x *lowered) startsByDoors() (out []facts.Fact[facts.ProcessStart]) {
	doors := tables.Of(tables.Process).Rows(python, "library shell", "remote shell", "native")
	for c := range x.calls() {
		if c.f.Module.Language != python {
			continue
		}
		p := facts.ProcessStart{API: court.Clean(c.name, 60), Handed: true}
		i := slices.IndexFunc(doors, func(r tables.Row) bool { return r.Matches(c.name) })
		switch {
		case i >= 0:
			x.byDoor(c, doors[i], &p)
		case x.byWords(c, &p), x.byName(c, &p):
		default:
			continue
		}
		if p.Shell == facts.No {
			continue
		}
		f := facts.With(x.lies(c.f, c.in.Span), p)
		f.Why = facts.Reason{Code: court.Dynamic, Text: fmt.Sprintf("input from outside reaches %s, and its use there could not be determined", p.API)}
		out = append(out, f)
	}
	return out
}

// byDoor looks at a call that a table has: of a shell here, of one elsewhere, or of native
// code, of which only the functions that start a shell are known.
func (x *lowered) byDoor(c call, row tables.Row, p *facts.ProcessStart) {
	at := 0
	if row.Input == "second" {
		at = 1
	}
	p.Command = facts.Command{Constant: true}
	for i, o := range c.in.Args[1:] {
		if i >= at && !options[c.in.Names[i]] {
			p.Command = worse(p.Command, x.command(c.f, o, c.in))
		}
	}
	switch {
	case row.Role == "library shell" || row.Role == "native" && (c.method() == "system" || c.method() == "popen"):
		if len(c.in.Args) > 1 {
			p.Shell = facts.Yes
		} else {
			p.Shell = facts.No
		}
	case row.Role == "remote shell":
		p.By = "the shell of another machine"
		p.Shell = asText(p)
	case p.Command.From >= facts.User:
		p.Shell = facts.Unknown
	default:
		p.Shell = facts.No
	}
}

// byWords looks at a command that a library makes of items: local["sh"]("-c", text).
func (x *lowered) byWords(c call, p *facts.ProcessStart) bool {
	var words []operand
	for o := c.in.Args[0]; ; {
		def := c.f.Def(c.f.Root(o))
		s := x.Names.Operand(c.f, o)
		if s != nil && named(s.Outside, "plumbum.cmd.*") {
			words = append([]operand{{f: c.f, o: o, use: c.in, text: last(s.Outside), known: true}}, words...)
			break
		}
		if s != nil && s.Outside == "plumbum.local" {
			break
		}
		if def == nil || def.Op != il.Get || def.Kind != "item" {
			return false
		}
		words = append(by{lowered: x}.elements(c.f, def.Args[1], def), words...)
		o = def.Args[0]
	}
	st := &started{by: by{lowered: x}, call: c}
	st.argv(append(words, st.words(c.arguments(0), 0)...))
	p.API, p.By, p.Shell = "plumbum", st.runs, facts.No
	p.Command = facts.Command{Constant: true}
	for _, w := range st.script {
		if !w.known {
			p.Command = worse(p.Command, x.command(w.f, w.o, w.use))
		}
	}
	if st.shell {
		p.By, p.Shell = "", facts.Yes
	} else {
		p.Shell = asText(p)
	}
	return true
}

// reaching are modules whose functions may start a process or run code.
var reaching = []string{"os", "posix", "nt", "subprocess", "builtins", "pty", "commands"}

// byName looks at a call of what getattr or methodcaller gives: a function of a module
// that starts processes, named at run time.
func (x *lowered) byName(c call, p *facts.ProcessStart) bool {
	def := c.f.Def(c.f.Root(c.in.Args[0]))
	if def == nil || def.Op != il.Call {
		return false
	}
	made := call{f: c.f, in: def}
	made.name, _ = x.callee(c.f, def)
	var module, key il.Operand
	var given []il.Operand
	switch {
	case made.name == "builtins.getattr" && len(def.Args) > 2:
		module, key, given = def.Args[1], def.Args[2], c.in.Args[1:]
	case made.name == "operator.methodcaller" && len(def.Args) > 1 && len(c.in.Args) > 1:
		module, key, given = c.in.Args[1], def.Args[1], def.Args[2:]
	default:
		return false
	}
	s := x.Names.Operand(c.f, module)
	if s == nil || !slices.Contains(reaching, s.Outside) {
		return false
	}
	p.Command, p.Shell = facts.Command{Constant: true}, facts.No
	for _, o := range given {
		p.Command = worse(p.Command, x.command(c.f, o, c.in))
	}
	p.API = s.Outside + ".?"
	if name := (proving{x, c.f, key, 0}).constantText(c.f, key); name != "" {
		p.API = s.Outside + "." + name
		if made.name == "operator.methodcaller" && tables.Of(tables.Process).Has(python, p.API, "shell") {
			p.Shell = facts.Yes
		}
		return true // getattr with a constant name is the function itself
	}
	if max(p.Command.From, x.flow(c.f, key, c.in)) >= facts.User {
		p.Shell = facts.Unknown
	}
	return true
}
