package langgraph

import (
	"slices"

	"github.com/automaton-auditor/automaton/internal/agentgraph"
	"github.com/automaton-auditor/automaton/internal/code"
)

// annotated reads the destinations that a return annotation names:
// Literal["a", "b"], list[Literal[...]], unions of them, and aliases.
func (r *reader) annotated(n code.Node) outcomes { return r.annotation(n, 0) }

func (r *reader) annotation(n code.Node, depth int) outcomes {
	for n.Is("type", "parenthesized_expression") {
		n = n.Child(0)
	}
	if depth > maxCalls*2 || !n.Valid() {
		return unread()
	}
	switch n.Kind() {
	case "generic_type", "subscript":
		return r.generic(n, depth)
	case "binary_operator", "union_type":
		out := outcomes{complete: true}
		for c := range n.Children() {
			out = out.join(r.annotation(c, depth+1))
		}
		return out
	case "none":
		return outcomes{sets: nil, complete: true}
	case "identifier", "attribute":
		if s := r.p.Resolve(n); s.Node.Valid() && s.Node != n && !s.Instance {
			return r.annotation(s.Node, depth+1)
		}
	}
	return unread()
}

// generic reads X[...].
func (r *reader) generic(n code.Node, depth int) outcomes {
	head, args := typeParts(n)
	symbol := r.p.Resolve(head)
	name := lastName(head)
	switch {
	case name == "Literal":
		out := outcomes{complete: true}
		read := &router{reader: r, active: map[code.Node]bool{}}
		for _, a := range args {
			out = out.join(read.constant(a, site{}))
		}
		return out
	case slices.Contains([]string{"Union", "Optional", "Annotated"}, name):
		out := outcomes{complete: true}
		for i, a := range args {
			if name == "Annotated" && i > 0 {
				break
			}
			out = out.join(r.annotation(a, depth+1))
		}
		return out
	case slices.Contains([]string{"list", "List", "Sequence", "Iterable", "tuple", "Tuple", "set", "Set"}, name):
		all := []dest{}
		out := outcomes{complete: true}
		for _, a := range args {
			in := r.annotation(a, depth+1)
			out.complete = out.complete && in.complete
			for _, set := range in.sets {
				all = append(all, set...)
			}
		}
		if len(all) > 0 {
			out.sets = [][]dest{all}
		}
		return out
	case name == "Command" && symbol.Matches("langgraph.*"):
		if len(args) > 0 {
			return r.annotation(args[0], depth+1)
		}
	}
	return unread()
}

// typeParts splits X[a, b] into X and its arguments.
func typeParts(n code.Node) (head code.Node, args []code.Node) {
	if n.Is("subscript") {
		args = n.Fields("subscript")
		if len(args) == 1 && args[0].Is("tuple") {
			args = slices.Collect(args[0].Children())
		}
		return n.Field("value"), args
	}
	for c := range n.Children() {
		if !head.Valid() {
			head = c
			continue
		}
		if c.Is("type_parameter") {
			for a := range c.Children() {
				for a.Is("type") {
					a = a.Child(0)
				}
				args = append(args, a)
			}
		}
	}
	return head, args
}

// annotatedRoute takes the targets from the annotation; what the router
// returns tells which of them go together.
func (w *wirer) annotatedRoute(r *agentgraph.Route, annotation, returned outcomes) {
	known := map[string]bool{}
	for _, set := range annotation.sets {
		for _, d := range set {
			l := w.place(label{text: d.key}, false)
			known[l.text] = true
			w.target(r, l.text, dest{}, false)
		}
	}
	source := returned
	if !returned.complete {
		source = annotation
		source.complete = true
	}
	r.Complete = source.complete
	for _, set := range source.sets {
		var names []string
		for _, d := range set {
			l := w.place(label{text: d.key}, false)
			if known[l.text] || d.send && w.g.Node(l.text) != nil {
				names = append(names, w.target(r, l.text, d, false))
			}
		}
		r.Decide(names)
	}
	for _, set := range returned.sets { // Sends are not named in a Literal
		for _, d := range set {
			if d.send && !known[d.key] && w.g.Node(d.key) != nil {
				w.target(r, d.key, d, false)
			}
		}
	}
	r.Sort()
}
