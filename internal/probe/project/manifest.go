package project

import (
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/manifest"
	"github.com/automaton-auditor/automaton/internal/tables"
)

// dependencies are the names that manifests of the project declare, folded,
// with the place of the first declaration.
func (inv *inventory) dependencies() map[string]court.Place {
	out := map[string]court.Place{}
	for _, f := range inv.files {
		if f.foreign() || aside(f) {
			continue
		}
		for _, d := range manifest.Read(f.path, f.text).Dependencies {
			for _, name := range []string{d.Name, d.Name[strings.LastIndexByte(d.Name, '/')+1:]} { // also without its host or scope
				if _, ok := out[tables.Folded(name)]; !ok {
					out[tables.Folded(name)] = f.place(d.Line)
				}
			}
		}
	}
	return out
}

// each hands out the lines of a file with their numbers.
func each(f file, do func(line string, n int)) {
	n := 0
	for line := range strings.Lines(f.text) {
		n++
		do(strings.TrimRight(line, "\r\n"), n)
	}
}
