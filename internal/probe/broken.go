package probe

import (
	"context"
	"fmt"
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

// legible gives what could not be followed its cause, where that stands in a file that
// cannot be parsed: then nothing is computed at run time.
func (s *Scene) legible(ctx context.Context, f Finding) Finding {
	if f.Outcome != court.Unknown || f.Reason != court.Dynamic || len(f.Places) == 0 {
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
		f.Reason = court.Unparsed
		f.Rationale = fmt.Sprintf("%s The cause is that %s.", safetext.Sentence(f.Rationale), cannotParse(at))
		f.Places = append([]court.Place{at}, slices.DeleteFunc(slices.Clone(f.Places), func(p court.Place) bool { return p == at })...)
		return f
	}
	return f
}
