package syntax

import (
	"slices"
	"strings"

	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
)

// param follows a parameter: to the argument where its function was reached by
// a call, else to the arguments of all callers.
func (w *flow) param(use, d Node, fr *frame) {
	fn := d.Parent()
	for f := fr; f != nil; f = f.out {
		if f.fn == fn {
			if a := argument(f.call, fn, d); a.Valid() {
				w.expr(a, f.out)
				return
			}
			w.expr(d.Child("value"), f.out)
			return
		}
	}
	callers := w.p.productive(fn)
	again, done := w.following(d)
	defer done()
	if again {
		return
	}
	if w.up >= maxCalls || len(callers) == 0 || len(callers) > maxCallers || w.p.open(fn) {
		w.put("param", "", d)
	}
	if w.up < maxCalls && len(callers) <= maxCallers {
		w.up++
		for _, c := range callers {
			if a := argument(c, fn, d); a.Valid() {
				w.expr(a, nil)
			} else {
				w.expr(orNode(d.Child("value"), d.Child("none")), nil)
			}
		}
		w.up--
	}
	_ = use
}

// productive are the callers of a function outside of tests.
func (p *Program) productive(fn Node) []Node {
	var out []Node
	for _, c := range p.Callers(fn) {
		if c.File().Scope != "test" && !inTest(c) {
			out = append(out, c)
		}
	}
	return out
}

// inTest tells code of a test case.
func inTest(n Node) bool {
	for a := range n.Around() {
		if a.Has(Test) {
			return true
		}
	}
	return false
}

// open tells a function that may be called from outside of what is read: what
// is exported, has no name, implements something, or is handed on as a value.
func (p *Program) open(fn Node) bool {
	return fn.Has(Exported) || fn.Has(Lambda) && !fn.Parent().Is("assign") || fn.Child("decorator").Valid() || fn.Has(Method) && fn.File().Language != "rust"
}

// argument is what a call gives a parameter of a function.
func argument(call, fn, param Node) Node {
	at, i := -1, 0
	for x := range fn.Children("param") {
		if x == param {
			at = i
		}
		if name := x.Name(); name != "self" && name != "this" {
			i++
		}
	}
	i = 0
	for a := range call.Children("arg") {
		switch {
		case a.Has(Keyword):
			if a.Name() == param.Name() {
				return a
			}
		case a.Is("unary") && a.Detail() == "...":
			return a
		case i == at:
			return a
		}
		i++
	}
	return Node{}
}

// call follows what a call gives at a position of its results.
func (w *flow) call(n Node, at int, fr *frame) {
	callee := n.Child("callee")
	full := w.p.Resolve(callee)
	switch {
	case w.formatted(n, callee, full, fr), w.handsThrough(n, callee, full, fr):
		return
	}
	if fn := w.p.Target(n); fn.Is("func") && !fn.Has(Constructor) && (fr == nil || fr.depth < maxCalls) {
		if again, done := w.following(fn); !again {
			results := results(fn, at)
			inner := &frame{call: n, fn: fn, out: fr, depth: 1}
			if fr != nil {
				inner.depth = fr.depth + 1
			}
			for _, r := range results {
				w.expr(r, inner)
			}
			done()
			if len(results) > 0 {
				return
			}
		}
	}
	w.put("call", full, n)
}

// results are the expressions that a function may give at a position.
func results(fn Node, at int) []Node {
	body := fn.Child("body")
	if !body.Is("block") {
		if body.Valid() && !body.Is("class") {
			return []Node{body}
		}
		return nil
	}
	var out []Node
	for n := range body.Walk() {
		if n.Is("return") && n.Enclosing("func") == fn {
			if v := n.Nth("value", at); v.Valid() {
				out = append(out, v)
			} else if v := n.Child("value"); v.Is("call") {
				out = append(out, v)
			}
		}
	}
	if fn.File().Language == "rust" && fn.Child("result").Valid() {
		var last Node
		for c := range body.Children() {
			last = c
		}
		if last.Valid() && !last.Is("return", "assign", "loop") && !strings.HasPrefix(strings.TrimSpace(fn.File().text[last.End():]), ";") {
			out = append(out, last)
		}
	}
	return out
}

// throughArgs are calls that give their arguments put together.
var throughArgs = words(`strings.Join path.Join path/filepath.Join append string []byte []rune fmt.Sprint fmt.Sprintln
	path.join path.resolve String Buffer.from Object.assign
	java.lang.String.join java.lang.String.valueOf java.util.List.of java.util.Arrays.asList java.util.Set.of java.util.Collections.singletonList java.util.Map.of
	java.lang.StringBuilder java.lang.StringBuffer java.lang.String java.nio.file.Paths.get java.nio.file.Path.of java.io.File
	std.string.String.from std.path.PathBuf.from std.path.Path.new std.vec std.ffi.OsString.from std.option.Option.Some std.result.Result.Ok`)

// throughObject are methods that give what they are called on, and what they
// are given besides.
var throughObject = words(`toString to_string to_owned into as_str as_ref as_bytes clone concat append join unwrap expect unwrap_or unwrap_or_default as_mut
	to_path_buf resolve push_str toPath toFile to_str to_string_lossy into_owned intern strip repeat as_path toAbsolutePath getBytes
	and_then ok_or ok ok_or_else borrow await`)

// handsThrough follows calls that give their arguments, or what they are called
// on, put together.
func (w *flow) handsThrough(n, callee Node, full string, fr *frame) bool {
	switch {
	case builders[full]:
		w.expr(callee.Child("object"), fr)
	case throughArgs[full] || callee.Is("type") && n.File().Language == "go":
	case callee.Is("member") && throughObject[callee.Name()] && !w.p.Target(n).Valid() && !throughModule(full):
		w.expr(callee.Child("object"), fr)
	default:
		return false
	}
	for a := range n.Children("arg") {
		if !a.Is("func") {
			w.expr(a, fr)
		}
	}
	return true
}

// builders are Go's ways to get out what was put into a builder.
var builders = words("strings.Builder.String bytes.Buffer.String bytes.Buffer.Bytes")

// throughModule tells a function of a module, which is no method of a value.
func throughModule(full string) bool {
	module, _, ok := strings.Cut(full, ".")
	return ok && (module == "path" || module == "fs" || module == "util")
}

// formats are functions with a format, by the position of it.
var formats = map[string]int{"fmt.Sprintf": 0, "fmt.Errorf": 0, "util.format": 0, "java.lang.String.format": 0, "std.format": 0, "std.format_args": 0,
	"java.text.MessageFormat.format": 0}

// holes are where a format puts its arguments.
var (
	percent = regexp.MustCompile(`%(?:\[[0-9]+\])?[-+# 0-9.*$,(]*([a-zA-Z%])`)
	braces  = regexp.MustCompile(`\{\{|\}\}|\{([^{}]*)\}`)
)

// formatted follows a text that is made by a format.
func (w *flow) formatted(n, callee Node, full string, fr *frame) bool {
	args := slices.Collect(n.Children("arg"))
	at, ok := formats[full]
	var format Node
	switch {
	case ok && len(args) > at:
		format, args = args[at], args[at+1:]
		if full == "java.lang.String.format" && !w.texts(format) && len(args) > 0 {
			format, args = args[0], args[1:] // a Locale comes first
		}
	case callee.Is("member") && callee.Name() == "formatted":
		format = callee.Child("object")
	default:
		return false
	}
	text, known := w.p.Text(format)
	if !known {
		w.expr(format, fr)
		for _, a := range args {
			w.expr(a, fr)
		}
		return true
	}
	holes := percent
	if strings.HasPrefix(full, "std.") || full == "java.text.MessageFormat.format" {
		holes = braces
	}
	w.fill(format, text, holes, args, fr)
	return true
}

// texts tells an expression that is text.
func (w *flow) texts(n Node) bool {
	_, ok := w.p.Text(n)
	return ok || n.Is("binary", "template")
}

// fill puts arguments into the holes of a format.
func (w *flow) fill(format Node, text string, holes *regexp.Regexp, args []Node, fr *frame) {
	last, next := 0, 0
	literal := func(s string) {
		if s != "" {
			w.put("text", "", format)
			w.out[len(w.out)-1].Text = s
		}
	}
	for _, m := range holes.FindAllStringSubmatchIndex(text, -1) {
		what := ""
		if m[2] >= 0 {
			what = text[m[2]:m[3]]
		}
		whole := text[m[0]:m[1]]
		if whole == "{{" || whole == "}}" || holes == percent && what == "%" {
			continue
		}
		literal(text[last:m[0]])
		last = m[1]
		name, _, _ := strings.Cut(what, ":")
		switch {
		case holes == percent && strings.Contains("dfixXbgeEtTc", what):
			w.put("number", "", format)
			next++
		case holes == braces && identifier.MatchString(name):
			w.captured(format, name, args, fr)
		case next < len(args):
			w.expr(args[next], fr)
			next++
		default:
			w.put("unknown", "", format)
		}
	}
	literal(text[last:])
}

var identifier = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// captured follows a variable that a format names itself.
func (w *flow) captured(format Node, name string, args []Node, fr *frame) {
	for _, a := range args {
		if a.Has(Keyword) && a.Name() == name {
			w.expr(a, fr)
			return
		}
	}
	switch d := format.lookup(name); {
	case d.Is("param"):
		w.param(d, d, fr)
	case d.Is("name"):
		w.variable(d, d, fr)
	default:
		w.put("unknown", "", format)
	}
}
