package analyse

import (
	"slices"

	"github.com/automaton-auditor/automaton/internal/il"
)

// element is the part that an operand becomes.
func (s *shaper) element(fr *running, o il.Operand, in *il.Instr) Part {
	root := fr.f.Root(o)
	if root.Kind == il.Local {
		if i := fr.f.Versions[root.ID].Param; i >= 0 && fr.call != nil {
			if given, ok := fr.given(i); ok {
				p := s.element(fr.outer, given, fr.call)
				p.At, p.By = in.Span, fr.f
				return p
			}
		}
	}
	p := Part{In: fr.f, Of: o, At: in.Span, By: fr.f}
	if v := s.state.operand(s.state.state(fr.f), o); len(v.Strs) == 1 && v.within(texts(v.Strs[0])) {
		p.Text, p.Known = v.Strs[0], true
	} else if def := fr.f.Def(root); def != nil && (def.Op == il.Call || def.Op == il.Bind) {
		if ways := s.read(fr, root, in); len(ways) == 1 && !loops(ways) {
			p.Text, p.Known = ways[0].Constant()
		}
	}
	return p
}

// given is the operand of the frame around that a call gives a parameter.
func (fr *running) given(i int) (il.Operand, bool) {
	if fr.f.Params[i].Spread != "" {
		return il.Operand{}, false
	}
	if fr.sym.Bound && i == 0 {
		if get := fr.outer.f.Def(fr.outer.f.Root(fr.call.Args[0])); get != nil && get.Op == il.Get {
			return get.Args[0], true
		}
		return il.Operand{}, false
	}
	for k := range fr.call.Args[1:] {
		if position(fr.sym, fr.call, k) == i {
			return fr.call.Args[k+1], true
		}
	}
	return il.Operand{}, false
}

// elements are the parts that operands with their names become: "*" and "**" bring
// theirs.
func (s *shaper) elements(fr *running, kind ShapeKind, in *il.Instr, args []il.Operand, names []string) []Shape {
	out, own := []Shape{{Kind: kind}}, Shape{Kind: kind}
	if len(args) > mostParts {
		args, own.Why = args[:mostParts], "it has too many parts"
	}
	for i, a := range args {
		name := ""
		if i < len(names) {
			name = names[i]
		}
		if name == "*" || name == "**" {
			out = s.appended(s.appended(out, []Shape{Shape{Kind: kind}.with(own)}), s.held(fr, kind, in, a))
			own.Parts = nil
			continue
		}
		p := s.element(fr, a, in)
		if p.Key = name; kind == Map && name == "" {
			p.Many = true // its key is not known
		}
		own.Parts = append(own.Parts, p)
	}
	return s.appended(out, []Shape{Shape{Kind: kind}.with(own)})
}

// held is what a list or map that an instruction reads holds.
func (s *shaper) held(fr *running, kind ShapeKind, in *il.Instr, o il.Operand) []Shape {
	out := slices.Clone(s.read(fr, o, in))
	for i, w := range out {
		if out[i] = w.as(kind, fr.f, in); out[i].Kind != kind {
			out[i] = Shape{Kind: kind, Parts: []Part{{In: fr.f, Of: o, At: in.Span, By: fr.f, Rest: true}}, Why: w.Why}
		}
	}
	return few(out)
}

// appended are the shapes of a list, each with each of those behind it.
func (s *shaper) appended(as, bs []Shape) []Shape {
	return s.each2(il.Operand{}, nil, as, bs, func(a, b Shape) (Shape, bool) { return a.with(b), true })
}

// made is what a Make makes.
func (s *shaper) made(fr *running, o il.Operand, def *il.Instr) []Shape {
	switch def.Kind {
	case "list":
		return s.elements(fr, List, def, def.Args, def.Names)
	case "map":
		return s.elements(fr, Map, def, def.Args, def.Names)
	case "text":
		return s.text(fr, def, def.Args)
	}
	return single(fr.f, o, "")
}

// text is a text of operands.
func (s *shaper) text(fr *running, in *il.Instr, args []il.Operand) []Shape {
	out := []Shape{{Kind: Text}}
	for _, a := range args {
		out = s.appended(out, s.hole(fr, in, a))
	}
	return out
}

// hole is an operand as a part of a text.
func (s *shaper) hole(fr *running, in *il.Instr, o il.Operand) []Shape {
	out := slices.Clone(s.read(fr, o, in))
	for i, w := range out {
		out[i] = w.asText(fr.f, o, in)
	}
	return few(out)
}

// changed is an object after a Set.
func (s *shaper) changed(fr *running, o il.Operand, set *il.Instr) []Shape {
	f := fr.f
	if set.Kind == "outer" || set.Kind == "export" {
		return single(f, o, "")
	}
	base := s.trace(fr, set.Args[0])
	if set.Kind == "add" {
		return s.added(fr, o, set, base)
	}
	key, known, several := s.key(fr, set.Args[1], set)
	return s.each(o, f, base, func(w Shape) (Shape, bool) {
		p := s.element(fr, set.Args[2], set)
		gone := set.Args[2].Kind == il.Opaque
		switch {
		case several != nil && (w.Kind == Map || loops([]Shape{w})):
			return w.asMap(f, set).with(under(p, several)), true
		case w.Kind == Map || w.Kind == Single && set.Kind == "item" && (known && key.Type == il.StrConst || loops([]Shape{w})):
			w = w.asMap(f, set)
			if p.Key = key.Text; !known || key.Type == il.NoneConst {
				p.Key, p.Many = "", true
			}
			p.Maybe = gone
			return w.with(Shape{Kind: Map, Parts: []Part{p}}), true
		case w.Kind == List && set.Kind == "item":
			if i, ok := w.index(key); known && ok && !gone {
				w.Parts = slices.Clone(w.Parts)
				w.Parts[i] = p
				return w, true
			}
			if len(w.Parts) == 0 && known && key.Type == il.StrConst { // an empty list may be a map
				p.Key, w.Kind = key.Text, Map
				return w.with(Shape{Kind: Map, Parts: []Part{p}}), true
			}
			return w.loosened("an element is set or deleted"), true
		case w.Kind == List && f.Module.Language == "python" || w.Kind == Single:
			return w, true // an attribute
		}
		return w.loosened("it is changed"), true
	})
}

// key is the constant that an operand is which says where something is put in; several: it is
// one of these texts, as in a loop over them, or behind a test for it.
func (s *shaper) key(fr *running, o il.Operand, at *il.Instr) (c il.Const, known bool, several []string) {
	if c, known = fr.f.Const(fr.f.Root(o)); known || o.Kind == il.Opaque {
		return c, known, nil
	}
	if v := s.state.operand(s.state.state(fr.f), o); len(v.Strs) > 0 && v.within(texts(v.Strs...)) {
		several = slices.Clone(v.Strs)
	} else {
		for _, w := range s.read(fr, o, at) {
			text, ok := w.Constant()
			if !ok {
				return c, false, nil
			}
			several = append(several, text)
		}
	}
	if len(several) == 1 {
		return il.Const{Type: il.StrConst, Text: several[0]}, true, nil
	}
	return c, false, several
}

// under is a map with a part under one of some keys.
func under(p Part, keys []string) Shape {
	out := Shape{Kind: Map}
	for _, p.Key = range keys {
		p.Maybe = true
		out.Parts = append(out.Parts, p)
	}
	return out
}

// index is where a list has the element of a constant index.
func (s Shape) index(key il.Const) (int, bool) {
	n := len(s.Parts)
	if key.Type != il.IntConst || s.Why != "" || key.Num < float64(-n) || key.Num >= float64(n) {
		return 0, false
	}
	i := int(key.Num)
	if i < 0 {
		i += n
		return i, !slices.ContainsFunc(s.Parts[i:], Part.loose)
	}
	return i, !slices.ContainsFunc(s.Parts[:i+1], Part.loose)
}

// adding says what a method that changes a container does with its arguments.
type adding uint8

const (
	addUnknown adding = iota
	addLast           // each becomes the last element
	addFirst          // each becomes the first, in their order
	addAll            // it brings its elements
	addAt             // the last is put where the first says
	addKey            // the last is put under the first
	addSoft           // as addKey, unless something is there
	addText           // it is written behind a text
)

// additions are the methods that a lowering knows for putting something in, by
// their names; some mean another thing where there are two arguments, or in a
// language.
var additions = map[string]adding{"append": addLast, "add": addLast, "push": addLast, "push_back": addLast, "addLast": addLast, "offer": addLast, "put": addKey,
	"put_nowait": addLast, "Add": addLast, "Enqueue": addLast, "AddLast": addLast, "unshift": addFirst, "appendleft": addFirst, "addFirst": addFirst,
	"AddFirst": addFirst, "extend": addAll, "addAll": addAll, "AddRange": addAll, "UnionWith": addAll, "update": addAll, "putAll": addAll, "insert": addAt,
	"Insert": addAt, "set": addKey, "setdefault": addSoft, "putIfAbsent": addSoft, "TryAdd": addSoft, "push_str": addText, "Append": addLast}

// addition is what a call of such a method does.
func addition(language, name string, args int) adding {
	how := additions[name]
	switch {
	case language == "rust" && name == "append":
		return addAll
	case language == "java" && name == "push", language == "c#" && name == "Push":
		return addUnknown // the end at which a stack grows
	case language == "java" && name == "set":
		return addUnknown
	case language == "java" && name == "add" && args == 2:
		return addAt
	case language == "c#" && name == "Add" && args == 2:
		return addKey
	case language == "python" && name == "put" || how == addKey && args == 1:
		return addLast
	case (language == "javascript" || language == "typescript") && name == "append":
		return addUnknown
	case how == addAll && args > 1 && name == "addAll":
		return addUnknown
	}
	return how
}

// added is a container after a method put something in, or an element of a
// comprehension.
func (s *shaper) added(fr *running, o il.Operand, set *il.Instr, base []Shape) []Shape {
	f := fr.f
	call := callOf(f, set)
	if call == nil && !collects(f, set) {
		return s.each(o, f, base, func(w Shape) (Shape, bool) { return w.loosened("it is changed"), true })
	}
	if call == nil {
		key, known, several := s.key(fr, set.Args[1], set)
		return s.each(o, f, base, func(w Shape) (Shape, bool) {
			p := s.element(fr, set.Args[2], set)
			if known && key.Type == il.NoneConst {
				return w.asList(f, set).with(Shape{Kind: List, Parts: []Part{p}}), true
			}
			if w.Kind = Map; several != nil {
				return w.with(under(p, several)), true
			}
			p.Key, p.Many = key.Text, key.Text == ""
			return w.with(Shape{Kind: Map, Parts: []Part{p}}), true
		})
	}
	args := call.Args[1:]
	name := lastName(call.Kind)
	how := addition(f.Module.Language, name, len(args))
	var out []Shape
	for _, w := range base {
		kind := w.Kind
		if kind == Single || kind == List && len(w.Parts) == 0 {
			if kind = List; how == addKey || how == addSoft || name == "update" || name == "putAll" || how == addAt && s.keyed(fr, args[0]) {
				kind = Map
			}
		}
		out = append(out, s.adds(fr, call, w, kind, how)...)
	}
	return few(out)
}

// keyed tells an argument that is a text, and so no position.
func (s *shaper) keyed(fr *running, o il.Operand) bool {
	c, ok := fr.f.Const(fr.f.Root(o))
	return ok && c.Type == il.StrConst
}

// adds is one shape of a kind after a call put something in.
func (s *shaper) adds(fr *running, call *il.Instr, w Shape, kind ShapeKind, how adding) []Shape {
	args, names := call.Args[1:], call.Names
	if kind == Text {
		if how == addLast || how == addText {
			return s.appended([]Shape{w}, s.text(fr, call, args[:1]))
		}
		return []Shape{w.loosened("it is changed by " + call.Kind)}
	}
	if kind == List && w.Kind == Map {
		kind = Map
	}
	if w.Kind == List && len(w.Parts) == 0 {
		w.Kind = kind
	}
	w = w.as(kind, fr.f, call)
	switch {
	case kind == Map && how == addAll:
		out := []Shape{w}
		for i, a := range args {
			if i < len(names) && names[i] != "" && names[i] != "*" && names[i] != "**" {
				out = s.appended(out, s.elements(fr, Map, call, args[i:i+1], names[i:i+1]))
			} else {
				out = s.appended(out, s.held(fr, Map, call, a))
			}
		}
		return out
	case kind == Map && (how == addKey || how == addAt || how == addSoft) && len(args) > 1:
		p := s.element(fr, args[len(args)-1], call)
		switch c, ok, several := s.key(fr, args[0], call); {
		case ok && c.Type == il.StrConst:
			p.Key, p.Maybe = c.Text, how == addSoft
		case several != nil:
			return []Shape{w.with(under(p, several))}
		default:
			p.Many = true
		}
		return []Shape{w.with(Shape{Kind: Map, Parts: []Part{p}})}
	case kind == List && how == addLast:
		return s.appended([]Shape{w}, s.elements(fr, List, call, args, names))
	case kind == List && how == addFirst:
		return s.appended(s.elements(fr, List, call, args, names), []Shape{w})
	case kind == List && how == addAll:
		out := []Shape{w}
		for _, a := range args {
			out = s.appended(out, s.held(fr, List, call, a))
		}
		return out
	case kind == List && how == addAt && len(args) == 2:
		return []Shape{s.inserted(fr, call, w)}
	}
	return []Shape{w.loosened("it is changed by " + call.Kind)}
}

// inserted is a list with an element at a position.
func (s *shaper) inserted(fr *running, call *il.Instr, w Shape) Shape {
	c, ok := fr.f.Const(fr.f.Root(call.Args[1]))
	p := s.element(fr, call.Args[2], call)
	if i := int(c.Num); ok && c.Type == il.IntConst && i >= 0 && i <= len(w.Parts) && !slices.ContainsFunc(w.Parts[:i], Part.loose) {
		w.Parts = slices.Insert(slices.Clone(w.Parts), i, p)
		return w
	}
	return w.with(Shape{Kind: List, Parts: []Part{p}}).loosened("where it is put in is not known")
}

// collects tells a Set that adds an element to what a comprehension makes: it binds
// the same temporary anew.
func collects(f *il.Function, set *il.Instr) bool {
	o := set.Args[0]
	return o.Kind == il.Local && f.Versions[o.ID].Var == f.Versions[set.Dst].Var && f.Versions[o.ID].Var[0] == '%'
}

// callOf is the call of a method that a Set tells the effect of, nil of others.
func callOf(f *il.Function, set *il.Instr) *il.Instr {
	list := f.Versions[set.Dst].Block.Instrs
	i := slices.Index(list, set)
	if i < 1 || list[i-1].Op != il.Call || list[i-1].Span != set.Span {
		return nil
	}
	get := f.Def(f.Root(list[i-1].Args[0]))
	if get == nil || get.Op != il.Get || f.Root(get.Args[0]) != f.Root(set.Args[0]) {
		return nil
	}
	return list[i-1]
}
