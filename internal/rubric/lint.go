package rubric

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/automaton-auditor/automaton/internal/court"
	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
)

// Finding is something about a rubric that its author may want to change. Codes
// are stable: by-alias, not-asked, plan-thin, plan-empty, placeholder, overlap, cannot-fail,
// cannot-pass, no-core, near-key, path-bound, polarity-clash, prose-number, long.
type Finding struct {
	Code      string    `json:"code"`
	Pos       court.Pos `json:"pos"`
	Criterion string    `json:"criterion,omitempty"`
	Text      string    `json:"text"`
}

// longText is from how many characters on an instruction is called long.
const longText = 4000

var (
	placeholder = regexp.MustCompile(`(?i)^\W*(?:todo|tbd|fixme|placeholder|lorem)\b`)
	codePath    = regexp.MustCompile(`\b[\w.-]+(?:/[\w.-]+)+\.(?:py|ts|tsx|js|go|java|rs)\b`)
	digits      = regexp.MustCompile(`(?:^|[^\w.])(\d+(?:\.\d+)?)\b`)
)

// Lint looks for what a rubric probably does not mean. Nothing of it stops a
// run. Findings are sorted by position.
func Lint(r *court.Rubric, known Catalogue) []Finding {
	var out []Finding
	for _, c := range r.Criteria {
		add := func(code, format string, args ...any) {
			out = append(out, Finding{Code: code, Pos: c.Pos, Criterion: c.ID, Text: fmt.Sprintf(format, args...)})
		}
		lintWords(c, add)
		if !c.ForPeople() {
			lintChecks(c, known, add)
			lintBinding(c, known, add)
		}
	}
	out = append(out, overlaps(r)...)
	out = append(out, nearKeys(r)...)
	out = append(out, proseNumbers(r)...)
	slices.SortStableFunc(out, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.Pos.Line, b.Pos.Line), cmp.Compare(a.Pos.Col, b.Pos.Col))
	})
	return out
}

// lintWords looks at the texts of a criterion.
func lintWords(c court.Criterion, add func(code, format string, args ...any)) {
	if placeholder.MatchString(c.Instruction) || placeholder.MatchString(c.Name) {
		add("placeholder", "criterion %q is a placeholder", c.ID)
	}
	if n := utf8.RuneCountInString(c.Instruction); n > longText {
		add("long", "the instruction of %q has %d characters; it is sent to models in full", c.ID, n)
	}
	if p := codePath.FindString(c.Instruction); p != "" && c.Binding != "own" {
		add("path-bound", "%q names the path %s; probes search the whole repository and do not need a path", c.ID, p)
	}
	failure := quotedWords(c.Failure)
	for _, w := range quotedWords(c.Success) {
		if slices.Contains(failure, w) {
			add("polarity-clash", "%q quotes %q in success and failure; the success pattern wins", c.ID, court.Clean(w, 60))
		}
	}
}

// lintChecks looks at what judges a criterion.
func lintChecks(c court.Criterion, known Catalogue, add func(code, format string, args ...any)) {
	n := 0 // checks that something is looked for
	for _, ch := range c.Checks {
		n += btoi(!Unasked(ch))
	}
	switch {
	case n == 0:
		add("plan-empty", "no check answers %q, so it has no score; write checks, or let a person mark it (\"target_artifact\": \"manual\")", c.ID)
		return
	case c.Generic() && n < 3:
		words := "2 generic checks come"
		if n == 1 {
			words = "1 generic check comes"
		}
		add("plan-thin", "no probe answers %q; %s from its words", c.ID, words)
	}
	canFail, canPass, core := false, false, false
	for _, ch := range c.Checks {
		core = core || ch.Facet == court.Core
		for _, a := range ch.Asks {
			p, _ := known.find(a.Probe)
			canFail = canFail || ch.Facet == court.Core || !p.Generic || ch.Polarity == court.Avoid || a.Probe == "config.key"
			canPass = canPass || a.Probe != "text.mentions" && a.Probe != unaskedProbe
		}
	}
	if !canFail {
		add("cannot-fail", "no check of %q can prove the contrary; what is not found only counts as missing", c.ID)
	}
	if !canPass {
		add("cannot-pass", "no check of %q can speak for it; a mere mention is not evidence", c.ID)
	}
	if !core && !c.Generic() {
		add("no-core", "no check of %q is core; nothing limits its score", c.ID)
	}
}

// quotedWords are the quoted names of a text, in lower case.
func quotedWords(s string) []string {
	var out []string
	for _, m := range quotes.FindAllStringSubmatch(s, -1) {
		for _, g := range m[1:] {
			if g = strings.ToLower(strings.TrimSpace(g)); g != "" && !slices.Contains(out, g) {
				out = append(out, g)
			}
		}
	}
	return out
}

// overlaps are the questions that two criteria ask.
func overlaps(r *court.Rubric) []Finding {
	type asker struct{ criterion, check string }
	first := map[string]asker{}
	var out []Finding
	for _, c := range r.Criteria {
		for _, ch := range c.Checks {
			for _, a := range ch.Asks {
				key := a.Key() + "\n" + ch.Scope
				was, ok := first[key]
				if !ok {
					first[key] = asker{c.ID, ch.ID}
				} else if was.criterion != c.ID {
					f := Finding{Code: "overlap", Pos: c.Pos, Criterion: c.ID,
						Text: fmt.Sprintf("check %q of %q asks the same as %q of %q", ch.ID, c.ID, was.check, was.criterion)}
					if !slices.Contains(out, f) {
						out = append(out, f)
					}
				}
			}
		}
	}
	return out
}

// nearKeys are unknown keys that look like known ones.
func nearKeys(r *court.Rubric) []Finding {
	var out []Finding
	for _, n := range r.Notes {
		if n.Code == "unknown-key" && n.Used != "" {
			out = append(out, Finding{Code: "near-key", Pos: n.Pos, Criterion: n.Criterion,
				Text: fmt.Sprintf("unknown key %q; did you mean %s", n.Field, n.Used)})
		}
	}
	return out
}

// proseNumbers are numbers in the words of a rule that no typed rule enforces.
// 1 and 5 are the ends of the scale.
func proseNumbers(r *court.Rubric) []Finding {
	s := r.Synthesis
	enforced := map[string][]court.Fixed{
		"security_override":   {s.SecurityOverride.Cap, s.SecurityOverride.MinStrength},
		"dissent":             {s.Dissent.GT},
		"spread":              {s.Spread.GT},
		"re_evaluation":       {s.Spread.GT, s.ReEvaluation.CoreConflict},
		"fact_supremacy":      {s.FactSupremacy.LabelAt},
		"orchestration_fraud": {s.OrchestrationFraud.Cap},
	}
	for _, p := range court.Personas() {
		enforced["functionality_weight"] = append(enforced["functionality_weight"], s.FunctionalityWeight.Weights[p])
	}
	var out []Finding
	noted := slices.ContainsFunc(r.Notes, func(n court.Note) bool { return n.Code == "rule-text-number" })
	for _, rule := range r.Rules {
		if rule.Runs == "thresholds" || noted && rule.ID == "security_override" {
			continue
		}
		var odd []string
		for _, m := range digits.FindAllStringSubmatch(rule.Text, -1) {
			n, err := court.ParseFixed(m[1])
			if err == nil && n != court.One && n != 5*court.One && !slices.Contains(enforced[rule.Runs], n) && !slices.Contains(odd, m[1]) {
				odd = append(odd, m[1])
			}
		}
		if len(odd) > 0 {
			out = append(out, Finding{Code: "prose-number", Pos: court.Pos{Line: 1, Col: 1},
				Text: fmt.Sprintf("the text of rule %q says %s; nothing enforces that", court.Clean(rule.ID, 80), strings.Join(odd, ", "))})
		}
	}
	return out
}
