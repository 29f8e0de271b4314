package judicial

import (
	"maps"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/facts"
	"github.com/automaton-auditor/automaton/internal/il"
	"github.com/automaton-auditor/automaton/internal/il/analyse"
	"github.com/automaton-auditor/automaton/internal/probe"
)

var promptEvidence = probe.Probe{
	ID: "prompt.evidence", Version: "4", Target: court.GithubRepo,
	Title:  "All judges get the same evidence",
	Doc:    "Compares the expressions with evidence in the judges' functions, with the names of the judges taken out, and what each writes of a piece of evidence. Judges that run one function get the same. Evidence that the detectives make up, whatever they read, does not count.",
	Remedy: "Hand the same evidence to all three judges.", Effort: 30, Recall: 8500,
	Run: ofJudges(func(b *bench) probe.Finding { return b.reaching(b.grounded(sameEvidence(b))) }),
}

func sameEvidence(b *bench) probe.Finding {
	byJudge := b.perJudge()
	if len(byJudge) < 2 {
		if b.unequal() {
			return probe.Cannot(court.Dynamic, spots(b.models.in(b.judges)[0].Node), "The judge's name selects the evidence. Whether a judge gets less could not be determined.")
		}
		at := places(b.judges.roots)
		if x := b.link(evidenceToMessage); x.Answer == facts.Yes {
			at = x.Value.To
		}
		return probe.Present(court.AST, at, "One function serves all judges, with the same evidence.")
	}
	defs := slices.Collect(maps.Values(byJudge))
	used := map[persona]map[string]bool{}
	some, same := false, true
	for p, d := range byJudge {
		used[p] = b.evidenceUses(d)
		some = some || len(used[p]) > 0
	}
	for p := range used {
		for q := range used {
			same = same && maps.Equal(used[p], used[q])
		}
	}
	switch {
	case !same:
		if least, most := lesser(used); least != nobody {
			return probe.Against(court.AST, places(defs), "The %s gets less of the evidence than the %s.", least.title(), most.title()).Do("Hand the %s the same evidence as the %s.", least.title(), most.title())
		}
		return probe.Cannot(court.Dynamic, places(defs), "The judges' functions take evidence in different ways.")
	case some:
		return probe.Present(court.AST, places(defs), "All judges' functions take the evidence in the same way.")
	case b.shared(defs):
		return probe.Present(court.AST, places(defs), "The judges' functions hand their state to one function, which takes the evidence.")
	}
	if b.unheard() {
		at := b.link(evidenceToMessage).Value.To
		return probe.Against(court.AST, at, "No judge gets the evidence: the questions to the model contain none.").Do("Put the evidence of the criterion, from %s in the state, into the message at %s.", court.Clean(b.r.State.Material.Name, 60), facts.Line(at[0]))
	}
	return probe.Cannot(court.Dynamic, places(b.judges.roots), "No use of evidence was found in the judges' functions.")
}

// lesser finds the first judge that uses less than another one, and nothing
// else; nobody when there is none.
func lesser(used map[persona]map[string]bool) (least, most persona) {
	for p := range persona(len(personas)) {
		for q := range persona(len(personas)) {
			if len(used[p]) > 0 && strictly(used[p], used[q]) {
				return p, q
			}
		}
	}
	return nobody, nobody
}

// shared reports whether all the functions call one that takes the evidence.
func (b *bench) shared(defs []*code.Definition) bool {
	var common []*code.Definition
	for i, d := range defs {
		next := b.p.Callees(d)
		if i == 0 {
			common = slices.Clone(next)
			continue
		}
		common = slices.DeleteFunc(common, func(c *code.Definition) bool { return !slices.Contains(next, c) })
	}
	return slices.ContainsFunc(common, func(c *code.Definition) bool {
		return slices.ContainsFunc(enter(b.p, b.il, []*code.Definition{c}, false).defs, func(x *code.Definition) bool {
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
		if p := who(called(d)); p != nobody {
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
	for _, part := range b.written(d) {
		out["of each "+part] = true
	}
	return out
}

// written lists the attributes of pieces of evidence that a function does
// something with, other than to test them or to put them into an opinion.
func (b *bench) written(d *code.Definition) (out []string) {
	for n := range d.Body().WalkScope() {
		name, of := n.Field("attribute").Text(), n.Field("object")
		if n.Is("subscript") {
			name, _ = n.Field("subscript").Literal()
			of = n.Field("value")
		}
		g, all := b.alternatives(of)
		if of.Is("identifier") && name != "" && slices.ContainsFunc(all, func(o il.Operand) bool {
			each := g.Def(o)
			return each != nil && each.Op == il.Get && each.Kind == "each" && b.marks.of(analyse.Use{Function: g, Operand: each.Args[0], At: each}).data&evidence != 0
		}) && b.speaks(n) {
			out = append(out, name)
		}
	}
	return out
}

// speaks reports whether a value goes on from where it stands: it is no test,
// no part of an opinion, and not in a handler.
func (b *bench) speaks(n code.Node) bool {
	below := n
	for a := range n.Around() {
		switch a.Kind() {
		case "if_statement", "elif_clause", "while_statement":
			if below.FieldName() == "condition" {
				return false
			}
		case "conditional_expression":
			if a.Child(1) == below {
				return false
			}
		case "if_clause", "except_clause", "comparison_operator":
			return false
		case "call":
			if b.opinion(b.p.Resolve(a.Field("function")).Def) || slices.Contains(silent, last(a)) {
				return false
			}
		case "function_definition", "lambda":
			return true
		}
		below = a
	}
	return true
}

// unequal reports whether shared judges' code picks evidence by the judge.
func (b *bench) unequal() bool {
	for _, n := range b.judges.nodes() {
		if !n.Is("assignment") || !has(split(n.Field("left").Text()), "evidence", "evidences") {
			continue
		}
		for _, g := range b.p.Guards(n) {
			if g.Kind == "if" && who(split(g.Condition.Text())) != nobody {
				return true
			}
		}
	}
	return false
}
