package probe

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/facts"
)

func TestFindingsAreBounded(t *testing.T) {
	var found []Finding
	for range 3 * maxFindings {
		found = append(found, Cannot(court.Dynamic, nil, "open"))
	}
	grave := Against(court.AST, nil, "grave")
	grave.Security = &court.Flaw{Severity: court.High, Tainted: "yes"}
	found = append(found, Against(court.AST, nil, "plain"), grave)
	got := fewest(found)
	if len(got) != maxFindings || got[0].Rationale != "grave" || got[1].Rationale != "plain" {
		t.Errorf("%d findings, the first %q, want %d that begin with the grave one", len(got), got[0].Rationale, maxFindings)
	}
	if last := got[len(got)-1].Rationale; !strings.HasSuffix(last, "402 more such places are not listed.") {
		t.Errorf("the last says %q", last)
	}
	if few := fewest([]Finding{found[5], grave}); len(few) != 2 || few[0].Rationale != "open" {
		t.Error("few findings are changed")
	}
}

// A fact counts where it runs: a dead one does not, one in the tests is named,
// one in the code of others is told once a file, and what nobody could tell is
// unknown.
func TestNone(t *testing.T) {
	at := func(path string, line int) []court.Place { return []court.Place{{Path: path, Line: line}} }
	own := func(v facts.Answer, line int) facts.Fact[facts.Answer] {
		return facts.Fact[facts.Answer]{Value: v, Answer: facts.Yes, At: at("a.py", line), Scope: code.ScopeProduction, Why: facts.Reason{Code: court.Dynamic, Text: "nobody knows"}}
	}
	dead, tests, lent := own(facts.Yes, 4), own(facts.Yes, 5), own(facts.Yes, 6)
	dead.Live, tests.Scope, tests.At = facts.No, code.ScopeTest, at("test.py", 5)
	lent.Scope, lent.Borrowed, lent.At = code.ScopeVendor, true, at("vendor/b.py", 6)
	set := &facts.Set[facts.Answer]{Coverage: court.One, Source: court.AST}
	ask := func(a Args, list ...facts.Fact[facts.Answer]) string {
		set.Facts = list
		got, err := None[facts.Answer]{
			Of:        func(context.Context, *Scene) (*facts.Set[facts.Answer], error) { return set, nil },
			Is:        func(v facts.Answer, _ Args) facts.Answer { return v },
			Violation: func(facts.Fact[facts.Answer]) Finding { return Finding{Rationale: "bad"} },
			Vendored:  func(facts.Answer) string { return "it is bad" },
			Nothing:   "nothing is there",
			Clean:     func(_ Args, n int) string { return fmt.Sprintf("none of %d is bad", n) },
		}.Run(t.Context(), nil, a)
		if err != nil {
			t.Fatal(err)
		}
		var out []string
		for _, f := range got {
			out = append(out, string(f.Outcome)+": "+f.Rationale)
		}
		return strings.Join(out, "\n")
	}
	for _, c := range []struct{ got, want string }{
		{ask(Args{}), "not_applicable: Nothing is there."},
		{ask(Args{}, own(facts.No, 1), dead), "present: None of 2 is bad."},
		{ask(Args{}, own(facts.No, 1), tests), "present: None of 1 is bad. One such call outside the scope does not count: test.py:5."},
		{ask(Args{Scope: "tests"}, own(facts.No, 1), tests), "violation: bad"},
		{ask(Args{}, own(facts.Yes, 1), own(facts.Unknown, 2)), "violation: bad\nunknown: Nobody knows."},
		{ask(Args{}, lent, lent), "unknown: The project's own code imports this file, which lies where the code of others does. In it, it is bad."},
	} {
		if c.got != c.want {
			t.Errorf("got %q, want %q", c.got, c.want)
		}
	}
}
