package syntax

import (
	"path"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/manifest"
)

// crate is what is compiled as one: a library, a program, a test.
type crate struct {
	name  string
	root  *File
	parts map[string]*File // modules by their path: "", "a", "a::b"
}

// home is where a file stands: the path of its module in its crate.
type home struct {
	crate *crate
	path  string
}

// growCrates finds the crates by their manifests and Cargo's conventions, and
// their modules by the declarations that lead to them.
func (x *modules) growCrates() {
	manifests := make([]string, 0, len(x.p.texts))
	for file := range x.p.texts {
		if path.Base(file) == "Cargo.toml" {
			manifests = append(manifests, file)
		}
	}
	slices.Sort(manifests)
	for _, file := range manifests {
		m := manifest.Read(file, string(x.p.texts[file]))
		name, lib, paths := m.Name, m.Library, m.Programs
		dir := dirOf(file)
		if name == "" {
			continue
		}
		if lib == "" {
			lib = "src/lib.rs"
		}
		if f := x.p.File(path.Join(dir, lib)); f != nil {
			c := x.grow(strings.ReplaceAll(name, "-", "_"), f)
			if x.crates[c.name] == nil {
				x.crates[c.name] = c
			}
		}
		for _, p := range append(paths, "src/main.rs", "build.rs") {
			if f := x.p.File(path.Join(dir, p)); f != nil {
				x.grow("", f)
			}
		}
		for _, f := range x.p.Files {
			if x.homes[f].crate == nil && f.Language == "rust" && rootByPlace(strings.TrimPrefix(f.Path, dir+"/")) {
				x.grow("", f)
			}
		}
	}
}

// rootByPlace tells a file, by its path below a manifest, that Cargo compiles
// as a crate of its own.
func rootByPlace(p string) bool {
	for _, dir := range []string{"src/bin/", "tests/", "examples/", "benches/"} {
		if rest, ok := strings.CutPrefix(p, dir); ok {
			return !strings.Contains(rest, "/") || path.Base(rest) == "main.rs" && strings.Count(rest, "/") == 1
		}
	}
	return false
}

// grow follows the declarations of modules from a crate's root.
func (x *modules) grow(name string, root *File) *crate {
	c := &crate{name: name, root: root, parts: map[string]*File{}}
	type step struct {
		f    *File
		path string
		dir  string // where its modules lie
	}
	queue := []step{{root, "", dirOf(root.Path)}}
	for len(queue) > 0 {
		s := queue[0]
		queue = queue[1:]
		if c.parts[s.path] != nil {
			continue
		}
		c.parts[s.path] = s.f
		if x.homes[s.f].crate == nil {
			x.homes[s.f] = home{c, s.path}
		}
		for n := range s.f.Root().Walk() {
			switch {
			case inlineModule(n):
				c.parts[below(s.path, inModule(n)+"::"+n.Name())] = s.f
			case n.Is("import") && n.Has(Module):
				child := strings.TrimPrefix(n.Name(), "self::")
				in := inModule(n)
				at := path.Join(s.dir, strings.ReplaceAll(in, "::", "/"), child)
				for _, to := range []string{at + ".rs", at + "/mod.rs"} {
					if f := x.p.File(to); f != nil {
						queue = append(queue, step{f, below(s.path, in+"::"+child), at})
						break
					}
				}
			}
		}
	}
	return c
}

// inlineModule tells a module that is written where it is declared.
func inlineModule(n Node) bool { return n.Is("class") && n.Detail() == "mod" }

// inModule is the path of the inline modules around a node, "a::b".
func inModule(n Node) string {
	out := ""
	for a := range n.Around() {
		if inlineModule(a) {
			out = strings.TrimSuffix(a.Name()+"::"+out, "::")
		}
	}
	return out
}

// below joins the paths of two modules; either may be empty.
func below(a, b string) string { return strings.Trim(a+"::"+strings.Trim(b, ":"), ":") }

func (x *modules) rustImport(f *File, i *Import) {
	name := strings.TrimPrefix(i.Node.Name(), "::")
	if of := i.Node.Child("bind").Child("of").Name(); of != "" && of != "*" && !strings.HasSuffix("::"+name, "::"+of) {
		name += "::" + of
	}
	h := x.homes[f]
	here := below(h.path, inModule(i.Node))
	first, rest, _ := strings.Cut(name, "::")
	switch {
	case h.crate == nil:
	case first == "crate":
		x.rustPath(i, h.crate, rest)
		return
	case first == "self", first == "super":
		for first == "self" || first == "super" {
			if first == "super" {
				here = here[:max(strings.LastIndex(here, "::"), 0)]
			}
			name = rest
			first, rest, _ = strings.Cut(rest, "::")
		}
		x.rustPath(i, h.crate, below(here, name))
		return
	case h.crate.parts[below(here, first)] != nil:
		x.rustPath(i, h.crate, below(here, name))
		return
	}
	if c := x.crates[first]; c != nil {
		x.rustPath(i, c, rest)
		return
	}
	if h.crate != nil && h.crate.parts[first] != nil { // as the edition of 2015 has it
		x.rustPath(i, h.crate, name)
		return
	}
	i.Package = first
}

// rustPath finds the module in which the last part of a path is declared.
func (x *modules) rustPath(i *Import, c *crate, name string) {
	i.Own = true
	for {
		if f := c.parts[name]; f != nil {
			i.Files, i.Path = []*File{f}, f.Path
			return
		}
		if name == "" || i.Node.Has(Module) { // a module that is declared and not there
			return
		}
		name = name[:max(strings.LastIndex(name, "::"), 0)]
	}
}
