package safety

import (
	"fmt"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/facts"
	"github.com/automaton-auditor/automaton/internal/il"
	"github.com/automaton-auditor/automaton/internal/il/analyse"
	"github.com/automaton-auditor/automaton/internal/tables"
)

// handing finds functions of Python that use a shell where they are handed on.
type handing struct {
	*lowered
	from  *analyse.Origins // parameters are what they are: who fills them hands the function on
	names []string         // of such functions, the last parts
}

// startsHanded are the facts of Python's functions that use a shell where they are
// handed on as values, in code that can run: what surely calls them is a process,
// what may is not known. Calls that are a process by themselves are left out.
func (x *lowered) startsHanded(known map[stretch]bool) (out []facts.Fact[facts.ProcessStart]) {
	h := handing{x, &analyse.Origins{Names: x.Names, Counts: func(analyse.Site) bool { return false }}, nil}
	for _, api := range tables.Of(tables.Process).Names(python, "shell", "option") {
		h.names = append(h.names, last(api))
	}
	mentioned := map[*il.Module]bool{}
	for f := range x.functions() {
		named, looked := mentioned[f.Module]
		if !looked {
			named = h.mentioned(f.Module)
			mentioned[f.Module] = named
		}
		if !named {
			continue
		}
		for b, in := range f.Instructions() {
			if known[stretch{f.Module.Path, int(in.Span.From), int(in.Span.To)}] {
				continue
			}
			for i, o := range in.Args {
				if !x.asValue(f, in, i) {
					continue
				}
				if api := h.shellValue(f, o, in); api != "" && !x.values.Dead(f, b) {
					out = append(out, x.startHanded(f, in, i, api)...)
				}
			}
		}
	}
	return out
}

// mentioned tells a module of Python whose text has the name of such a function.
func (h handing) mentioned(m *il.Module) bool {
	file := h.survey.p.Module(m.Path)
	return file != nil && m.Language == python && slices.ContainsFunc(h.names, func(name string) bool { return strings.Contains(file.Text(), name) })
}

// asValue tells an operand that is handed to a call, kept in a table or returned. A set
// of functions is there to be looked up in.
func (x *lowered) asValue(f *il.Function, in *il.Instr, i int) bool {
	switch in.Op {
	case il.Call:
		return i > 0
	case il.Make:
		text := x.survey.p.Module(f.Module.Path).Text()
		return in.Kind != "list" || int(in.Span.From) < len(text) && text[in.Span.From] != '{'
	case il.Return:
		return true
	default:
		return false
	}
}

// shellValue is the full name of a function that an operand stands for when that
// uses a shell, else "".
func (h handing) shellValue(f *il.Function, o il.Operand, use *il.Instr) string {
	for _, from := range h.from.Of(f, o, use) {
		if from.Part || len(from.Keys) > 0 {
			continue
		}
		if from.Kind == analyse.FromCall {
			if name := h.given(call{f: from.Function, in: from.At}); name != "" {
				return name
			}
		} else if tables.Of(tables.Process).Has(python, from.Symbol.Outside, "shell") {
			return from.Symbol.Outside
		}
	}
	return ""
}

// given is the function that uses a shell which a call gives back, else "".
func (h handing) given(c call) string {
	if len(c.in.Args) < 2 {
		return ""
	}
	table, first := tables.Of(tables.Process), c.in.Args[1]
	switch name, _ := h.callee(c.f, c.in); name {
	case "builtins.getattr":
		of := h.Names.Operand(c.f, first)
		if key, _ := c.in.Argument("", 1); of != nil {
			part, _ := c.f.Str(c.f.Root(key))
			if full := of.Outside + "." + part; table.Has(python, full, "shell") {
				return full
			}
		}
	case partial:
		if of := h.Names.Operand(c.f, first); of == nil || !table.Has(python, of.Outside, "option") {
			return h.shellValue(c.f, first, c.in)
		} else if shell, ok := c.in.Argument("shell", -1); ok && h.values.Of(c.f, shell).True && !h.values.Of(c.f, shell).Other {
			return of.Outside
		}
	}
	return ""
}

// startHanded is what becomes of a function that uses a shell where it is handed on:
// what calls it hands it what follows it.
func (x *lowered) startHanded(f *il.Function, in *il.Instr, i int, api string) []facts.Fact[facts.ProcessStart] {
	p := facts.ProcessStart{API: court.Clean(api, 60), Shell: facts.Yes, Handed: true}
	if in.Op == il.Call {
		name, _ := x.callee(f, in)
		switch table := tables.Of(tables.Process); {
		case table.Has(python, name, "looks at functions"):
			return nil
		case table.Has(python, name, "calls functions"):
			p.Command = facts.Command{From: facts.Open}
			if i+1 < len(in.Args) {
				p.Command = x.command(f, in.Args[i+1], in)
			}
			return []facts.Fact[facts.ProcessStart]{facts.With(x.lies(f, in.Span), p)}
		}
	}
	out := facts.With(x.lies(f, readAt(f, in.Args[i], in)), p)
	out.Answer, out.Why = facts.Unknown, facts.Reason{Code: court.Dynamic,
		Text: fmt.Sprintf("the code hands on %s, which uses a shell, as a value, and the arguments of its calls could not be determined", p.API)}
	return []facts.Fact[facts.ProcessStart]{out}
}

// readAt is where an instruction reads an operand, as far as that has an instruction of
// its own.
func readAt(f *il.Function, o il.Operand, in *il.Instr) il.Span {
	within := func(s il.Span) bool { return in.Span.From <= s.From && s.To <= in.Span.To }
	if def := f.Def(o); def != nil {
		for _, at := range append([]*il.Instr{def}, f.Versions[o.ID].Uses...) {
			if (at == def || at.Op == il.Bind) && within(at.Span) {
				return at.Span
			}
		}
	}
	return in.Span
}

// carried are the functions that a call of Python may call where only that is known from which
// the callee comes: a table, a parameter, what a function of the program gives, a partial.
func (x *lowered) carried(c call) (out []started) {
	if s := x.Names.Operand(c.f, c.in.Args[0]); c.f.Module.Language != python || s != nil && (s.Outside != "" || s.Function != nil || s.Modules != nil) || !x.carrying {
		return nil
	}
	known := map[string]bool{}
	for _, from := range x.origins.Of(c.f, c.in.Args[0], c.in) {
		if from.Part || len(from.Keys) > 0 {
			continue
		}
		of, args := from.Symbol, c.arguments(0)
		if made := (call{f: from.Function, in: from.At}); from.Kind == analyse.FromCall {
			if of.Outside != partial || len(made.in.Args) < 2 {
				continue
			}
			of, args = x.Names.Operand(made.f, made.in.Args[1]), append(made.arguments(1), args...)
		}
		if of == nil || known[of.Outside] {
			continue
		}
		known[of.Outside] = true
		if role := starting(of.Outside); role != "" {
			out = append(out, started{call: call{f: c.f, in: c.in, name: of.Outside}, role: role, args: args})
		}
	}
	return out
}

// partial fixes arguments of a function beforehand.
const partial = "functools.partial"

// carries tells a program that has a function of Python which starts a process as a value.
func (x *lowered) carries() bool {
	for f := range x.functions() {
		if f.Module.Language != python {
			continue
		}
		for _, in := range f.Instructions() {
			for i, o := range in.Args {
				if i == 0 && (in.Op == il.Call || in.Op == il.Get) {
					continue
				}
				if s := x.Names.Operand(f, o); s != nil && starting(s.Outside) != "" {
					return true
				}
			}
		}
	}
	return false
}
