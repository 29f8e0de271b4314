package safety

import (
	"slices"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/il"
	"github.com/automaton-auditor/automaton/internal/il/analyse"
)

// maxUp bounds how many callers are looked at above a function.
const maxUp = 5

// lead is the ways from the callers to a clone.
type lead struct {
	calls map[*code.Definition][]code.Node // in each function: the expressions that run the clone, directly or through others
	level map[*code.Definition]int         // how many calls away the clone is
}

// leads lists the calls that lead to a site, in production code.
func (x *lowered) leads(s *site) lead {
	v := x.survey
	l := lead{map[*code.Definition][]code.Node{}, map[*code.Definition]int{}}
	if s.home == nil {
		return l
	}
	l.calls[s.home] = x.runners(s)
	v.up(l, s.home)
	if v.rank(s.home) == 0 { // the graph runs it
		for _, n := range v.invokes {
			if fn := v.function(n); fn != nil && v.production(n) {
				if l.calls[fn] = append(l.calls[fn], n); l.level[fn] == 0 && fn != s.home {
					l.level[fn] = maxUp + 1
				}
				v.up(l, fn)
			}
		}
	}
	return l
}

// up adds the callers of a function, and theirs.
func (v *survey) up(l lead, from *code.Definition) {
	level := []*code.Definition{from}
	for range maxUp {
		var next []*code.Definition
		for _, fn := range level {
			for _, n := range v.runs(fn) {
				caller := v.function(n)
				if slices.Contains(l.calls[caller], n) {
					continue
				}
				if _, seen := l.calls[caller]; !seen {
					next = append(next, caller)
					l.level[caller] = l.level[fn] + 1
				}
				l.calls[caller] = append(l.calls[caller], n)
			}
		}
		level = next
	}
}

// runners are the calls in a site's own function that run its command.
func (x *lowered) runners(s *site) []code.Node {
	var out []code.Node
	if len(s.steps) == 0 {
		return append(out, s.call.Node)
	}
	for _, st := range s.steps {
		for _, c := range append(analyse.Way{{Function: st.f, At: st.in}}, st.way...) {
			if n := x.nodeAt(c.Function, c.At.Span); x.survey.function(n) == s.home {
				out = append(out, n)
			}
		}
	}
	if len(out) == 0 {
		out = append(out, s.at)
	}
	return out
}

// runs are the production calls of a function, and the places that hand it to
// something else.
func (v *survey) runs(fn *code.Definition) []code.Node {
	if fn == nil || !fn.IsFunction() {
		return nil
	}
	var out []code.Node
	for _, c := range v.p.Callers(fn) {
		if v.production(c.Node) && v.function(c.Node) != fn {
			out = append(out, c.Node)
		}
	}
	for _, n := range v.p.Uses(fn) {
		if n.FieldName() == "function" && n.Parent().Is("call") {
			continue
		}
		if v.production(n) && v.function(n) != fn {
			out = append(out, n)
		}
	}
	return out
}

// siteOf is the instruction of a node that leads to the clone; of what a lambda does the
// making of the lambda. It is of no function where none was lowered.
func (x *lowered) siteOf(n code.Node) analyse.Site {
	s, ok := x.CallAt(n.Path(), n.Start(), n.End())
	if v, _ := x.valueAt(n); !ok {
		s = analyse.Site{Function: v.f, At: v.use}
	}
	for f := s.Function; f != nil && f.Kind == il.Lambda; f = s.Function {
		s.Function = f.Outer
		for _, in := range f.Outer.Instructions() {
			if in.Ref == f {
				s.At = in
			}
		}
	}
	if s.At == nil || s.Function.Block(s.At) == nil {
		return analyse.Site{}
	}
	return s
}
