package syntax

import (
	"encoding/json"
	"path"
	"slices"
	"strings"
)

// aliases are the names that a tsconfig.json gives to folders.
type aliases struct {
	base  string              // what is not relative may be found here; "" where that is not said
	based bool                // base is said
	hard  bool                // what has no type is refused
	paths map[string][]string // pattern with at most one "*" to folders of the repository
}

type configFile struct {
	Extends any `json:"extends"`
	Options struct {
		BaseURL *string             `json:"baseUrl"`
		Strict  *bool               `json:"strict"`
		NoAny   *bool               `json:"noImplicitAny"`
		Paths   map[string][]string `json:"paths"`
	} `json:"compilerOptions"`
}

// readConfigs reads the compiler's settings; a file takes over what it does not
// say from the one that it extends.
func (x *modules) readConfigs() {
	for file := range x.p.texts {
		if base := path.Base(file); strings.HasPrefix(base, "tsconfig") || base == "jsconfig.json" {
			x.config(file, 0)
		}
	}
}

const maxExtends = 5 // settings that extend settings

func (x *modules) config(file string, depth int) *aliases {
	text, ok := x.p.texts[file]
	if !ok || depth > maxExtends {
		return nil
	}
	if a, ok := x.configs[file]; ok {
		return a
	}
	var c configFile
	if json.Unmarshal(plainJSON(text), &c) != nil { // what cannot be read says nothing
		return nil
	}
	a := &aliases{}
	for _, e := range listed(c.Extends) {
		if !strings.HasPrefix(e, ".") {
			a.hard = true // another's settings; those that are published are strict
			continue
		}
		e = path.Join(dirOf(file), e)
		if path.Ext(e) != ".json" {
			e += ".json"
		}
		if up := x.config(e, depth+1); up != nil {
			*a = *up
		}
	}
	for _, said := range []*bool{c.Options.Strict, c.Options.NoAny} { // the second outdoes the first
		if said != nil {
			a.hard = *said
		}
	}
	if c.Options.BaseURL != nil {
		a.base, a.based = path.Join(dirOf(file), *c.Options.BaseURL), true
	}
	if c.Options.Paths != nil {
		a.paths = map[string][]string{}
		from := dirOf(file)
		if a.based {
			from = a.base
		}
		for k, list := range c.Options.Paths {
			for _, to := range list {
				a.paths[k] = append(a.paths[k], path.Join(from, to))
			}
		}
	}
	x.configs[file] = a
	return a
}

func listed(v any) []string {
	switch v := v.(type) {
	case string:
		return []string{v}
	case []any:
		var out []string
		for _, e := range v {
			if s, ok := e.(string); ok {
				out = append(out, s)
			}
		}
		return out
	}
	return nil
}

// plainJSON takes comments and trailing commas out of settings.
func plainJSON(text []byte) []byte {
	out := make([]byte, 0, len(text))
	for i := 0; i < len(text); i++ {
		switch {
		case text[i] == '"':
			end := i + 1
			for end < len(text) && text[end] != '"' {
				if text[end] == '\\' {
					end++
				}
				end++
			}
			end = min(end+1, len(text))
			out = append(out, text[i:end]...)
			i = end - 1
		case strings.HasPrefix(string(text[i:min(i+2, len(text))]), "//"):
			for i+1 < len(text) && text[i+1] != '\n' {
				i++
			}
		case strings.HasPrefix(string(text[i:min(i+2, len(text))]), "/*"):
			for i += 2; i < len(text) && !(text[i-1] == '*' && text[i] == '/'); i++ {
			}
		case text[i] == '}' || text[i] == ']':
			k := len(out)
			for k > 0 && strings.IndexByte(" \t\r\n", out[k-1]) >= 0 {
				k--
			}
			if k > 0 && out[k-1] == ',' {
				out = out[:k-1]
			}
			out = append(out, text[i])
		default:
			out = append(out, text[i])
		}
	}
	return out
}

// scriptImport follows what bundlers and the compiler agree on: relative paths
// without their ending, the aliases of tsconfig.json, the packages of this
// repository by name.
func (x *modules) scriptImport(f *File, i *Import) {
	name, _, _ := strings.Cut(i.Node.Name(), "?") // what a loader is told
	dir := dirOf(f.Path)
	if name == "." || name == ".." || strings.HasPrefix(name, "./") || strings.HasPrefix(name, "../") {
		i.Own = true
		x.found(i, path.Join(dir, name))
		return
	}
	if x.aliased(i, dir, name) || x.workspace(i, name) {
		return
	}
	for _, short := range []string{"@/", "~/", "/"} { // aliases that other tools are told of
		if rest, ok := strings.CutPrefix(name, short); ok {
			i.Own = true
			for at := dir; ; at = dirOf(at) {
				if x.found(i, path.Join(at, rest)) || x.found(i, path.Join(at, "src", rest)) || at == "" {
					return
				}
			}
		}
	}
	if strings.HasPrefix(name, "#") { // imports of package.json
		i.Own = true
		return
	}
	i.Package = scriptName(name)
}

// scriptName is the name of the package that an import takes something from.
func scriptName(name string) string {
	name = strings.TrimPrefix(name, "node:")
	parts := strings.SplitN(name, "/", 3)
	if strings.HasPrefix(name, "@") && len(parts) > 1 {
		return parts[0] + "/" + parts[1]
	}
	return parts[0]
}

// settings are those of the nearest folder that has some, or nil.
func (x *modules) settings(dir string) *aliases {
	for at := dir; ; at = dirOf(at) {
		for _, base := range []string{"tsconfig.json", "jsconfig.json"} {
			if a := x.configs[path.Join(at, base)]; a != nil {
				return a
			}
		}
		if at == "" {
			return nil
		}
	}
}

// Strict tells whether the TypeScript compiler is told to refuse what has no
// type in a file.
func (p *Program) Strict(f *File) bool {
	a := p.modules().settings(dirOf(f.Path))
	return a != nil && a.hard
}

// aliased asks the settings of the folders above.
func (x *modules) aliased(i *Import, dir, name string) bool {
	a := x.settings(dir)
	if a == nil {
		return false
	}
	best, rest := "", ""
	for pattern := range a.paths {
		before, after, star := strings.Cut(pattern, "*")
		if star && len(name) >= len(before)+len(after) && strings.HasPrefix(name, before) && strings.HasSuffix(name, after) || pattern == name {
			if len(before) > len(best) || best == "" || len(before) == len(best) && pattern < best {
				best, rest = pattern, strings.TrimSuffix(name[min(len(before), len(name)):], after)
			}
		}
	}
	for _, to := range a.paths[best] {
		if x.found(i, strings.Replace(to, "*", rest, 1)) {
			return true
		}
	}
	return a.based && x.found(i, path.Join(a.base, name))
}

// workspace finds a package of this repository by its name: its sources stand
// in src, or beside its manifest.
func (x *modules) workspace(i *Import, name string) bool {
	for _, m := range x.scripts {
		rest, ok := strings.CutPrefix(name, m.name)
		if !ok || rest != "" && rest[0] != '/' {
			continue
		}
		i.Own = true
		rest = strings.TrimPrefix(rest, "/")
		for _, at := range []string{path.Join(m.dir, rest), path.Join(m.dir, "src", rest), path.Join(m.dir, "src", strings.TrimPrefix(rest, "lib/"))} {
			if x.found(i, at) {
				return true
			}
		}
		return true
	}
	return false
}

// endings of a module, in the order in which they are tried.
var endings = []string{"", ".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs", ".vue", ".svelte", ".json", ".d.ts"}

// found looks for the file that a path without its ending means.
func (x *modules) found(i *Import, at string) bool {
	if at = path.Clean("/" + at)[1:]; at == "" {
		at = "."
	}
	stems := []string{at}
	if ext := path.Ext(at); slices.Contains([]string{".js", ".jsx", ".mjs", ".cjs"}, ext) {
		stems = append(stems, strings.TrimSuffix(at, ext)) // as TypeScript writes what it will be
	}
	for _, stem := range append(stems, path.Join(at, "index")) {
		for _, end := range endings {
			if !x.p.paths[stem+end] {
				continue
			}
			i.Own, i.Path = true, stem+end
			if f := x.p.File(i.Path); f != nil {
				i.Files = []*File{f}
			}
			return true
		}
	}
	return false
}
