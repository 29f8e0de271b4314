package tables

import (
	"slices"
	"strings"
)

const sameName = "of its package's name"

// Folded is a name of a package of Python as its indexes compare names.
func Folded(name string) string {
	return strings.NewReplacer("_", "-", ".", "-").Replace(strings.ToLower(name))
}

// Packages are the packages that bring a module of Python, nil when that is
// not known.
func Packages(name string) []string {
	for _, r := range Of(module) {
		if strings.EqualFold(r.Role, name) {
			return r.Names
		}
		if r.Role == sameName && r.Matches(name) {
			return []string{Folded(name)}
		}
	}
	return nil
}

// Modules are the modules that a package of Python brings, where that is known,
// and whether code that uses it has to import one: servers, drivers and helpers
// are started or found by others.
func Modules(pkg string) (names []string, imported bool) {
	imported = true
	for _, r := range Of(module).Rows("python") {
		switch i := slices.IndexFunc(r.Names, func(n string) bool { return Folded(n) == pkg }); {
		case i < 0:
		case r.Role == "found by others":
			imported = false
		case r.Role == sameName:
			names = append(names, r.Names[i])
		default:
			names = append(names, r.Role)
		}
	}
	return names, imported
}

// Brings tells whether a package is known to bring along and hand on a module
// of another.
func Brings(pkg, name string) bool { return Of(brought).Has("python", pkg, name) }
