package judicial

import (
	"maps"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/probe"
)

var promptEvidence = probe.Probe{
	ID: "prompt.evidence", Version: "1", Target: court.GithubRepo,
	Title:  "All judges get the same evidence",
	Doc:    "Compares the expressions with evidence in the judges' functions, with the names of the judges taken out. Judges that run one function get the same.",
	Remedy: "Hand the same evidence to all three judges", Effort: 30, Recall: 8500,
	Run: ofJudges(sameEvidence),
}

func sameEvidence(b *bench) probe.Finding {
	byJudge := b.perJudge()
	if len(byJudge) < 2 {
		if b.unequal() {
			return probe.Cannot(court.Dynamic, spots(b.models.in(b.judges)[0].Node), "evidence is chosen by the judge's name; whether one gets less could not be told")
		}
		return probe.Present(court.AST, places(b.judges.roots), "one function serves all judges, with the same evidence")
	}
	var first map[string]bool
	var least persona
	for _, p := range []persona{prosecutor, defense, techLead} {
		d, ok := byJudge[p]
		if !ok {
			continue
		}
		uses := b.evidenceUses(d)
		if first == nil {
			first = uses
			continue
		}
		if !maps.Equal(first, uses) {
			least = p
			if strictly(uses, first) || strictly(first, uses) {
				return probe.Against(court.AST, places(slices.Collect(maps.Values(byJudge))), "the %s is given other evidence than another judge", least.title())
			}
			return probe.Cannot(court.Dynamic, places(slices.Collect(maps.Values(byJudge))), "the judges' functions take evidence in different ways")
		}
	}
	if len(first) == 0 && b.shared(slices.Collect(maps.Values(byJudge))) {
		return probe.Present(court.AST, places(slices.Collect(maps.Values(byJudge))), "the judges' functions hand their state to one function, which takes the evidence")
	}
	if len(first) == 0 {
		return probe.Cannot(court.Dynamic, places(b.judges.roots), "no use of evidence was found in the judges' functions")
	}
	return probe.Present(court.AST, places(slices.Collect(maps.Values(byJudge))), "all judges' functions take the evidence in the same way")
}

// shared reports whether all the functions call one that takes the evidence.
func (b *bench) shared(defs []*code.Definition) bool {
	var common []*code.Definition
	for i, d := range defs {
		next, _ := b.p.Callees(d)
		if i == 0 {
			common = slices.Clone(next)
			continue
		}
		common = slices.DeleteFunc(common, func(c *code.Definition) bool { return !slices.Contains(next, c) })
	}
	return slices.ContainsFunc(common, func(c *code.Definition) bool {
		return slices.ContainsFunc(enter(b.p, []*code.Definition{c}, false).defs, func(x *code.Definition) bool {
			return x.IsFunction() && len(b.evidenceUses(x)) > 0
		})
	})
}

// strictly reports whether a lacks something of b and has nothing else.
func strictly(a, b map[string]bool) bool {
	if len(a) >= len(b) {
		return false
	}
	for k := range a {
		if !b[k] {
			return false
		}
	}
	return true
}

// places are the lines of definitions.
func places(defs []*code.Definition) []court.Place {
	var out []court.Place
	for _, d := range defs {
		out = append(out, court.Place{Path: d.Module.Path, Line: d.Line(), EndLine: d.Line()})
	}
	return sorted(out)
}

// perJudge are the judges' functions by judge, where each has one.
func (b *bench) perJudge() map[persona]*code.Definition {
	out := map[persona]*code.Definition{}
	for _, d := range b.judges.roots {
		ws := split(d.Name)
		if d.Kind == code.DefMethod {
			ws = append(ws, split(d.Parent.Name)...)
		}
		if p := who(ws); p != nobody {
			out[p] = d
		}
	}
	return out
}

// evidenceUses are the expressions with evidence in a function, without the
// names of judges and without texts.
func (b *bench) evidenceUses(d *code.Definition) map[string]bool {
	out := map[string]bool{}
	for n := range d.Body().WalkScope() {
		if !n.Is("subscript", "call", "attribute") || n.Parent().Is("attribute") {
			continue
		}
		text := n.Text()
		if n.Is("call") && !slices.Contains([]string{"get", "getattr"}, last(n)) || len(text) > 120 || !has(split(text), "evidence", "evidences") {
			continue
		}
		var kept []string
		for _, w := range split(text) {
			if who([]string{w}) == nobody && w != "tech" && w != "lead" {
				kept = append(kept, w)
			}
		}
		out[strings.Join(kept, " ")] = true
	}
	return out
}

// unequal reports whether shared judges' code picks evidence by the judge.
func (b *bench) unequal() bool {
	for _, d := range b.judges.defs {
		if !d.IsFunction() {
			continue
		}
		for n := range d.Body().WalkScope() {
			if !n.Is("assignment") || !has(split(n.Field("left").Text()), "evidence", "evidences") {
				continue
			}
			for _, g := range b.p.Guards(n) {
				if g.Kind == "if" && who(split(g.Condition.Text())) != nobody {
					return true
				}
			}
		}
	}
	return false
}
