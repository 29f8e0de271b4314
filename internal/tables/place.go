package tables

import (
	"slices"
	"strings"
)

// Within tells whether one of the folders of a path, in small letters, is of
// such a role.
func Within(folders []string, roles ...string) bool {
	return slices.ContainsFunc(folders, func(f string) bool { return Of(Place).Has("any", f, roles...) })
}

// Aside tells whether a path lies in a folder for tests or examples.
func Aside(file string) bool {
	folders := strings.Split(strings.ToLower(file), "/")
	return Within(folders[:len(folders)-1], "tests", "examples")
}

// Lock is the language whose package managers write a lock file of this name,
// in small letters; "" where none does.
func Lock(base string) string {
	for _, r := range Of(Place) {
		if r.Role == "lock" && r.Matches(base) {
			return r.Languages[0]
		}
	}
	return ""
}

// ExampleOfSettings tells a file, in small letters, that shows which settings
// there are.
func ExampleOfSettings(base string) bool { return Of(Place).Has("any", base, "example of settings") }
