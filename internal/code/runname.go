package code

import (
	"strings"

	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
)

// maxSaid bounds the texts in code that are searched for names of files.
const maxSaid = 20_000

var (
	nameLike = regexp.MustCompile(`^[\w.\[\], |:/\\-]+$`)
	starting = regexp.MustCompile(`^(?:python[\d.]*|py|uv|poetry|pipenv|streamlit|chainlit|uvicorn|gunicorn|hypercorn|langgraph|papermill|jupyter|nohup)(?:\s|$)`)
)

// text looks at a string: it may name a file, a module or a function, and
// start a program.
func (r *running) text(n Node) {
	text := literalText(n)
	whole := !n.child("interpolation").Valid()
	if starting.MatchString(strings.TrimSpace(text)) && !(whole && fixed(n)) {
		r.open = true
	}
	if len(text) > maxSaid {
		text = text[:maxSaid]
	}
	if nameLike.MatchString(text) && !strings.Contains(strings.ReplaceAll(strings.ReplaceAll(text, ", ", ""), " | ", ""), " ") {
		r.say(text)
		return
	}
	for _, w := range pathWord.FindAllString(text, -1) {
		for _, m := range r.spelling()[strings.TrimPrefix(w, "./")] {
			r.load(m)
		}
	}
	for w := range names(text, true) {
		if strings.Contains(w, ".") {
			r.dotted(w)
		}
	}
}

// fixed reports whether the words of a command beside one of them are all
// written out.
func fixed(n Node) bool {
	list := n.Parent()
	if list.Is("concatenated_string", "binary_operator", "interpolation") {
		return false
	}
	if !list.Is("list", "tuple") {
		return true
	}
	if list.Parent().Is("binary_operator") {
		return false
	}
	for c := range list.Children() {
		if c != n && c.Text() != "sys.executable" && (!c.Is("string") || c.child("interpolation").Valid()) {
			return false
		}
	}
	return true
}

// attribute looks for the interpreter, which can be given any file, and for
// tables of names.
func (r *running) attribute(n Node) {
	switch n.Field("attribute").Text() {
	case "executable":
		if n.Field("object").Text() == "sys" && (!n.Parent().Is("list", "tuple") || !fixed(n)) {
			r.open = true
		}
	case "__dict__":
		r.slacken()
	case "modules":
		if n.Field("object").Text() == "sys" {
			r.slacken()
		}
	}
}

// call looks for calls that make names or files of texts.
func (r *running) call(n Node) {
	fn := n.Field("function").Unparen()
	first, second := n.Field("arguments").Child(0), n.Field("arguments").Child(1)
	switch name := lastName(fn); name {
	case "import_module", "__import__", "run_module", "run_path":
		if text, ok := r.p.Eval(first).Str(); ok {
			r.say(text)
			r.dotted(strings.TrimLeft(text, "."))
		} else {
			r.open = true
		}
	case "spec_from_file_location", "iter_modules", "walk_packages", "load_module", "load_source", "entry_points", "iter_entry_points", "execfile":
		r.open = true
	case "exec", "eval":
		if !fn.Is("identifier") {
			return
		}
		if text, ok := r.p.Eval(first).Str(); ok && !strings.Contains(text, "__") && !strings.Contains(text, "import_module") && !strings.Contains(text, "exec") {
			r.say(text)
		} else {
			r.open = true
		}
	case "getattr", "attrgetter", "methodcaller":
		if name != "getattr" {
			second = first
		}
		if text, ok := r.p.Eval(second).Str(); ok {
			r.say(text)
		} else {
			r.slacken()
		}
	case "globals", "locals", "vars", "dir", "getmembers":
		r.slacken()
	}
}
