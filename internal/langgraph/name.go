package langgraph

import (
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/agentgraph"
	"github.com/automaton-auditor/automaton/internal/code"
)

// label is the name of a node as far as it is known.
type label struct {
	text    string
	pattern bool   // text has "*" for what is not known
	over    string // of a pattern that is "*" alone: the expression over its collection, "" when not told
}

// known reports whether something of the name is known.
func (l label) known() bool { return l.text != "*" }

// labels returns the names that an expression may stand for.
func (r *reader) labels(n code.Node, s site) []label {
	var out []label
	if n.Is("attribute") && n.Field("attribute").Text() == "__name__" { // f.__name__
		for _, v := range r.eval(n.Field("object"), s).Choices() {
			if v.Kind == code.ValueSymbol && v.Symbol.Def != nil {
				out = append(out, label{text: v.Symbol.Def.Name})
			}
		}
		if len(out) > 0 {
			return out
		}
	}
	choices := r.eval(n, s).Choices()
	for _, v := range choices {
		if v.Kind == code.ValueNone {
			continue
		}
		l := r.labelOf(v, n)
		if !l.known() && len(choices) == 1 {
			l.over = r.oneEach(n, s)
		}
		if !slices.Contains(out, l) {
			out = append(out, l)
		}
	}
	return out
}

// labelOf names a value. n is the expression that it was computed from.
func (r *reader) labelOf(v code.Value, n code.Node) label {
	if text, ok := v.Str(); ok {
		return label{text: text}
	}
	if v.Kind == code.ValueSymbol {
		if t := terminalSymbol(v.Symbol); t != "" {
			return label{text: t}
		}
	}
	if v.Node.Valid() {
		n = v.Node
	}
	for _, s := range r.p.ResolveAll(n) {
		if t := terminalSymbol(s); t != "" {
			return label{text: t}
		}
	}
	if v.Kind == code.ValueString {
		return label{text: v.Pattern(), pattern: true}
	}
	return label{text: "*", pattern: true}
}

// terminalSymbol says which terminal a symbol is: LangGraph's constants, also
// when they are imported from somewhere that is not known.
func terminalSymbol(s code.Symbol) string {
	if s.Instance || s.Def != nil || s.Known() && !s.External {
		return ""
	}
	q := s.Qualified
	if !s.Known() {
		q, _, _ = strings.Cut(strings.TrimPrefix(q, "?"), "@")
	}
	switch q[strings.LastIndex(q, ".")+1:] {
	case "START":
		return agentgraph.START
	case "END":
		return agentgraph.END
	default:
		return ""
	}
}

// matchPattern reports whether a name fits a pattern of labels.
func matchPattern(pattern, name string) bool {
	parts := strings.Split(pattern, "*")
	if !strings.HasPrefix(name, parts[0]) || len(name) < len(pattern)-strings.Count(pattern, "*") {
		return false
	}
	rest := name[len(parts[0]):]
	for i, p := range parts[1:] {
		if i == len(parts)-2 {
			return strings.HasSuffix(rest, p)
		}
		at := strings.Index(rest, p)
		if at < 0 {
			return false
		}
		rest = rest[at+len(p):]
	}
	return rest == ""
}
