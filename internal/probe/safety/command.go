package safety

import (
	"strings"

	"github.com/automaton-auditor/automaton/internal/facts"
	"github.com/automaton-auditor/automaton/internal/il"
	"github.com/automaton-auditor/automaton/internal/il/analyse"
	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
)

// asksToRun are names of arguments by which the one who starts a program asks it to
// run a command: what the program is for, and no injection.
var asksToRun = regexp.MustCompile(`(^|_)(cmd|commands?|script|shell|program|exec)(_|$)`)

// commandOption is what an option or argument of a command carries.
func (x *lowered) commandOption(f *il.Function, p il.Param, position int) facts.Origin {
	for _, c := range x.decorations(f) {
		if position == 0 && strings.HasPrefix(c.method(), "pass_") {
			return facts.Own
		}
		if m := c.method(); m != "option" && m != "argument" || !declares(c, 2, p.Name) {
			continue
		}
		if asksToRun.MatchString(p.Name) {
			return min(x.declared(c), facts.Open)
		}
		return x.declared(c)
	}
	return facts.Open
}

// declares tells whether an option is handed over under a name; its own names begin
// at an argument.
func declares(c call, at int, name string) bool {
	for i, o := range c.in.Args[at:] {
		key := c.in.Names[at-1+i]
		text, ok := c.f.Str(c.f.Root(o))
		if !ok || key != "" && key != "dest" {
			continue
		}
		for part := range strings.SplitSeq(text, "/") {
			if strings.ReplaceAll(strings.TrimLeft(part, "-"), "-", "_") == name {
				return true
			}
		}
	}
	return false
}

// declared is what an option carries, by the call that declares it.
func (x *lowered) declared(c call) facts.Origin {
	for _, flag := range []string{"is_flag", "count"} {
		if o, ok := c.in.Argument(flag, -1); ok && x.values.Of(c.f, o).True {
			return facts.Own
		}
	}
	if o, ok := c.in.Argument("action", -1); ok {
		if action, ok := c.f.Str(o); ok && action != "store" && action != "append" && action != "extend" {
			return facts.Own
		}
	}
	if _, ok := c.in.Argument("choices", -1); ok {
		return facts.Own
	}
	if o, ok := c.in.Argument("type", -1); ok {
		name := ""
		if s := x.Names.Operand(c.f, o); s != nil {
			name = s.Outside
		} else if def := c.f.Def(c.f.Root(o)); def != nil && def.Op == il.Call {
			name, _ = x.callee(c.f, def)
		}
		if name == "" {
			return facts.Open
		}
		return x.typeCarries(c.f, name)
	}
	if _, ok := c.in.Argument("callback", -1); ok || c.spreads() {
		return facts.Open
	}
	if o, ok := c.in.Argument("default", -1); ok && strings.Contains(c.name, "click") {
		if k, constant := c.f.Const(o); constant && k.Type != il.StrConst && k.Type != il.NoneConst {
			return facts.Own // click takes the type from it
		}
	}
	return facts.Sender
}

// commandLine is what an argument of the command line carries, by the declarations
// of its name; without one, text. False for anything else.
func (x *lowered) commandLine(from analyse.Origin, outside string) (facts.Origin, bool) {
	if from.Function.Module.Language != python {
		return 0, false
	}
	key := ""
	switch head, rest, ok := strings.Cut(outside, "parse_args()."); {
	case ok && strings.HasPrefix(head, "argparse."):
		key, _, _ = strings.Cut(rest, ".")
	case strings.HasSuffix(outside, "parse_args") || strings.HasSuffix(outside, "parse_known_args"):
		if len(from.Keys) == 0 {
			return facts.Open, true
		}
		key = from.Keys[len(from.Keys)-1]
	default:
		return 0, false
	}
	if asksToRun.MatchString(key) {
		return facts.Open, true
	}
	worst, found := facts.Own, false
	for c := range x.calls() {
		if c.method() == "add_argument" && x.production(c.f) && declares(c, 1, key) {
			worst, found = max(worst, x.declared(c)), true
		}
	}
	if !found {
		return facts.Sender, true
	}
	return worst, true
}
