package analyse

import (
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/il"
)

// Off is the condition because of which no run comes to an instruction of a function while
// every switch is as it is where nobody sets it: a constant of a module that nothing
// writes, a variable of the environment that is read as a switch, a field of settings.
// Parameters can be anything. It is No where constants alone
// decide, else Unknown, with the Flag. False says nothing.
//
// It is sound as Values and Reach are.
func (r *Runs) Off(f *il.Function, at *il.Instr) (Condition, bool) {
	v := r.a.Values
	for g, in := f, at; g != nil && in != nil; g, in = g.Outer, r.a.Definition(g) {
		if x, ok := v.Off(g, g.Block(in)); ok {
			return x, true
		}
		if g.Outer == nil || len(g.Outer.Blocks) == 0 {
			break
		}
	}
	if r.plain == nil {
		r.plain = reach(r.a.Names, func(f *il.Function, b *il.Block) []*il.Instr {
			if s := v.asIs().state(f); s.lost == "" && !s.reached[b.ID] {
				return nil
			}
			return b.Instrs
		}, nil, r.entries)
	}
	if r.plain.Of(f).Is != No {
		return Condition{}, false
	}
	for way, ok := r.hoped.from[f]; ok && way.by != nil; way, ok = r.hoped.from[way.by] {
		if _, comes := r.plain.from[way.by]; !comes {
			continue
		}
		for b, in := range way.by.Instructions() {
			if way.by.Place(in.Span) == way.at {
				if x, ok := v.Off(way.by, b); ok {
					return x, true
				}
			}
		}
		return Condition{}, false
	}
	return Condition{}, false
}

// Off is the condition of its function that keeps every run from a block, as Runs.Off has it.
func (v *Values) Off(f *il.Function, home *il.Block) (out Condition, ok bool) {
	if home == nil {
		return out, false
	}
	open, now := v.runs(false).state(f), v.asIs().state(f)
	if open.lost != "" || now.lost != "" || !open.reached[home.ID] || now.reached[home.ID] {
		return out, false
	}
	all := &hanging{v: v}
	for _, b := range f.Blocks {
		for i, to := range b.Succs {
			if b.End().Op != il.Branch || !now.reached[b.ID] || now.taken[b.ID][i] || !open.taken[b.ID][i] || !leadsTo(f, to, home, nil) {
				continue
			}
			h := &hanging{v: v}
			for _, a := range b.End().Args {
				h.follow(f, a, 0)
			}
			if len(h.on) == 0 {
				return Condition{}, false
			}
			if out.Test == nil {
				out = Condition{Answer: Answer{Places: []il.Place{f.Place(b.End().Span)}}, Test: b.End(), Truth: i == 0}
			}
			all.on, all.open = append(all.on, h.on...), all.open || h.open
		}
	}
	slices.Sort(all.on)
	out.Flag = strings.Join(slices.Compact(all.on), ", ")
	if !all.open {
		out.Is = No
	}
	return out, out.Flag != ""
}

// hanging collects the switches that a value hangs on.
type hanging struct {
	v    *Values
	on   []string
	open bool // one of them is no constant of the program's text
	seen map[Use]bool
}

func (h *hanging) follow(f *il.Function, o il.Operand, depth int) {
	o = f.Root(o)
	if h.seen == nil {
		h.seen = map[Use]bool{}
	}
	if u := (Use{Function: f, Operand: o}); h.seen[u] || depth > maxDepth {
		return
	} else {
		h.seen[u] = true
	}
	if o.Kind == il.Free {
		if _, _, ok := h.v.bound(f, o); ok {
			h.on = append(h.on, f.Word(o))
			return
		}
	}
	if top, name, value := h.v.Names.home(f, o); top != nil {
		if top.Root(value).Kind == il.Constant {
			h.on = append(h.on, name)
		}
		h.follow(top, value, depth+1)
		return
	}
	def := f.Def(o)
	if def == nil {
		return
	}
	switch name := h.v.settingOf(f, def); {
	case name != "":
		h.on, h.open = append(h.on, name), true
		return
	case def.Op == il.Get:
		if key, ok := f.Str(def.Args[1]); ok && h.v.offField(f, def) {
			h.on, h.open = append(h.on, key), true
			return
		}
	}
	for _, a := range def.Args {
		h.follow(f, a, depth+1)
	}
	if g := h.v.callee(f, def); g != nil {
		for _, a := range def.Args[1:] {
			if name, ok := f.Str(f.Root(a)); ok && h.v.flagger(g) {
				h.on, h.open = append(h.on, name), true
				break
			}
		}
		for _, in := range g.Instructions() {
			if in.Op == il.Return || in.Op == il.Branch {
				for _, a := range in.Args {
					h.follow(g, a, depth+1)
				}
			}
		}
	}
}

// home is where another scope, or another file, binds a name once: its top level, and
// the name and value there; nil where it does not.
func (n *Names) home(f *il.Function, o il.Operand) (top *il.Function, name string, value il.Operand) {
	o = f.Root(o)
	if o.Kind == il.Free {
		for g := f.Outer; g != nil && g.Kind != il.Top; g = g.Outer {
			if slices.Contains(g.Vars, f.Word(o)) {
				return nil, "", o
			}
		}
		top, name = f.Module.Top, f.Word(o)
	} else if m, of := n.from(f, o); m != nil {
		top, name = m.Top, of
	}
	for range maxDepth {
		if top == nil {
			return nil, "", o
		}
		b, ok := n.tops[top.Module][name]
		if !ok || !b.once {
			return nil, "", o
		}
		m, of := n.from(top, b.value)
		if m == nil {
			return top, name, b.value
		}
		top, name = m.Top, of
	}
	return nil, "", o
}

// from is the file of the program that an operand is taken from by a name, nil where it is
// something else.
func (n *Names) from(f *il.Function, o il.Operand) (*il.Module, string) {
	def := f.Def(f.Root(o))
	switch {
	case def == nil || f.Module.Language != "python":
	case def.Op == il.Import && len(def.Names) > 1:
		if link := f.Module.Links[def.Kind]; len(link.Modules) == 1 {
			return link.Modules[0], def.Names[1]
		}
	case def.Op == il.Get && def.Kind == "attr":
		key, ok := f.Str(def.Args[1])
		if s := n.Operand(f, def.Args[0]); ok && s != nil && len(s.Modules) == 1 {
			return s.Modules[0], key
		}
	}
	return nil, ""
}

// asIs is the run in which every switch is as it is where nobody sets it.
func (v *Values) asIs() *run {
	v.runs(false)
	if v.standing == nil {
		v.standing = v.start(true)
		v.standing.switches, v.standing.tops = true, map[*il.Function]*state{}
	}
	return v.standing
}

// elsewhere is what a name of a module that is not a constant holds, as the program stands.
func (r *run) elsewhere(f *il.Function, o il.Operand) (Value, bool) {
	top, name, value := r.v.Names.home(f, o)
	if top == nil || top == f || r.v.written[name] {
		return Value{}, false
	}
	with := r.within()
	if with == nil {
		return Value{}, false
	}
	s := r.tops[top]
	if s == nil || with.depth > 0 {
		g := *r
		g.given = with
		s = g.solve(top)
	}
	if with.depth == 0 {
		r.tops[top] = s
	}
	return r.operand(s, value), true
}

// within is for a call, or the top level of a file, that is computed by itself; nil where
// too many are open.
func (r *run) within() *given {
	switch {
	case r.given == nil:
		return &given{until: r.v.Work + r.v.limit()*r.v.limit()}
	case r.given.depth >= maxOpen || r.v.Work > r.given.until:
		return nil
	}
	return &given{depth: r.given.depth + 1, until: r.given.until}
}

// flagger tells a function that reads a variable of the environment whose name it is given.
func (v *Values) flagger(g *il.Function) bool {
	for _, in := range g.Instructions() {
		if in.Op != il.Call || len(in.Args) < 2 {
			continue
		}
		s := v.Names.Operand(g, in.Args[0])
		if s == nil || s.Outside == "" {
			continue
		}
		if _, is := environment[s.Outside]; is && g.Root(in.Args[1]).Kind == il.Local {
			return true
		}
	}
	return false
}

// offField tells the read of a field that is off in every object which the program makes.
func (v *Values) offField(f *il.Function, get *il.Instr) bool {
	key, ok := f.Str(get.Args[1])
	if !ok || get.Kind != "attr" || v.written[key] || f.Module.Language != "python" {
		return false
	}
	g, base := f, get.Args[0]
	if top, _, value := v.Names.home(f, base); top != nil {
		g, base = top, value
	}
	class := v.classOf(g, base, 0)
	if class == nil || !v.closed(class) {
		return false
	}
	sites, off := v.Names.Sites(class), constant(il.Const{Type: il.BoolConst})
	for _, s := range sites {
		if x := v.given(s, class, key); !x.equal(off) {
			return false
		}
	}
	return len(sites) > 0
}
