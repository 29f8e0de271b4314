package safety

import (
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/il"
	"github.com/automaton-auditor/automaton/internal/il/analyse"
	"github.com/automaton-auditor/automaton/internal/tables"
)

// started is a call that starts a process, as runs have it that come by a way.
type started struct {
	by
	call
	role   string // of what is called, in the table
	api    string // as a finding names it
	args   []argument
	what   operand     // of Python: the command, where it is one value
	argvs  [][]operand // the command lines that are known
	shell  bool        // a shell is handed the script
	flag   bool        // the library is told to use it, or does so by itself
	cut    bool        // a text is cut into words by the library: no shell, but what is in it may add arguments
	open   bool        // whether there is a shell is not known
	script []operand   // what the shell, or the library, is handed
	runs   string      // another program that runs it as text
	object handled     // the process, or what starts it
}

// operand is a value of a command line, where it is written.
type operand struct {
	f     *il.Function
	o     il.Operand
	use   *il.Instr
	at    il.Span // of f, where it was put in
	text  string  // with "*" for what is not known
	known bool    // all of the text is
	rest  bool    // it stands for any number of words
	cut   bool    // of a text that is cut into words: where it ends is not sure
}

// processes are the calls that start a process, each as the ways to it have it.
func (x *lowered) processes() [][]*started {
	if x.starts == nil {
		x.starts, x.carrying = [][]*started{}, x.carries()
		for f := range x.functions() {
			for _, in := range f.Instructions() {
				if in.Op == il.Call && in.Mode != il.Decorate {
					x.starts = append(x.starts, x.startsAt(f, in)...)
				}
			}
		}
	}
	return x.starts
}

// startsAt is a call as the ways to it have it, for each function that it may call; none where it
// starts no process.
func (x *lowered) startsAt(f *il.Function, in *il.Instr) (out [][]*started) {
	c := call{f: f, in: in}
	found := x.carried(c)
	if role, args := x.starter(&c); role != "" {
		found = []started{{call: c, role: role, args: args}}
	}
	for _, start := range found {
		if ways := x.waysOf(start); len(ways) > 0 {
			out = append(out, ways)
		}
	}
	return out
}

func (x *lowered) waysOf(start started) (out []*started) {
	own := x.production(start.f)
	start.api, start.object = apiOf(start.call), x.handled(start.f, start.in)
	for _, way := range x.Names.Ways(start.f, start.in, func(s analyse.Site) bool { return x.production(s.Function) == own }) {
		s := start
		if s.by = (by{x, way}); s.begins() {
			out = append(out, &s)
		}
	}
	return out
}

// starter is how a call starts a process by the table, and what that is given; "" for other
// calls. Classes that come from Popen start one as that does.
func (x *lowered) starter(c *call) (role string, args []argument) {
	outside := false
	if c.name, outside = x.callee(c.f, c.in); c.f.Module.Language != python {
		row, _ := tables.Of(tables.Process).Find(c.f.Module.Language, c.name)
		if !outside {
			return "", nil
		}
		return row.Role, c.arguments(0)
	}
	args = c.arguments(0)
	callee := x.Names.Operand(c.f, c.in.Args[0])
	if i := x.Names.Runs(c.f, c.in); i > 0 {
		if callee = x.Names.Operand(c.f, c.in.Args[i]); callee != nil && callee.Outside != "" {
			c.name, args = callee.Outside, c.arguments(i)
		}
	} else if target, ok := c.in.Argument("target", 1); ok && named(c.name, "threading.Thread", "multiprocessing.Process", "multiprocessing.context.Process") {
		if callee = x.Names.Operand(c.f, target); callee != nil && callee.Outside != "" {
			c.name, args = callee.Outside, nil
			if list, ok := c.in.Argument("args", 3); ok {
				args = []argument{{"*", operand{f: c.f, o: list, use: c.in}}}
			}
		}
	}
	class := c.f.Outer
	if !outside && callee != nil && callee.Function != nil {
		class = callee.Function
	}
	if !outside || c.name == "builtins.super().__init__" {
		if class == nil || !slices.Contains(x.Names.Above(class), popen) || !outside && x.Names.Method(class, "__init__") != nil {
			return "", nil
		}
		c.name = popen + map[bool]string{true: ".__init__"}[outside]
	}
	return starting(c.name), args
}

// starting is how a function of Python starts a process, "" for others.
func starting(name string) string {
	row, _ := tables.Of(tables.Process).Find(python, name, "shell", "option", "words", "direct")
	return row.Role
}

// apiOf is how a finding names what starts a process.
func apiOf(c call) string {
	switch c.f.Module.Language {
	case python:
		return c.name
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
func (s *started) begins() bool {
	args := s.in.Args[1:]
	if s.f.Module.Language == python {
		s.beginsPython()
		return true
	}
	if len(args) == 0 {
		return false
	}
	switch s.role {
	case "shell":
		s.shell, s.script = true, []operand{s.word(s.f, args[0], s.in)}
	case "option":
		return s.beginsByOption()
	case "text":
		s.beginsText()
	case "list":
		s.api = last(s.name)
		if len(args) > 1 {
			s.argv(s.elements(s.f, args[1], s.in))
		}
	case "file and text":
		s.beginsFile()
	case "words after a context":
		s.argv(s.words(s.args, 1))
	default:
		lang := s.f.Module.Language
		if lang == "java" && last(s.name) == "ProcessBuilder" && s.in.Mode != il.New {
			return false
		}
		words := s.words(s.args, 0)
		if lang == "java" && len(args) == 1 {
			words = s.elements(s.f, args[0], s.in)
		}
		for _, m := range s.object.methods {
			switch {
			case lang != "rust" || len(m.Args) < 2:
			case last(m.Kind) == "arg":
				words = append(words, s.word(s.f, m.Args[1], m))
			case last(m.Kind) == "args":
				words = append(words, s.elements(s.f, m.Args[1], m)...)
			}
		}
		s.argv(words)
	}
	return true
}

// beginsByOption reads a call of JavaScript that uses a shell when an option says so.
func (s *started) beginsByOption() bool {
	if s.name == "Deno.Command" && s.in.Mode != il.New {
		return false
	}
	args := s.in.Args[1:]
	words := s.elements(s.f, args[0], s.in)
	if len(args) > 1 {
		words = append(words, s.elements(s.f, args[1], s.in)...)
	}
	flag, told, unsure := s.option(s.args, "shell")
	var value analyse.Value
	if told {
		value = s.values.Of(flag.f, flag.o)
	}
	switch {
	case !told && !unsure, told && !value.Other && !value.True && len(value.Strs) == 0 && !value.AnyStr:
		s.argv(words)
	case told && !value.Other && !value.False:
		s.shell, s.script = true, words
	default:
		s.open = true
	}
	return true
}

// beginsText reads a call of Java that is given a text, which the library cuts into
// words, or a list.
func (s *started) beginsText() {
	first := s.in.Args[1]
	shapes := s.shapes(s.f, first, s.in)
	if len(shapes) == 1 && shapes[0].Kind == analyse.List {
		s.argv(s.elements(s.f, first, s.in))
		return
	}
	s.script = []operand{s.word(s.f, first, s.in)}
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
func (s *started) beginsFile() {
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
		if o, ok := from.in.Argument(name, i); ok {
			words = append(words, s.word(s.f, o, from.in))
		}
	}
	if len(words) < 2 {
		s.open = len(words) == 0
		return
	}
	s.cut = !words[1].known
	texts := []string{words[0].text}
	for _, shape := range s.shapes(s.f, words[1].o, from.in) {
		if len(shape.Parts) > 0 && shape.Parts[0].Known {
			texts = append(texts, strings.Fields(shape.Parts[0].Text)...)
		}
	}
	s.script = words[1:]
	if scriptAt(append(texts, "x")) > 0 {
		s.shell, s.cut = true, false
	}
}

// argv looks at a command of words for what some program runs as text.
func (s *started) argv(words []operand) {
	texts, known := make([]string, len(words)), make([]bool, len(words))
	for i, w := range words {
		texts[i], known[i] = w.text, w.known
	}
	found := reaches(texts, known, s.survey.file)
	for _, here := range []bool{true, false} {
		for _, r := range found {
			if r.here != here && r.word >= 0 || s.shell && (!here || r.word < 0) {
				continue
			}
			script := s.fed()
			if r.word >= 0 {
				if script = words[r.word:]; !r.rest && !script[0].cut {
					script = script[:1]
				}
			}
			if s.script = append(s.script, script...); here && r.word >= 0 {
				s.shell = true
			} else {
				s.runs = r.by
			}
		}
	}
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
