package wiring

import (
	"strings"

	"github.com/automaton-auditor/automaton/internal/agentgraph"
	"github.com/automaton-auditor/automaton/internal/il"
)

// annotated reads the destinations that a function is declared to return: Literal["a",
// "b"], list[Literal[...]], "a" | typeof END, unions of them, and their names. Of a node
// only those of a command count.
func (w *wirer) annotated(f *il.Function, command bool) outcomes {
	if f == nil || len(f.Results) == 0 {
		return outcomes{}
	}
	p := &typeReader{wirer: w, f: f, rest: f.Results[0], commands: command}
	return p.union(0)
}

// typeReader reads a type as it is written.
type typeReader struct {
	*wirer
	f        *il.Function
	rest     string
	commands bool // only what is in a Command counts
}

func (p *typeReader) skip() { p.rest = strings.TrimLeft(p.rest, " \t\r\n:") }

func (p *typeReader) take(token string) bool {
	p.skip()
	rest, ok := strings.CutPrefix(p.rest, token)
	if ok {
		p.rest = rest
	}
	return ok
}

// union reads alternatives.
func (p *typeReader) union(depth int) outcomes {
	out := outcomes{complete: true}
	p.take("|")
	for {
		out.join(p.one(depth))
		if !p.take("|") {
			return out
		}
	}
}

// one reads one alternative.
func (p *typeReader) one(depth int) outcomes {
	p.skip()
	if depth > 8 || p.rest == "" {
		return outcomes{}
	}
	out := outcomes{}
	switch c := p.rest[0]; {
	case c == '"' || c == '\'' || c == '`':
		end := strings.IndexByte(p.rest[1:], c)
		if end < 0 {
			p.rest = ""
			return outcomes{}
		}
		text := p.rest[1 : end+1]
		p.rest = p.rest[end+2:]
		switch {
		case !p.Camel && depth == 0 || strings.ContainsAny(text, "[|"): // a type that is written as text
			out = (&typeReader{p.wirer, p.f, text, p.commands}).union(depth + 1)
		case !p.commands:
			out = outcomes{sets: []outcome{{[]dest{{key: text}}, always}}, complete: true}
		}
	case c == '(':
		p.rest = p.rest[1:]
		out = p.union(depth + 1)
		p.take(")")
	default:
		out = p.name(depth)
	}
	for p.take("[]") {
		out = gathered(out)
	}
	return out
}

// gathered are the destinations of a list: all together.
func gathered(in outcomes) outcomes {
	all := outcome{when: always}
	for _, s := range in.sets {
		all.dests = append(all.dests, s.dests...)
	}
	if len(all.dests) == 0 {
		return outcomes{complete: in.complete}
	}
	return outcomes{sets: []outcome{all}, complete: in.complete}
}

// name reads a name, and what stands in brackets behind it.
func (p *typeReader) name(depth int) outcomes {
	n := strings.IndexFunc(p.rest, func(r rune) bool {
		return !(r == '_' || r == '.' || r == '$' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r > 127)
	})
	if n < 0 {
		n = len(p.rest)
	}
	if n == 0 {
		p.rest = p.rest[1:]
		return outcomes{}
	}
	name := p.rest[:n]
	p.rest = p.rest[n:]
	if name == "typeof" {
		p.skip()
		return p.name(depth)
	}
	if !p.take("[") && !(p.Camel && p.take("<")) {
		return p.alias(name, depth)
	}
	if strings.HasPrefix(p.rest, "]") { // T[]
		p.rest = "[" + p.rest
		return p.alias(name, depth)
	}
	commands := p.commands
	switch short := last(name); short {
	case "Literal":
		return p.literal()
	case "Command":
		p.commands = false
	case "Union", "Optional", "Annotated", "Promise", "Awaitable", "Coroutine":
	case "list", "List", "Sequence", "Iterable", "tuple", "Tuple", "set", "Set", "Array":
		out := gathered(p.arguments(depth, false))
		return out
	default:
		p.arguments(depth, false)
		return outcomes{}
	}
	out := p.arguments(depth, last(name) == "Annotated" || last(name) == "Command")
	p.commands = commands
	return out
}

// arguments reads what stands in brackets, to their end.
func (p *typeReader) arguments(depth int, first bool) outcomes {
	out := outcomes{complete: true}
	for n := 0; ; n++ {
		next := p.union(depth + 1)
		if n == 0 || !first {
			out.join(next)
		}
		if p.take("]") || p.take(">") || !p.take(",") {
			return out
		}
	}
}

// literal reads the texts of Literal[...].
func (p *typeReader) literal() outcomes {
	out := outcomes{complete: true}
	commands := p.commands
	for {
		p.skip()
		if p.rest == "" || p.take("]") {
			return out
		}
		switch c := p.rest[0]; c {
		case '"', '\'':
			end := strings.IndexByte(p.rest[1:], c)
			if end < 0 {
				return out
			}
			if !commands {
				out.sets = append(out.sets, outcome{[]dest{{key: p.rest[1 : end+1]}}, always})
			}
			p.rest = p.rest[end+2:]
		case ',':
			p.rest = p.rest[1:]
		default:
			out.join(p.name(8))
		}
	}
}

// alias reads what a name stands for: another type, or a terminal.
func (p *typeReader) alias(name string, depth int) outcomes {
	if name == "None" || name == "undefined" || name == "null" {
		return outcomes{complete: true}
	}
	if head, member, ok := strings.Cut(name, "."); ok && !p.commands {
		if v := p.worded(head); v != nil && v.only().kind == class {
			return p.outcomesOf(p.member(v.only(), member))
		}
	}
	if v := p.worded(name); v != nil && !p.commands {
		if t := v.only().terminal(); t != "" {
			return outcomes{sets: []outcome{{[]dest{{key: t}}, always}}, complete: true}
		}
		if s, ok := v.only().str(); ok && depth >= 8 {
			return outcomes{sets: []outcome{{[]dest{{key: s}}, always}}, complete: true}
		}
	}
	for _, s := range p.Names.Bound(p.f, name) {
		text := p.Statement(s.Function, s.At.Span)
		if _, value, ok := strings.Cut(text, "="); ok && depth < 8 {
			return (&typeReader{p.wirer, s.Function, value, p.commands}).union(depth + 1)
		}
	}
	switch name {
	case "END":
		return outcomes{sets: []outcome{{[]dest{{key: agentgraph.END}}, always}}, complete: true}
	case "START":
		return outcomes{sets: []outcome{{[]dest{{key: agentgraph.START}}, always}}, complete: true}
	}
	return outcomes{}
}

// worded is the value of a name where the function stands; nil where that is not known.
func (p *typeReader) worded(name string) value {
	fr := p.frame(p.f, p.aroundOf(p.f))
	v := p.word(fr, name)
	if v.only().kind == unknown {
		return nil
	}
	return v
}
