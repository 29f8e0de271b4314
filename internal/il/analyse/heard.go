package analyse

import (
	"iter"
	"regexp/syntax"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/il"
	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
)

// heard follows what is only named: by texts beside the code that say what is run, by
// texts in code that runs, and where the code makes names. A name stands for all that
// bear it, in the modules that may be loaded.
type heard struct {
	r       *Reach
	open    bool // any file may be run
	loose   bool // any function of a module that is loaded may be run
	words   map[string]bool
	alias   map[string][]string       // what an import calls by another name
	bearing map[string][]*il.Function // functions by their bare names
	spelled map[string][]*il.Module   // modules by paths and dotted names, from any folder on
	work    []*il.Function
}

// Hear adds what may be run besides, of Python's modules: what texts beside the code
// say is run, and what the code that runs names in its texts or makes a name of. Of
// answers Unknown of it. Open says that any file may be run: no function is out of reach
// then. Without it, Of is No of the others.
func (r *Reach) Hear(said ...string) (open bool) {
	h := &heard{r: r, words: map[string]bool{}, alias: map[string][]string{}, bearing: map[string][]*il.Function{}, spelled: map[string][]*il.Module{}}
	for _, m := range r.names.program.Modules {
		h.spell(m)
	}
	r.also = map[*il.Function]bool{}
	for f := range r.names.program.All() { // in one order on every machine
		if _, runs := r.from[f]; runs {
			h.enter(f)
		}
	}
	for _, text := range said {
		h.say(text)
	}
	for ; len(h.work) > 0 && !h.open; h.work = h.work[1:] {
		f := h.work[0]
		for _, b := range f.Blocks {
			for _, in := range r.run(f, b) {
				if r.also[f] {
					r.instruction(f, in, h.add)
				}
				h.instruction(f, in)
			}
		}
	}
	r.lost = nil // it was followed
	return h.open
}

// add lets a function run, and what runs before it.
func (h *heard) add(f *il.Function) {
	if f == nil || h.r.comes(f) {
		return
	}
	h.r.also[f] = true
	for _, top := range h.r.names.before(f.Module) {
		h.add(top)
	}
	h.enter(f)
}

// enter looks at what runs now; of a file that is loaded, its functions that were named
// before.
func (h *heard) enter(f *il.Function) {
	h.work = append(h.work, f)
	m := f.Module
	if m.Language != "python" {
		return
	}
	if f.Kind == il.ClassBody { // Python calls these by itself
		for _, g := range m.Functions {
			if name := lastName(g.Name); g.Outer == f && strings.HasPrefix(name, "__") && strings.HasSuffix(name, "__") {
				h.add(g)
			}
		}
	}
	if f != m.Top {
		return
	}
	h.open = h.open || m.Damaged || f.Lost != ""
	for _, g := range m.Functions {
		if h.loose || h.words[lastName(g.Name)] {
			h.add(g)
		}
	}
}

// mention lets run what bears a name.
func (h *heard) mention(name string) {
	if h.words[name] {
		return
	}
	h.words[name] = true
	for _, f := range h.bearing[name] {
		if h.r.comes(f.Module.Top) {
			h.add(f)
		}
	}
	for _, other := range h.alias[name] {
		h.mention(other)
	}
}

// slacken gives up on names.
func (h *heard) slacken() {
	if h.loose {
		return
	}
	h.loose = true
	for f := range h.r.names.program.All() {
		if h.r.comes(f.Module.Top) && f.Module.Language == "python" {
			h.add(f)
		}
	}
}

// finders are packages that find what they run by its place.
var finders = []string{"django", "scrapy", "airflow", "celery", "luigi"}

// instruction looks at one that may run.
func (h *heard) instruction(f *il.Function, in *il.Instr) {
	switch in.Op {
	case il.Import:
		h.imports(f, in)
		return
	case il.Get:
		key, _ := f.Str(f.Root(in.Args[1]))
		switch s := h.r.names.Operand(f, local(in.Dst)); {
		case in.Kind != "attr":
		case s != nil && s.Outside == "sys.executable": // it can be given any file
			h.open = h.open || slices.ContainsFunc(f.Versions[in.Dst].Uses, func(use *il.Instr) bool { return !h.fixed(f, use) })
			return
		case key == "__dict__", s != nil && s.Outside == "sys.modules":
			h.slacken()
		}
		if in.Kind == "attr" {
			if s := h.r.names.Operand(f, local(in.Dst)); s == nil || s.empty() || strings.Contains(s.Outside, "()") || h.spelled[strings.SplitN(s.Outside, ".", 2)[0]] != nil {
				h.mention(key)
			}
			return
		}
	case il.Call:
		h.call(f, in)
	case il.Bind:
		if f.Versions[in.Dst].Var == "__all__" {
			return
		}
	default:
	}
	if in.Op == il.Make && in.Dst != il.NoDst && slices.ContainsFunc(f.Versions[in.Dst].Uses, func(use *il.Instr) bool {
		return use.Op == il.Bind && use.Kind == "" && f.Versions[use.Dst].Var == "__all__"
	}) {
		return // what is handed out is not run
	}
	for _, o := range in.Args {
		if text, ok := f.Str(o); ok {
			h.text(f, in, text)
		}
	}
}

// imports looks for what a path that is set while the program runs may lead to, under
// any folder.
func (h *heard) imports(f *il.Function, in *il.Instr) {
	name := ""
	if len(in.Names) > 1 && in.Names[1] != "*" {
		name = in.Names[1]
	}
	if local := in.Names[0]; name != "" && local != name {
		h.alias[local] = append(h.alias[local], name)
		if h.words[local] {
			h.mention(name)
		}
	}
	if link := f.Module.Links[in.Kind]; link.Own && (len(link.Modules) > 0 || link.Name != "") {
		return
	}
	top, _, _ := strings.Cut(in.Kind, ".")
	h.open = h.open || slices.Contains(finders, top)
	full := strings.TrimLeft(in.Kind, ".")
	h.dotted(full)
	h.dotted(strings.TrimLeft(full+"."+name, "."))
	if h.spelled[full] != nil {
		h.mention(name)
	}
}

// call looks for calls that make names or files of texts.
func (h *heard) call(f *il.Function, in *il.Instr) {
	given := func(i int) (text string, ok bool) {
		if i >= len(in.Args) {
			return "", false
		}
		return h.r.text(f, in.Args[i])
	}
	switch name := lastName(in.Kind); name {
	case "import_module", "__import__", "run_module", "run_path":
		text, ok := given(1)
		h.open = h.open || !ok
		h.say(text)
		h.dotted(strings.TrimLeft(text, "."))
	case "spec_from_file_location", "iter_modules", "walk_packages", "load_module", "load_source", "entry_points", "iter_entry_points", "execfile":
		h.open = true
	case "exec", "eval":
		if strings.Contains(in.Kind, ".") {
			return
		}
		text, ok := given(1)
		h.open = h.open || !ok || strings.Contains(text, "__") || strings.Contains(text, "import_module") || strings.Contains(text, "exec")
		h.say(text)
	case "getattr", "attrgetter", "methodcaller":
		at := 1
		if name == "getattr" {
			at = 2
		}
		if text, ok := given(at); ok {
			h.say(text)
		} else {
			h.slacken()
		}
	case "globals", "locals", "vars", "dir", "getmembers":
		h.slacken()
	}
}

// maxSaid bounds the texts in code that are searched for names, in bytes.
const maxSaid = 20_000

var (
	nameLike   = regexp.MustCompile(`^[\w.\[\], |:/\\-]+$`)
	starting   = regexp.MustCompile(`^\s*(?:python[\d.]*|py|uv|poetry|pipenv|streamlit|chainlit|uvicorn|gunicorn|hypercorn|langgraph|papermill|jupyter|nohup)(?:\s|$)`)
	pathWord   = regexp.MustCompile(`[\w.\-]*(?:[/\\][\w.\-]+)*\.py\b`)
	startWord  = regexp.MustCompile(`(?:-m|\bimport|\bfrom)["',\s]+([A-Za-z_][\w.]*)|\b([A-Za-z_]\w*):[A-Za-z_]\w*`)
	memberWord = regexp.MustCompile(`\bfrom\s+([A-Za-z_][\w.]*)\s+import\s+\(?([\w, \t]+)`)
)

// text looks at a text in code: it may name a file, a module or a function, and start a
// program.
func (h *heard) text(f *il.Function, in *il.Instr, text string) {
	h.open = h.open || starting.MatchString(text) && !h.fixed(f, in)
	text = text[:min(len(text), maxSaid)]
	if nameLike.MatchString(text) && !strings.Contains(strings.NewReplacer(", ", "", " | ", "").Replace(text), " ") {
		h.say(text)
		return
	}
	h.paths(text)
	for w := range names(text, true) {
		if strings.Contains(w, ".") {
			h.dotted(w)
		}
	}
}

// fixed tells an instruction that reads a word of a command whose other words are all
// written out.
func (h *heard) fixed(f *il.Function, in *il.Instr) bool {
	if in.Op != il.Make && (in.Op != il.Bind || in.Kind == "") {
		return in.Op != il.Get && !h.executable(f, in)
	}
	for _, o := range in.Args {
		if _, ok := f.Str(o); !ok && !h.r.outside(f, o, "sys.executable") {
			return false
		}
	}
	return in.Dst == il.NoDst || !slices.ContainsFunc(f.Versions[in.Dst].Uses, func(use *il.Instr) bool {
		return use.Op == il.Bind && use.Kind != ""
	})
}

// executable tells an instruction that does more with the interpreter than to put it
// among the words of a command.
func (h *heard) executable(f *il.Function, in *il.Instr) bool {
	return slices.ContainsFunc(in.Args, func(o il.Operand) bool { return h.r.outside(f, o, "sys.executable") })
}

// say lets run what a text names: files, modules, and every word of it.
func (h *heard) say(text string) {
	h.paths(text)
	for w := range names(text, true) {
		for ; strings.Contains(w, "."); w = w[:strings.LastIndexByte(w, '.')] {
			h.dotted(w)
		}
	}
	for _, w := range startWord.FindAllStringSubmatch(text, -1) {
		h.dotted(w[1] + w[2])
	}
	for _, w := range memberWord.FindAllStringSubmatch(text, -1) {
		for name := range names(w[2], false) {
			h.dotted(w[1] + "." + name)
		}
	}
	for w := range names(text, false) {
		h.mention(w)
	}
}

// paths loads the files that a text names.
func (h *heard) paths(text string) {
	for _, w := range pathWord.FindAllString(text, -1) {
		h.dotted(strings.TrimPrefix(strings.ReplaceAll(w, `\`, "/"), "./"))
	}
}

// dotted loads the modules that a path or a dotted name may mean.
func (h *heard) dotted(name string) {
	for _, m := range h.spelled[name] {
		h.add(m.Top)
	}
}

// spell notes how texts may write a module of Python, and what it defines.
func (h *heard) spell(m *il.Module) {
	if m.Language != "python" {
		return
	}
	for _, f := range m.Functions {
		h.bearing[lastName(f.Name)] = append(h.bearing[lastName(f.Name)], f)
	}
	for file, more := m.Path, true; more; _, file, more = strings.Cut(file, "/") {
		h.spelled[file] = append(h.spelled[file], m)
		stem := strings.TrimSuffix(strings.TrimSuffix(file, ".pyi"), ".py")
		for _, end := range []string{"", "/__init__", "/__main__"} {
			if name, ok := strings.CutSuffix(stem, end); ok && name != "" {
				name = strings.ReplaceAll(name, "/", ".")
				h.spelled[name] = append(h.spelled[name], m)
			}
		}
	}
}

// names are the names in a text, or with dots what is written of several: of a long text
// they are most of the work, and a pattern takes ten times as long.
func names(text string, dots bool) iter.Seq[string] {
	begins := func(i int) bool {
		return i < len(text) && syntax.IsWordChar(rune(text[i])) && (text[i] < '0' || text[i] > '9')
	}
	return func(yield func(string) bool) {
		for from := 0; from < len(text); from++ {
			if !begins(from) {
				continue
			}
			to := from + 1
			for to < len(text) && (syntax.IsWordChar(rune(text[to])) || dots && text[to] == '.' && begins(to+1)) {
				to++
			}
			if !yield(text[from:to]) {
				return
			}
			from = to - 1
		}
	}
}
