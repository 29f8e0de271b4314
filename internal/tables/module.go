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
func Packages(module string) []string {
	for _, r := range Of(Module) {
		if strings.EqualFold(r.Role, module) {
			return r.Names
		}
		if r.Role == sameName && r.Matches(module) {
			return []string{Folded(module)}
		}
	}
	return nil
}

// Modules are the modules that a package of Python brings, where that is known.
func Modules(pkg string) (out []string) {
	for _, r := range Of(Module).Rows("python") {
		switch i := slices.IndexFunc(r.Names, func(n string) bool { return Folded(n) == pkg }); {
		case i < 0 || r.Role == foundByOthers:
		case r.Role == sameName:
			out = append(out, r.Names[i])
		default:
			out = append(out, r.Role)
		}
	}
	return out
}

const foundByOthers = "found by others"

// FoundByOthers tells a package of which code need not name a module.
func FoundByOthers(pkg string) bool { return Of(Module).Has("python", pkg, foundByOthers) }

// Brings tells whether a package is known to bring along and hand on a module
// of another.
func Brings(pkg, module string) bool { return Of(Brought).Has("python", pkg, module) }
