package project

import (
	"encoding/json"
	"path"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/probe"
)

// libraryEntry says by what others reach a library, before the programs that
// lie beside it.
func (inv *inventory) libraryEntry(n projectKind, programs []court.Place) (probe.Finding, bool) {
	if n.library == nil {
		return probe.Finding{}, false
	}
	door := inv.door(n.library)
	if door == nil {
		door = n.library
	}
	at := append([]court.Place{door.place(1)}, programs...)
	also := ""
	if len(programs) > 0 {
		also = " Beside it there is " + court.Count(len(programs), "program") + "."
		if len(programs) > 1 {
			also = " Beside it there are " + court.Count(len(programs), "program") + "."
		}
	}
	return probe.Present(court.Structure, at, "By %s, the project is a library, and others reach it by %s.%s", shown(n.library.path), shown(door.path), also), true
}

// door is the file that others import, nil where the manifest alone says it.
func (inv *inventory) door(manifest *file) *file {
	dir := manifest.dir()
	find := func(names ...string) *file {
		for _, name := range names {
			if f := inv.at(path.Join(dir, name)); f != nil {
				return f
			}
		}
		return nil
	}
	switch manifest.base {
	case "cargo.toml":
		return find("src/lib.rs", "lib.rs")
	case "package.json":
		return find(packageDoors(manifest.text)...)
	case "go.mod":
		return inv.first(func(f file) bool {
			m := goPackage.FindStringSubmatch(f.text)
			return f.lang == "go" && f.dir() == dir && f.scope == code.ScopeProduction && m != nil && (f.base == "doc.go" || f.base == m[1]+".go")
		})
	case "pyproject.toml", "setup.py":
		return inv.first(func(f file) bool {
			return f.base == "__init__.py" && f.scope == code.ScopeProduction && strings.Count(strings.TrimPrefix(f.dir(), dir+"/"), "/") <= 1
		})
	case "pom.xml", "build.gradle", "build.gradle.kts":
		return inv.first(func(f file) bool { return f.base == "module-info.java" && f.scope == code.ScopeProduction })
	}
	return nil
}

// first is the file that fits and lies least deep.
func (inv *inventory) first(is func(file) bool) *file {
	var best *file
	for i := range inv.files {
		if f := &inv.files[i]; is(*f) && (best == nil || strings.Count(f.path, "/") < strings.Count(best.path, "/")) {
			best = f
		}
	}
	return best
}

// packageDoors are the sources that a package of npm may hand out: what it
// names, and what that is usually made from.
func packageDoors(text string) []string {
	var m struct {
		Main   string `json:"main"`
		Module string `json:"module"`
		Source string `json:"source"`
	}
	if json.Unmarshal([]byte(text), &m) != nil {
		return nil
	}
	out := []string{m.Source, m.Main, m.Module, "src/index.ts", "src/index.tsx", "src/index.js", "src/index.mjs", "index.ts", "index.js", "lib/index.js"}
	return slices.DeleteFunc(out, func(s string) bool { return s == "" })
}
