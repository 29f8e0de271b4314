package tables

import (
	"slices"
	"strings"
)

// Within tells whether one of the folders of a path, in small letters, is of
// such a role.
func Within(folders []string, roles ...string) bool {
	return slices.ContainsFunc(folders, func(f string) bool { return Of(place).Has("any", f, roles...) })
}

// Meaning is what a folder or file of this name, in small letters, is for; ""
// where the name does not say.
func Meaning(name string) string {
	r, _ := Of(place).Find("any", name)
	return r.Role
}

// Aside tells whether a path lies in a folder for tests or examples.
func Aside(file string) bool {
	folders := strings.Split(strings.ToLower(file), "/")
	return Within(folders[:len(folders)-1], "tests", "examples")
}

// Lock is the language whose package managers write a lock file of this name,
// in small letters; "" where none does.
func Lock(base string) string {
	for i := range Of(place) {
		if r := &Of(place)[i]; r.Role == "lock" && r.Matches(base) {
			return r.Languages[0]
		}
	}
	return ""
}
