package safety

import (
	"slices"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/il"
	"github.com/automaton-auditor/automaton/internal/il/analyse"
)

// event classifies one place from which the folder gets removed: by where runs come to it
// in its function.
func (x *lowered) event(s *site, n code.Node, made folder, l lead) event {
	v, at := x.survey, x.siteOf(n)
	e := event{node: n, fn: v.function(n)}
	f := at.Function
	if f == nil {
		e.last = true
		return e
	}
	if x.atExit(f, at.At) || x.leaving(f) {
		e.always = true
		return e
	}
	var clones []*il.Instr
	for _, c := range l.calls[e.fn] {
		if site := x.siteOf(c); site.Function == f {
			clones = append(clones, site.At)
		}
	}
	known, home := x.knownAt(at, e.fn, clones, made, l), f.Block(at.At)
	behind, failed, leaves := x.Outcome.Usual, false, false // by a clone that fails; by what follows one
	for _, in := range f.Instructions() {
		if in.Dst == il.NoDst {
			continue
		}
		pending, comes := x.Outcome.Fallout(f, in)[home]
		e.final = e.final || pending
		failed = failed || comes && (slices.Contains(clones, in) || pending && in.Op == il.Yield && len(clones) == 0)
		leaves = leaves || !comes && in.Op == il.Call && in != at.At && behind(f.Block(in))[home] &&
			slices.ContainsFunc(clones, func(c *il.Instr) bool { return behind(f.Block(c))[f.Block(in)] })
	}
	handlers := slices.DeleteFunc(x.Outcome.Handlers(f), func(h analyse.Handler) bool { return !h.Holds(home) })
	switch {
	case e.final:
		e.failed = known && failed
	case len(handlers) > 0:
		h := handlers[len(handlers)-1]
		tried := x.Outcome.Tried(h)
		if slices.ContainsFunc(clones, func(in *il.Instr) bool { return slices.Contains(tried, in) }) {
			types := x.Outcome.Catches(h)
			e.after, e.failed = true, known
			e.broad = (len(types) == 0 || slices.ContainsFunc(types, func(t string) bool { return named(last(t), "Exception", "BaseException") })) && !x.givesFolder(f, made)
		}
	case slices.ContainsFunc(clones, func(in *il.Instr) bool { return x.Outcome.Aside(f, in, at.At) }):
		e.after = true
		e.failed = known && !x.raises(s)
	default: // or behind a handler that goes on
		e.last, e.failed = true, known && failed
		e.final = failed && !leaves && !x.givesFolder(f, made) // whoever gets the folder works on
	}
	return e
}

// atExit tells what is handed to something that runs in the end.
func (x *lowered) atExit(f *il.Function, in *il.Instr) bool {
	switch {
	case in.Op == il.Call:
		name, _ := x.callee(f, in)
		return named(name, "atexit.register", "weakref.finalize", "contextlib.ExitStack().callback", "contextlib.AsyncExitStack().*callback")
	case (in.Op == il.Define || in.Op == il.Bind) && in.Dst != il.NoDst:
		return slices.ContainsFunc(f.Versions[in.Dst].Uses, func(use *il.Instr) bool { return x.atExit(f, use) })
	}
	return false
}

// leaving tells a function that runs when its object is left: __exit__ of what a with
// statement of production code enters, or a finaliser; and one that atexit decorates.
func (x *lowered) leaving(f *il.Function) bool {
	if f.Outer == nil {
		return false
	}
	for _, in := range f.Outer.Instructions() {
		if in.Mode != il.Decorate {
			continue
		}
		if def := f.Outer.Def(in.Args[1]); def != nil && def.Ref == f && x.atExit(f.Outer, in) {
			return true
		}
	}
	switch name := last(f.Name); {
	case f.Outer.Kind != il.ClassBody:
		return false
	case name == "__del__":
		return true
	case name != "__exit__" && name != "__aexit__":
		return false
	}
	for g := range x.functions() {
		for _, in := range g.Instructions() {
			if in.Op != il.Call || in.Mode != il.Deferred || in.Kind != "close" || !x.production(g) {
				continue
			}
			class := x.Names.Instance(g, g.Def(in.Args[0]).Args[0]).Class
			if class != nil && x.Names.Method(class, last(f.Name)) == f {
				return true
			}
		}
	}
	return false
}

// knownAt tells whether the folder is known at a place when the clone fails
// before: not where it only arrives with the result of a call that clones.
func (x *lowered) knownAt(at analyse.Site, fn *code.Definition, clones []*il.Instr, made folder, l lead) bool {
	maker := x.survey.function(made.node)
	if _, on := l.calls[maker]; fn == maker || len(clones) == 0 || !on || l.level[fn] <= l.level[maker] {
		return true
	}
	seen := map[*il.Instr]bool{}
	for work := slices.Clone(at.At.Args); len(work) > 0; {
		def := at.Function.Def(work[len(work)-1])
		work = work[:len(work)-1]
		if def == nil || seen[def] {
			continue
		}
		if seen[def] = true; slices.Contains(clones, def) {
			return false
		}
		work = append(work, def.Args...)
	}
	return true
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
	case failed && last:
		r.why = "the folder stays when something fails after the clone"
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
