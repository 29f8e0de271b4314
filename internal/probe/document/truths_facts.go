package document

import (
	"context"
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

// ofJustice is a fact of the chief justice, where there is one.
func ofJustice(key string, get func(*probe.Sheet) *bool) truth {
	return fact("justice", key, get).when(func(s *probe.Sheet) bool { return s.Justice.Present != nil && *s.Justice.Present })
}

// rule asks the probe of the chief justice's rules. A rule that is named and has
// no effect that was recognised settles nothing: a document may call that one.
func rule(name string) truth {
	return func(ctx context.Context, s *probe.Scene, a *against) (fate, []court.Place, string) {
		found, err := s.Ask(ctx, court.Ask{Probe: "cj.rules", Args: map[string]any{"rule": name}})
		if err != nil || len(found) == 0 {
			return undecided, nil, "nobody could look at the rules"
		}
		f := found[0]
		why := court.Clean(f.Rationale, 160)
		node, at, _ := fact("justice", "present", func(s *probe.Sheet) *bool { return s.Justice.Present })(ctx, s, a)
		switch {
		case f.Outcome == court.Present:
			return holds, f.Places, why
		case f.Outcome == court.Absent && node == holds && a.allRead() && a.stems(ruleStems[name]...) == nil:
			return untrue, at, why
		}
		return undecided, f.Places, why
	}
}

// ruleStems are traces of the rules in names of the code: while there is one,
// that a rule was not found settles nothing.
var ruleStems = map[string][]string{
	"security_cap": {"secur", "cap", "vuln"}, "fact_supremacy": {"suprem", "fact", "halluc", "evidence"}, "functionality_weight": {"weight", "functional"},
	"variance": {"varianc", "spread", "reeval", "re_eval", "stdev"}, "dissent": {"dissent", "disagree", "minority"},
}

// sandboxed asks whether the clone goes into a temporary folder. Code that
// makes one may still use it.
func sandboxed(ctx context.Context, s *probe.Scene, a *against) (fate, []court.Place, string) {
	f, at, why := fact("tools", "clone_sandboxed", func(s *probe.Sheet) *bool { return s.Tools.CloneSandboxed }).when(hasClone)(ctx, s, a)
	if f != holds && a.stems("tempfile", "temporarydirectory", "mkdtemp") != nil {
		return undecided, at, why
	}
	return f, at, why
}

// cleanup holds nothing against a document whose program removes the folder in
// some of the cases.
func cleanup(ctx context.Context, s *probe.Scene, a *against) (fate, []court.Place, string) {
	f, at, why := fact("tools", "clone_cleanup", func(s *probe.Sheet) *bool { return s.Tools.CloneCleanup }).when(hasClone)(ctx, s, a)
	if f == untrue && a.stems("rmtree", "cleanup", "clean_up", "remove", "rmdir", "unlink", "temporarydirectory") != nil {
		return undecided, at, why
	}
	return f, at, why
}

// timed asks for a time limit anywhere in production code.
func timed(ctx context.Context, s *probe.Scene, a *against) (fate, []court.Place, string) {
	if f, at, why := fact("tools", "clone_timeout", func(s *probe.Sheet) *bool { return s.Tools.CloneTimeout })(ctx, s, a); f == holds {
		return f, at, why
	}
	for _, c := range a.program.Calls() {
		if c.Node.Module().Scope == code.ScopeProduction && !a.program.Dead(c.Node) && limiting.MatchString(c.Node.Text()[:min(len(c.Node.Text()), 2000)]) {
			return holds, line(c.Node.Path(), c.Line()), ""
		}
	}
	if at := a.stems("timeout", "deadline", "time_limit", "wait_for"); at != nil {
		return undecided, at, "a name in the code speaks of a time limit"
	}
	return undecided, nil, "no name in the production code speaks of a time limit; libraries have limits of their own"
}

var limiting = regexp.MustCompile(`\b(?:timeout|kill_after_timeout|request_timeout|step_timeout)\s*=\s*[\w"'(]|^(?:asyncio\.)?wait_for\(`)

// urlTested holds nothing against a document while the code has something that
// is named like a test of a URL.
func urlTested(ctx context.Context, s *probe.Scene, a *against) (fate, []court.Place, string) {
	f, at, why := fact("tools", "url_validated", func(s *probe.Sheet) *bool { return s.Tools.URLValidated }).when(hasClone)(ctx, s, a)
	if f == untrue && a.stems("valid", "sanit", "urlparse", "urlsplit", "allow", "startswith", "fullmatch") != nil {
		return undecided, at, why
	}
	return f, at, why
}

// structured asks how the judges' answers get their form. Of an answer that is
// only parsed, the model was bound to none.
func structured(ctx context.Context, s *probe.Scene, a *against) (fate, []court.Place, string) {
	kind := ""
	f, at, why := fact("judges", "structured_output", func(s *probe.Sheet) *bool {
		k := s.Judges.StructuredOutput.Kind
		if k == nil {
			return nil
		}
		kind = *k
		return new(kind != "none")
	})(ctx, s, a)
	if f == holds && strings.HasSuffix(kind, "_parse") {
		return inPart, at, "the answer is parsed, but nothing binds the model to its form"
	}
	if f == untrue && a.stems("with_structured_output", "bind_tools", "response_format", "model_validate", "parser", "json_schema", "response_schema", "basemodel") != nil {
		return undecided, at, why
	}
	return f, at, why
}

// asksAgain asks whether a malformed answer leads to another question.
func asksAgain(ctx context.Context, s *probe.Scene, a *against) (fate, []court.Place, string) {
	f, at, why := fact("judges", "retry", func(s *probe.Sheet) *bool { return s.Judges.Retry })(ctx, s, a)
	if f == untrue && a.stems(tries...) != nil {
		return undecided, at, why
	}
	return f, at, why
}

var tries = []string{"retry", "retries", "attempt", "tenacity", "backoff", "tries"}

// retries asks for a second try of anything.
func retries(ctx context.Context, s *probe.Scene, a *against) (fate, []court.Place, string) {
	if f, at, why := fact("judges", "retry", func(s *probe.Sheet) *bool { return s.Judges.Retry })(ctx, s, a); f == holds {
		return f, at, why
	}
	for _, c := range a.program.Calls("*.with_retry", "tenacity.*", "backoff.*", "*.RetryPolicy", "RetryPolicy", "*.Retry") {
		if c.Node.Module().Scope == code.ScopeProduction && !a.program.Dead(c.Node) {
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
