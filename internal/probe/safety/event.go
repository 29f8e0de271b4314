package safety

import (
	"slices"

	"github.com/automaton-auditor/automaton/internal/il/intree"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/il/analyse"
)

// event classifies one place from which the folder gets removed.
func (x *lowered) event(s *site, n code.Node, made folder, l lead) event {
	v := x.survey
	e := event{node: n, fn: v.function(n)}
	if v.finalises(n) || e.fn != nil && v.leaving(e.fn) {
		e.always = true
		return e
	}
	known := v.knownAt(n, e.fn, made.node, l)
	for _, c := range clauses(n) {
		body := block(c.try)
		switch c.part {
		case "finally":
			e.final = true
			e.failed = known && (l.in(body, e.fn) || len(l.calls[e.fn]) == 0 && yieldsIn(body))
			return e
		case "except":
			if !l.in(body, e.fn) {
				return e
			}
			e.after, e.failed = true, known
			e.broad = broad(c.handler) && !x.givesFolder(e.fn, made)
			return e
		}
	}
	if v.branch(n, e.fn, l) {
		e.after = true
		e.failed = known && !x.raises(s)
		return e
	}
	e.last = true
	return e
}

// finalises tells a node that is handed to something that runs at the end.
func (v *survey) finalises(n code.Node) bool {
	for a := range n.Around() {
		if a.Is("block", "module") {
			return false
		}
		if c := v.p.Call(a); c != nil && c.Node != n {
			if c.Callee.Matches("atexit.register", "weakref.finalize", "contextlib.ExitStack().callback", "contextlib.AsyncExitStack().*callback") {
				return true
			}
		}
	}
	return slices.ContainsFunc(v.p.Calls("atexit.register", "weakref.finalize"), func(c *intree.Call) bool {
		return slices.ContainsFunc(c.Args, func(a intree.Argument) bool { return a.Value == n })
	})
}

// leaving tells a method that runs when its object is left: __exit__ of a class
// that a with statement uses, or a finaliser; and a function that atexit calls.
func (v *survey) leaving(fn *code.Definition) bool {
	for _, d := range fn.Decorators() {
		if v.p.Resolve(d).Matches("atexit.register") {
			return true
		}
	}
	switch fn.Name {
	case "__del__":
		return fn.Kind == code.DefMethod
	case "__exit__", "__aexit__":
		return fn.Class() != nil && v.entersClass(fn.Class())
	}
	return false
}

// entersClass tells whether a with statement of production code enters an
// object of a class.
func (v *survey) entersClass(class *code.Definition) bool {
	for _, m := range v.p.Modules {
		if m.Scope != code.ScopeProduction {
			continue
		}
		for n := range m.Root().Walk() {
			if !n.Is("with_item") {
				continue
			}
			value := n.Field("value")
			if value.Is("as_pattern") {
				value = value.Child(0)
			}
			for _, s := range v.p.ResolveAll(value) {
				if s.Def == class || s.Def != nil && s.Def.Kind == code.DefClass && v.p.Inherits(s.Def, class.Qualified) {
					return true
				}
			}
		}
	}
	return false
}

// knownAt tells whether the folder is known at a place when the clone fails
// before: not where it only arrives with the result of the call that clones.
func (v *survey) knownAt(n code.Node, fn *code.Definition, made code.Node, l lead) bool {
	maker := v.function(made)
	level, on := l.level[fn], len(l.calls[fn]) > 0
	_, makerOn := l.calls[maker]
	if fn == maker || !on || !makerOn || level <= l.level[maker] {
		return true
	}
	names := map[string]bool{}
	for x := range n.Walk() {
		if x.Is("identifier") {
			names[x.Text()] = true
		}
	}
	for x := range fn.Body().WalkScope() {
		if x.Is("assignment", "named_expression") && slices.ContainsFunc(l.calls[fn], x.Contains) {
			left := x.Field("left")
			if x.Is("named_expression") {
				left = x.Field("name")
			}
			for id := range left.Walk() {
				if id.Is("identifier") && names[id.Text()] && !left.Is("attribute") {
					return false
				}
			}
		}
	}
	return true
}

func yieldsIn(n code.Node) bool {
	for x := range n.WalkScope() {
		if x.Is("yield") {
			return true
		}
	}
	return false
}

// branch tells a place in a branch behind the clone that leaves the function:
// what is done when the result says that it failed.
func (v *survey) branch(n code.Node, fn *code.Definition, l lead) bool {
	before := slices.ContainsFunc(l.calls[fn], func(c code.Node) bool { return c.Start() < n.Start() })
	if !before {
		return false
	}
	for a := range n.Around() {
		if a.Is("function_definition", "lambda") {
			return false
		}
		if a.Is("block") && a.Parent().Is("if_statement", "elif_clause", "else_clause") && leaves(a).Valid() && !l.in(a, fn) {
			return true
		}
	}
	return false
}

// raises tells whether a failing clone raises before its result can be tested.
func (x *lowered) raises(s *site) bool {
	return s.how != bySubprocess || slices.ContainsFunc(s.steps, func(st *started) bool {
		limited, _ := x.limits(st)
		return st.raises() || limited != no
	})
}

// removedBy weighs the events.
func (x *lowered) removedBy(events []event, made code.Node) removal {
	r := removal{some: len(events) > 0}
	var failed, final, last, wide bool
	var always code.Node
	for _, e := range events {
		if e.always {
			if !always.Valid() {
				always = e.node
			}
			continue
		}
		failed, final = failed || e.failed, final || e.final
		last, wide = last || e.last, wide || e.broad
		r.proof = append(r.proof, e.node)
	}
	switch {
	case failed && (final || last && wide):
		r.complete = yes // it says more than what happens at exit
	case always.Valid():
		return removal{complete: yes, some: true, proof: []code.Node{always}}
	case !r.some && x.unclear():
		r.complete, r.proof, r.why = unsure, []code.Node{made}, "the names of the folders that the code removes could not be followed"
	case !r.some:
		r.proof, r.why = []code.Node{made}, "nothing removes the folder of the clone"
	case !failed && final:
		r.why = "the folder stays when the clone itself fails"
	case last || final:
		r.why = "the folder is removed only when all goes well"
	default:
		r.why = "the folder is removed only when something fails"
	}
	return r
}

// unclear tells whether code that runs removes folders that could not be
// followed to where they are made.
func (x *lowered) unclear() bool {
	v := x.survey
	return slices.ContainsFunc(x.removers(), func(r remover) bool {
		if v.rank(v.function(r.call)) > 1 {
			return false
		}
		arg := r.arg
		return !arg.valid() || !slices.ContainsFunc(x.folderParts().Of(arg.f, arg.o, arg.use), func(o analyse.Origin) bool {
			return o.Kind == analyse.FromCall || o.Kind == analyse.FromConst || named(o.Symbol.Outside, partsOfTemp...)
		})
	})
}
