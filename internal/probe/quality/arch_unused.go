package quality

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/probe"
)

func archUnused() probe.Probe {
	return probe.Probe{
		ID: "arch.unused", Version: "2", Target: court.GithubRepo,
		Title: "Public functions are used",
		Doc: "Looks for public functions and classes at the top level of Python modules whose name stands nowhere else: in no code, test, string, manifest, template or document of the repository, its own body apart. " +
			"What a decorator may register, what a framework calls by its name, names that several modules define, and modules that are loaded by a computed name are left out; of a library, whose functions others call, nothing is said. " +
			"In Go these are functions and types that are not exported, or are in package main or below internal; in JavaScript and TypeScript functions and classes that are not exported, or that a package exports which is private and has no entry of its own; " +
			"in Java private methods and classes without annotations; in Rust functions without attributes that are not public, or are in a program. " +
			"A function that is only called by other dead code, or whose name is also a common word, is not seen.",
		Remedy: "Remove what nothing uses, or call it.",
		Effort: 15, Recall: 6000,
		Run: func(ctx context.Context, s *probe.Scene, a probe.Args) ([]probe.Finding, error) {
			d, err := look(ctx, s, a.Scope, every...)
			if err != nil {
				return nil, err
			}
			lib, err := library(ctx, s, d)
			if err != nil {
				return nil, err
			}
			if lib != "" && len(d.files) == 0 {
				return nil, &probe.Unable{Reason: court.Dynamic, Why: "by " + shown(lib) + ", the project is a library, whose functions others call"}
			}
			u, err := uses(ctx, s, d)
			if err != nil {
				return nil, err
			}
			total, bad, first := 0, []court.Place(nil), ""
			for _, f := range u.publicPython() {
				if lib != "" {
					break
				}
				if total++; u.dead(f) {
					bad = append(bad, head(f))
					first = cmp.Or(first, f.Name)
				}
			}
			texts, err := s.Texts(ctx)
			if err != nil {
				return nil, err
			}
			for _, n := range d.candidates(texts) {
				if total++; u.unnamed(n) {
					bad = append(bad, above(n))
					first = cmp.Or(first, called(n))
				}
			}
			noun := "public function"
			if len(d.files) > 0 {
				noun = "function"
			}
			what := fmt.Sprintf("There is no %s or class%s that could be unused.", noun, d.in())
			switch {
			case total == 0:
			case len(bad) == 0:
				what = fmt.Sprintf("Something else names every %s and class%s.", noun, d.in())
			case total == 1:
				what = fmt.Sprintf("Nothing else names the only %s or class%s.", noun, d.in())
			default:
				what = fmt.Sprintf("Nothing else names %d of %s and classes%s.", len(bad), court.Count(total, noun), d.in())
			}
			if first != "" {
				what += fmt.Sprintf(" The first is %s.", shown(first))
			}
			return []probe.Finding{d.judged(bad, total, what, "Remove what nothing uses, or call it")}, nil
		},
	}
}

// publicPython are the public functions and classes of the Python modules that
// are not loaded by a computed name.
func (u *usage) publicPython() (out []*code.Definition) {
	for _, m := range u.d.modules {
		if u.loaded[m] {
			continue
		}
		for _, f := range m.Body().Inner() {
			if public(f.Name) && (f.Kind == code.DefFunction || f.Kind == code.DefClass) && !u.d.p.Dead(f.Node) {
				out = append(out, f)
			}
		}
	}
	return out
}

// library names the manifest that makes a package of a project that has no way
// to be started; "" when it is a program.
func library(ctx context.Context, s *probe.Scene, d *codebase) (string, error) {
	texts, err := s.Texts(ctx)
	if err != nil {
		return "", err
	}
	for _, e := range d.p.Entries() {
		if e.Kind != "main" {
			return "", nil
		}
	}
	root := d.p.Layout.Root()
	for _, name := range []string{"pyproject.toml", "setup.py", "setup.cfg"} {
		file := strings.TrimPrefix(root+"/"+name, "/")
		if t := string(texts[file]); name != "pyproject.toml" && strings.Contains(t, "setup") || strings.Contains(t, "[build-system]") || strings.Contains(t, "[tool.poetry]") {
			return file, nil
		}
	}
	return "", nil
}

// usage is every word of the repository, and how often it stands there.
type usage struct {
	d       *codebase
	words   map[string]int
	defined map[string]int // top-level definitions of a name
	loaded  map[*code.Module]bool
}

// add counts a word; what is kept of it is no part of a file's text.
func (u *usage) add(w string) {
	if n, ok := u.words[w]; ok {
		u.words[w] = n + 1
		return
	}
	u.words[strings.Clone(w)] = 1
}

// maxWords bounds how much of a file is taken apart into words.
const maxWords = 1 << 19

// uses counts the words of all files. Of Python, comments and docstrings are
// left out; of other files nothing is.
func uses(ctx context.Context, s *probe.Scene, d *codebase) (*usage, error) {
	return probe.Shared(s, "quality.usage", func() (*usage, error) {
		files, err := s.Files(ctx)
		if err != nil {
			return nil, err
		}
		u := &usage{d: d, words: map[string]int{}, defined: map[string]int{}, loaded: map[*code.Module]bool{}}
		for _, f := range files {
			if m := d.p.Module(f.Path); m != nil && m.Parsed {
				text := m.Bare(1, m.Lines)
				eachWord(text, u.add)
				for _, x := range m.Body().Inner() {
					u.defined[x.Name]++
				}
				continue
			}
			eachWord(u.text(f), u.add)
		}
		all, err := s.Analyses(ctx)
		if err != nil {
			return nil, err
		}
		all.Lock()
		defer all.Unlock()
		u.load()
		return u, nil
	})
}

// load marks the modules whose names may be put together at run time: where
// some code imports by a computed name or looks a module through, every module
// that nothing imports by name; and each that looks at its own names. The caller holds the lock of
// the analyses.
func (u *usage) load() {
	computed := false
	for _, c := range u.d.p.Calls("importlib.*", "builtins.__import__", "pkgutil.*", "inspect.getmembers", "imp.*", "runpy.*", "builtins.exec", "stevedore.*") {
		_, constant := u.d.p.Text(c.Arg("name", 0))
		computed = computed || !constant || !c.Matches("importlib.import_module", "builtins.__import__")
	}
	imported := map[*code.Module]bool{}
	for _, m := range u.d.p.Modules {
		for _, i := range m.Imports() {
			if i.Module != nil && i.Module != m && !(m.Package && strings.HasPrefix(i.Module.Path, path.Dir(m.Path)+"/") && i.Local == "") {
				imported[i.Module] = true
			}
		}
	}
	for _, m := range u.d.modules {
		own := len(m.Words("globals"))+len(m.Words("locals"))+len(m.Words("getmembers"))+len(m.Words("modules")) > 0
		u.loaded[m] = own || computed && !imported[m] || frameworkFile(m)
	}
}

// frameworkFile tells files whose functions a framework finds by their place.
func frameworkFile(m *code.Module) bool {
	base := strings.TrimSuffix(path.Base(m.Path), ".py")
	switch base {
	case "setup", "conftest", "noxfile", "tasks", "fabfile", "dodo", "conf", "settings", "urls", "admin", "apps", "models", "views", "signals",
		"gunicorn", "gunicorn_config", "gunicorn_conf", "locustfile", "hooks", "plugins", "lambda_function", "manage", "wsgi", "asgi", "sitecustomize":
		return true
	}
	for part := range strings.SplitSeq(strings.ToLower(path.Dir(m.Path)), "/") {
		switch part {
		case "migrations", "alembic", "versions", "plugins", "hooks", "management", "templatetags", "api", "pages", "functions", "lambda", "dags", "handlers":
			return true
		}
	}
	return false
}

// dead tells a definition whose name stands only where it is defined.
func (u *usage) dead(f *code.Definition) bool {
	if u.defined[f.Name] > 1 || len(f.Decorators()) > 0 || conventional(f) || len(f.Name) < 3 {
		return false
	}
	if f.Kind == code.DefClass && !u.plainClass(f) {
		return false
	}
	for i := range f.Name { // getattr(module, "cmd_" + word)
		if f.Name[i] == '_' && u.words["getattr"] > 0 && u.words[f.Name[:i+1]]+u.words[f.Name[i:]] > 0 {
			return false
		}
	}
	own := 0
	body := f.Module.Bare(f.Line(), f.Node.EndLine())
	eachWord(body, func(w string) {
		if w == f.Name {
			own++
		}
	})
	return u.words[f.Name] <= own
}

// plainClass tells a class that nobody finds but by its name: not through its
// base.
func (u *usage) plainClass(f *code.Definition) bool {
	for _, b := range u.d.p.Bases(f) {
		if b.Def == nil && !b.Matches("builtins.object", "pydantic.BaseModel", "typing.TypedDict", "typing.NamedTuple", "enum.*", "abc.ABC", "builtins.Exception", "builtins.*Error") {
			return false
		}
	}
	return u.words["__subclasses__"]+u.words["__init_subclass__"]+u.words["getmembers"] == 0 && !strings.Contains(f.Node.Field("superclasses").Text(), "metaclass")
}

// conventional tells names by which others call: entry points, hooks, tests.
func conventional(f *code.Definition) bool {
	name := strings.ToLower(f.Name)
	for _, p := range []string{"test", "pytest_", "on_", "handle_", "do_", "visit_", "setup", "teardown", "hook", "fixture"} {
		if strings.HasPrefix(name, p) {
			return true
		}
	}
	switch name {
	case "main", "run", "app", "create_app", "handler", "lambda_handler", "application", "cli", "upgrade", "downgrade", "register", "plugin", "entrypoint", "invoke", "make_graph", "graph":
		return true
	}
	return false
}
