package intree

import (
	"encoding/json"
	"path"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/manifest"
)

// Entry is a way into the program.
type Entry struct {
	Kind string           // script, main, file, server, ui, langgraph
	Path string           // file that declares it
	Line int              // line of the declaration, from 1
	Name string           // command or graph name, "" for others
	Def  *code.Definition // function or class, or the module's Body; nil when it names nothing that exists
	// Target is what the declaration names, as written ("pkg.cli:main").
	Target string
}

// enter lists the entry points in the order of path and line: console
// scripts of pyproject.toml and setup files, "__main__" blocks and
// __main__.py, main.py and app.py, modules that make a FastAPI, Flask or
// Streamlit application, files that nobody imports and that call the project's
// own code when they are run, and the graphs of langgraph.json. Tests, examples
// and documents have none.
func (x *Program) enter() []Entry {
	var out []Entry
	for file, text := range x.Manifests() {
		switch x.Layout.Scope(file) {
		case code.ScopeVendor, code.ScopeTest, code.ScopeExample, code.ScopeDocs:
			continue
		default:
		}
		switch strings.ToLower(path.Base(file)) {
		case "langgraph.json":
			out = append(out, x.graphEntries(file, text)...)
		case "pyproject.toml", "setup.cfg", "setup.py":
			out = append(out, x.scriptEntries(file, text)...)
		}
	}
	imported := x.imported()
	for _, m := range x.Modules {
		if m.Scope != code.ScopeProduction || m.Shadowed {
			continue
		}
		found := x.moduleEntries(m)
		if len(found) == 0 && !imported[m] {
			found = x.topLevelEntry(m)
		}
		out = append(out, found...)
	}
	slices.SortStableFunc(out, func(a, b Entry) int {
		if c := strings.Compare(a.Path, b.Path); c != 0 {
			return c
		}
		return a.Line - b.Line
	})
	return out
}

// scriptEntries are the commands that a manifest installs.
func (x *Program) scriptEntries(file, text string) []Entry {
	var out []Entry
	for _, s := range manifest.Read(file, text).Scripts {
		out = append(out, Entry{Kind: "script", Path: file, Line: s.Line, Name: s.Name, Target: s.Module + ":" + s.Object,
			Def: x.target(folderOf(file), s.Module, s.Object)})
	}
	return out
}

// graphEntries reads the graphs of a langgraph.json: name to "path:attribute".
func (x *Program) graphEntries(file, text string) []Entry {
	var config struct {
		Graphs map[string]json.RawMessage `json:"graphs"`
	}
	if json.Unmarshal([]byte(text), &config) != nil {
		return nil // the probes of the manifest say so; it declares no entry
	}
	var out []Entry
	for name, raw := range config.Graphs {
		var target string
		if json.Unmarshal(raw, &target) != nil {
			var full struct {
				Path string `json:"path"`
			}
			if json.Unmarshal(raw, &full) != nil {
				continue
			}
			target = full.Path
		}
		e := Entry{Kind: "langgraph", Path: file, Line: 1, Name: name, Target: target}
		if i := strings.Index(text, `"`+name+`"`); i >= 0 {
			e.Line = strings.Count(text[:i], "\n") + 1
		}
		source, attribute, _ := strings.Cut(target, ":")
		if m := x.Module(path.Join(folderOf(file), source)); m != nil {
			e.Def = x.memberOrBody(m, attribute)
		} else if m := x.ModuleNamed(source); m != nil {
			e.Def = x.memberOrBody(m, attribute)
		}
		out = append(out, e)
	}
	slices.SortFunc(out, func(a, b Entry) int { return strings.Compare(a.Name, b.Name) })
	return out
}

// target finds the function that a script names.
func (x *Program) target(folder, module, attribute string) *code.Definition {
	for _, root := range []string{folder, path.Join(folder, "src"), ""} {
		if m := x.ModuleBelow(root, module); m != nil {
			return x.memberOrBody(m, attribute)
		}
	}
	return nil
}

// memberOrBody is the function or class of a module, or the module itself when
// the name stands for a variable; nil when it stands for nothing.
func (x *Program) memberOrBody(m *code.Module, name string) *code.Definition {
	top := x.all.Names.Top(m.Path)
	if top == nil {
		return nil
	}
	if s := x.all.Names.Typed(top, name); s != nil && x.of[s.Function] != nil {
		return x.of[s.Function]
	}
	if first, _, _ := strings.Cut(name, "."); len(x.all.Names.Bound(top, first)) > 0 {
		return m.Body()
	}
	return nil
}

// moduleEntries finds the entries that a module makes by what it contains.
func (x *Program) moduleEntries(m *code.Module) []Entry {
	var out []Entry
	body := m.Body()
	base := path.Base(m.Path)
	for c := range m.Root().Children() {
		if c.Is("if_statement") && isMainTest(c.Field("condition")) {
			out = append(out, Entry{Kind: "main", Path: m.Path, Line: c.Line(), Def: body})
		}
	}
	if slices.Contains([]string{"__main__.py", "main.py", "app.py"}, base) {
		out = append(out, Entry{Kind: "file", Path: m.Path, Line: 1, Def: body})
	}
	streamlit := false
	for _, c := range x.CallsOf(m) {
		switch {
		case c.Callee.Matches("fastapi.FastAPI", "fastapi.applications.FastAPI", "flask.Flask", "starlette.applications.Starlette", "quart.Quart"):
			out = append(out, Entry{Kind: "server", Path: m.Path, Line: c.Line(), Def: body})
		case !streamlit && c.Func == body && c.Callee.Matches("streamlit.*"):
			streamlit = true
			out = append(out, Entry{Kind: "ui", Path: m.Path, Line: c.Line(), Def: body})
		}
	}
	return out
}

// imported are the modules that some other module imports.
func (x *Program) imported() map[*code.Module]bool {
	out := map[*code.Module]bool{}
	for _, m := range x.Modules {
		for _, i := range m.Imports() {
			if i.Module != nil && i.Module != m {
				out[i.Module] = true
			}
		}
	}
	return out
}

// topLevelEntry is the entry of a file whose top level calls the code of another file of
// the project, or a function of its own that leads there, whatever the test around the call.
func (x *Program) topLevelEntry(m *code.Module) []Entry {
	body := m.Body()
	led := map[*code.Definition]bool{}
	taken := map[string]bool{} // names of what other production files define
	for _, i := range m.Imports() {
		if i.Module != nil && i.Module != m && i.Module.Scope == code.ScopeProduction {
			taken[i.Local] = true
		}
	}
	for _, c := range x.CallsIn(body) {
		d := c.Callee.Def
		own := d != nil && d.Module == m && !c.Callee.Instance && d.Kind != code.DefClass
		if own {
			if _, asked := led[d]; !asked {
				led[d] = x.leads(d)
			}
		}
		if (ofAnother(c, m, taken) || own && led[d]) && !inDecorator(c.Node) {
			return []Entry{{Kind: "file", Path: m.Path, Line: c.Line(), Def: body}}
		}
	}
	return nil
}

// ofAnother reports whether a call is of something that another production
// file of the project defines: a function, a class, or a method of an object
// that is taken from there.
func ofAnother(c *Call, m *code.Module, taken map[string]bool) bool {
	if d := c.Callee.Def; d != nil {
		return d.Module != m && d.Module.Scope == code.ScopeProduction
	}
	root := c.Receiver
	for root.Is("attribute") {
		root = root.Field("object")
	}
	return root.Is("identifier") && taken[root.Text()]
}

func inDecorator(n code.Node) bool {
	for a := range n.Around() {
		if a.Is("decorator") {
			return true
		}
	}
	return false
}

// isMainTest reports whether a test holds __name__ against "__main__", alone or with
// other conditions.
func isMainTest(n code.Node) bool {
	if n = n.Unparen(); n.Is("boolean_operator") {
		return isMainTest(n.Field("left")) || isMainTest(n.Field("right"))
	}
	if !n.Is("comparison_operator") {
		return false
	}
	named, main := false, false
	for c := range n.Walk() {
		text, ok := c.Literal()
		named, main = named || c.Is("identifier") && c.Text() == "__name__", main || ok && text == "__main__"
	}
	return named && main
}

func folderOf(file string) string {
	return strings.TrimSuffix(strings.TrimSuffix(file, path.Base(file)), "/")
}
