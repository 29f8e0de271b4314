package judicial

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/agentgraph"
	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/facts"
	"github.com/automaton-auditor/automaton/internal/il/intree"
	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
	"github.com/automaton-auditor/automaton/internal/probe"
	"github.com/automaton-auditor/automaton/internal/tables"
)

// shareMarked is what a constant opinion keeps that says it is none.
const shareMarked = 5000

var llmFallback = probe.Probe{
	ID: "llm.fallback", Version: "4", Target: court.GithubRepo,
	Title:  "A failed call does not become a constant score",
	Doc:    "Looks for opinions with a literal score that the judges' code makes without a model's answer: in handlers, after the last try, in branches for a missing key; and that other nodes of the graph make in place of one. Half counts when the opinion's text says that it stands for a failure.",
	Remedy: "Leave the opinion out, or mark it as a failure that the chief justice does not count.", Effort: 30, Recall: 9500,
	Run: ofJudges(fallbackFinding),
}

// toLeaveOut asks for no opinion where there is no answer, and for none to be put in its
// place afterwards.
func (b *bench) toLeaveOut(at code.Node) string {
	if missing := b.presumed(); missing.Valid() {
		return fmt.Sprintf("Make no opinion at %s when the model gives no answer. And leave out a judge without an opinion at %s, which gives a constant score instead.", facts.Line(spot(at)), facts.Line(spot(missing)))
	}
	return fmt.Sprintf("Make no opinion at %s when the model gives no answer: raise the error, or return a failure that the chief justice does not count.", facts.Line(spot(at)))
}

// presumed is a constant of the chief justice's code that is the score of a judge who has
// given no opinion.
func (b *bench) presumed() code.Node {
	score := func(n code.Node) bool {
		x, ok := b.number(n)
		return ok && x >= 1 && x <= 5
	}
	of := func(n code.Node) bool { return n.Valid() && b.weighs.at(n).data&judged != 0 }
	for d, n := range b.chief.nodes() {
		switch n.Kind() {
		case "conditional_expression": // o.score if o else 3
			tested := n.Child(1).Unparen()
			if none(tested) {
				tested = tested.Child(0)
			}
			parted := func(x code.Node) bool {
				return x.Is("attribute", "subscript") && cmp.Or(x.Field("object").Text(), x.Field("value").Text()) == tested.Text()
			}
			if score(n.Child(2)) && of(n.Child(0)) && slices.ContainsFunc(slices.Collect(n.Child(0).Walk()), parted) {
				return n
			}
		case "call": // scores.get("Defense", 3), next((o.score for o in opinions if ...), 3)
			key, told := n.Field("arguments").Child(0).Literal()
			byJudge := last(n) == "next" || last(n) == "get" && (!told || who(split(key)) != nobody)
			if byJudge && score(n.Field("arguments").Child(1)) && of(n) {
				return n
			}
		case "return_statement": // if o is None: return 3
			absent := func(g code.Guard) bool {
				c := g.Condition.Unparen()
				one := c.Field("argument").Unparen()
				return !g.Negated && (one.Is("identifier") && !strings.HasSuffix(one.Text(), "s") || none(c) && strings.Contains(c.Text(), " is None"))
			}
			if score(n.Child(0)) && b.results(d)&judged != 0 && slices.ContainsFunc(b.p.Guards(n), absent) {
				return n
			}
		}
	}
	return code.Node{}
}

func fallbackFinding(b *bench) probe.Finding {
	off := b.withoutModel()
	var marked, stepped, read, unread, plain, dropped []code.Node
	anyone := func(agentgraph.Role) bool { return true }
	for _, x := range slices.Concat(b.builds(b.judges), b.filledIn(anyone)) {
		switch {
		case !x.asked && b.steppedScore(x.call) && b.standsForFailure(x):
			stepped = append(stepped, x.call.Node)
		case inHandler(x.call.Node) && b.elseConstant(x.call):
			read = append(read, x.call.Node)
		case x.asked || !b.constantScore(x.call):
		case b.uncounted(x):
			dropped = append(dropped, x.call.Node)
		case b.confesses(x):
			marked = append(marked, x.call.Node)
		case b.judgesTheWork(x):
			plain = append(plain, x.call.Node)
		default:
			unread = append(unread, x.call.Node)
		}
	}
	var f probe.Finding
	switch {
	case len(plain) > 0:
		f = probe.Against(court.AST, spots(plain...), "An opinion with a constant score is made without an answer, and its text speaks of the work as if there were one.").Do("%s", b.toLeaveOut(plain[0]))
	case len(unread) > 0:
		f = probe.Partly(shareMarked, court.AST, spots(unread...), "An opinion with a constant score is made without an answer. Whether its text says so could not be determined.").Do("%s", b.toLeaveOut(unread[0]))
	case len(marked) > 0:
		f = probe.Partly(shareMarked, court.AST, spots(marked...), "An opinion with a constant score stands in for an answer. Its text says so, but its score counts.").Do("%s", b.toLeaveOut(marked[0]))
	case len(stepped) > 0:
		f = probe.Partly(shareMarked, court.AST, spots(stepped...), "An opinion whose score is one of a few constants stands in for an answer. Its text says so, but its score counts.").Do("%s", b.toLeaveOut(stepped[0]))
	case len(read) > 0:
		f = probe.Partly(shareMarked, court.AST, spots(read...), "An opinion is made after a failure. Its score is a constant, unless other code replaces the constant.").Do("%s", b.toLeaveOut(read[0]))
	case len(dropped) > 0:
		f = probe.Present(court.AST, spots(dropped...), "An opinion with a constant score is made without an answer, but the chief justice leaves it out.")
	default:
		f = b.clean(b.judges, "no opinion with a constant score is made without a model's answer")
	}
	f.Data = map[string]any{"judges.fallback_without_llm": off.yields}
	return f
}

// constantScore reports whether the score that a call gives an opinion is a
// literal, or a constant by name.
func (b *bench) constantScore(c *intree.Call) bool {
	for _, a := range c.Args {
		if kindOfField(a.Name) != "score" {
			continue
		}
		if _, ok := b.number(a.Value); ok || a.Value.Is("integer", "float") {
			return true
		}
		return starts(split(a.Value.Text()), "default", "fallback", "neutral")
	}
	return false
}

// steppedScore reports whether the score of an opinion is a name of its function
// that is given nothing but literals, more than one of them, and none because of
// an answer.
func (b *bench) steppedScore(c *intree.Call) bool {
	for _, a := range c.Args {
		if kindOfField(a.Name) != "score" || !a.Value.Is("identifier") {
			continue
		}
		from := b.origins.Of(a.Value)
		literals := !slices.ContainsFunc(from, func(o intree.Origin) bool {
			return o.Part || !o.Node.Is("integer", "float") || b.p.Enclosing(o.Node) != c.Func
		})
		return len(from) > 1 && literals && b.marks.at(a.Value).when&asked == 0
	}
	return false
}

// elseConstant reports whether the score of an opinion is a literal of its function on one
// way, and made from something else on another.
func (b *bench) elseConstant(c *intree.Call) bool {
	for _, a := range c.Args {
		if kindOfField(a.Name) != "score" || !a.Value.Is("identifier") {
			continue
		}
		from := b.origins.Of(a.Value)
		return len(from) > 1 && slices.ContainsFunc(from, func(o intree.Origin) bool {
			return !o.Part && o.Node.Is("integer", "float") && b.p.Enclosing(o.Node) == c.Func
		})
	}
	return false
}

// standIns are parts of texts by which an opinion says that no model gave it. A
// text of rules that judge the work themselves need not have them.
var standIns = []string{"fallback", "fall back", "llm", "no model", "without a model", "model failed", "model call", "quota", "rate limit", "api key"}

// standsForFailure reports whether the text of an opinion says so.
func (b *bench) standsForFailure(x built) bool {
	return slices.ContainsFunc(x.call.Args, func(a intree.Argument) bool {
		low := strings.ToLower(b.said(a.Value))
		return kindOfField(a.Name) == "argument" && slices.ContainsFunc(standIns, func(w string) bool { return strings.Contains(low, w) })
	})
}

// failures are parts of texts that own up to a missing answer. A text that
// names one of them is not accused, also where it says it of the work.
func failures() []string { return tables.Of(tables.Word).Names("any", "missing answer") }

// statuses are the codes by which services turn a request away.
var statuses = regexp.MustCompile(`\b(40[1238]|429|50[0-4]|529)\b`)

// confesses reports whether an opinion's texts or flags say that it is made
// after a failure, or hold the error itself.
func (b *bench) confesses(x built) bool {
	caught := aliases(x.call.Node)
	return slices.ContainsFunc(x.call.Args, func(a intree.Argument) bool {
		if kindOfField(a.Name) == "criterion" {
			return false
		}
		low := strings.ToLower(a.Name + " " + b.said(a.Value))
		return uses(a.Value, caught) || statuses.MatchString(low) || slices.ContainsFunc(failures(), func(w string) bool { return strings.Contains(low, w) })
	})
}

// works are beginnings of words by which a text speaks of what is judged.
var works = []string{"work", "code", "implement", "project", "repositor", "submission", "solution", "architect", "design", "effort", "evidence", "requirement", "criteri",
	"good", "solid", "adequate", "balanced", "strong", "weak", "meets", "shows", "demonstrat", "acceptable", "reasonable", "satisf", "quality"}

// judgesTheWork reports whether an opinion's argument reads like a judgement.
func (b *bench) judgesTheWork(x built) bool {
	return slices.ContainsFunc(x.call.Args, func(a intree.Argument) bool {
		return kindOfField(a.Name) == "argument" && starts(split(b.said(a.Value)), works...)
	})
}

// said is an expression's own text with the constants that it comes from.
func (b *bench) said(n code.Node) string {
	parts := []string{n.Text()}
	for _, o := range b.origins.Of(n) {
		if s, ok := o.Node.Literal(); ok {
			parts = append(parts, s)
		}
	}
	return strings.Join(parts, " ")
}

// aliases are the names that the handlers around a node give to the error.
func aliases(n code.Node) map[string]bool {
	out := map[string]bool{}
	for a := range n.Around() {
		switch a.Kind() {
		case "except_clause":
			if name := alias(a); name != "" {
				out[name] = true
			}
		case "function_definition", "lambda":
			return out
		}
	}
	return out
}

// alias is the name that a handler gives to the error; "" when it gives none.
func alias(handler code.Node) string {
	if v := handler.Field("value"); v.Is("as_pattern") {
		return v.Field("alias").Text()
	}
	return handler.Field("alias").Text()
}
