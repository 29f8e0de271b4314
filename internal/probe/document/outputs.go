package document

import (
	"path"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/il/intree"
	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
)

// output is a form of path that the program makes when it runs, such as
// "audit/report_{now:%Y-%m-%d}.md".
type output struct {
	parts []string // of the path: constant text with a hole for what is filled in
	at    court.Place
}

const (
	hole       = "\x00"
	maxForm    = 200 // bytes of a form
	maxForms   = 2000
	maxOperand = 50 // strings and names added up to one form
)

var (
	filled    = regexp.MustCompile(`\{[^{}]*\}`)
	percented = regexp.MustCompile(`%(?:\(\w+\))?[-#0 +]*\d*(?:\.\d+)?[A-Za-z]`)
	// What a run leaves behind is no source code.
	leaves   = regexp.MustCompile(`(?i)\.(?:md|rst|txt|jsonl?|html?|csv|xml|pdf|docx?|png|jpe?g|svg|gif|ya?ml|db|log|mmd|dot|puml)$`)
	ownWords = regexp.MustCompile(`[A-Za-z]{3}`)
)

// outputs are the forms of path in production code. What a form is used for is
// not asked: a name with a hole in it is made at run time.
func outputs(p *intree.Program) []output {
	var out []output
	for _, m := range p.Modules {
		if m.Scope != code.ScopeProduction {
			continue
		}
		for n := range m.Root().Walk() {
			sum := n.Is("binary_operator") && n.Field("operator").Text() == "+" && !n.Parent().Is("binary_operator")
			if !sum && (!n.Is("string") || n.Parent().Is("expression_statement")) {
				continue
			}
			if parts := formParts(formOf(n, new(int))); parts != nil {
				out = append(out, output{parts, court.Place{Path: m.Path, Line: n.Line()}})
			}
			if len(out) == maxForms {
				return out
			}
		}
	}
	return out
}

// formOf is the text that an expression makes, with holes for what is not a
// constant in it.
func formOf(n code.Node, operands *int) string {
	*operands++
	switch {
	case *operands > maxOperand:
		return hole
	case n.Is("binary_operator") && n.Field("operator").Text() == "+":
		return formOf(n.Field("left"), operands) + formOf(n.Field("right"), operands)
	case !n.Is("string"):
		return hole
	}
	s := n.Text()
	if len(s) > maxForm {
		return hole
	}
	s = strings.Trim(strings.TrimLeft(s, "rRbBfFuU"), `"'`)
	for range 3 { // a format may hold a format
		s = filled.ReplaceAllString(s, hole)
	}
	return percented.ReplaceAllString(s, hole)
}

// formParts is a form by its parts; nil when it is no path with a hole in its
// last part.
func formParts(form string) []string {
	form = strings.ReplaceAll(form, `\\`, "/")
	last := path.Base(form)
	if !leaves.MatchString(last) || !strings.Contains(last, hole) || strings.ContainsAny(form, "\n \t<>*") {
		return nil
	}
	return strings.Split(strings.TrimPrefix(form, "./"), "/")
}

// madeAt finds where the program makes files of a path's form.
func madeAt(forms []output, p string) (court.Place, bool) {
	i := slices.IndexFunc(forms, func(o output) bool { return o.matches(strings.Split(p, "/")) })
	if i < 0 {
		return court.Place{}, false
	}
	return forms[i].at, true
}

// matches holds a path against the form from the end, as far as both go: a
// folder may be put before either. Three letters in a row that are the form's
// own must agree.
func (o output) matches(parts []string) bool {
	n := min(len(parts), len(o.parts))
	own := false
	for i := 1; i <= n; i++ {
		form, part := o.parts[len(o.parts)-i], parts[len(parts)-i]
		if !fits(form, part) {
			return false
		}
		if i == 1 {
			form = strings.TrimSuffix(form, path.Ext(form))
		}
		own = own || slices.ContainsFunc(strings.Split(form, hole), ownWords.MatchString)
	}
	return own
}

// fits holds one part against its form: the constants in their order, any text
// where a hole is.
func fits(form, part string) bool {
	constants := strings.Split(form, hole)
	rest, ok := strings.CutPrefix(part, constants[0])
	for i := 1; ok && i < len(constants); i++ {
		c := constants[i]
		if i == len(constants)-1 {
			return strings.HasSuffix(rest, c)
		}
		at := strings.Index(rest, c)
		if ok = at >= 0; ok {
			rest = rest[at+len(c):]
		}
	}
	return ok && rest == ""
}
