package probe

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/facts"
	"github.com/automaton-auditor/automaton/internal/safetext"
)

// factsOf gives the facts of one kind. They are computed once per case.
type factsOf[T any] func(context.Context, *Scene) (*facts.Set[T], error)

// look gives them, or says why nobody could look.
func (of factsOf[T]) look(ctx context.Context, s *Scene, a Args) (*facts.Set[T], error) {
	set, err := of(ctx, s)
	if err == nil && set.Blind.Text != "" && a.Scope != "tests" {
		return nil, &Unable{Reason: set.Blind.Code, Why: set.Blind.Text}
	}
	return set, err
}

// None asks for facts that must not be: each one is a violation.
type None[T any] struct {
	Of factsOf[T]
	// Is tells whether a fact is what must not be.
	Is func(T, Args) facts.Answer
	// Violation is the finding of one that is; None adds where it lies.
	Violation func(facts.Fact[T]) (f Finding)
	Vendored  func(T) string // what one in the code of others does there
	// Nothing is said where there are no facts to ask about; "" where facts
	// are of what must not be alone. Clean is said where none of n is.
	Nothing string
	Clean   func(a Args, n int) string
}

// Run answers the question.
func (q None[T]) Run(ctx context.Context, s *Scene, a Args) ([]Finding, error) {
	set, err := q.Of.look(ctx, s, a)
	if err != nil {
		return nil, err
	}
	var out []Finding
	var elsewhere []court.Place
	told := map[string]bool{} // files of others: one place is enough
	n := 0
	for _, f := range set.Facts {
		is := q.Is(f.Value, a)
		if f.In(a.Scope) && f.Answer == facts.Yes {
			n++
		}
		switch {
		case is == facts.No || f.Live == facts.No:
		case !f.Runs(a.Scope):
			if is == facts.Yes && !f.Borrowed {
				elsewhere = append(elsewhere, f.At[0])
			}
		case f.Borrowed && f.Scope == code.ScopeVendor:
			if path := f.At[0].Path; !told[path] {
				told[path] = true
				out = append(out, Cannot(court.NoDetector, f.At, "The project's own code imports this file, which lies where the code of others does. In it, %s.", q.Vendored(f.Value)))
			}
		case is == facts.Unknown || f.Answer == facts.Unknown:
			out = append(out, Cannot(f.Why.Code, f.At, "%s", safetext.Sentence(f.Why.Text)))
		default:
			v := q.Violation(f)
			v.Outcome, v.Source, v.Coverage, v.Places = court.Violation, f.Source, court.One, f.At
			if v.Security != nil {
				v.Security.Scope = f.Class()
			}
			out = append(out, v)
		}
	}
	if len(out) == 0 {
		return []Finding{q.clean(set, a, n, elsewhere)}, nil
	}
	return fewest(out), nil
}

// clean is the finding where nothing was found.
func (q None[T]) clean(set *facts.Set[T], a Args, n int, elsewhere []court.Place) Finding {
	var f Finding
	switch {
	case q.Nothing != "" && n == 0:
		f = Nothing(set.Coverage, set.Source, "%s", safetext.Sentence(q.Nothing))
	case q.Nothing == "" && set.Empty:
		f = Nothing(court.One, set.Source, "There is no file of code.")
	default:
		f = Clean(set.Coverage, set.Source, "%s", safetext.Sentence(q.Clean(a, n)))
	}
	if len(elsewhere) == 1 {
		f.Rationale += fmt.Sprintf(" One such call outside the scope does not count: %s.", facts.Line(elsewhere[0]))
	} else if len(elsewhere) > 1 {
		f.Rationale += fmt.Sprintf(" %d such calls outside the scope do not count, the first at %s.", len(elsewhere), facts.Line(elsewhere[0]))
	}
	if len(set.Unread) > 0 {
		f.Rationale += fmt.Sprintf(" The search did not look at: %s.", strings.Join(set.Unread, ", "))
	}
	return f
}

// maxFindings bounds what one check tells: a design choice. The rest is a number.
const maxFindings = 200

// fewest keeps the first of many findings, what is certain before what is not.
func fewest(found []Finding) []Finding {
	if len(found) <= maxFindings {
		return found
	}
	slices.SortStableFunc(found, func(a, b Finding) int { return doubt(a) - doubt(b) })
	last := &found[maxFindings-1]
	last.Rationale = fmt.Sprintf("%s %d more such places are not listed.", safetext.Sentence(last.Rationale), len(found)-maxFindings)
	return found[:maxFindings]
}

// doubt orders findings: grave ones first, then other ones, then what is not
// known.
func doubt(f Finding) int {
	switch {
	case f.Security != nil && f.Security.Tainted == "yes":
		return 0
	case f.Outcome == court.Violation:
		return 1
	}
	return 2
}

// Share asks how many of the facts have something good.
type Share[T any] struct {
	Of      factsOf[T]
	Has     func(T) (is facts.Answer, counts bool)
	Thing   string                     // what there is: "process"
	What    string                     // what they should have: "a time limit"
	Nothing string                     // said where there are none
	Ask     func(facts.Fact[T]) string // what would put one right; nil: the probe's remedy
}

// Run answers the question.
func (q Share[T]) Run(ctx context.Context, s *Scene, a Args) ([]Finding, error) {
	set, err := q.Of.look(ctx, s, a)
	if err != nil {
		return nil, err
	}
	places := map[facts.Answer][]court.Place{}
	src := court.AST
	ask, rest := "", []string(nil)
	for _, f := range set.Facts {
		is, counts := q.Has(f.Value)
		if !counts || !f.In(a.Scope) || f.Live == facts.No || f.Answer != facts.Yes {
			continue
		}
		places[is] = append(places[is], f.At[0])
		switch {
		case is != facts.No || q.Ask == nil:
		case ask == "":
			ask = q.Ask(f)
		default:
			rest = append(rest, court.Clean(facts.Line(f.At[0]), 120))
		}
		if f.Source == court.Structure {
			src = court.Structure
		}
	}
	with, without, open := len(places[facts.Yes]), len(places[facts.No]), len(places[facts.Unknown])
	total := with + without
	switch {
	case total+open == 0:
		return []Finding{Nothing(set.Coverage, set.Source, "%s", safetext.Sentence(q.Nothing))}, nil
	case total == 0:
		return []Finding{Cannot(court.Dynamic, nil, "%s could be followed.", safetext.Capital(court.Of(0, open, q.Thing)))}, nil
	case without == 0:
		return []Finding{Present(src, facts.Sorted(places[facts.Yes]), "%s %s %s.", safetext.Capital(court.Of(total, total, q.Thing)), court.Agree(total, total, "has", "have"), q.What)}, nil
	}
	return []Finding{Partly(Ratio(with, total), src, facts.Sorted(places[facts.No]), "%s %s %s.", safetext.Capital(court.Of(with, total, q.Thing)), court.Agree(with, total, "has", "have"), q.What).Do("%s%s", ask, also(rest))}, nil
}

// also asks for the same at more places.
func also(places []string) string {
	if len(places) == 0 {
		return ""
	}
	if more := len(places) - maxAlso; more > 0 {
		places = append(places[:maxAlso:maxAlso], court.Count(more, "more place"))
	}
	return " Do the same at " + safetext.List(places) + "."
}

// maxAlso is how many further places a remedy names.
const maxAlso = 4
