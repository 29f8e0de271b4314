package analyse_test

import (
	"path"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/code/codetest"
	"github.com/automaton-auditor/automaton/internal/code/syntax"
	"github.com/automaton-auditor/automaton/internal/il"
	"github.com/automaton-auditor/automaton/internal/il/lower"
)

// program lowers the files of an archive.
func program(t testing.TB, archive string) *il.Program {
	t.Helper()
	var files []code.File
	for _, f := range txtar.Parse([]byte(archive)).Files {
		files = append(files, code.File{Path: f.Name, Bytes: f.Data})
	}
	return load(t, files)
}

func load(t testing.TB, files []code.File) *il.Program {
	t.Helper()
	python, err := code.Load(t.Context(), codetest.Inline{Service: code.Service()}, files)
	if err != nil {
		t.Fatal(err)
	}
	others, err := syntax.Load(t.Context(), codetest.Inline{Service: syntax.Service()}, python.Layout, files)
	if err != nil {
		t.Fatal(err)
	}
	p, err := lower.Load(t.Context(), codetest.Inline{Service: syntax.Service()}, python, others)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// function is the function of a name, "FILE:NAME" or, where only one has it, the
// name.
func function(t testing.TB, p *il.Program, name string) *il.Function {
	t.Helper()
	file, name, in := strings.Cut(name, ":")
	if !in {
		file, name = "", file
	}
	for f := range p.All() {
		if f.Name == name && f.Kind != il.ClassBody && (file == "" || path.Base(f.Module.Path) == file || f.Module.Path == file) {
			return f
		}
	}
	t.Fatalf("no function %s", name)
	return nil
}

// call is the first call in a function that is written as name.
func call(t testing.TB, f *il.Function, name string) *il.Instr {
	t.Helper()
	for _, in := range f.Instructions() {
		if in.Op == il.Call && in.Kind == name {
			return in
		}
	}
	t.Fatalf("%s does not call %s", f.Name, name)
	return nil
}
