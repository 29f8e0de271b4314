package code

import (
	"bytes"
	"path"
	"slices"
	"strings"
	"sync"

	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
)

const (
	// maxRootDepth is how deep a project root may lie.
	maxRootDepth = 3
	// copyShare is the share of code paths, in percent, that a nested folder
	// must have in common with another root to count as its copy.
	copyShare = 80
	// maxRoots bounds the folders with a manifest that are looked at.
	maxRoots = 64
)

// Layout is what the paths of a repository tell about it.
type Layout struct {
	root   string
	roots  []string // folders with a manifest, shallow first
	files  map[string]Scope
	dirs   map[string]bool
	copies []string // nested copies of another root

	former sync.Map // scopes of paths that are not in the repository: those of a history come again and again
}

// Survey classifies files. Only the first lines of contents are looked at (of
// scripts the last and the longest as well), line counts to find the project
// root, and imports to tell a nested copy from a package in use; files without
// bytes are classified by path alone.
func Survey(files []File) *Layout {
	l := &Layout{files: make(map[string]Scope, len(files)), dirs: map[string]bool{}}
	for _, f := range files {
		l.files[f.Path] = ScopeOther
		for dir := dirOf(f.Path); dir != "" && !l.dirs[dir]; dir = dirOf(dir) {
			l.dirs[dir] = true
		}
	}
	written := false // a program, beside notebooks
	for _, f := range files {
		scope := l.classify(f.Path)
		if scope != ScopeVendor && scope != ScopeDocs && (marked(f.Bytes) || f.bundled() || generatedBy(f.Path, f.Bytes)) {
			scope = ScopeGenerated
		}
		l.files[f.Path] = scope
		written = written || scope == ScopeProduction && f.Language().Code()
	}
	l.started(files)
	l.notebooks(files, written)
	l.findRoots(files)
	l.findCopies(files)
	return l
}

// started makes scripts that are named as tests a part of the program: those that test nothing, and that a README starts as a
// command.
func (l *Layout) started(files []File) {
	commands := map[string]bool{}
	for _, f := range files {
		if strings.EqualFold(path.Base(f.Path), "readme.md") && l.files[f.Path] == ScopeDocs {
			for _, m := range startsScript.FindAllStringSubmatch(string(f.Bytes), 100) {
				commands[path.Join(dirOf(f.Path), m[1])] = true
			}
		}
	}
	for _, f := range files {
		if commands[f.Path] && l.files[f.Path] == ScopeTest && testName.MatchString(path.Base(f.Path)) && !aTest.Match(f.Bytes) {
			l.files[f.Path] = ScopeProduction
		}
	}
}

var (
	startsScript = regexp.MustCompile(`(?m)\bpython3? +([\w./\-]+\.py)\b`)
	aTest        = regexp.MustCompile(`(?m)^\s*(?:(?:async +)?def +test|class +\w*Test|assert\b)|\b(?:unittest|pytest)\b|\.assert`)
)

// launches is what a file has that starts a program: a guard for what is run, a command
// line, an application of a server or a page, a script of a manifest.
var launches = regexp.MustCompile(`__main__|argparse|\b(?:typer|click|fire|FastAPI|Flask|Starlette|streamlit|gradio|chainlit)\b|console_scripts|\[(?:project|tool\.poetry)\.scripts\]|"graphs"\s*:`)

// notebooks makes the notebooks the program, where there is no other; or those that
// import the program's own files, where nothing else starts it.
func (l *Layout) notebooks(files []File, written bool) {
	var found []File
	for _, f := range files {
		if l.files[f.Path] == ScopeExample && f.Language() == "notebook" && (!written || l.imports(f)) {
			found = append(found, f)
		}
	}
	if len(found) == 0 || written && slices.ContainsFunc(files, l.starts) {
		return
	}
	for _, f := range found {
		l.files[f.Path] = ScopeProduction
	}
}

// starts reports whether a file starts a program.
func (l *Layout) starts(f File) bool {
	scope := l.files[f.Path]
	return path.Base(f.Path) == "__main__.py" || (scope == ScopeProduction && f.Language() == "python" || scope == ScopeConfig && len(f.Bytes) < 1<<20) && launches.Match(f.Bytes)
}

// importing is a line of a notebook that imports, as JSON writes it.
var importing = regexp.MustCompile(`(?m)"(?:from|import) +([A-Za-z_][A-Za-z0-9_]*)`)

// imports reports whether a notebook imports a file or folder of the program that stands
// beside it or at the top.
func (l *Layout) imports(f File) bool {
	for _, m := range importing.FindAllStringSubmatch(string(f.Bytes), 200) {
		for _, dir := range []string{"", dirOf(f.Path), "src"} {
			p := path.Join(dir, m[1])
			if l.files[p+".py"] == ScopeProduction || l.dirs[p] {
				return true
			}
		}
	}
	return false
}

// Scope returns the scope class of a path. A path that is not in the
// repository is classified by its name.
func (l *Layout) Scope(p string) Scope {
	if s, ok := l.files[p]; ok {
		return s
	}
	if s, ok := l.former.Load(p); ok {
		return s.(Scope)
	}
	s := l.classify(p)
	l.former.Store(p, s)
	return s
}

// Root returns the project root: the folder, at most three deep, with a
// manifest that holds most production lines; "" is the repository itself.
func (l *Layout) Root() string { return l.root }

// Find resolves a path of a file or folder as a document writes it: against
// the project root, then against the repository root. It reports the path in
// the repository.
func (l *Layout) Find(p string) (string, bool) {
	p = path.Clean("/" + p)[1:]
	for _, candidate := range []string{path.Join(l.root, p), p} {
		if candidate != "" && (l.has(candidate) || l.dirs[candidate]) {
			return candidate, true
		}
	}
	return "", false
}

func (l *Layout) has(p string) bool {
	_, ok := l.files[p]
	return ok
}

// under reports whether a path lies in a folder; every path lies in "".
func under(p, dir string) bool {
	return dir == "" || strings.HasPrefix(p, dir+"/")
}

// dirOf is path.Dir with "" for the repository root.
func dirOf(p string) string {
	if i := strings.LastIndexByte(p, '/'); i >= 0 {
		return p[:i]
	}
	return ""
}

// findRoots lists the folders with a manifest and chooses the project root.
func (l *Layout) findRoots(files []File) {
	for _, f := range files {
		scope := l.files[f.Path]
		if !rootManifest(strings.ToLower(path.Base(f.Path))) || scope != ScopeConfig {
			continue
		}
		if dir := dirOf(f.Path); dir == "" || strings.Count(dir, "/") < maxRootDepth {
			l.roots = append(l.roots, dir)
		}
	}
	slices.SortFunc(l.roots, func(a, b string) int {
		return (depthOf(a)-depthOf(b))*2 + strings.Compare(a, b)
	})
	l.roots = slices.Compact(l.roots)
	l.roots = l.roots[:min(len(l.roots), maxRoots)]
	lines := map[string]int{}
	for _, f := range files {
		if l.files[f.Path] != ScopeProduction {
			continue
		}
		n := max(f.Lines(), 1)
		for _, dir := range l.roots {
			if under(f.Path, dir) {
				lines[dir] += n
			}
		}
	}
	best := -1
	for _, dir := range l.roots {
		if lines[dir] > best {
			best, l.root = lines[dir], dir
		}
	}
}

func depthOf(dir string) int {
	if dir == "" {
		return 0
	}
	return strings.Count(dir, "/") + 1
}

// findCopies marks nested copies of another root as examples: folders with a
// README and a manifest of their own whose code paths are those of another
// root, and which nothing outside imports.
func (l *Layout) findCopies(files []File) {
	code := map[string]map[string]bool{}
	for _, dir := range l.roots {
		code[dir] = map[string]bool{}
	}
	for _, f := range files {
		if l.files[f.Path] != ScopeProduction {
			continue
		}
		for _, dir := range l.roots {
			if under(f.Path, dir) {
				code[dir][strings.TrimPrefix(f.Path[len(dir):], "/")] = true
			}
		}
	}
	for i, dir := range l.roots {
		if dir == "" || !l.hasReadme(dir) {
			continue
		}
		for _, other := range l.roots[:i] {
			if copied(code[dir], code[other]) && !imported(files, dir) {
				l.copies = append(l.copies, dir)
				break
			}
		}
	}
	for p, scope := range l.files {
		if scope != ScopeProduction && scope != ScopeConfig {
			continue
		}
		if slices.ContainsFunc(l.copies, func(dir string) bool { return under(p, dir) }) {
			l.files[p] = ScopeExample
		}
	}
}

func (l *Layout) hasReadme(dir string) bool {
	for _, name := range []string{"README.md", "README.rst", "README.txt", "README", "readme.md", "Readme.md"} {
		if l.has(dir + "/" + name) {
			return true
		}
	}
	return false
}

// copied reports whether most of one root's code paths exist in the other.
func copied(one, other map[string]bool) bool {
	common := 0
	for p := range one {
		if other[p] {
			common++
		}
	}
	return len(one) > 1 && common*100 >= len(one)*copyShare
}

// imported reports whether Python code outside a folder imports from it.
func imported(files []File, dir string) bool {
	name := strings.ReplaceAll(dir, "/", ".")
	for _, f := range files {
		if f.Language() != "python" || under(f.Path, dir) {
			continue
		}
		if bytes.Contains(f.Bytes, []byte("import "+name)) || bytes.Contains(f.Bytes, []byte("from "+name)) {
			return true
		}
	}
	return false
}
