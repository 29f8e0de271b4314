package document

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/court"
	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
	"github.com/automaton-auditor/automaton/internal/probe"
)

// fact is what the fact sheet says. Null settles nothing.
func fact(section, key string, get func(*probe.Sheet) *bool) truth {
	return func(ctx context.Context, s *probe.Scene, a *against) (fate, []court.Place, string) {
		sheet, err := s.Facts(ctx, section)
		if err != nil {
			return undecided, nil, "the facts could not be had: " + court.Clean(err.Error(), 120)
		}
		proof := sheet.Proven(section + "." + key)
		at, why := proof.At, proof.Text
		v := get(sheet)
		switch {
		case v == nil:
			return undecided, at, court.Clean(why, 160)
		case *v:
			return holds, at, court.Clean(why, 160)
		case !a.allRead():
			return undecided, at, "not all code could be read"
		}
		return untrue, at, court.Clean(why, 160)
	}
}

// when asks something first, without which a no of the facts says nothing.
func (t truth) when(first func(*probe.Sheet) bool) truth {
	return func(ctx context.Context, s *probe.Scene, a *against) (fate, []court.Place, string) {
		f, at, why := t(ctx, s, a)
		if f != untrue {
			return f, at, why
		}
		for _, section := range []string{"tools", "justice", "judges"} {
			if sheet, err := s.Facts(ctx, section); err == nil && first(sheet) {
				return f, at, why
			}
		}
		return undecided, at, why
	}
}

func hasClone(s *probe.Sheet) bool {
	return s.Tools.Clone.How != nil && *s.Tools.Clone.How != "none"
}

// sureEnough is how sure a check must be of what is not there before a sentence
// that says it is there is untrue.
const sureEnough court.Fixed = 9500

// finding is what a check of the audit finds. What it finds in part holds in part.
func finding(id string, args map[string]any) truth {
	return func(ctx context.Context, s *probe.Scene, a *against) (fate, []court.Place, string) {
		all, err := s.Ask(ctx, court.Ask{Probe: id, Args: args})
		if err != nil || len(all) == 0 {
			return undecided, nil, "nobody could look"
		}
		f := slices.MinFunc(all, func(a, b probe.Finding) int { return weight(a) - weight(b) })
		if f.Barred != "" {
			return a.barred(f)
		}
		why := court.Clean(f.Rationale, 160)
		switch weight(f) {
		case 0:
			return untrue, f.Places, why
		case 2:
			return inPart, f.Places, why
		case 3:
			return holds, f.Places, why
		}
		return undecided, f.Places, why
	}
}

// barred is what is there and has no effect: it holds in part, whatever the check makes of it,
// and what is to be done about it is what its cause asks for.
func (a *against) barred(f probe.Finding) (fate, []court.Place, string) {
	a.mends[f.Barred] = f.Remedy
	return inPart, f.Places, f.Barred
}

// weight orders findings: what is against, what nobody knows, what holds in part,
// what holds.
func weight(f probe.Finding) int {
	switch {
	case (f.Outcome == court.Violation || f.Outcome == court.Absent) && f.Certainty >= sureEnough:
		return 0
	case f.Outcome == court.Partial:
		return 2
	case f.Outcome == court.Present:
		return 3
	}
	return 1
}

// acting is a truth after a look at whether a run comes by what it rests on: what no
// run gets by is written, and not done.
func (t truth) acting() truth {
	return func(ctx context.Context, s *probe.Scene, a *against) (fate, []court.Place, string) {
		f, at, why := t(ctx, s, a)
		if f != holds && f != inPart || len(at) == 0 {
			return f, at, why
		}
		said := why
		if said == "" {
			said = "it is written"
		}
		switch x := s.Acts(ctx, probe.Present(court.AST, at, "%s", said)); {
		case x.Barred != "":
			return a.barred(x)
		case x.Outcome == court.Present:
			return f, at, why
		case x.Outcome == court.Partial:
			return inPart, x.Places, court.Clean(x.Rationale, 200)
		case x.Outcome == court.Violation, x.Outcome == court.Absent:
			return untrue, x.Places, court.Clean(x.Rationale, 200)
		default:
			return undecided, x.Places, court.Clean(x.Rationale, 200)
		}
	}
}

// rule asks the probe of the chief justice's rules. While a function of the program has
// the rule's name, that no effect of it was recognised settles nothing.
func rule(name string) truth {
	look := finding("cj.rules", map[string]any{"rule": name})
	return func(ctx context.Context, s *probe.Scene, a *against) (fate, []court.Place, string) {
		f, at, why := look(ctx, s, a)
		if d := a.function(ruleStems[name]); f == untrue && len(at) == 0 && d != nil {
			return undecided, []court.Place{d.at()}, strings.TrimSuffix(why, ".") + ", but a function has the rule's name"
		}
		if f == untrue && len(at) == 0 {
			_, at, _ = fact("justice", "present", func(s *probe.Sheet) *bool { return s.Justice.Present })(ctx, s, a)
		}
		return f, at, why
	}
}

// ruleStems are how functions are named that carry the rules out.
var ruleStems = map[string][]string{
	"security_cap": {"secur"}, "fact_supremacy": {"suprem", "evidencerule", "ruleofevidence"}, "functionality_weight": {"functionalit", "weight"},
	"variance": {"varianc", "reeval"}, "dissent": {"dissent"},
}

// function is the first function of production code with one of the stems in its name.
func (a *against) function(stems []string) *declaration {
	for _, name := range slices.Sorted(maps.Keys(a.defined)) {
		if !slices.ContainsFunc(stems, func(s string) bool { return strings.Contains(name, s) }) {
			continue
		}
		for _, d := range a.defined[name] {
			if d.scope == code.ScopeProduction && d.python != nil && d.python.IsFunction() {
				return d
			}
		}
	}
	return nil
}

// timed asks for a time limit anywhere in production code.
func timed(ctx context.Context, s *probe.Scene, a *against) (fate, []court.Place, string) {
	if f, at, why := fact("tools", "clone_timeout", func(s *probe.Sheet) *bool { return s.Tools.CloneTimeout })(ctx, s, a); f == holds {
		return f, at, why
	}
	for _, c := range a.program.Calls() {
		if a.live(c) && limiting.MatchString(c.Node.Text()[:min(len(c.Node.Text()), 2000)]) {
			return holds, line(c.Node.Path(), c.Line()), ""
		}
	}
	if at := a.stems("timeout", "deadline", "time_limit", "wait_for"); at != nil {
		return undecided, at, "a name in the code speaks of a time limit"
	}
	return undecided, nil, "no name in the production code speaks of a time limit; libraries have limits of their own"
}

var limiting = regexp.MustCompile(`\b(?:timeout|kill_after_timeout|request_timeout|step_timeout)\s*=\s*[\w"'(]|^(?:asyncio\.)?wait_for\(`)

// bound asks whether the judges' model is bound in just this way. Where another is,
// the call of this name may still be another model's.
func bound(by string) truth {
	call := calls(by, by, "*."+by)
	return func(ctx context.Context, s *probe.Scene, a *against) (fate, []court.Place, string) {
		sheet, err := s.Facts(ctx, "judges")
		if err != nil || sheet.Judges.StructuredOutput.Kind == nil {
			return call(ctx, s, a)
		}
		kind := *sheet.Judges.StructuredOutput.Kind
		proof := sheet.Proven("judges.structured_output")
		f, at, why := call(ctx, s, a)
		switch {
		case kind == by:
			return holds, proof.At, court.Clean(proof.Text, 160)
		case f == holds:
			return inPart, at, "it is called here, but the judges' answers do not come by it"
		case a.allRead():
			return untrue, proof.At, "no production code calls it; how the judges' answers get their form: " + kind
		}
		return f, at, why
	}
}

var tries = []string{"retry", "retries", "attempt", "tenacity", "backoff", "tries"}

// retries asks for a second try of anything.
func retries(ctx context.Context, s *probe.Scene, a *against) (fate, []court.Place, string) {
	if f, at, why := fact("judges", "retry", func(s *probe.Sheet) *bool { return s.Judges.Retry })(ctx, s, a); f == holds {
		return f, at, why
	}
	for _, c := range a.program.Calls("*.with_retry", "tenacity.*", "backoff.*", "*.RetryPolicy", "RetryPolicy", "*.Retry") {
		if a.live(c) {
			return holds, line(c.Node.Path(), c.Line()), ""
		}
	}
	if at := a.stems(tries...); at != nil {
		return undecided, at, "a name in the code speaks of another try, but what it does was not recognised"
	}
	return undecided, nil, "no name in the production code speaks of another try; libraries try again by themselves"
}

// tested asks for a test; of test files in which none was seen nothing is said.
func tested(ctx context.Context, s *probe.Scene, a *against) (fate, []court.Place, string) {
	f, at, why := fact("quality", "tests", func(s *probe.Sheet) *bool { return s.Quality.Tests })(ctx, s, a)
	if f != untrue {
		return f, at, why
	}
	for _, e := range a.entries {
		if a.layout.Scope(e.Path) == code.ScopeTest || strings.Contains(strings.ToLower(e.Path), "test") {
			return undecided, nil, "there are test files, but no test function was found"
		}
	}
	return f, at, why
}

// none is the truth of "there is no such call": a list of places.
func none(get func(*probe.Sheet) [][]probe.Spot) truth {
	return func(ctx context.Context, s *probe.Scene, a *against) (fate, []court.Place, string) {
		sheet, err := s.Facts(ctx, "tools")
		if err != nil {
			return undecided, nil, "the facts could not be had: " + court.Clean(err.Error(), 120)
		}
		var at []court.Place
		for _, list := range get(sheet) {
			if list == nil {
				return undecided, nil, "not all code could be read"
			}
			for _, p := range list {
				at = append(at, p.Place)
			}
		}
		if len(at) > 0 {
			return untrue, at, "there is such a call"
		}
		return holds, nil, "no call of production code is one"
	}
}

func noShell(ctx context.Context, s *probe.Scene, a *against) (fate, []court.Place, string) {
	return none(func(s *probe.Sheet) [][]probe.Spot { return [][]probe.Spot{s.Tools.OSSystem, s.Tools.ShellTrue} })(ctx, s, a)
}

func noEval(ctx context.Context, s *probe.Scene, a *against) (fate, []court.Place, string) {
	return none(func(s *probe.Sheet) [][]probe.Spot { return [][]probe.Spot{s.Tools.EvalExec} })(ctx, s, a)
}
