package judicial

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
)

var heading = regexp.MustCompile(`(?m)^#{1,4} \S`)

// resultWords are names of what a verdict holds.
var resultWords = []string{"final_score", "overall_score", "criteria", "criterion_results", "remediation", "remediation_plan", "dissent", "dissent_summary", "executive_summary",
	"final_scores", "verdict", "verdicts", "report", "results", "judge_opinions", "opinions", "score", "audit_report", "total_score", "average_score"}

// rendering is a function that builds Markdown from results.
type rendering struct {
	fn   *code.Definition
	at   code.Node // the first of the highest headings
	kept bool      // written, stored or returned, not only printed

	level, headings int // of the highest heading, one being the title's; and how many there are
}

// renderings lists the functions that build Markdown with headings from the
// results: the chief's first, then others of its files, then other production code; of each
// what has the higher heading first, then what has more of them. What has but headings of
// the third level is a part of a report: it comes behind those of its files.
func (b *bench) renderings() []rendering {
	var out []rendering
	seen := map[*code.Definition]bool{}
	for _, d := range append(slices.Clone(b.chief.defs), b.functions()...) {
		if seen[d] || !d.IsFunction() {
			continue
		}
		seen[d] = true
		if r, ok := b.renders(d); ok {
			out = append(out, r)
		}
	}
	other := func(r rendering) int {
		switch own := b.chief.holds(r.fn); {
		case own && slices.ContainsFunc(b.p.CallsIn(r.fn), b.models.calls): // that may be a prompt
			return 3
		case own && r.level <= 2:
			return 0
		case r.level <= 2 && b.nearChief(r.fn):
			return 1
		case own:
			return 2
		}
		return 3
	}
	slices.SortStableFunc(out, func(x, y rendering) int {
		return cmp.Or(cmp.Compare(other(x), other(y)), cmp.Compare(x.level, y.level), cmp.Compare(y.headings, x.headings))
	})
	return out
}

// renders reads one function.
func (b *bench) renders(d *code.Definition) (rendering, bool) {
	r := rendering{fn: d}
	results := false
	for n := range d.Body().WalkScope() {
		switch n.Kind() {
		case "string":
			if isDoc(n) || b.deads.never(n) {
				continue
			}
			for _, h := range heading.FindAllString(unescape(contents(n)), -1) {
				r.headings++
				if level := strings.IndexByte(h, ' '); !r.at.Valid() || level < r.level {
					r.at, r.level = n, level
				}
			}
		case "identifier":
			results = results || slices.Contains(resultWords, n.Text())
		case "return_statement":
			v := n.Child(0)
			r.kept = r.kept || v.Valid() && !v.Is("none", "true", "false")
		case "call":
			if b.template(n) && !r.at.Valid() {
				r.at, r.level, results = n, 1, true
			}
			r.kept = r.kept || slices.Contains([]string{"write_text", "write", "writelines", "append"}, last(n))
		}
	}
	return r, r.at.Valid() && results && !b.judges.holds(d)
}

// contents is the text of a string with "x" for what is put in.
func contents(n code.Node) string {
	var b strings.Builder
	for c := range n.Children() {
		switch c.Kind() {
		case "string_content":
			b.WriteString(c.Text())
		case "interpolation":
			b.WriteString("x")
		}
	}
	return b.String()
}

// template recognises the use of a template file of the commit that has
// Markdown headings.
func (b *bench) template(n code.Node) bool {
	if last(n) != "get_template" && last(n) != "Template" {
		return false
	}
	for a := range n.Field("arguments").Walk() {
		name, ok := a.Literal()
		if !ok || name == "" {
			continue
		}
		for p, raw := range b.texts {
			if path.Base(p) == path.Base(name) && heading.Match(raw) {
				return true
			}
		}
	}
	return false
}

// labelled is a score behind the label of the whole, with nothing behind it on its line; an
// x stands for what is put in.
var labelled = regexp.MustCompile(`(?im)\b(?:overall|final|average)\b[^\n:|]{0,24}[*: \t]*(x|\d(?:\.\d+)?)(?:[ \t]*/[ \t]*\d+)?[*. \t]*$`)

// literalScore is the text of a function that writes the overall score as a number of its
// own, under no condition, where none is put in anywhere.
func (b *bench) literalScore(d *code.Definition) (at code.Node, ok bool) {
	for n := range d.Body().Walk() {
		if !n.Is("string") || isDoc(n) || b.deads.never(n) {
			continue
		}
		for _, m := range labelled.FindAllStringSubmatch(unescape(contents(n)), -1) {
			if m[1] == "x" {
				return code.Node{}, false
			}
			if !at.Valid() && b.unconditional(d, n) {
				at = n
			}
		}
	}
	return at, at.Valid()
}

// unconditional tells a node that every run of a function that does not raise comes to.
func (b *bench) unconditional(d *code.Definition, n code.Node) bool {
	for a := range n.Around() {
		if a == d.Body() {
			break
		}
		if a.Is("for_statement", "while_statement", "except_clause", "lambda", "function_definition", "conditional_expression", "list_comprehension", "generator_expression", "comparison_operator", "boolean_operator") {
			return false
		}
	}
	return len(b.p.Guards(n)) == 0
}
