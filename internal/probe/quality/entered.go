package quality

import (
	"encoding/json"
	"path"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/code/syntax"
)

// enter follows what published packages hand out: from their entries through
// what these export of other files.
func (s *surface) enter() {
	for _, file := range slices.Sorted(func(yield func(string) bool) {
		for f := range s.manifests {
			if path.Base(f) == "package.json" && s.d.p.Layout.Scope(f) == code.ScopeConfig && !yield(f) {
				return
			}
		}
	}) {
		for _, at := range entries(path.Dir(file), s.manifests[file]) {
			if f := s.d.script(at); f != nil {
				s.hand(f, "*")
			}
		}
	}
}

// script is the file at path, where it is one of the codebase's.
func (d *codebase) script(at string) *syntax.File {
	if d.others == nil {
		return nil
	}
	if f := d.others.File(at); f != nil && slices.Contains(d.files, f) {
		return f
	}
	return nil
}

// entries are the paths at which the modules may lie that a package.json names
// for others; those that it names are often made of those in src.
func entries(dir string, text []byte) []string {
	var m struct {
		Private                      bool
		Main, Module, Types, Exports any
	}
	if json.Unmarshal(text, &m) != nil || m.Private && m.Main == nil && m.Module == nil && m.Exports == nil && m.Types == nil {
		return nil
	}
	var named []string
	for _, v := range []any{m.Main, m.Module, m.Exports, "index.js"} {
		named = append(named, leaves(v, 0)...)
	}
	var out []string
	for _, name := range named {
		stem := strings.TrimSuffix(path.Clean("/" + name)[1:], path.Ext(name))
		_, inner, below := strings.Cut(stem, "/")
		for _, at := range []string{stem, path.Join("src", stem), path.Join("src", path.Base(stem)), inner} {
			if at == "" || at == inner && !below {
				continue
			}
			for _, ext := range []string{".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs"} {
				out = append(out, path.Join(dir, at)+ext)
			}
		}
	}
	return out
}

// leaves are the texts of a nested value.
func leaves(v any, depth int) (out []string) {
	switch v := v.(type) {
	case string:
		return []string{v}
	case map[string]any:
		for _, x := range v {
			if depth < 6 {
				out = append(out, leaves(x, depth+1)...)
			}
		}
	case []any:
		for _, x := range v {
			if depth < 6 {
				out = append(out, leaves(x, depth+1)...)
			}
		}
	}
	return out
}

// hand notes that a name of a file, "*" for all, is handed out, and follows it
// to where it comes from.
func (s *surface) hand(f *syntax.File, name string) {
	if s.entered[f] == nil {
		s.entered[f] = map[string]bool{}
	}
	if s.entered[f][name] {
		return
	}
	s.entered[f][name] = true
	for _, i := range s.d.others.Imports(f) {
		if len(i.Files) == 0 || !script(i.Files[0]) || !i.Node.Has(syntax.Reexport) {
			continue
		}
		binds := 0
		for b := range i.Node.Children("bind") {
			binds++
			of := b.Child("of").Name()
			switch {
			case of == "*" || b.Name() == "*":
				s.hand(i.Files[0], name)
			case name == "*" || b.Name() == name:
				if of == "" {
					of = b.Name()
				}
				s.hand(i.Files[0], of)
			}
		}
		if binds == 0 {
			s.hand(i.Files[0], name)
		}
	}
}
