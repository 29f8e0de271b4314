package safety

import (
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code/syntax"
	"github.com/automaton-auditor/automaton/internal/tables"
)

// started is a call that starts a process in a language beside Python.
type started struct {
	call   syntax.Node
	api    string        // as a finding names it
	shell  bool          // a shell is handed the script
	words  bool          // a text is cut into words by the library: no shell, but what is in it may add arguments
	open   bool          // whether there is a shell is not known
	script []syntax.Node // what the shell, or the library, is handed
}

// processes lists every call that starts a process, by place.
func (x *foreignCode) processes() []*started {
	var out []*started
	for _, c := range x.calls {
		if s := x.startedBy(c); s != nil {
			s.call = c
			out = append(out, s)
		}
	}
	return out
}

// startedBy reads a call of the table of processes.
func (x *foreignCode) startedBy(c syntax.Node) *started {
	full := x.callee(c)
	if scripted(c) {
		full = x.promised(c, full)
	}
	row, ok := in(tables.Process, c, full)
	if !ok {
		return nil
	}
	args := slices.Collect(c.Children("arg"))
	s := &started{api: apiOf(c, full)}
	switch row.Role {
	case "shell":
		s.shell, s.script = true, []syntax.Node{arg(c, 0)}
	case "option":
		return x.startsByOption(c, s, full)
	case "text":
		return x.startsText(c, s)
	case "list":
		s.api = last(full)
		x.argv(s, x.elements(arg(c, 1)))
	case "words after a context":
		x.argv(s, x.spread(args[min(1, len(args)):]))
	default:
		return x.startsWords(c, s, args)
	}
	return s
}

// apiOf is how a finding names what starts a process.
func apiOf(c syntax.Node, full string) string {
	switch c.File().Language {
	case "go":
		return strings.TrimPrefix(full, "os/")
	case "java":
		if strings.HasSuffix(full, ".exec") {
			return "Runtime.exec"
		}
		return "ProcessBuilder"
	case "rust":
		return "Command::new"
	}
	return strings.TrimPrefix(full, "child_process.")
}

// startsWords reads a call that is given one argument per word.
func (x *foreignCode) startsWords(c syntax.Node, s *started, args []syntax.Node) *started {
	switch c.File().Language {
	case "rust":
		args = append(args, x.added(c)...)
	case "java":
		if s.api == "ProcessBuilder" && last(x.callee(c)) == "ProcessBuilder" && !c.Has(syntax.New) || len(args) == 0 {
			return nil
		}
		if len(args) == 1 {
			args = x.elements(args[0])
		}
	default:
		args = x.spread(args)
	}
	x.argv(s, args)
	return s
}

// startsByOption reads a call of JavaScript that uses a shell when an option
// says so.
func (x *foreignCode) startsByOption(c syntax.Node, s *started, full string) *started {
	if full == "Deno.Command" && !c.Has(syntax.New) {
		return nil
	}
	program, args := arg(c, 0), arg(c, 1)
	words := append([]syntax.Node{program}, x.elements(args)...)
	if program.Is("list") { // Bun.spawn([...])
		words = x.elements(program)
	}
	flag := option(c, "shell")
	if !flag.Valid() {
		for a := range c.Children("arg") { // options in a variable
			if v := entry(x.written(a), "shell"); v.Valid() {
				flag = v
			}
		}
	}
	switch {
	case !flag.Valid(), flag.Is("bool") && flag.Name() == "false":
		x.argv(s, words)
	case flag.Is("bool", "string"):
		s.shell, s.script = true, words
	default:
		s.open = true
	}
	return s
}

// promised is the name of the function that promisify was given.
func (x *foreignCode) promised(c syntax.Node, full string) string {
	if full != "util.promisify()" && full != "" {
		return full
	}
	v := x.written(c.Child("callee"))
	if v.Is("call") && (x.callee(v) == "util.promisify" || v.Child("callee").Name() == "promisify") {
		return x.p.Resolve(arg(v, 0))
	}
	return full
}

// written is the expression that a variable is declared with.
func (x *foreignCode) written(n syntax.Node) syntax.Node {
	if !n.Is("name") {
		return n
	}
	d := x.p.Declared(n)
	if a := d.Parent(); d.Is("name") && d.Role() == "target" && a.Is("assign") {
		return a.Child("value")
	}
	return syntax.Node{}
}

// startsText reads a call of Java that is given a text, which the library cuts
// into words, or a list.
func (x *foreignCode) startsText(c syntax.Node, s *started) *started {
	first := arg(c, 0)
	if words := x.elements(first); len(words) > 1 || x.written(first).Is("list") {
		x.argv(s, words)
		return s
	}
	s.script = []syntax.Node{first}
	if text, known := x.p.Text(first); known {
		s.shell = scriptAt(strings.Fields(text)) > 0
		return s
	}
	head := ""
	if parts := x.p.Value(first); len(parts) > 0 && parts[0].Kind == "text" {
		head = parts[0].Text
	}
	s.shell = scriptAt(append(strings.Fields(head), "x")) > 0
	s.words = !s.shell && head != ""
	s.open = !s.shell && !s.words && len(x.elements(first)) == 0
	return s
}

// added are the arguments that the calls of a chain, or of the variable that
// holds what it makes, add to a command of Rust.
func (x *foreignCode) added(c syntax.Node) []syntax.Node {
	var out []syntax.Node
	add := func(call syntax.Node) {
		switch call.Child("callee").Name() {
		case "arg":
			out = append(out, arg(call, 0))
		case "args":
			out = append(out, x.elements(arg(call, 0))...)
		}
	}
	top := c
	for p := top.Parent(); p.Is("member") && p.Parent().Is("call") || p.Is("unary"); p = top.Parent() {
		if p.Is("unary") {
			top = p
			continue
		}
		top = p.Parent()
		add(top)
	}
	if a := top.Parent(); a.Is("assign") && a.Child("target").Is("name") {
		for _, u := range x.p.Given(a.Child("target")) {
			if u.Is("call") {
				for p := u; p.Is("call"); p = p.Parent().Parent() {
					add(p)
					if !p.Parent().Is("member") {
						break
					}
				}
			}
		}
	}
	return out
}

// spread are arguments with the elements of a list that ends them.
func (x *foreignCode) spread(args []syntax.Node) []syntax.Node {
	var out []syntax.Node
	for _, a := range args {
		if a.Is("unary") && a.Detail() == "..." {
			out = append(out, x.elements(a.Child("value"))...)
			continue
		}
		out = append(out, a)
	}
	return out
}

// elements are the elements of a list that is written out, here or where a
// variable is declared, and what is added to it; the expression itself for any
// other.
func (x *foreignCode) elements(n syntax.Node) []syntax.Node {
	for n.Is("unary") && (n.Detail() == "&" || n.Detail() == "...") {
		n = n.Child("value")
	}
	v := x.written(n)
	if v.Is("call") && named(x.p.Resolve(v.Child("callee")), "java.util.Arrays.asList", "java.util.List.of", "java.util.Collections.singletonList", "std.vec", "append") {
		return x.spread(slices.Collect(v.Children("arg")))
	}
	if !v.Is("list", "record") && !(v.Is("call") && v.Has(syntax.New)) {
		if n.Valid() {
			return []syntax.Node{n}
		}
		return nil
	}
	out := x.spread(slices.Collect(v.Children("")))
	if d := x.p.Declared(n); d.Is("name") {
		for _, g := range x.p.Given(d) {
			if g.Is("assign") {
				g = g.Child("value")
			}
			for i, a := range slices.Collect(g.Children("arg")) {
				if i > 0 || a.Text() != n.Text() {
					out = append(out, x.spread([]syntax.Node{a})...)
				}
			}
		}
	}
	return out
}

// argv looks at a command of words: a shell that is given a script.
func (x *foreignCode) argv(s *started, words []syntax.Node) {
	texts := make([]string, len(words))
	for i, w := range words {
		texts[i], _ = x.p.Text(w)
	}
	for len(words) > 2 && isWord("launcher", base(texts[0])) { // env and sudo run what follows
		words, texts = words[1:], texts[1:]
	}
	at := scriptAt(texts)
	if at == 0 {
		return
	}
	s.shell, s.script = true, words[at:at+1]
	if program := texts[0]; strings.HasPrefix(base(program), "cmd") || strings.Contains(program, "power") || strings.HasPrefix(program, "pwsh") {
		s.script = words[at:]
	}
}

func last(full string) string { return full[strings.LastIndexByte(full, '.')+1:] }
