package code

import (
	"path"
	"slices"
	"strings"

	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
)

// moduleNames knows which file a dotted module name means.
type moduleNames struct {
	byPath   map[string]*Module
	byName   map[string]*Module
	folders  map[string]bool // folders that hold Python files, at any depth
	hidden   map[string]bool // see hide: paths without their ending; "*/name" in any folder
	roots    []string        // folders that may stand on the import path, best first
	declared map[string]bool // import names of the packages that manifests require

}

// place is what a dotted module name leads to: a module, a package folder, or both.
type place struct {
	module *Module
	folder string
	found  bool
}

// stdlib lists the top-level modules of Python 3.8 to 3.14 that own code is
// likely to share a name with; a first-party file never wins over them.
const stdlib = " abc aifc argparse array ast asyncio atexit base64 bdb binascii bisect builtins bz2 calendar cgi cmath cmd code codecs collections colorsys compileall concurrent configparser contextlib contextvars copy copyreg crypt csv ctypes curses dataclasses datetime dbm decimal difflib dis doctest email encodings ensurepip enum errno faulthandler fcntl filecmp fileinput fnmatch fractions ftplib functools gc getopt getpass gettext glob graphlib grp gzip hashlib heapq hmac html http imaplib imghdr importlib inspect io ipaddress itertools json keyword linecache locale logging lzma mailbox marshal math mimetypes mmap multiprocessing netrc numbers operator os pathlib pdb pickle pickletools pkgutil platform plistlib poplib posix pprint profile pstats pty pwd py_compile pyclbr pydoc queue quopri random re readline reprlib resource runpy sched secrets select selectors shelve shlex shutil signal site smtplib socket socketserver sqlite3 ssl stat statistics string stringprep struct subprocess symtable sys sysconfig syslog tarfile telnetlib tempfile termios textwrap threading time timeit tkinter token tokenize tomllib trace traceback tracemalloc tty turtle types typing unicodedata unittest urllib uuid venv warnings wave weakref webbrowser wsgiref xml xmlrpc zipapp zipfile zipimport zlib zoneinfo __future__ "

// wellKnown lists import names of widely used packages that a file beside the
// importing one must not be mistaken for ("import git" next to a git.py).
const wellKnown = " anthropic attr attrs bs4 chromadb click dateutil django docling dotenv fastapi fitz flask git google httpx jinja2 jsonschema langchain langchain_anthropic langchain_community langchain_core langchain_google_genai langchain_groq langchain_ollama langchain_openai langgraph langsmith loguru matplotlib networkx numpy ollama openai orjson pandas PIL psutil pydantic pydantic_settings pygit2 pypdf PyPDF2 pytest redis requests rich ruamel setuptools sh sqlalchemy starlette streamlit tenacity tiktoken toml torch tqdm transformers tree_sitter typer typing_extensions uvicorn yaml "

func listed(list, name string) bool { return strings.Contains(list, " "+name+" ") }

// maxAbove bounds the folders above a file that imports are looked up in.
const maxAbove = 64

// build names every module.
func (x *moduleNames) build(p *Program) {
	x.byPath, x.byName = map[string]*Module{}, map[string]*Module{}
	x.folders = map[string]bool{}
	for _, m := range p.Modules {
		x.byPath[m.Path] = m
		for dir := dirOf(m.Path); dir != "" && !x.folders[dir]; dir = dirOf(dir) {
			x.folders[dir] = true
		}
	}
	for _, m := range p.Modules {
		delete(x.hidden, stemOf(m.Path))
	}
	for dir := range x.folders {
		delete(x.hidden, dir)
	}
	x.declared = declaredImports(p.manifests)
	x.findRoots(p)
	for _, m := range p.Modules {
		stem := stemOf(m.Path)
		m.Shadowed = !m.Package && x.byPath[stem+"/__init__.py"] != nil
	}
	for _, shadowed := range []bool{false, true} {
		for _, m := range p.Modules {
			if m.Shadowed == shadowed {
				x.name(m)
			}
		}
	}
}

// findRoots lists the folders that imports may start from: the project root
// first, other folders with a manifest, the repository, and a src folder in
// any of them. A folder by whose own name first-party code imports ("from
// src.tools import x") is not a root for naming.
func (x *moduleNames) findRoots(p *Program) {
	candidates := append([]string{p.Layout.root}, p.Layout.roots...)
	candidates = append(candidates, "")
	imported := importedTops(p)
	for _, dir := range candidates {
		for _, root := range []string{path.Join(dir, "src"), dir} {
			if root != "" && (!x.folders[root] || x.byPath[root+"/__init__.py"] != nil || imported[path.Base(root)]) {
				continue
			}
			if !slices.Contains(x.roots, root) {
				x.roots = append(x.roots, root)
			}
		}
	}
}

var importLine = regexp.MustCompile(`(?m)^[ \t]*(?:from|import)[ \t]+(\w+)`)

// importedTops lists the top-level names that modules import from.
func importedTops(p *Program) map[string]bool {
	out := map[string]bool{}
	for _, m := range p.Modules {
		for _, match := range importLine.FindAllStringSubmatch(m.text, -1) {
			out[match[1]] = true
		}
	}
	return out
}

// name gives a module its dotted name: relative to the deepest root above it,
// or to the repository when that name is taken.
func (x *moduleNames) name(m *Module) {
	stem := stemOf(m.Path)
	if m.Package && stem != "__init__" {
		stem = strings.TrimSuffix(stem, "/__init__")
	}
	best := ""
	for _, root := range x.roots {
		if under(m.Path, root) && len(root) > len(best) {
			best = root
		}
	}
	if stem == best { // the folder's own __init__.py
		best = dirOf(best)
	}
	m.Name = strings.ReplaceAll(strings.TrimPrefix(stem[len(best):], "/"), "/", ".")
	if other := x.byName[m.Name]; other != nil && !m.Shadowed {
		m.Name = strings.ReplaceAll(stem, "/", ".")
	}
	if x.byName[m.Name] == nil {
		x.byName[m.Name] = m
	}
}

// find leads an absolute module name, as imported by from, to its place.
// firstParty is true also when only the start of the name exists.
func (x *moduleNames) find(from *Module, name string) (at place, firstParty bool) {
	top, _, _ := strings.Cut(name, ".")
	if top == "" || listed(stdlib, top) {
		return place{}, false
	}
	known := listed(wellKnown, top) || x.declared[top]
	for _, root := range x.searchPath(from) {
		own := slices.Contains(x.roots, root)
		head, ok := x.descend(root, top)
		if !ok || (known && (!own || head.module == nil)) {
			continue
		}
		if at, ok := x.descend(root, name); ok {
			return at, true
		}
		firstParty = true
	}
	return place{}, firstParty
}

// searchPath lists where an absolute import of a file starts: roots above the
// file from the deepest, the folders above it, other roots.
func (x *moduleNames) searchPath(from *Module) []string {
	var out []string
	add := func(dir string) {
		if !slices.Contains(out, dir) {
			out = append(out, dir)
		}
	}
	var above []string
	for dir := dirOf(from.Path); dir != "" && len(above) < maxAbove; dir = dirOf(dir) {
		above = append(above, dir)
	}
	above = append(above, "")
	for _, dir := range above {
		if slices.Contains(x.roots, dir) {
			add(dir)
		}
	}
	for _, dir := range above {
		add(dir)
		if src := path.Join(dir, "src"); x.folders[src] {
			add(src)
		}
	}
	for _, dir := range x.roots {
		add(dir)
	}
	return out
}

// descend follows a dotted name from a folder. A package wins over a module
// of the same name.
func (x *moduleNames) descend(folder, name string) (place, bool) {
	at := place{folder: folder}
	for part := range strings.SplitSeq(name, ".") {
		next, ok := x.sub(at, part)
		if !ok {
			return place{}, false
		}
		at = next
	}
	return at, true
}

// sub finds a module or package in a package folder.
func (x *moduleNames) sub(at place, part string) (place, bool) {
	if at.module != nil && !at.module.Package {
		return place{}, false
	}
	p := path.Join(at.folder, part)
	if m := x.byPath[p+"/__init__.py"]; m != nil {
		return place{module: m, folder: p, found: true}, true
	}
	for _, ext := range []string{".py", ".pyi"} {
		if m := x.byPath[p+ext]; m != nil {
			return place{module: m, found: true}, true
		}
	}
	if x.folders[p] || x.hides(p) {
		return place{folder: p, found: true}, true
	}
	return place{}, false
}

// relative leads a relative import to its place.
func (x *moduleNames) relative(from *Module, level int, name string) (place, bool) {
	folder := dirOf(from.Path)
	for range level - 1 {
		if folder == "" {
			return place{}, false
		}
		folder = dirOf(folder)
	}
	at := place{folder: folder, module: x.byPath[path.Join(folder, "__init__.py")], found: true}
	if name == "" {
		return at, true
	}
	for part := range strings.SplitSeq(name, ".") {
		next, ok := x.sub(at, part)
		if !ok {
			return place{}, false
		}
		at = next
	}
	return at, true
}

// dotName returns the dotted name of a place.
func (x *moduleNames) dotName(at place) string {
	if at.module != nil {
		return at.module.Name
	}
	folder := at.folder
	best := ""
	for _, root := range x.roots {
		if under(folder, root) && len(root) > len(best) {
			best = root
		}
	}
	return strings.ReplaceAll(strings.TrimPrefix(folder[len(best):], "/"), "/", ".")
}

// Means is what a module's import of a dotted name leads to, as it is written
// with its leading dots: the full name and, where it is a file, the module. own
// tells that it means something of the repository; the full name is "" then where
// that is not there.
func (p *Program) Means(from *Module, written string) (full string, m *Module, own bool) {
	name := strings.TrimLeft(written, ".")
	if level := len(written) - len(name); level > 0 {
		at, ok := p.names.relative(from, level, name)
		if !ok {
			return "", nil, true
		}
		return p.names.dotName(at), at.module, true
	}
	at, own := p.names.find(from, name)
	switch {
	case at.found:
		return p.names.dotName(at), at.module, true
	case own:
		return "", nil, true
	}
	return name, nil, false
}
