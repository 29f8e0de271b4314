package project

import (
	"encoding/json"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
)

var (
	pinned    = regexp.MustCompile(`^\s*([A-Za-z0-9][A-Za-z0-9._-]*)\s*(?:\[[^\]]*\])?\s*(?:[<>=~!;@].*)?$`)
	quoted    = regexp.MustCompile(`["']([A-Za-z0-9][A-Za-z0-9._-]*)\s*(?:\[[^\]]*\])?\s*(?:[<>=~!;@][^"']*)?["']`)
	assigned  = regexp.MustCompile(`^\s*["']?([A-Za-z0-9][A-Za-z0-9._-]*)["']?\s*=`)
	required  = regexp.MustCompile(`^\s*(?:require\s+)?([a-z0-9.-]+\.[a-z]+/[^\s]+)\s+v\d`)
	artifact  = regexp.MustCompile(`<artifactId>\s*([A-Za-z0-9._-]+)\s*</artifactId>`)
	gradle    = regexp.MustCompile(`["']([\w.-]+):([\w.-]+)(?::[^"']*)?["']`)
	jsonKey   = regexp.MustCompile(`^\s*"([^"]+)"\s*:`)
	tomlTable = regexp.MustCompile(`^\s*\[+\s*([^\]]+?)\s*\]+`)
)

// dependencies are the names that manifests of the project declare, folded,
// with the place of the first declaration.
func (inv *inventory) dependencies() map[string]court.Place {
	out := map[string]court.Place{}
	for _, f := range inv.files {
		if f.foreign() || aside(f) {
			continue
		}
		add := func(name string, line int) {
			if _, ok := out[folded(name)]; !ok && name != "" {
				out[folded(name)] = f.place(line)
			}
		}
		declared(f, add)
	}
	return out
}

// folded is a name as package indexes compare them.
func folded(name string) string {
	return strings.NewReplacer("_", "-", ".", "-").Replace(strings.ToLower(name))
}

// declared reads one manifest.
func declared(f file, add func(name string, line int)) {
	switch {
	case strings.HasPrefix(f.base, "requirements") && (strings.HasSuffix(f.base, ".txt") || strings.HasSuffix(f.base, ".in")):
		each(f, func(line string, n int) {
			if m := pinned.FindStringSubmatch(strings.SplitN(line, "#", 2)[0]); m != nil {
				add(m[1], n)
			}
		})
	case f.base == "pyproject.toml", f.base == "cargo.toml", f.base == "pipfile":
		declaredInTables(f, add)
	case f.base == "setup.py", f.base == "setup.cfg", f.base == "environment.yml", f.base == "environment.yaml":
		each(f, func(line string, n int) {
			for _, m := range quoted.FindAllStringSubmatch(line, -1) {
				add(m[1], n)
			}
			if m := pinned.FindStringSubmatch(strings.TrimPrefix(strings.TrimSpace(line), "- ")); m != nil {
				add(m[1], n)
			}
		})
	case f.base == "package.json":
		declaredInPackage(f, add)
	case f.base == "go.mod":
		each(f, func(line string, n int) {
			if m := required.FindStringSubmatch(line); m != nil {
				add(m[1], n)
				parts := strings.Split(m[1], "/")
				add(parts[len(parts)-1], n)
			}
		})
	case f.base == "pom.xml":
		each(f, func(line string, n int) {
			for _, m := range artifact.FindAllStringSubmatch(line, -1) {
				add(m[1], n)
			}
		})
	case f.base == "build.gradle", f.base == "build.gradle.kts":
		each(f, func(line string, n int) {
			for _, m := range gradle.FindAllStringSubmatch(line, -1) {
				add(m[2], n)
			}
		})
	}
}

func each(f file, do func(line string, n int)) {
	n := 0
	for line := range strings.Lines(f.text) {
		n++
		do(strings.TrimRight(line, "\r\n"), n)
	}
}

// declaredInTables reads the tables of dependencies of a TOML file, as names
// with a version or as lists of requirements.
func declaredInTables(f file, add func(string, int)) {
	table, list := "", false
	each(f, func(line string, n int) {
		line, _, _ = strings.Cut(line, " #")
		if strings.HasPrefix(strings.TrimSpace(line), "#") {
			return
		}
		if m := tomlTable.FindStringSubmatch(line); m != nil && !list {
			table = strings.ToLower(m[1])
			return
		}
		about := strings.Contains(table, "dependenc") || table == "packages" || table == "dev-packages" || table == "dependency-groups"
		key := assigned.FindStringSubmatch(line)
		opens := key != nil && strings.Contains(line, "[") && (about || strings.Contains(strings.ToLower(key[1]), "dependencies"))
		switch {
		case opens && (strings.Contains(table, "optional") || table == "dependency-groups" || strings.Contains(strings.ToLower(key[1]), "dependencies")):
			list = true
			line = line[strings.Index(line, "["):]
		case !list && about && key != nil:
			add(key[1], n)
		}
		if list {
			for _, m := range quoted.FindAllStringSubmatch(line, -1) {
				add(m[1], n)
			}
			list = !strings.HasSuffix(strings.TrimRight(line, " \t,"), "]")
		}
	})
}

// declaredInPackage reads a package.json; the line is the first that names the
// package.
func declaredInPackage(f file, add func(string, int)) {
	var m map[string]json.RawMessage
	if json.Unmarshal([]byte(f.text), &m) != nil {
		return
	}
	for _, table := range []string{"dependencies", "devDependencies", "peerDependencies", "optionalDependencies"} {
		var names map[string]json.RawMessage
		if json.Unmarshal(m[table], &names) != nil {
			continue
		}
		each(f, func(line string, n int) {
			if k := jsonKey.FindStringSubmatch(line); k != nil && names[k[1]] != nil {
				add(k[1], n)
				add(strings.TrimPrefix(k[1][strings.LastIndexByte(k[1], '/')+1:], "@"), n)
			}
		})
	}
}
