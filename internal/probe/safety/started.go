package safety

import (
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/il"
	"github.com/automaton-auditor/automaton/internal/il/analyse"
	"github.com/automaton-auditor/automaton/internal/tables"
)

// started is a call that starts a process in a language beside Python.
type started struct {
	call
	api    string    // as a finding names it
	shell  bool      // a shell is handed the script
	cut    bool      // a text is cut into words by the library: no shell, but what is in it may add arguments
	open   bool      // whether there is a shell is not known
	script []operand // what the shell, or the library, is handed
	by     string    // another program that runs it as text
	object handled   // the process, or what starts it
}

// operand is a value of a command line, where it is written.
type operand struct {
	f     *il.Function
	o     il.Operand
	use   *il.Instr
	text  string // where it is constant
	known bool
}

// starts lists the calls that start a process, by place.
func (x *lowered) starts() (out []*started) {
	for c := range x.calls() {
		if lang := c.f.Module.Language; lang != python {
			if row, ok := tables.Of(tables.Process).Find(lang, c.name); ok {
				s := &started{call: c, api: apiOf(c), object: x.handled(c.f, c.in)}
				if x.begins(s, row.Role) {
					out = append(out, s)
				}
			}
		}
	}
	return out
}

// apiOf is how a finding names what starts a process.
func apiOf(c call) string {
	switch c.f.Module.Language {
	case "go":
		return strings.TrimPrefix(c.name, "os/")
	case "java":
		if strings.HasSuffix(c.name, ".exec") {
			return "Runtime.exec"
		}
		return "ProcessBuilder"
	case "rust":
		return "Command::new"
	}
	return strings.TrimPrefix(strings.TrimPrefix(c.name, "child_process."), "System.Diagnostics.")
}

// begins reads how a call starts a process; false where it does not.
func (x *lowered) begins(s *started, role string) bool {
	args := s.in.Args[1:]
	if len(args) == 0 {
		return false
	}
	switch role {
	case "shell":
		s.shell, s.script = true, []operand{x.word(s.f, args[0], s.in)}
	case "option":
		return x.beginsByOption(s)
	case "text":
		x.beginsText(s)
	case "list":
		s.api = last(s.name)
		if len(args) > 1 {
			x.argv(s, x.elements(s.f, args[1], s.in))
		}
	case "file and text":
		x.beginsFile(s)
	case "words after a context":
		x.argv(s, x.words(s.call, 1))
	default:
		lang := s.f.Module.Language
		if lang == "java" && last(s.name) == "ProcessBuilder" && s.in.Mode != il.New {
			return false
		}
		words := x.words(s.call, 0)
		if lang == "java" && len(args) == 1 {
			words = x.elements(s.f, args[0], s.in)
		}
		for _, m := range s.object.methods {
			switch {
			case lang != "rust" || len(m.Args) < 2:
			case last(m.Kind) == "arg":
				words = append(words, x.word(s.f, m.Args[1], m))
			case last(m.Kind) == "args":
				words = append(words, x.elements(s.f, m.Args[1], m)...)
			}
		}
		x.argv(s, words)
	}
	return true
}

// beginsByOption reads a call of JavaScript that uses a shell when an option says so.
func (x *lowered) beginsByOption(s *started) bool {
	if s.name == "Deno.Command" && s.in.Mode != il.New {
		return false
	}
	args := s.in.Args[1:]
	words := x.elements(s.f, args[0], s.in)
	if len(args) > 1 {
		words = append(words, x.elements(s.f, args[1], s.in)...)
	}
	flag, told, unsure := x.option(s.call, "shell")
	var value analyse.Value
	if told {
		value = x.values.Of(flag.f, flag.o)
	}
	switch {
	case !told && !unsure, told && !value.Other && !value.True && len(value.Strs) == 0 && !value.AnyStr:
		x.argv(s, words)
	case told && !value.Other && !value.False:
		s.shell, s.script = true, words
	default:
		s.open = true
	}
	return true
}

// beginsText reads a call of Java that is given a text, which the library cuts into
// words, or a list.
func (x *lowered) beginsText(s *started) {
	first := s.in.Args[1]
	shapes := x.values.Shapes(s.f, first, s.in)
	if len(shapes) == 1 && shapes[0].Kind == analyse.List {
		x.argv(s, x.elements(s.f, first, s.in))
		return
	}
	s.script = []operand{x.word(s.f, first, s.in)}
	if s.script[0].known {
		s.shell = scriptAt(strings.Fields(s.script[0].text)) > 0
		return
	}
	head := ""
	if len(shapes) == 1 && len(shapes[0].Parts) > 0 && shapes[0].Parts[0].Known {
		head = shapes[0].Parts[0].Text
	}
	s.shell = scriptAt(append(strings.Fields(head), "x")) > 0
	s.cut = !s.shell && head != ""
	s.open = !s.shell && !s.cut
}

// beginsFile reads a program and the text of its arguments, by themselves or in
// what was made to start it.
func (x *lowered) beginsFile(s *started) {
	from := s.call
	def := s.f.Def(s.f.Root(s.in.Args[1]))
	for def != nil && def.Op == il.Set { // of what was made before
		def = s.f.Def(s.f.Root(def.Args[0]))
	}
	if def != nil && def.Op == il.Call && def.Mode == il.New {
		from = call{f: s.f, in: def, name: s.name}
	}
	var words []operand
	for i, name := range []string{"FileName", "Arguments"} {
		if o, ok := from.argument(name, i); ok {
			words = append(words, x.word(s.f, o, from.in))
		}
	}
	if len(words) < 2 {
		s.open = len(words) == 0
		return
	}
	s.cut = !words[1].known
	texts := []string{words[0].text}
	for _, shape := range x.values.Shapes(s.f, words[1].o, from.in) {
		if len(shape.Parts) > 0 && shape.Parts[0].Known {
			texts = append(texts, strings.Fields(shape.Parts[0].Text)...)
		}
	}
	s.script = words[1:]
	if scriptAt(append(texts, "x")) > 0 {
		s.shell, s.cut = true, false
	}
}

// words are the arguments of a call from one on, with the elements of a list that is
// spread.
func (x *lowered) words(c call, from int) (out []operand) {
	for i, o := range c.in.Args[1:] {
		switch {
		case i < from:
		case c.in.Names[i] == "*":
			out = append(out, x.elements(c.f, o, c.in)...)
		default:
			out = append(out, x.word(c.f, o, c.in))
		}
	}
	return out
}

func (x *lowered) word(f *il.Function, o il.Operand, use *il.Instr) operand {
	w := operand{f: f, o: o, use: use}
	if shapes := x.values.Shapes(f, o, use); len(shapes) == 1 {
		w.text, w.known = shapes[0].Constant()
	}
	return w
}

// elements are those of a list as far as they are known, else the value itself.
func (x *lowered) elements(f *il.Function, o il.Operand, use *il.Instr) (out []operand) {
	shapes := x.values.Shapes(f, o, use)
	if len(shapes) == 0 || slices.ContainsFunc(shapes, func(s analyse.Shape) bool { return s.Kind != analyse.List }) {
		return []operand{x.word(f, o, use)}
	}
	for _, p := range shapes[0].Parts {
		if p.Known || p.In == nil {
			out = append(out, operand{f: f, o: o, use: use, text: p.Text, known: p.Known})
			continue
		}
		out = append(out, x.word(p.In, p.Of, putBy(p)))
	}
	return out
}

// argv looks at a command of words for what some program runs as text.
func (x *lowered) argv(s *started, words []operand) {
	texts, known := make([]string, len(words)), make([]bool, len(words))
	for i, w := range words {
		texts[i], known[i] = x.pattern(w), w.known
	}
	found := reaches(texts, known, x.survey.file)
	for _, here := range []bool{true, false} {
		for _, r := range found {
			if r.here != here || r.word < 0 || s.shell && !here {
				continue
			}
			script := words[r.word:]
			if !r.rest {
				script = script[:1]
			}
			if s.script = append(s.script, script...); here {
				s.shell = true
			} else {
				s.by = r.by
			}
		}
	}
}

// pattern is the text of a word, with "*" for what is not known of it.
func (x *lowered) pattern(w operand) string {
	if w.known {
		return w.text
	}
	shapes := x.values.Shapes(w.f, w.o, w.use)
	if len(shapes) != 1 || len(shapes[0].Parts) == 0 || shapes[0].Kind == analyse.List || shapes[0].Kind == analyse.Map {
		return "*"
	}
	var out strings.Builder
	for _, p := range shapes[0].Parts {
		if p.Known {
			out.WriteString(p.Text)
		} else {
			out.WriteByte('*')
		}
	}
	return out.String()
}

// option is what a record among the arguments of a call has under a key; maybe where
// one may have it that is not known.
func (x *lowered) option(c call, key string) (value operand, found, maybe bool) {
	for i, o := range c.in.Args[1:] {
		for _, s := range x.values.Shapes(c.f, o, c.in) {
			switch {
			case s.Kind == analyse.Map:
				for _, p := range s.Parts {
					if p.Key == key {
						value, found = operand{f: c.f, o: o, use: c.in, text: p.Text, known: p.Known}, true
						if p.In != nil {
							value.f, value.o = p.In, p.Of
						}
					}
					maybe = maybe || p.Rest
				}
				maybe = maybe || s.Why != ""
			case s.Kind == analyse.Single && i > 0 && i == len(c.in.Args)-2 && !callback(c.f, o):
				maybe = true
			}
		}
	}
	return value, found, maybe && !found
}

// handled is what is done with an object in the function that makes it.
type handled struct {
	methods []*il.Instr // calls of its methods, and of those of what they give
	reads   []string    // what is read of it, and of what its methods give
	decides bool        // it, or what they give, decides a branch
	used    bool
	open    bool // it goes where it is not followed
	gone    bool // what its methods give does
}

// handled follows what an instruction makes through copies, changes, and what its
// methods and parts give.
func (x *lowered) handled(f *il.Function, in *il.Instr) (out handled) {
	seen := map[int32]bool{}
	var follow func(id int32, itself bool)
	follow = func(id int32, itself bool) {
		if id == il.NoDst || seen[id] {
			return
		}
		seen[id] = true
		for _, use := range f.Versions[id].Uses {
			switch {
			case use.Op == il.Bind && use.Kind == "" || use.Op == il.Phi || use.Op == il.Assume, use.Op == il.Set && use.Args[0].Is(id), use.Op == il.Yield && use.Kind == "await":
				follow(use.Dst, itself)
				continue
			case use.Op == il.Get:
				if key, ok := f.Str(use.Args[1]); ok {
					out.reads = append(out.reads, key)
				}
				follow(use.Dst, false)
			case use.Op == il.Call && use.Args[0].Is(id):
				out.methods = append(out.methods, use)
				follow(use.Dst, false)
			case use.Op == il.Call && last(use.Kind) == "timeout":
				follow(use.Dst, itself)
			case use.Op == il.Branch || use.Op == il.Loop || use.Op == il.Bind:
				out.decides = true
			case use.Op == il.Raise:
			case itself:
				out.open = true
			default:
				out.gone = true
			}
			out.used = true
		}
	}
	follow(in.Dst, true)
	return out
}

// calls are the methods of an object that are called by one of some names.
func (h handled) calls(names ...string) (out []*il.Instr) {
	for _, m := range h.methods {
		if slices.Contains(names, last(m.Kind)) {
			out = append(out, m)
		}
	}
	return out
}

// asks tells whether one of some parts is read.
func (h handled) asks(names ...string) bool {
	return slices.ContainsFunc(h.reads, func(r string) bool { return slices.Contains(names, r) })
}
