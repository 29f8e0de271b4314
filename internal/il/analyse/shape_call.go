package analyse

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/automaton-auditor/automaton/internal/il"
)

// making says what a function or method of a language's own makes of its
// arguments, or of its object.
type making uint8

const (
	makesUnknown making = iota
	makesSame           // a new one of the same parts
	makesText           // the same, if it is a text
	makesList           // a list of its arguments
	makesPairs          // a map of its arguments, each key before its value
	makesMap            // a map of another and its keywords
	makesHeld           // a list of the elements of another thing
	makesMore           // a list of the first with its other arguments behind it
	makesSum            // a list of the elements of all
	makesPrintf         // a text by a format with verbs
	makesBraces         // a text by a format with braces
	makesJoin           // a text of the elements of the second with the first between them
	joins               // the same, the list first
	makesSorted         // the same in another order
	makesWords          // the words of a text
	makesLooked         // what is under a key
	makesTrimmed        // a text without the space around it
	makesEmpty          // an empty text
)

// makers are functions outside of the program by the last two parts of their
// names.
var makers = map[string]making{"builtins.list": makesHeld, "builtins.tuple": makesHeld, "builtins.set": makesHeld, "builtins.frozenset": makesHeld, "builtins.str": makesText, "builtins.dict": makesMap,
	"builtins.sorted": makesSorted, "builtins.reversed": makesSorted, "copy.copy": makesSame, "copy.deepcopy": makesSame, "shlex.split": makesWords, "textwrap.dedent": makesTrimmed, "inspect.cleandoc": makesTrimmed,
	"append": makesMore, "slices.Clone": makesSame, "slices.Concat": makesSum, "strings.Join": joins, "fmt.Sprintf": makesPrintf, "util.format": makesPrintf, "strings.Fields": makesWords, "string": makesText, "strings.TrimSpace": makesTrimmed,
	"List.of": makesList, "Set.of": makesList, "Arrays.asList": makesList, "Stream.of": makesList, "Array.of": makesList, "List.copyOf": makesSame, "Collections.unmodifiableList": makesSame, "Collections.singletonList": makesList,
	"Collections.emptyList": makesList, "ImmutableList.of": makesList, "Map.of": makesPairs, "ImmutableMap.of": makesPairs, "String.format": makesPrintf, "String.join": makesJoin, "String.valueOf": makesText, "Objects.requireNonNull": makesSame,
	"Array.from": makesSame, "Object.freeze": makesSame, "String": makesText, "Object.assign": makesSum, "string.Format": makesBraces, "String.Format": makesBraces, "string.Join": makesJoin, "String.Join": makesJoin, "string.Concat": makesSum,
	"String.from": makesText, "Vec.from": makesSame, "Box.new": makesSame, "format!": makesBraces, "Vec.new": makesList, "String.new": makesEmpty, "Vec.with_capacity": makesList, "HashMap.new": makesPairs, "BTreeMap.new": makesPairs}

// builders are classes of containers by their bare names: new ones hold what they
// are made of, or nothing.
var builders = map[string]ShapeKind{"ArrayList": List, "LinkedList": List, "HashSet": List, "LinkedHashSet": List, "ArrayDeque": List, "List": List, "Array": List, "Set": List, "deque": List,
	"HashMap": Map, "LinkedHashMap": Map, "TreeMap": Map, "Dictionary": Map, "Map": Map, "StringBuilder": Text, "StringBuffer": Text}

// methods are methods of the languages' own containers and texts.
var methods = map[string]making{"copy": makesSame, "clone": makesSame, "Clone": makesSame, "slice": makesSame, "to_vec": makesSame, "toList": makesSame, "ToList": makesSame, "ToArray": makesSame, "toArray": makesSame, "iter": makesSame, "into_iter": makesSame,
	"collect": makesSame, "stream": makesSame, "cloned": makesSame, "to_owned": makesSame, "to_string": makesText, "toString": makesText, "ToString": makesText, "into": makesSame, "as_str": makesText, "as_slice": makesSame, "as_ref": makesSame, "encode": makesText,
	"concat": makesSum, "format": makesBraces, "formatted": makesPrintf, "join": makesJoin, "split": makesWords, "get": makesLooked, "getOrDefault": makesLooked, "strip": makesTrimmed, "trim": makesTrimmed, "Trim": makesTrimmed}

// call is what a call gives: of a function of the program, what that returns.
func (s *shaper) call(fr *running, o il.Operand, in *il.Instr) []Shape {
	f := fr.f
	if g := s.v.callee(f, in); g != nil {
		return s.returned(fr, o, in, g)
	}
	if in.Mode != il.Plain && in.Mode != il.New {
		return single(f, o, "")
	}
	sym := s.v.Names.Operand(f, in.Args[0])
	if sym != nil && sym.Outside != "" {
		path := sym.Outside
		if how := makers[lastNames(path)]; how != makesUnknown && !s.v.written[path] {
			return s.maker(fr, o, in, how)
		}
		name, _, _ := strings.Cut(lastName(path), "<")
		if kind, ok := builders[name]; ok && (in.Mode == il.New || name == "deque") {
			return s.built(fr, o, in, kind)
		}
		if path == "make" && len(in.Args) > 2 {
			if n, ok := f.Const(f.Root(in.Args[2])); ok && n.Num == 0 {
				return []Shape{{Kind: List}}
			}
		}
	}
	if sym != nil && (sym.Function != nil || sym.Const != nil) {
		return single(f, o, "")
	}
	if get := f.Def(f.Root(in.Args[0])); get != nil && get.Op == il.Get && get.Kind == "attr" {
		name, _ := f.Str(get.Args[1])
		if how := methods[name]; how != makesUnknown {
			return s.method(fr, o, in, get, how)
		}
	}
	return single(f, o, "")
}

// lastNames are the last two parts of a dotted path.
func lastNames(path string) string {
	if i := strings.LastIndexByte(path, '.'); i >= 0 {
		return path[strings.LastIndexByte(path[:i], '.')+1:]
	}
	return path
}

// returned is what a function of the program gives back to a call.
func (s *shaper) returned(fr *running, o il.Operand, in *il.Instr, g *il.Function) []Shape {
	for up := fr; up != nil; up = up.outer {
		if up.f == g {
			return single(fr.f, o, "")
		}
	}
	if fr.depth >= maxFrames {
		return single(fr.f, o, "")
	}
	inner := &running{f: g, call: in, sym: s.v.Names.Operand(fr.f, in.Args[0]), outer: fr, depth: fr.depth + 1}
	known := s.state.state(g)
	var out []Shape
	for b, ret := range g.Instructions() {
		if ret.Op == il.Return && (known.lost != "" || known.reached[b.ID]) {
			out = append(out, s.read(inner, ret.Args[0], ret)...)
		}
	}
	if len(out) == 0 {
		return single(fr.f, o, "")
	}
	return few(out)
}

// built is a new container.
func (s *shaper) built(fr *running, o il.Operand, in *il.Instr, kind ShapeKind) []Shape {
	args := in.Args[1:]
	switch {
	case len(args) == 0:
		return []Shape{{Kind: kind}}
	case kind == Map && slices.ContainsFunc(in.Names, func(n string) bool { return n != "" && n != "*" }):
		return s.elements(fr, Map, in, args, in.Names)
	case kind == Text:
		return s.text(fr, in, args[:1])
	}
	list := s.read(fr, args[0], in)
	return s.each(o, fr.f, list, func(w Shape) (Shape, bool) {
		if n, ok := fr.f.Const(fr.f.Root(args[0])); ok && n.Type == il.IntConst && fr.f.Module.Language != "javascript" && fr.f.Module.Language != "typescript" {
			return Shape{Kind: kind}, true // how many it has room for
		}
		return w, w.Kind == kind
	})
}

// maker is what a function outside of the program makes.
func (s *shaper) maker(fr *running, o il.Operand, in *il.Instr, how making) []Shape {
	f, args := fr.f, in.Args[1:]
	plain := !slices.ContainsFunc(in.Names, func(n string) bool { return n != "" })
	switch how {
	case makesList:
		if len(args) == 1 && plain && strings.HasSuffix(in.Kind, "asList") {
			if list := s.read(fr, args[0], in); list[0].Kind == List {
				return list
			}
		}
		if strings.HasSuffix(in.Kind, "with_capacity") {
			args = nil
		}
		return s.elements(fr, List, in, args, in.Names)
	case makesPairs:
		return s.pairs(fr, in, args)
	case makesEmpty:
		return []Shape{{Kind: Text}}
	case makesMap:
		names := slices.Clone(in.Names)
		for i, n := range names {
			if n == "" {
				names[i] = "**"
			}
		}
		return s.elements(fr, Map, in, args, names)
	}
	if len(args) == 0 {
		return single(f, o, "")
	}
	switch how {
	case makesHeld:
		if plain && len(args) == 1 {
			return s.held(fr, List, in, args[0])
		}
	case makesMore:
		return s.appended(s.held(fr, List, in, args[0]), s.elements(fr, List, in, args[1:], in.Names[1:]))
	case makesSum:
		return s.summed(fr, o, in, args)
	case makesPrintf, makesBraces:
		if !plain && how == makesPrintf {
			return single(f, o, "")
		}
		return s.formatted(fr, o, in, s.read(fr, args[0], in), args[1:], in.Names[1:], how)
	case joins:
		if len(args) == 2 {
			return s.joined(fr, o, in, s.read(fr, args[1], in), s.read(fr, args[0], in))
		}
	case makesJoin:
		if len(args) > 1 {
			list := s.elements(fr, List, in, args[1:], in.Names[1:])
			if len(args) == 2 {
				list = s.held(fr, List, in, args[1])
			}
			return s.joined(fr, o, in, s.read(fr, args[0], in), list)
		}
	case makesSame, makesText, makesSorted, makesWords, makesTrimmed:
		if plain && (len(args) == 1 || how == makesSorted) {
			return s.remade(fr, o, s.read(fr, args[0], in), how)
		}
	default:
	}
	return single(f, o, "")
}

// pairs is a map of keys and values in turn.
func (s *shaper) pairs(fr *running, in *il.Instr, args []il.Operand) []Shape {
	out := Shape{Kind: Map}
	for i := 0; i+1 < len(args); i += 2 {
		p := s.element(fr, args[i+1], in)
		if c, ok := fr.f.Const(fr.f.Root(args[i])); ok && c.Type == il.StrConst {
			p.Key = c.Text
		} else {
			p.Many = true
		}
		out = out.with(Shape{Kind: Map, Parts: []Part{p}})
	}
	return []Shape{out}
}

// summed is what holds the elements of several: the parts of maps, lists, or texts.
func (s *shaper) summed(fr *running, o il.Operand, in *il.Instr, args []il.Operand) []Shape {
	out := s.read(fr, args[0], in)
	for _, a := range args[1:] {
		out = s.each2(o, fr.f, out, s.read(fr, a, in), func(x, y Shape) (Shape, bool) {
			switch {
			case x.Kind == Text:
				return x.with(y.asText(fr.f, a, in)), true
			case x.Kind == Single && y.Kind == List:
				return x.asList(fr.f, in).with(y), true
			case x.Kind == List && y.Kind == Text:
				p := s.element(fr, a, in)
				return x.with(Shape{Kind: List, Parts: []Part{p}}), true
			case x.Kind == List && y.Kind == Single: // an element, or a list of some
				y = y.asList(fr.f, in)
				return x.with(y).loosened("whether a list or an element is put in is not known"), true
			}
			return x.with(y), x.Kind == y.Kind && x.Kind != Single
		})
	}
	return out
}

// remade is a copy of what is there.
func (s *shaper) remade(fr *running, o il.Operand, list []Shape, how making) []Shape {
	return s.each(o, fr.f, list, func(w Shape) (Shape, bool) {
		switch how {
		case makesSame:
			return w, w.Kind != Single
		case makesSorted:
			if len(w.Parts) > 1 {
				w = w.loosened("it is put into another order")
			}
			return w, w.Kind == List
		case makesWords:
			return words(w)
		case makesTrimmed:
			return trimmed(w), w.Kind == Text
		default:
			return w, w.Kind == Text
		}
	})
}

// method is what a method of a container or text gives.
func (s *shaper) method(fr *running, o il.Operand, in, get *il.Instr, how making) []Shape {
	args := in.Args[1:]
	base := s.read(fr, get.Args[0], in)
	plain := !slices.ContainsFunc(in.Names, func(n string) bool { return n != "" })
	kind := base[0].Kind
	switch {
	case kind == Single && how != makesSum:
	case how == makesBraces && kind == Text, how == makesPrintf && kind == Text:
		return s.formatted(fr, o, in, base, args, in.Names, how)
	case how == makesJoin && kind == Text && len(args) == 1 && plain:
		return s.joined(fr, o, in, base, s.held(fr, List, in, args[0]))
	case how == makesJoin && kind == List && plain && len(args) < 2:
		by := []Shape{{Kind: Text, Parts: []Part{{Text: ",", Known: true}}}}
		if len(args) == 1 {
			by = s.read(fr, args[0], in)
		}
		return s.joined(fr, o, in, by, base)
	case how == makesLooked && kind == Map && plain && len(args) > 0:
		out := s.under(fr, o, in, base, "item", args[0])
		if len(args) > 1 {
			out = append(out, s.read(fr, args[1], in)...)
		}
		return few(out)
	case how == makesSum && plain:
		return s.summed(fr, o, in, append([]il.Operand{get.Args[0]}, args...))
	case len(args) == 0 && (how == makesSame || how == makesText || how == makesTrimmed || how == makesWords):
		return s.remade(fr, o, base, how)
	}
	return single(fr.f, o, "")
}

// got is what lies in a container under a key.
func (s *shaper) got(fr *running, o il.Operand, get *il.Instr) []Shape {
	if name, ok := fr.f.Str(get.Args[1]); ok && get.Kind == "attr" {
		if sym := s.v.Names.Operand(fr.f, o); sym != nil && (sym.empty() || sym.Const != nil) {
			if sym.Const != nil && sym.Const.Type == il.StrConst && !s.v.written[name] {
				return []Shape{{Kind: Text, Parts: []Part{{In: fr.f, Of: o, At: get.Span, By: fr.f, Text: sym.Const.Text, Known: true}}}}
			}
			return s.elsewhere(fr, o, name)
		}
	}
	if get.Kind == "attr" && fr.f.Module.Language == "python" {
		return s.ofClass(fr, o, get)
	}
	if len(get.Names) > 0 {
		return s.behind(fr, o, get)
	}
	return s.under(fr, o, get, s.read(fr, get.Args[0], get), get.Kind, get.Args[1])
}

// ofClass is the text that a plain class has under a name.
func (s *shaper) ofClass(fr *running, o il.Operand, get *il.Instr) []Shape {
	name, _ := fr.f.Str(get.Args[1])
	_, class := s.v.Names.Operand(fr.f, get.Args[0]).Full()
	if c := s.v.Names.Class(class); c != nil && len(c.Bases) == 0 && !s.v.written[name] {
		if at := s.v.Names.once(class, name); at >= 0 {
			if k, ok := class.Const(class.Root(local(at))); ok && k.Type == il.StrConst {
				return []Shape{{Kind: Text, Parts: []Part{{In: fr.f, Of: o, At: get.Span, By: fr.f, Text: k.Text, Known: true}}}}
			}
		}
	}
	return single(fr.f, o, "")
}

// behind is a list without some of its first elements.
func (s *shaper) behind(fr *running, o il.Operand, get *il.Instr) []Shape {
	n, _ := strconv.Atoi(get.Names[0])
	return s.each(o, fr.f, s.read(fr, get.Args[0], get), func(w Shape) (Shape, bool) {
		if w.Kind != List || len(w.Parts) < n || slices.ContainsFunc(w.Parts[:n], Part.loose) {
			return w, false
		}
		w.Parts = w.Parts[n:]
		return w, true
	})
}

func (s *shaper) under(fr *running, o il.Operand, at *il.Instr, base []Shape, kind string, key il.Operand) (out []Shape) {
	c, known := fr.f.Const(fr.f.Root(key))
	for _, w := range base {
		if w.Kind != List && w.Kind != Map || kind == "attr" && w.Kind == List || loops([]Shape{w}) || w.Why != "" {
			return single(fr.f, o, "")
		}
		if kind == "key" || kind == "each" && w.Kind == Map && fr.f.Module.Language != "go" { // a map's elements are its keys
			return single(fr.f, o, "")
		}
		parts := w.Parts
		if known && c.Type != il.NoneConst && kind != "each" {
			if parts = w.find(c); parts == nil {
				return single(fr.f, o, "")
			}
		}
		for _, p := range parts {
			if p.Rest || p.In == nil || len(out) > maxWays {
				return single(fr.f, o, "")
			}
			out = append(out, s.part(fr, at, p)...)
		}
	}
	if len(out) == 0 {
		return single(fr.f, o, "")
	}
	return few(out)
}

// part is what a part that is read is made of.
func (s *shaper) part(fr *running, at *il.Instr, p Part) []Shape {
	if p.Known {
		return []Shape{{Kind: Text, Parts: []Part{{In: p.In, Of: p.Of, At: p.At, By: p.By, Text: p.Text, Known: true}}}}
	}
	for up := fr; up != nil; up = up.outer {
		if up.f == p.In {
			if up != fr {
				return s.read(up, p.Of, nil)
			}
			got := s.reads(up, p.Of, at) // it is the same object
			maps.Copy(s.chain, got.chain)
			s.from = append(s.from, got.from...)
			return got.ways
		}
	}
	if fr.depth >= maxFrames {
		return single(p.In, p.Of, "")
	}
	return s.read(&running{f: p.In, depth: fr.depth + 1}, p.Of, nil)
}
