package command

import (
	"encoding/json"
	"path"
	"slices"
	"strings"

	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
)

// Answer says whether a project has what a command names.
type Answer string

// The answers.
const (
	There Answer = "there"
	Moved Answer = "moved" // not where the command looks for it
	Gone  Answer = "gone"
	Open  Answer = "open" // nobody can tell
)

// Result is what became of one thing that a command names.
type Result struct {
	Named
	Answer Answer
	Path   string // the file that shows it; "" when there is none
	Line   int    // in that file; 0: the file as a whole
}

// Project is a tree of files that commands are held against.
type Project struct {
	// Paths are the files, by path.
	Paths []string
	// Roots are the folders in which a command may be started, "" the tree's.
	Roots []string
	// Text reads a file; ok is false when it cannot be read.
	Text func(path string) (text string, ok bool)
	// Knows tells whether an identifier or text such as "--flag" occurs in the
	// project's code.
	Knows func(text string) bool
}

// Check holds a command against the project.
func (p Project) Check(l Line) []Result {
	var out []Result
	for _, n := range l.Named {
		r := Result{Named: n, Answer: Open}
		switch n.Kind {
		case File:
			r.Answer, r.Path = p.file(n.Name)
		case Folder:
			r.Answer, r.Path = p.folder(n.Name)
		case Module:
			r.Answer, r.Path = p.module(n.Name)
		case Target:
			r.Answer, r.Path, r.Line = p.target(n.Name)
		case Script:
			r.Answer, r.Path = p.script(n.Name)
		case Service:
			r.Answer, r.Path, r.Line = p.service(n.Name)
		case Entry:
			r.Answer, r.Path, r.Line = p.entry(n.Name)
		case Flag:
			r.Answer = p.flag(n)
		}
		out = append(out, r)
	}
	return out
}

func (p Project) has(file string) bool { return slices.Contains(p.Paths, file) }

func (p Project) file(name string) (Answer, string) {
	name = path.Clean(strings.ReplaceAll(name, `\`, "/"))
	for _, root := range p.Roots {
		if at := path.Join(root, name); p.has(at) {
			return There, at
		}
	}
	for _, f := range p.Paths {
		if strings.HasSuffix(f, "/"+name) {
			return Moved, f
		}
	}
	if path.Base(name) == ".env" || strings.Contains(name, ".venv") {
		return Open, "" // made by hand, and rightly not committed
	}
	return Gone, ""
}

func (p Project) folder(name string) (Answer, string) {
	name = path.Clean(name)
	for _, root := range p.Roots {
		at := path.Join(root, name) + "/"
		for _, f := range p.Paths {
			if strings.HasPrefix(f, at) {
				return There, f
			}
		}
	}
	for _, f := range p.Paths {
		if strings.Contains("/"+f, "/"+name+"/") {
			return Moved, f
		}
	}
	return Gone, ""
}

// module finds what python -m would run. A package that is not in the tree comes
// from elsewhere.
func (p Project) module(dotted string) (Answer, string) {
	at := strings.ReplaceAll(dotted, ".", "/")
	first, _, _ := strings.Cut(at, "/")
	own := false
	var roots []string
	for _, root := range p.Roots {
		roots = append(roots, root, path.Join(root, "src"))
	}
	for _, root := range roots {
		for _, tail := range []string{".py", "/__main__.py"} {
			if f := path.Join(root, at) + tail; p.has(f) {
				return There, f
			}
		}
		for _, f := range p.Paths {
			own = own || strings.HasPrefix(f, path.Join(root, first)+"/") && strings.HasSuffix(f, ".py") || f == path.Join(root, first)+".py"
		}
	}
	for _, f := range p.Paths {
		if strings.HasSuffix(f, "/"+at+".py") || strings.HasSuffix(f, "/"+at+"/__main__.py") {
			return Moved, f
		}
	}
	if own {
		return Gone, ""
	}
	return Open, ""
}

// named lists the files of a base name, those at a root first.
func (p Project) named(fits func(base string) bool) []string {
	var at, other []string
	for _, f := range p.Paths {
		switch dir := path.Dir(f); {
		case !fits(strings.ToLower(path.Base(f))) || strings.Contains(f, "node_modules/"):
		case slices.Contains(p.Roots, dir) || dir == "." && slices.Contains(p.Roots, ""):
			at = append(at, f)
		default:
			other = append(other, f)
		}
	}
	return append(at, other...)
}

// search looks for a line in files: it is there, or gone when all of them could
// be read and none may hold it in another way.
func (p Project) search(files []string, fits, may *regexp.Regexp) (Answer, string, int) {
	if len(files) == 0 {
		return Gone, "", 0
	}
	answer := Gone
	for _, f := range files {
		text, ok := p.Text(f)
		if !ok || may != nil && may.MatchString(text) {
			answer = Open
		}
		n := 0
		for line := range strings.Lines(text) {
			if n++; fits.MatchString(line) {
				return There, f, n
			}
		}
	}
	if answer == Open {
		return Open, "", 0
	}
	return Gone, files[0], 0
}

func (p Project) target(name string) (Answer, string, int) {
	files := p.named(func(b string) bool { return b == "makefile" || b == "gnumakefile" || strings.HasSuffix(b, ".mk") })
	return p.search(files, regexp.MustCompile(`^(?:[\w./\-]+\s+)*`+quoted(name)+`(?:\s+[\w./\-]+)*\s*::?(?:[^=]|$)`), regexp.MustCompile(`(?m)^-?include\b|^[^\t#\n]*%[^\n]*:|^\$\(`))
}

func (p Project) script(name string) (Answer, string) {
	files := p.named(func(b string) bool { return b == "package.json" })
	for _, f := range files {
		text, ok := p.Text(f)
		var manifest struct {
			Scripts map[string]json.RawMessage `json:"scripts"`
		}
		if !ok || json.Unmarshal([]byte(text), &manifest) != nil {
			return Open, f
		}
		if _, ok := manifest.Scripts[name]; ok {
			return There, f
		}
	}
	if len(files) == 0 {
		return Gone, ""
	}
	return Gone, files[0]
}

func (p Project) service(name string) (Answer, string, int) {
	files := p.named(func(b string) bool {
		return strings.HasSuffix(b, ".yml") || strings.HasSuffix(b, ".yaml")
	})
	files = slices.DeleteFunc(files, func(f string) bool {
		b := strings.ToLower(path.Base(f))
		return !strings.HasPrefix(b, "docker-compose") && !strings.HasPrefix(b, "compose")
	})
	if name == "" {
		if len(files) == 0 {
			return Gone, "", 0
		}
		return There, files[0], 0
	}
	return p.search(files, regexp.MustCompile(`^\s+["']?`+quoted(name)+`["']?:\s*(?:#.*)?$`), regexp.MustCompile(`(?m)^\s*(?:extends|include)\s*:`))
}

// quoted is a name as an expression; bytes that are not text cannot stand in one.
func quoted(name string) string { return regexp.QuoteMeta(strings.ToValidUTF8(name, "\ufffd")) }

// entry finds a program among those that the project installs. Others come from
// elsewhere.
func (p Project) entry(name string) (Answer, string, int) {
	if strings.ContainsAny(name, "/") || strings.HasSuffix(name, ".sh") {
		answer, file := p.file(name)
		return answer, file, 0
	}
	files := p.named(func(b string) bool { return b == "pyproject.toml" || b == "setup.cfg" || b == "setup.py" })
	answer, file, line := p.search(files, regexp.MustCompile(`^\s*["']?`+quoted(name)+`["']?\s*=\s*["']?[\w.]+:\w+`), nil)
	if answer == There {
		return answer, file, line
	}
	return Open, "", 0
}

// flag looks for a flag in the code when what must know it is the project's own.
func (p Project) flag(n Named) Answer {
	of, _ := p.module(n.Of)
	if strings.HasSuffix(n.Of, ".py") {
		of, _ = p.file(n.Of)
	}
	if of != There && of != Moved {
		return Open
	}
	bare := strings.ReplaceAll(strings.TrimLeft(n.Name, "-"), "-", "_")
	if p.Knows(n.Name) || p.Knows(bare) || p.Knows(strings.TrimPrefix(bare, "no_")) {
		return There
	}
	return Gone
}
