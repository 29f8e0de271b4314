package probe

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/safetext"
)

// broken tells where the files of Python are that cannot be parsed, by path, once per
// scene.
func (s *Scene) broken(ctx context.Context) (map[string]court.Place, error) {
	p, err := s.Python(ctx)
	if err != nil {
		return nil, err
	}
	all, err := s.Analyses(ctx)
	if err != nil {
		return nil, err
	}
	return Shared(s, "probe.broken", func() (map[string]court.Place, error) {
		all.Lock()
		defer all.Unlock()
		out := map[string]court.Place{}
		for _, x := range all.Failures() {
			if x.Unparsed {
				at := placeOf(x.Places[0])
				if line := brokenLine(p.Module(at.Path)); line > 0 {
					at.Line, at.EndLine = line, line
				}
				out[at.Path] = at
			}
		}
		return out, nil
	})
}

// brokenLine is the first line that the parser made nothing of; 0: none is known.
func brokenLine(m *code.Module) int {
	if m == nil || !m.Parsed {
		return 0
	}
	for n := range m.Root().Walk() {
		if n.Broken() {
			return n.Line()
		}
	}
	return 0
}

// cannotParse says of a file what the place of its first error says.
func cannotParse(at court.Place) string {
	name := court.Clean(at.Path, 160)
	if at.Line == 0 {
		return fmt.Sprintf("the file %s cannot be parsed", name)
	}
	return fmt.Sprintf("the file %s cannot be parsed at line %d", name, at.Line)
}

// legible gives what stands in a file that cannot be parsed its cause: what could not be
// followed there is not computed at run time, and what was not found there, or looks wrong
// between two pieces that the parser made something of, may be otherwise.
func (s *Scene) legible(ctx context.Context, f Finding) Finding {
	lost := f.Outcome == court.Unknown && (f.Reason == court.Dynamic || f.Reason == court.Unparsed)
	accuses := (f.Outcome == court.Absent || f.Outcome == court.Violation) && f.Source == court.AST && f.Security == nil
	if !lost && !accuses || len(f.Places) == 0 {
		return f
	}
	broken, err := s.broken(ctx)
	if err != nil {
		return f
	}
	for _, p := range f.Places {
		at, ok := broken[p.Path]
		if !ok {
			continue
		}
		why := "The cause is that"
		if accuses {
			why = "This is not certain, because"
		}
		if f.Reason != court.Unparsed {
			f = Cannot(court.Unparsed, f.Places, "%s %s %s.", safetext.Sentence(f.Rationale), why, cannotParse(at))
		}
		f.Places = append([]court.Place{at}, slices.DeleteFunc(slices.Clone(f.Places), func(p court.Place) bool { return p == at })...)
		f.Remedy, f.Effort = repair(at), mendEffort
		return f
	}
	return f
}

// repair is what is to be done about files that cannot be parsed.
func repair(at ...court.Place) string {
	var names []string
	for _, p := range at[:min(len(at), 3)] {
		names = append(names, court.Clean(p.String(), 160))
	}
	if more := len(at) - len(names); more > 0 {
		names = append(names, court.Count(more, "more file"))
	}
	if len(at) == 1 {
		return "Repair " + names[0] + ": the file cannot be parsed."
	}
	return "Repair " + safetext.List(names) + ": the files cannot be parsed."
}

// brokenIn is where the files of some scopes that cannot be parsed are, by path.
func (s *Scene) brokenIn(ctx context.Context, scopes ...code.Scope) ([]court.Place, error) {
	broken, err := s.broken(ctx)
	if err != nil || len(broken) == 0 {
		return nil, err
	}
	p, err := s.Python(ctx)
	if err != nil {
		return nil, err
	}
	var out []court.Place
	for _, path := range slices.Sorted(maps.Keys(broken)) {
		if slices.Contains(scopes, p.Layout.Scope(path)) {
			out = append(out, broken[path])
		}
	}
	return out, nil
}
