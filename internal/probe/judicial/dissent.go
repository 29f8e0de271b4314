package judicial

import (
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/facts"
	"github.com/automaton-auditor/automaton/internal/il"
	"github.com/automaton-auditor/automaton/internal/il/analyse"
	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
)

var dissentWords = regexp.MustCompile(`(?i)dissent|disagree|minority|diverg|conflict(ing)? (between|among|opinion|view)|high variance|contested`)

// noDissent is the beginning of a text that says there is none.
var noDissent = regexp.MustCompile(`(?i)^\W*no (\w+ ){0,2}(dissent|disagree|diverg|conflict)`)

// minDissent is the fewest words of a text on disagreement: fewer are a label.
const minDissent = 3

// dissents lists the texts on the judges' disagreement that the chief's code
// builds and that reach a result; where none is known to, those that may.
func (b *bench) dissents() []code.Node {
	var out, open []code.Node
	for _, n := range b.chief.nodes() {
		if !dissent(n) || b.deads.never(n) || b.always(n) {
			continue
		}
		switch b.comes(n) {
		case facts.Yes:
			out = append(out, n)
		case facts.Unknown:
			if slices.ContainsFunc(b.sites(n), b.lives) {
				open = append(open, n)
			}
		default: // it is thrown away
		}
	}
	if len(out) == 0 {
		out = open
	}
	if slices.ContainsFunc(out, b.apart) {
		out = slices.DeleteFunc(out, func(n code.Node) bool { return !b.apart(n) })
	}
	return append(out, b.drafted("dissent", "disagreement")...)
}

// lives tells whether what is bound may be of use: it may come to what a function gives back
// that is of use, or into something that was there before. What people who watch the
// program are told is none.
func (b *bench) lives(x analyse.Site) bool {
	w := b.il.Flow()
	w.Stops = func(_ *il.Function, in *il.Instr, _ int) bool {
		return in.Op == il.Call && slices.Contains(silent, lastName(in))
	}
	w.To = func(f *il.Function, in *il.Instr, _ int) bool {
		return in.Op == il.Yield || in.Op == il.Set && (in.Args[0].Kind != il.Local || f.Versions[f.Root(in.Args[0]).ID].Param >= 0)
	}
	seen := map[*il.Instr]bool{}
	for work := []analyse.Site{x}; len(work) > 0; work = work[1:] {
		f, in := work[0].Function, work[0].At
		if seen[in] || in.Dst == il.NoDst {
			continue
		}
		seen[in] = true
		o := il.Operand{Kind: il.Local, ID: in.Dst}
		if w.Arrives(f, o).Is != analyse.No {
			return true
		}
		if w.Returned(f, o).Is == analyse.No {
			continue
		}
		sites := b.il.Names.Sites(f)
		if len(sites) == 0 || slices.ContainsFunc(sites, func(s analyse.Site) bool { return !s.Call }) {
			return true
		}
		work = append(work, sites...)
	}
	return false
}

// always reports whether a text is a constant that is there whatever the
// judges said: it may point at dissent, but tells of none.
func (b *bench) always(n code.Node) bool {
	if !n.Is("string") || len(b.p.Guards(n)) > 0 || n.Parent().Is("binary_operator", "concatenated_string", "attribute") {
		return false
	}
	for c := range n.Walk() {
		if c.Is("interpolation") || c.Is("string_content") && strings.ContainsAny(c.Text(), "{%") {
			return false
		}
	}
	return true
}

// apart reports whether a node stands under a condition on how far the scores
// are apart: of several texts those are the ones on dissent.
func (b *bench) apart(n code.Node) bool {
	return slices.ContainsFunc(b.p.Guards(n), func(g code.Guard) bool { return says(g) && b.weighs.condition(g.Condition)&spread != 0 })
}

// dissent recognises a text on the disagreement: by its words, or by the name
// that it is given.
func dissent(n code.Node) bool {
	switch n.Kind() {
	case "string":
		return dissentWords.MatchString(contents(n)) && !noDissent.MatchString(contents(n)) && len(split(spoken(n))) >= minDissent && !isDoc(n) && !n.Parent().Is("comparison_operator")
	case "assignment", "augmented_assignment":
		right := n.Field("right")
		if right.Is("string") && strings.TrimSpace(contents(right)) == "" { // where a text may come
			return false
		}
		return has(split(last(n.Field("left"))), "dissent", "dissents", "disagreement") && right.Is("call", "string", "concatenated_string", "binary_operator", "conditional_expression", "parenthesized_expression") &&
			n.Field("left").Is("identifier", "attribute")
	}
	return false
}

// isDoc reports whether a string is a statement of its own: a docstring or a
// text commented out.
func isDoc(n code.Node) bool {
	p := n.Parent()
	if p.Is("concatenated_string") {
		p = p.Parent()
	}
	return p.Is("expression_statement", "block", "module")
}

// silent are calls that only tell people who watch the program.
var silent = []string{"print", "debug", "info", "warning", "error", "exception", "critical", "log"}
