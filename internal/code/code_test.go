package code

import (
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

// load reads a txtar archive of a small repository.
func load(t testing.TB, archive string) *Program {
	t.Helper()
	var files []File
	for _, f := range txtar.Parse([]byte(archive)).Files {
		files = append(files, File{Path: f.Name, Bytes: f.Data})
	}
	return loadFiles(t, files)
}

func loadFiles(t testing.TB, files []File) *Program {
	t.Helper()
	p, err := Load(t.Context(), inline{}, files)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// callsOf are the calls of a name, with what stands before the last dot.
func callsOf(p *Program, name string) (out []Node) {
	for _, m := range p.Modules {
		for _, n := range m.Calls() {
			if LastName(n.Field("function").Unparen()) == name {
				out = append(out, n)
			}
		}
	}
	return out
}
