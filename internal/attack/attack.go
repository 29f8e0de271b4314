// Package attack builds hostile git repositories for tests, without git: raw objects, packs made by hand, and git
// directories as no git would leave them. Each belongs to a numbered case of the attack suite. Beside them it has a
// small terminal, to see what reaches one. It is for tests only, knows nothing of the program that is attacked, and runs
// nothing.
package attack

import (
	"fmt"
)

// Repository is one hostile repository.
type Repository struct {
	ID   string // the case that it belongs to: D01 to D29
	Name string // of this construction, unique, fit for a folder
	// Heavy repositories cost the one who reads them more than a moment.
	Heavy bool
	// Local ones attack by their git directory: fetched, nothing would be left of it.
	Local bool
	build func(m *maker)
}

// Secret is what lies in a neighbour's repository beside some of the hostile ones; no output may ever hold it.
const Secret = "SECRET-OF-A-NEIGHBOUR" //nolint:gosec // a mark to look for, no credential

// Repositories lists all of them, by case.
func Repositories() []Repository {
	var out []Repository
	for _, part := range [][]Repository{programs(), trees(), bulky(), histories(), broken(), places()} {
		out = append(out, part...)
	}
	return out
}

// Build makes the repository as a folder with a work tree, dir, which must be there and empty. Whatever of it is executed
// makes a file whose path begins with canary. A neighbour's repository may be made beside dir.
func (r Repository) Build(dir, canary string) error {
	m := &maker{dir: dir, canary: canary}
	m.skeleton()
	r.build(m)
	if m.err != nil {
		return fmt.Errorf("building %s: %w", r.Name, m.err)
	}
	return nil
}

// Neighbour is where the neighbour's repository of dir is made.
func Neighbour(dir string) string { return dir + "-neighbour" }
