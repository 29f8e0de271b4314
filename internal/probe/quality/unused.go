package quality

import (
	"encoding/json"
	"path"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/code/syntax"
)

// candidates are the functions and classes of the other languages that
// somebody in this repository should name: what is offered to others is not
// among them, nor what is found by an annotation, a base or a place.
func (d *codebase) candidates(manifests map[string][]byte) (out []syntax.Node) {
	imported := d.importedFiles()
	for _, f := range d.files {
		var pick func(syntax.Node) bool
		switch f.Language {
		case "go":
			pick = goInner
		case "java":
			pick = javaInner
		case "rust":
			program := !libraryCrate(f, manifests)
			pick = func(n syntax.Node) bool { return rustInner(n, program) }
		default:
			app := imported[f] && application(f, manifests)
			if placed(f) {
				continue
			}
			pick = func(n syntax.Node) bool { return scriptInner(n, app) }
		}
		for n := range nodes(f) {
			if n.Is("func", "class", "assign") && pick(n) && len(called(n)) > 2 && !conventionalName(called(n)) && !known(leading(n)) {
				out = append(out, n)
			}
		}
	}
	return out
}

// known tells a comment that tells a linter that something is unused.
func known(comment string) bool {
	return strings.Contains(comment, "unused") || strings.Contains(comment, "U1000")
}

func (d *codebase) importedFiles() map[*syntax.File]bool {
	out := map[*syntax.File]bool{}
	if d.others == nil {
		return out
	}
	for _, f := range d.others.Files {
		if script(f) {
			for _, i := range d.others.Imports(f) {
				for _, x := range i.Files {
					out[x] = true
				}
			}
		}
	}
	return out
}

// goInner tells what nobody outside of the module can name.
func goInner(n syntax.Node) bool {
	if n.Is("assign") || !n.Parent().Is("file") || n.Has(syntax.Method) || n.Has(syntax.Abstract) && n.Is("func") || n.Name() == "main" || n.Name() == "init" || n.Has(syntax.Test) {
		return false
	}
	if n.Has(syntax.Exported) && !goMain(n.File()) && !slices.Contains(strings.Split(path.Dir(n.Path()), "/"), "internal") {
		return false
	}
	return !strings.Contains(leading(n), "//export ") && !strings.Contains(leading(n), "//go:linkname")
}

func goMain(f *syntax.File) bool {
	for c := range f.Root().Children() {
		if c.Is("package") {
			return c.Name() == "main"
		}
	}
	return false
}

// javaInner tells private methods and classes that are found by their names
// alone; serialisation calls some by name.
func javaInner(n syntax.Node) bool {
	if n.Child("decorator").Valid() || !private(n) {
		return false
	}
	if n.Is("class") {
		return n.Detail() == "class" && !n.Child("base").Valid()
	}
	return n.Is("func") && !n.Has(syntax.Constructor) && !n.Has(syntax.Lambda) && n.Child("body").Valid() &&
		!slices.Contains([]string{"readObject", "writeObject", "readResolve", "writeReplace", "readObjectNoData"}, n.Name())
}

// private tells a Java declaration that says so.
func private(n syntax.Node) bool {
	text := n.Text()
	head, _, _ := strings.Cut(text, "(")
	head, _, _ = strings.Cut(head, "{")
	return slices.Contains(strings.Fields(head), "private")
}

// rustInner tells functions of modules that are not offered to others and that
// no attribute decides about.
func rustInner(n syntax.Node, program bool) bool {
	if !n.Is("func") || n.Has(syntax.Method) || n.Has(syntax.Lambda) || n.Has(syntax.Abstract) || n.Has(syntax.Exported) && !program || n.Child("decorator").Valid() || n.Name() == "main" {
		return false
	}
	for a := range n.Around() {
		if a.Is("func", "class") || a.Is("other") && !a.Has(syntax.Module) || a.Child("decorator").Valid() {
			return false
		}
	}
	return !strings.Contains(n.Text()[:min(len(n.Text()), 80)], "extern ")
}

// libraryCrate tells a file of a crate that others may use.
func libraryCrate(f *syntax.File, manifests map[string][]byte) bool {
	for dir := path.Dir(f.Path); ; dir = path.Dir(dir) {
		if text, ok := manifests[path.Join(dir, "Cargo.toml")]; ok {
			_, lib := manifests[path.Join(dir, "src/lib.rs")]
			return lib || strings.Contains(string(text), "[lib]")
		}
		if dir == "." {
			return true
		}
	}
}

// scriptInner tells functions and classes at the top of a module that are not
// handed out, or that only an application hands out to itself.
func scriptInner(n syntax.Node, app bool) bool {
	if !n.Parent().Is("file") || n.Child("decorator").Valid() || n.Has(syntax.Abstract) || !topScript(n) {
		return false
	}
	before := n.File().Text()[:n.Start()]
	before = before[strings.LastIndexAny(before, "\n;")+1:]
	if strings.Contains(before+firstLine(n.Text()), "export default") || strings.Contains(before+firstLine(n.Text()), "module.exports") {
		return false
	}
	return !n.Has(syntax.Exported) || app
}

func firstLine(s string) string {
	s, _, _ = strings.Cut(s, "\n")
	return s
}

// topScript tells a function, a class, or a constant that holds a function.
func topScript(n syntax.Node) bool {
	switch {
	case n.Is("func"):
		return true
	case n.Is("class"):
		return n.Detail() == "class" && !n.Child("base").Valid()
	}
	return n.Has(syntax.Declare) && n.Name() != "" && n.Child("value").Is("func") && !n.Nth("value", 1).Valid()
}

// application tells a file of a package that says that it is not published and
// names no module of its own: its exports are for itself.
func application(f *syntax.File, manifests map[string][]byte) bool {
	for dir := path.Dir(f.Path); ; dir = path.Dir(dir) {
		if text, ok := manifests[path.Join(dir, "package.json")]; ok {
			var m struct {
				Private                    bool
				Main, Module, Types, Bin   any
				Exports, Browser, Unpkg, X any
			}
			if json.Unmarshal(text, &m) != nil { // what cannot be read says nothing
				return false
			}
			return m.Private && m.Main == nil && m.Module == nil && m.Exports == nil && m.Types == nil
		}
		if dir == "." {
			return false
		}
	}
}

// placed tells files whose functions a framework or a tool finds by where they
// stand.
func placed(f *syntax.File) bool {
	base := strings.ToLower(path.Base(f.Path))
	for _, part := range []string{".config.", ".stories.", ".setup.", ".d.ts", "rc.js", "gulpfile", "gruntfile", "middleware.", "instrumentation.", "bench"} {
		if strings.Contains(base, part) {
			return true
		}
	}
	for part := range strings.SplitSeq(strings.ToLower(path.Dir(f.Path)), "/") {
		switch part {
		case "pages", "routes", "api", "functions", "lambda", "lambdas", "plugins", "migrations", "hooks", "public", "static", "commands", "scripts", "bin", "app", "netlify", "server", "content", "seeds", "bench", "benchmark", "benchmarks":
			return true
		}
	}
	return false
}

// conventionalName tells names by which others call.
func conventionalName(name string) bool {
	name = strings.ToLower(name)
	for _, p := range []string{"test", "on_", "handle_", "setup", "teardown"} {
		if strings.HasPrefix(name, p) {
			return true
		}
	}
	return slices.Contains([]string{"main", "run", "app", "handler", "register", "plugin", "default", "bootstrap", "activate", "deactivate"}, name)
}

// unnamed tells a definition whose name stands only where it is defined.
func (u *usage) unnamed(n syntax.Node) bool {
	name, own := called(n), 0
	if u.defined[name] > 1 {
		return false
	}
	longest := ""
	eachWord(name, func(w string) { // a name may have signs that are in no word
		if len(w) > len(longest) {
			longest = w
		}
	})
	if name = longest; name == "" {
		return false
	}
	eachWord(bare(n.File(), n.Start(), n.End()), func(w string) {
		if w == name {
			own++
		}
	})
	return u.words[name] <= own
}

// define notes the names that a file defines.
func (u *usage) define(f *syntax.File) {
	for n := range f.Root().Walk() {
		if n.Is("func", "class") || n.Is("assign") && n.Parent().Is("file") {
			u.defined[n.Name()]++
		}
	}
}

// text is a file's words that count as a use: of code without its comments.
func (u *usage) text(f code.File) string {
	if u.d.others != nil {
		if x := u.d.others.File(f.Path); x != nil && x.Parsed {
			u.define(x)
			return bare(x, 0, len(x.Text()))
		}
	}
	return string(f.Bytes[:min(len(f.Bytes), maxWords)])
}
