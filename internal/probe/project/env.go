package project

import (
	"context"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/il"
	"github.com/automaton-auditor/automaton/internal/il/analyse"
	"github.com/automaton-auditor/automaton/internal/il/intree"
	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
	"github.com/automaton-auditor/automaton/internal/probe"
	"github.com/automaton-auditor/automaton/internal/tables"
)

// variable is one place that reads a variable of the environment.
type variable struct {
	name string
	at   court.Place
}

// environment lists what production code reads from the environment, in source
// order, and whether some name is only known at run time.
func environment(ctx context.Context, s *probe.Scene, scope string) ([]variable, error) {
	return probe.Shared(s, "project.environment."+scope, func() ([]variable, error) {
		program, err := s.Joined(ctx)
		if err != nil {
			return nil, err
		}
		out := settingsFields(program, scope)
		all, err := sources(ctx, s, scope)
		if err != nil {
			return nil, err
		}
		lowered, err := s.Analyses(ctx)
		if err != nil {
			return nil, err
		}
		lowered.Lock()
		defer lowered.Unlock()
		out = append(out, pythonEnvironment(lowered, program, scope)...)
		for _, d := range all {
			switch {
			case d.tree != nil:
				out = append(out, treeEnvironment(lowered, d.tree)...)
			case d.byLines():
				out = append(out, otherEnvironment(d)...)
			}
		}
		slices.SortStableFunc(out, func(a, b variable) int { return comparePlaces(a.at, b.at) })
		return out, nil
	})
}

func comparePlaces(a, b court.Place) int {
	if c := strings.Compare(a.Path, b.Path); c != 0 {
		return c
	}
	return a.Line - b.Line
}

// envCalls are the functions that read one variable of the environment.
var envCalls = []string{"os.getenv", "os.environ.get", "os.environ.pop", "os.environ.setdefault", "os.environ.__getitem__", "os.getenvb",
	"environs.Env.*", "decouple.config", "environ.Env.*"}

// pythonEnvironment reads calls, by what their callers hand on, and subscripts. The caller
// holds the lock of the analyses.
func pythonEnvironment(all *analyse.Analyses, p *intree.Program, scope string) (out []variable) {
	origins := &analyse.Origins{Names: all.Names}
	named := func(v analyse.Step) (names []string) {
		if names = all.Values.Of(v.Function, v.Operand).Strs; len(names) > 0 {
			return names
		}
		for _, o := range origins.Of(v.Function, v.Operand, v.Use) { // an element of a list that a loop goes over
			if text, ok := o.Function.Str(o.Operand); ok && !o.Part && len(o.Keys) == 0 {
				names = append(names, text)
			}
		}
		return names
	}
	add := func(f *il.Function, in *il.Instr, v analyse.Step) {
		for _, name := range named(v) {
			place := f.Place(in.Span)
			if x := (variable{name, court.Place{Path: place.Path, Line: place.Line}}); !slices.Contains(out, x) {
				out = append(out, x)
			}
		}
	}
	within := func(f *il.Function) bool {
		m := p.Module(f.Module.Path)
		return m != nil && !m.Shadowed && (file{scope: m.Scope}).inScope(scope)
	}
	for f := range all.Program.All() {
		if !within(f) {
			continue
		}
		for b, in := range f.Instructions() {
			switch {
			case all.Values.Dead(f, b):
			case in.Op == il.Get && in.Kind == "item":
				if name, _ := all.Names.Operand(f, in.Args[0]).Full(); name == "os.environ" {
					add(f, in, analyse.Step{Function: f, Operand: in.Args[1], Use: in})
				}
			case in.Op == il.Call && readsVariable(all, f, in):
				key := slices.Index(in.Names, "key") + 1
				if key = max(key, 1); len(in.Args) <= key {
					continue
				}
				for _, way := range all.Names.Ways(f, in, func(s analyse.Site) bool { return within(s.Function) }) {
					v, _ := all.Values.GivenBy(way, f, in.Args[key], in)
					add(f, in, v)
					for _, s := range way {
						add(s.Function, s.At, v)
					}
				}
			}
		}
	}
	return out
}

// readsVariable tells a call that reads one variable of the environment.
func readsVariable(all *analyse.Analyses, f *il.Function, in *il.Instr) bool {
	name, own := all.Names.Called(f, in)
	return own == nil && slices.ContainsFunc(envCalls, func(glob string) bool { return tables.Match(name, glob) })
}

// settingsFields reads the fields of settings classes.
func settingsFields(p *intree.Program, scope string) (out []variable) {
	within := func(n code.Node) bool { return (file{scope: n.Module().Scope}).inScope(scope) && !p.Dead(n) }
	for _, m := range p.Modules {
		for _, d := range m.Definitions() {
			if d.Kind != code.DefClass || !within(d.Node) || !p.Inherits(d, "*.BaseSettings") {
				continue
			}
			for _, f := range p.Fields(intree.Symbol{Qualified: d.Qualified, Def: d}) {
				if f.Annotation.Valid() && f.Owner == d && f.Name != "model_config" {
					out = append(out, variable{strings.ToUpper(f.Name), court.Place{Path: m.Path, Line: f.Line}})
				}
			}
		}
	}
	return out
}

// The calls of other languages that read the environment. The name is a
// string, so they are looked for in code and strings together.
var (
	envOther = regexp.MustCompile(`\bprocess\.env\.([A-Za-z_]\w*)|\bprocess\.env\[\s*["']([A-Za-z_]\w*)|\bimport\.meta\.env\.([A-Za-z_]\w*)|\bos\.(?:Getenv|LookupEnv)\(\s*["` + "`" + `]([A-Za-z_]\w*)|\bSystem\.getenv\(\s*"([A-Za-z_]\w*)|\benv::var(?:_os)?\(\s*"([A-Za-z_]\w*)|\benv!\(\s*"([A-Za-z_]\w*)`)
)

func otherEnvironment(d divided) []variable {
	var out []variable
	text, code := d.both(), d.code()
	for _, m := range envOther.FindAllStringSubmatchIndex(text, 500) {
		if code[m[0]] == ' ' {
			continue // inside a string
		}
		for g := 2; g < len(m); g += 2 {
			if m[g] >= 0 {
				out = append(out, variable{text[m[g]:m[g+1]], d.file.place(lineOf(text, m[0]))})
			}
		}
	}
	return out
}

// ambient tells variables that the machine sets, not the user.
func ambient(name string) bool {
	switch name {
	case "PATH", "HOME", "USER", "USERNAME", "USERPROFILE", "SHELL", "TMPDIR", "TEMP", "TMP", "PWD", "LANG", "TERM", "CI", "PYTHONPATH",
		"VIRTUAL_ENV", "NODE_ENV", "HOSTNAME", "NO_COLOR", "APPDATA", "LOCALAPPDATA", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "MODE", "DEV", "PROD":
		return true
	}
	return strings.HasPrefix(name, "CARGO_") || strings.HasPrefix(name, "npm_") || strings.HasPrefix(name, "GITHUB_ACTION") || strings.HasPrefix(name, "PYTEST_")
}
