package syntax

import (
	"path"
	"strings"

	"github.com/automaton-auditor/automaton/internal/manifest"
)

// Home is the full name of the module or package of a file.
func (p *Program) Home(f *File) string {
	p.namesOnce.Do(func() {
		p.names = map[*File]string{}
		for _, f := range p.Files {
			p.names[f] = p.homeOf(f)
		}
	})
	return p.names[f]
}

func (p *Program) homeOf(f *File) string {
	switch f.Language {
	case "go":
		return p.importPath(path.Dir(f.Path))
	case "java", "c#":
		for n := range f.Root().Children() {
			if n.Is("package") {
				return n.Name()
			}
		}
		return ""
	case "rust":
		return "crate" + strings.Join(rustModule(f.Path), ".")
	}
	return "./" + strings.TrimSuffix(f.Path, path.Ext(f.Path))
}

// importPath is how a Go package in a folder is imported.
func (p *Program) importPath(dir string) string {
	for root := dir; ; root = path.Dir(root) {
		if text, ok := p.texts[path.Join(root, "go.mod")]; ok {
			if name := manifest.Read("go.mod", string(text)).Name; name != "" {
				return path.Join(name, strings.TrimPrefix(dir[min(len(dir), len(strings.TrimSuffix(root, "."))):], "/"))
			}
		}
		if root == "." || root == "/" {
			return "./" + dir
		}
	}
}

// crateOf is the folder of the crate that a file is of.
func crateOf(p string) string {
	if i := strings.LastIndex("/"+p, "/src/"); i >= 0 {
		return p[:i]
	}
	return path.Dir(p)
}

// rustModule are the names of the modules that a file is, each with its dot.
func rustModule(p string) []string {
	inside := strings.TrimPrefix(strings.TrimPrefix(p, crateOf(p)), "/")
	inside = strings.TrimSuffix(strings.TrimPrefix(inside, "src/"), ".rs")
	var out []string
	for part := range strings.SplitSeq(inside, "/") {
		switch part {
		case "main", "lib", "mod":
		default:
			out = append(out, part)
		}
	}
	if len(out) > 0 {
		out[0] = "." + out[0]
	}
	return out
}
