package judicial

import (
	"context"
	"slices"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/facts"
	"github.com/automaton-auditor/automaton/internal/probe"
	"github.com/automaton-auditor/automaton/internal/safetext"
)

// run is the body of a probe.
type run = func(context.Context, *probe.Scene, probe.Args) ([]probe.Finding, error)

// ofJudges is a probe that asks about the judges' code; without judges that
// ask a model its answer is that there are none.
func ofJudges(ask func(*bench) probe.Finding) run {
	return func(ctx context.Context, s *probe.Scene, _ probe.Args) ([]probe.Finding, error) {
		b, err := study(ctx, s)
		if err != nil {
			return nil, err
		}
		defer b.hold()()
		if f, empty := b.hollow(b.judges, "the judges'"); empty {
			return []probe.Finding{f}, nil
		}
		if len(b.models.in(b.judges)) == 0 {
			return []probe.Finding{b.noModel("no judge asks a model", "the code names model clients, but no judge's call could be followed to one")}, nil
		}
		return []probe.Finding{ask(b)}, nil
	}
}

// chiefSentinels are words of code that could be a chief justice.
var chiefSentinels = []string{"chief_justice", "ChiefJustice", "chief_justice_node", "ChiefJusticeNode"}

// ofChief is a probe that asks about the chief justice's code.
func ofChief(ask func(*bench, probe.Args) probe.Finding) run {
	return func(ctx context.Context, s *probe.Scene, a probe.Args) ([]probe.Finding, error) {
		b, err := study(ctx, s)
		if err != nil {
			return nil, err
		}
		defer b.hold()()
		if len(b.chief.roots) == 0 {
			return []probe.Finding{b.noChief()}, nil
		}
		if f, empty := b.hollow(b.chief, "the chief justice's"); empty {
			return []probe.Finding{f}, nil
		}
		return []probe.Finding{ask(b, a)}, nil
	}
}

// hollow is the answer about code of which nothing is there but the names, or of which a function was
// left out because a bound was reached.
func (b *bench) hollow(r *programPart, whose string) (probe.Finding, bool) {
	for _, d := range r.defs {
		if f := b.il.function(d); f != nil && f.Beyond() {
			return probe.Cannot(court.Limit, []court.Place{lies(f, f.Span)}, "A function of %s code could not be followed: %s.", whose, f.Lost), true
		}
	}
	if len(r.roots) == 0 || slices.ContainsFunc(r.roots, func(d *code.Definition) bool { return !b.p.Hollow(d) }) {
		return probe.Finding{}, false
	}
	f := probe.Missing(court.One, court.AST, "%s code is empty: its functions do nothing.", safetext.Capital(whose)).Do("Write the functions of %s code at %s.", whose, facts.Line(places(r.roots)[0]))
	f.Places = places(r.roots)
	return f, true
}

func (b *bench) noChief() probe.Finding {
	return b.nothing("no function turns the judges' opinions into final scores",
		"the code names a chief justice, but the function that decides could not be found", decide, chiefSentinels...)
}

// clean is a clean search that shows where it looked.
func (b *bench) clean(r *programPart, why string) probe.Finding {
	f := probe.Clean(probe.Ratio(b.p.Examined()), court.AST, "%s", safetext.Sentence(why))
	for _, d := range r.roots {
		f.Places = append(f.Places, court.Place{Path: d.Module.Path, Line: d.Line(), EndLine: d.Line()})
	}
	f.Places = sorted(f.Places)
	return f
}
