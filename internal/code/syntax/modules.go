package syntax

import (
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/automaton-auditor/automaton/internal/code"

	"github.com/automaton-auditor/automaton/internal/manifest"
)

// Import is an import statement, or a call that imports, with what it means in
// the repository.
type Import struct {
	Node Node
	// Own tells that it means something of this repository, there or not.
	Own bool
	// Path is the file, or in Go and Java the folder, that it means; "" where
	// there is none in the repository: what is made by a build may be missing.
	Path string
	// Files are what was read of it: the module in JavaScript, TypeScript and
	// Rust, the package in Go, the class or package in Java. Go's tests are left
	// out.
	Files []*File
	// Package is what others call it that is not our own: "lodash", "@x/y",
	// "serde", Go's import path, Java's package.
	Package string
}

// Imports are the imports of a file in the order in which they are written.
func (p *Program) Imports(f *File) []Import {
	x := p.modules()
	if list, ok := x.imports.Load(f); ok {
		return list.([]Import)
	}
	var out []Import
	for n := range f.Root().Walk() {
		if n.Is("import") && n.Name() != "" {
			out = append(out, x.means(f, n))
		}
	}
	x.imports.Store(f, out)
	return out
}

// modules is what the manifests, folders and declarations say about which name
// means which files.
type modules struct {
	p       *Program
	imports sync.Map // of *File: []Import

	goModules []folder            // go.mod: the name of a module and its folder
	goFiles   map[string][]*File  // by folder
	classes   map[string]*File    // Java and C#: "a.b.C"
	packages  map[string][]*File  // Java and C#: "a.b"
	scripts   []folder            // package.json: the name of a package and its folder
	configs   map[string]*aliases // tsconfig.json, by path
	crates    map[string]*crate   // Rust: by the name that code uses
	homes     map[*File]home      // Rust: where a file stands in its crate
}

// folder is a folder with the name that its manifest gives it.
type folder struct{ name, dir string }

func (p *Program) modules() *modules {
	p.modulesOnce.Do(func() {
		x := &modules{p: p, goFiles: map[string][]*File{}, classes: map[string]*File{}, packages: map[string][]*File{},
			configs: map[string]*aliases{}, crates: map[string]*crate{}, homes: map[*File]home{}}
		for _, f := range p.Files {
			switch {
			case f.Language == "go" && !strings.HasSuffix(f.Path, "_test.go"):
				x.goFiles[dirOf(f.Path)] = append(x.goFiles[dirOf(f.Path)], f)
			case packaged(f):
				x.addJava(f)
			}
		}
		x.goModules = x.named("go.mod")
		x.scripts = x.named("package.json")
		x.readConfigs()
		x.growCrates()
		p.linked = x
	})
	return p.linked
}

// named lists the manifests of a kind, the longest name first and the
// shallowest folder of one name.
func (x *modules) named(base string) []folder {
	var out []folder
	for file, text := range x.p.texts {
		if path.Base(file) != base {
			continue
		}
		if n := manifest.Read(file, string(text)).Name; n != "" {
			out = append(out, folder{n, dirOf(file)})
		}
	}
	slices.SortFunc(out, func(a, b folder) int {
		if d := len(b.name) - len(a.name); d != 0 {
			return d
		}
		if d := strings.Count(a.dir, "/") - strings.Count(b.dir, "/"); d != 0 {
			return d
		}
		return strings.Compare(a.name+"\x00"+a.dir, b.name+"\x00"+b.dir)
	})
	return slices.CompactFunc(out, func(a, b folder) bool { return a.name == b.name })
}

func (x *modules) means(f *File, n Node) Import {
	i := Import{Node: n}
	switch f.Language {
	case "go":
		x.goImport(&i)
	case "java", "c#":
		x.javaImport(&i)
	case "rust":
		x.rustImport(f, &i)
	default:
		x.scriptImport(f, &i)
	}
	return i
}

func (x *modules) goImport(i *Import) {
	name := i.Node.Name()
	for _, m := range x.goModules {
		rest, ok := strings.CutPrefix(name, m.name)
		if !ok || rest != "" && rest[0] != '/' {
			continue
		}
		i.Own = true
		if dir := path.Join(m.dir, strings.TrimPrefix(rest, "/")); len(x.goFiles[dir]) > 0 {
			i.Path, i.Files = orDot(dir), x.goFiles[dir]
		}
		return
	}
	i.Package = name
}

func (x *modules) addJava(f *File) {
	name := ""
	for c := range f.Root().Children() {
		switch {
		case c.Is("package"):
			name = c.Name()
			x.packages[name] = append(x.packages[name], f)
		case c.Is("class") && c.Name() != "":
			full := strings.TrimPrefix(name+"."+c.Name(), ".")
			if old := x.classes[full]; old == nil || old.Scope != code.ScopeProduction && f.Scope == code.ScopeProduction {
				x.classes[full] = f
			}
		}
	}
}

// javaImport finds the class by its full name; what follows it is a nested
// class or a static member.
func (x *modules) javaImport(i *Import) {
	name := i.Node.Name()
	all := i.Node.Child("bind").Child("of").Name() == "*"
	if all && len(x.packages[name]) > 0 {
		i.Own, i.Files = true, x.packages[name]
		i.Path = dirOf(i.Files[0].Path)
		return
	}
	for part := name; part != ""; {
		if f := x.classes[part]; f != nil {
			i.Own, i.Files, i.Path = true, []*File{f}, f.Path
			return
		}
		at := strings.LastIndexByte(part, '.')
		part = part[:max(at, 0)]
		if len(x.packages[part]) > 0 { // of a class that is made by a build
			i.Own = true
			return
		}
	}
	if i.Package = name; !all {
		i.Package = packageOf(name)
	}
}

// packageOf is the part of a full name before its first class, by the custom
// that classes begin with a capital.
func packageOf(name string) string {
	parts := strings.Split(name, ".")
	for i, s := range parts {
		if i > 0 && s != "" && s[0] >= 'A' && s[0] <= 'Z' {
			return strings.Join(parts[:i], ".")
		}
	}
	return name
}

// dirOf is path.Dir with "" for the repository.
func dirOf(p string) string {
	if i := strings.LastIndexByte(p, '/'); i >= 0 {
		return p[:i]
	}
	return ""
}

func orDot(dir string) string {
	if dir == "" {
		return "."
	}
	return dir
}

// packaged tells Java and C#, whose files say which package they are of.
func packaged(f *File) bool { return f.Language == "java" || f.Language == "c#" }
