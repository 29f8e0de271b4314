package rubric

import (
	"embed"
	"fmt"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
)

// builtinFiles are the built-in rubrics in native form, with their compiled
// checks.
//
//go:embed builtin/*.json
var builtinFiles embed.FS

// Builtins lists the names of the built-in rubrics, the default first.
func Builtins() []string { return []string{"courtroom", "software", "report"} }

// Builtin loads a built-in rubric. It is an error when a probe that its checks
// name is not in the catalogue.
func Builtin(name string, known Catalogue) (*court.Rubric, error) {
	raw, ok := builtinBytes(name)
	if !ok {
		return nil, fmt.Errorf("loading rubric %q: no such built-in (have %s)", name, strings.Join(Builtins(), ", "))
	}
	return File{From: "builtin", Name: name, Bytes: raw}.Load(known)
}

func builtinBytes(name string) ([]byte, bool) {
	if !slices.Contains(Builtins(), name) {
		return nil, false
	}
	raw, err := builtinFiles.ReadFile("builtin/" + name + ".json")
	return raw, err == nil
}
