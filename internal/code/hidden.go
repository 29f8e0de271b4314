package code

import (
	"path"
	"slices"
	"strings"

	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
)

// native are the endings of files from which a build makes a module of the same name.
var native = []string{".pyx", ".c", ".cc", ".cpp", ".rs", ".so", ".pyd"}

var (
	pythonFile = regexp.MustCompile(`\b([A-Za-z_]\w*)\.py\b`)
	platform   = regexp.MustCompile(`\.(?:cpython|cp\d|abi\d|pypy)[^/]*$`) // of the name of an extension module
)

// hide notes what a file tells of modules that are not read: that it is one itself, that
// one is made from it, or that a build or a user makes some which it names. Such a module
// is there, and has whatever is asked of it.
func (x *moduleNames) hide(f File) {
	stem, ext := stemOf(f.Path), path.Ext(f.Path)
	switch {
	case ext == ".py":
		for at := strings.TrimSuffix(stem, "/__init__"); at != "" && !x.hidden[at]; at = dirOf(at) {
			x.hidden[at] = true
		}
	case ext == ".proto":
		x.hidden[stem+"_pb2"], x.hidden[stem+"_pb2_grpc"] = true, true
	case slices.Contains(native, ext):
		x.hidden[platform.ReplaceAllString(stem, "")] = true
	case path.Base(f.Path) == ".gitignore" || declares(f.Path):
		for _, m := range pythonFile.FindAllStringSubmatch(string(f.Bytes), -1) {
			x.hidden["*/"+m[1]] = true
		}
	}
}

// stemOf is a path without the ending of its name.
func stemOf(file string) string { return strings.TrimSuffix(file, path.Ext(file)) }

func (x *moduleNames) hides(stem string) bool {
	return x.hidden[stem] || x.hidden["*/"+path.Base(stem)]
}

// Hidden lists the full names of the modules that are there, or may be once the program is
// built, and are not read; one that begins with a dot is met in any package.
func (p *Program) Hidden() (out []string) {
	for stem := range p.names.hidden {
		if name, anywhere := strings.CutPrefix(stem, "*/"); anywhere {
			out = append(out, "."+name)
		} else {
			out = append(out, p.names.dotName(place{folder: stem}))
		}
	}
	slices.Sort(out)
	return out
}

// Linked tells whether anything of the repository's own leads to a file that was not read:
// an import, or its name in a text of code or in a manifest.
func (p *Program) Linked(file string) bool {
	stem := strings.TrimSuffix(stemOf(file), "/__init__")
	for _, m := range p.Modules {
		if strings.Contains(m.text, path.Base(file)) {
			return true
		}
		for i := range m.indexed().imps {
			s := &m.indexed().imps[i]
			at, _, _ := p.findPlace(s)
			if at.folder == stem || at.found && s.name != "" && path.Join(at.folder, s.name) == stem {
				return true
			}
		}
	}
	for _, text := range p.manifests {
		if strings.Contains(text, path.Base(file)) {
			return true
		}
	}
	return false
}
