package syntax

import (
	"path"
	"strings"

	"github.com/automaton-auditor/automaton/internal/manifest"
)

// method names a method of a type in a package or crate.
type method struct{ home, of, name string }

// index is what is looked up by name across files.
type index struct {
	homes   map[string][]*File // the files of a module or package, by its name
	methods map[method]Node    // of Go
	typed   map[method]bool    // Go's types that have methods
	impls   map[method][]Node  // of Rust
	usings  []Node             // of C#, that every file sees
}

func (p *Program) index() *index {
	p.indexOnce.Do(func() {
		x := &index{map[string][]*File{}, map[method]Node{}, map[method]bool{}, map[method][]Node{}, nil}
		p.names = map[*File]string{}
		for _, f := range p.Files {
			home := p.homeOf(f)
			p.names[f] = home
			x.homes[home] = append(x.homes[home], f)
			switch f.Language {
			case "go":
				for n := range f.Root().Children() {
					if of := receiverType(n); n.Is("func") && of != "" {
						x.methods[method{home, of, n.Name()}] = n
						x.typed[method{home, of, ""}] = true
					}
				}
			case "c#":
				for n := range f.Root().Children() {
					if n.Is("import") && n.Has(Reexport) {
						x.usings = append(x.usings, n)
					}
				}
			case "rust":
				for i := range f.nodes {
					if n := (Node{f, int32(i)}); n.Is("class") && n.Detail() == "impl" {
						k := method{crateOf(f.Path), bare(n.Name()), ""}
						x.impls[k] = append(x.impls[k], n)
					}
				}
			default:
			}
		}
		p.found = x
	})
	return p.found
}

// Home is the full name of the module or package of a file.
func (p *Program) Home(f *File) string {
	p.index()
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

// bound is what an imported name stands for.
func (r *resolver) bound(b Node) meaning {
	if r.spent() {
		return meaning{}
	}
	imp, of := b.Parent(), b.Child("of")
	switch imp.File().Language {
	case "go":
		return r.module(imp)
	case "java", "c#":
		return r.javaPath(imp.Name())
	case "rust":
		name := imp.Name()
		if of.Valid() && of.Name() != "*" && of.Name() != name[strings.LastIndexByte(name, ':')+1:] {
			name += "::" + of.Name()
		}
		return r.rustPath(imp.File(), name)
	}
	if !imp.Is("import") { // export {a as b}
		if d := of.lookup(of.Name()); d.Valid() {
			return r.declared(d)
		}
		return meaning{}
	}
	m := r.module(imp)
	if !of.Valid() || of.Name() == "*" || of.Name() == "default" && len(m.files) == 0 {
		return m
	}
	return r.member(m, of.Name())
}

// module is what an import imports from.
func (r *resolver) module(imp Node) meaning {
	f, name := imp.File(), imp.Name()
	switch f.Language {
	case "go":
		return meaning{full: name, files: r.p.index().homes[name]}
	case "java", "c#":
		return r.javaPath(name)
	case "rust":
		return r.rustPath(f, name)
	}
	if m := r.p.modules().means(f, imp); m.Own {
		if len(m.Files) > 0 {
			return meaning{full: r.p.Home(m.Files[0]), files: m.Files}
		}
		return meaning{full: "./" + strings.TrimPrefix(m.Path, "./")}
	}
	return meaning{full: strings.TrimPrefix(name, "node:")}
}

// javaPath is what a name with dots stands for: classes inside of packages.
func (r *resolver) javaPath(name string) meaning {
	for i := len(name); i > 0; i = strings.LastIndexByte(name[:i], '.') {
		files, rest := r.p.index().homes[name[:i]], strings.TrimPrefix(name[i:], ".")
		if len(files) == 0 || rest == "" {
			continue
		}
		m := meaning{full: name[:i], files: files}
		for part := range strings.SplitSeq(rest, ".") {
			m = r.member(m, part)
		}
		return m
	}
	return meaning{full: name}
}

// rustPath is what a path stands for where a file uses it.
func (r *resolver) rustPath(f *File, name string) meaning {
	if r.spent() {
		return meaning{}
	}
	parts := strings.Split(strings.ReplaceAll(name, "::", "."), ".")
	home := strings.Split(r.p.Home(f), ".")
	var at int // parts of full that are first-party modules
	var full []string
	switch parts[0] {
	case "crate":
		full, at = parts, 1
	case "self":
		full, at = append(home[:len(home):len(home)], parts[1:]...), len(home)
	case "super":
		for len(parts) > 0 && parts[0] == "super" && len(home) > 1 {
			home, parts = home[:len(home)-1], parts[1:]
		}
		full, at = append(home[:len(home):len(home)], parts...), len(home)
	default:
		full = append(home[:len(home):len(home)], parts...)
		if files := r.crateFiles(f, full[:len(home)+1]); len(files) == 0 {
			return meaning{full: strings.Join(parts, ".")}
		}
		at = len(home) + 1
	}
	for at < len(full) && len(r.crateFiles(f, full[:at+1])) > 0 {
		at++
	}
	m := meaning{full: strings.Join(full[:at], "."), files: r.crateFiles(f, full[:at])}
	for _, part := range full[at:] {
		m = r.member(m, part)
	}
	return m
}

// crateFiles are the files of a module in the crate of a file.
func (r *resolver) crateFiles(f *File, module []string) []*File {
	var out []*File
	for _, x := range r.p.index().homes[strings.Join(module, ".")] {
		if x.Language == "rust" && crateOf(x.Path) == crateOf(f.Path) {
			out = append(out, x)
		}
	}
	return out
}
