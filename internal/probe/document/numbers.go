package document

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/passage"
)

var numberShape = regexp.MustCompile(`(?i)\b(about |around |approximately |roughly |over |more than |at least |~\s?|≈\s?|nearly |almost )?(\d{1,3}(?:,\d{3})+|\d{1,6})\+?[ \x{00A0}]+(?:(?:total|atomic|git|unit|automated|passing|graph|langgraph|meaningful|python|separate|distinct|individual)\s+){0,2}(commits?|tests?|test (?:functions?|cases?)|nodes|python (?:files|modules))\b`)

// counted is a number of something that the repository can be asked for.
type counted struct {
	said   int
	about  bool // a round number: ±10 %
	least  bool // "over", "more than", "20+"
	what   string
	actual []int // any of these makes it true; empty: nobody can tell
	at     []court.Place
}

// numbers holds counts against the repository. A count is true when it was so
// at the audited commit or when the document was last changed.
func (l *ledger) numbers(doc string) {
	t := l.repo.totals(doc)
	for i := range l.passages {
		p := &l.passages[i]
		if !prose(p) && p.Kind != passage.Table || len(l.claims) > 2*maxClaims {
			continue
		}
		for _, st := range statements(p) {
			sentence := st.text
			for _, m := range numberShape.FindAllStringSubmatch(sentence, -1) {
				n, err := strconv.Atoi(strings.ReplaceAll(m[2], ",", ""))
				if err != nil {
					continue
				}
				hedge := strings.ToLower(strings.TrimSpace(m[1]))
				c := counted{said: n, what: strings.ToLower(strings.TrimSuffix(m[3], "s"))}
				c.least = strings.Contains(m[0], "+") || hedge == "over" || hedge == "more than" || hedge == "at least"
				c.about = hedge != "" && !c.least
				t.of(&c)
				mod := mood(p, st.around)
				if mod == done && (denyWords.MatchString(sentence) || hearsay(p, sentence)) {
					mod = denied
				}
				l.claims = append(l.claims, claim{Kind: ofNumber, Subject: strings.TrimSpace(m[0]), Modality: mod, Fate: c.fate(), Page: p.Page,
					Why: c.why(), passage: p, sentence: sentence, proof: c.at})
			}
		}
	}
}

func (c *counted) fate() fate {
	if len(c.actual) == 0 {
		return undecided
	}
	most := 0
	for _, n := range c.actual {
		slack := 0
		if c.about {
			slack = (n + 9) / 10
		}
		if c.least && n >= c.said || n-slack <= c.said && c.said <= n+slack {
			return holds
		}
		most = max(most, n+slack)
	}
	if c.said < most { // some of them, or as many as there were once
		return undecided
	}
	return untrue
}

func (c *counted) why() string {
	if len(c.actual) == 0 {
		return ""
	}
	return fmt.Sprintf("counted: %d", c.actual[0])
}

// totals is what there is to count; an empty list: nobody can tell.
type totals struct {
	commits, tests, nodes, python []int
	testAt, nodeAt                []court.Place
}

func (a *against) totals(doc string) totals {
	var t totals
	if a.history.Complete() {
		t.commits = a.commitCounts(doc)
	}
	t.tests, t.testAt = a.testCount()
	if g := a.graphs.Main; g != nil && len(g.Unresolved) == 0 {
		t.nodes = []int{len(g.Nodes), len(g.Nodes) + 2} // some count START and END
		t.nodeAt = []court.Place{{Path: g.Builder.Path, Line: g.Builder.Line, EndLine: g.Builder.Line}}
	}
	all, own := len(a.program.Modules), 0
	for _, m := range a.program.Modules {
		if m.Scope == code.ScopeProduction {
			own++
		}
	}
	t.python = []int{own, all}
	return t
}

// of looks up what a number counts.
func (t totals) of(c *counted) {
	switch {
	case c.what == "commit" && c.said >= someCommits:
		c.actual = t.commits
	case strings.HasPrefix(c.what, "test"):
		c.actual, c.at = t.tests, t.testAt
	case c.what == "node":
		c.actual, c.at = t.nodes, t.nodeAt
	case strings.HasPrefix(c.what, "python"):
		c.actual = t.python
	}
}

// someCommits is below what a number of commits mostly speaks of some of them.
const someCommits = 5

// commitCounts is how many commits there were at the audited one, and at each
// from the last change of the document on, the document's own left out too.
func (a *against) commitCounts(doc string) []int {
	total := len(a.history.Commits)
	out := []int{total}
	merges := 0
	for i := range a.history.Commits {
		if a.history.Commits[i].Merge() {
			merges++
		}
	}
	out = append(out, total-merges)
	last := -1
	for i := range a.history.Commits {
		for _, ch := range a.history.Commits[i].Changes {
			if ch.Path == doc {
				last = i
			}
		}
	}
	if last >= 0 {
		for n := max(last-2, 1); n <= min(last+1, total); n++ {
			out = append(out, n)
		}
	}
	return out
}

// testCount counts test functions. One with parameters runs any number of
// times, so that then nobody can tell.
func (a *against) testCount() ([]int, []court.Place) {
	n := 0
	var at []court.Place
	for _, m := range a.program.Modules {
		if m.Scope != code.ScopeTest {
			continue
		}
		for _, d := range m.Definitions() {
			if !d.IsFunction() || !strings.HasPrefix(d.Name, "test") {
				continue
			}
			for _, dec := range d.Decorators() {
				if strings.Contains(dec.Text(), "parametrize") || strings.Contains(dec.Text(), "given") {
					return nil, nil
				}
			}
			if n == 0 {
				at = []court.Place{{Path: m.Path, Line: d.Line(), EndLine: d.Line()}}
			}
			n++
		}
	}
	if n == 0 {
		return nil, nil
	}
	return []int{n}, at
}
