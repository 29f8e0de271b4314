package code

import (
	"iter"
	"slices"
	"strings"
	"unicode/utf8"

	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
)

// running collects what may run, from the files that are entered on. Names
// are not resolved: a name that is mentioned stands for all that bear it.
type running struct {
	p       *Program
	loaded  map[*Module]bool         // files whose top level may run
	live    map[*Definition]bool     // classes that are made, functions whose body may run
	words   map[string]bool          // names that running code mentions
	waiting map[string][]*Definition // functions that were made, but that nothing mentions yet
	alias   map[string][]string      // what an import calls by another name
	spelled map[string][]*Module     // see spelling
	todo    []*Definition            // what runs, but was not looked into
	loose   bool                     // names are made while the program runs: every function may be meant
	open    bool                     // files may be run that are not named
	entered string                   // path of the first entry point; "": there is none
	library bool                     // so that what a package exports is there for others
}

// follow looks into what runs until nothing more is found.
func (r *running) follow() {
	for len(r.todo) > 0 && !r.open {
		d := r.todo[len(r.todo)-1]
		r.todo = r.todo[:len(r.todo)-1]
		if d.Kind == DefModule {
			r.visit(d.Node)
		} else {
			r.visit(d.Node.Field("body"))
		}
	}
}

// load runs a file, and the packages that it lies in.
func (r *running) load(m *Module) {
	if m == nil || r.loaded[m] {
		return
	}
	r.loaded[m] = true
	if !m.Parsed || len(m.Broken()) > 0 {
		r.open = true
		return
	}
	r.todo = append(r.todo, m.Body())
	for dir := dirOf(m.Path); dir != ""; dir = dirOf(dir) {
		r.load(r.p.names.byPath[dir+"/__init__.py"])
	}
}

// run has a function or class run.
func (r *running) run(d *Definition) {
	if !r.live[d] {
		r.live[d] = true
		r.todo = append(r.todo, d)
	}
}

// mention lets run what bears a name.
func (r *running) mention(name string) {
	if r.words[name] {
		return
	}
	r.words[name] = true
	for _, d := range r.waiting[name] {
		r.run(d)
	}
	delete(r.waiting, name)
	for _, other := range r.alias[name] {
		r.mention(other)
	}
}

// slacken gives up on names.
func (r *running) slacken() {
	r.loose = true
	for _, list := range r.waiting {
		for _, d := range list {
			r.run(d)
		}
	}
	clear(r.waiting)
}

// visit looks at a node that runs, without the bodies of functions.
func (r *running) visit(n Node) {
	switch n.Kind() {
	case "import_statement", "import_from_statement":
		r.imports(n)
		return
	case "function_definition":
		r.function(n)
		return
	case "class_definition":
		r.class(n)
		return
	case "if_statement":
		r.branches(n)
		return
	case "identifier":
		r.mention(n.Text())
	case "string":
		r.text(n)
	case "call":
		r.call(n)
	case "attribute":
		r.attribute(n)
	case "assignment":
		if n.Field("left").Text() == "__all__" && !r.library {
			return
		}
	case "expression_statement":
		if only := n.Child(0); only.Is("string", "concatenated_string") && !only.child("interpolation").Valid() {
			return
		}
	}
	for c := range n.Children() {
		if slices.Contains(r.p.deadGuards(n, c), true) || n.Is("block", "module") && afterExit(n, c) {
			continue
		}
		r.visit(c)
		if n.Is("module") && leavesProgram(c) {
			return
		}
	}
}

// leavesProgram reports whether a statement ends the program.
func leavesProgram(n Node) bool {
	call := n.Child(0)
	return n.Is("expression_statement") && call.Is("call") && isOneOf(call.Field("function").Text(), "sys.exit", "exit", "quit", "os._exit", "os.abort")
}

// branches looks at the branches of an if statement that can be taken.
func (r *running) branches(n Node) {
	taken := false
	for c := range n.Children() {
		condition := n.Field("condition")
		if c.Is("elif_clause") {
			condition = c.Field("condition")
		}
		switch {
		case taken:
			return
		case c.FieldName() == "condition":
			r.visit(c)
		case c.FieldName() == "consequence":
			if constantTest(condition) != "false" {
				r.visit(c)
			}
			taken = constantTest(condition) == "true"
		default:
			r.visit(c)
			taken = c.Is("elif_clause") && constantTest(condition) == "true"
		}
	}
}

// function makes a function: what it defaults to runs now, its body when
// something may call it.
func (r *running) function(n Node) {
	for c := range n.Children() {
		if c.FieldName() != "body" && c.FieldName() != "name" {
			r.visit(c)
		}
	}
	d := n.m.indexed().defOf[n.i]
	dunder := strings.HasPrefix(d.Name, "__") && strings.HasSuffix(d.Name, "__")
	if r.loose || dunder || n.m.Scope != ScopeProduction || r.words[d.Name] || r.p.registered(d) || d.Kind == DefMethod && r.p.framework(d.Parent) {
		r.run(d)
		return
	}
	r.waiting[d.Name] = append(r.waiting[d.Name], d)
}

// class makes a class: its body runs where it stands.
func (r *running) class(n Node) {
	for c := range n.Children() {
		if c.FieldName() != "body" && c.FieldName() != "name" {
			r.visit(c)
		}
	}
	r.run(n.m.indexed().defOf[n.i])
}

// imports loads what an import statement names. What is not found may be found
// by a path that is set while the program runs, under any folder.
func (r *running) imports(n Node) {
	for _, spec := range importSpecs(n) {
		if spec.name != "" && spec.name != "*" && spec.local != spec.name {
			r.alias[spec.local] = append(r.alias[spec.local], spec.name)
			if r.words[spec.local] {
				r.mention(spec.name)
			}
		}
		if r.library && n.m.Package {
			r.mention(spec.name)
		}
		at, ok, _ := r.p.findPlace(&spec)
		if !ok {
			if top, _, _ := strings.Cut(spec.module, "."); spec.level == 0 && isOneOf(top, "django", "scrapy", "airflow", "celery", "luigi") {
				r.open = true // they find what they run by its place
			}
			r.dotted(spec.module)
			r.dotted(joinName(spec.module, spec.name))
			continue
		}
		r.load(at.module)
		if spec.name != "" && at.folder != "" {
			if sub, ok := r.p.names.sub(at, spec.name); ok {
				r.load(sub.module)
			}
		}
		r.load(r.p.names.byPath[joinPath(at.folder, "__init__.py")])
	}
}

func joinPath(folder, file string) string {
	if folder == "" {
		return file
	}
	return folder + "/" + file
}

var (
	pathWord   = regexp.MustCompile(`[\w.\-]*(?:[/\\][\w.\-]+)*\.py\b`)
	startWord  = regexp.MustCompile(`(?:-m|\bimport|\bfrom)["',\s]+([A-Za-z_][\w.]*)|\b([A-Za-z_]\w*):[A-Za-z_]\w*`)
	memberWord = regexp.MustCompile(`\bfrom\s+([A-Za-z_][\w.]*)\s+import\s+\(?([\w, \t]+)`)
)

// say lets run what a text names: files, modules, and every word of it.
func (r *running) say(text string) {
	for _, w := range pathWord.FindAllString(text, -1) {
		for _, m := range r.spelling()[strings.TrimPrefix(strings.ReplaceAll(w, `\`, "/"), "./")] {
			r.load(m)
		}
	}
	for w := range names(text, true) {
		for ; strings.Contains(w, "."); w = w[:strings.LastIndexByte(w, '.')] {
			r.dotted(w)
		}
	}
	for _, w := range startWord.FindAllStringSubmatch(text, -1) {
		r.dotted(w[1] + w[2])
	}
	for _, w := range memberWord.FindAllStringSubmatch(text, -1) {
		for name := range names(w[2], false) {
			r.dotted(w[1] + "." + name)
		}
	}
	for w := range names(text, false) {
		r.mention(w)
	}
}

// names are the names in a text, or with dots what is written of several: of a long text they are most of the work, and a
// pattern takes ten times as long.
func names(text string, dots bool) iter.Seq[string] {
	begins := func(i int) bool { return i < len(text) && isASCIIWord(text[i]) && (text[i] < '0' || text[i] > '9') }
	return func(yield func(string) bool) {
		for from := 0; from < len(text); from++ {
			if !begins(from) {
				continue
			}
			to := from + 1
			for to < len(text) && (isASCIIWord(text[to]) || dots && text[to] == '.' && begins(to+1)) {
				to++
			}
			if !yield(text[from:to]) {
				return
			}
			from = to - 1
		}
	}
}

func isASCIIWord(c byte) bool { return c < utf8.RuneSelf && isWordByte(c) }

// dotted loads the modules that a dotted name may mean.
func (r *running) dotted(name string) {
	for _, m := range r.spelling()[name] {
		r.load(m)
	}
}

// spelling maps paths and dotted names, from any folder on, to files.
func (r *running) spelling() map[string][]*Module {
	if r.spelled != nil {
		return r.spelled
	}
	r.spelled = map[string][]*Module{}
	add := func(name string, m *Module) { r.spelled[name] = append(r.spelled[name], m) }
	for _, m := range r.p.Modules {
		stem := strings.TrimSuffix(strings.TrimSuffix(m.Path, ".pyi"), ".py")
		for file, rest := m.Path, stem; ; {
			add(file, m)
			for _, end := range []string{"", "/__init__", "/__main__"} {
				if name, ok := strings.CutSuffix(rest, end); ok && name != "" {
					add(strings.ReplaceAll(name, "/", "."), m)
				}
			}
			_, next, more := strings.Cut(file, "/")
			if !more {
				break
			}
			_, rest, _ = strings.Cut(rest, "/")
			file = next
		}
	}
	return r.spelled
}
