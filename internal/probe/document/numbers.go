package document

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/automaton-auditor/automaton/internal/agentgraph"
	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/facts"
	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
	"github.com/automaton-auditor/automaton/internal/passage"
)

// spelledOut are the numbers that people write as words.
var spelledOut = []string{"zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen",
	"fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty"}

var numberShape = regexp.MustCompile(`(?i)(^|[^\w.,\-–/])(about |around |approximately |approx\.? |roughly |some |over |more than |at least |up to |~\s?|≈\s?|>\s?|≥\s?|nearly |almost )?(\d{1,3}(?:,\d{3})+|\d{1,6}|` +
	strings.Join(spelledOut[1:], "|") + `)\+?[ \x{00A0}\-]+(?:(?:total|atomic|git|unit|automated|passing|graph|langgraph|meaningful|python|separate|distinct|individual|specialized|specialised|parallel|concurrent|independent|conditional|forensic|adversarial|combative|llm|ai)\s+){0,3}(commits?|test (?:functions?|cases?)|tests?|nodes|(?:detective|judge|judicial) (?:nodes|agents)|python (?:files|modules)|judges|detectives|criteria|dimensions|conditional edges)\b`)

// linesOf is a file with the number of its lines: main.py (245 lines).
var linesOf = regexp.MustCompile(`(?i)(` + pathShape.String() + `)["'\x60”)]*\s*(?:\(|:|,|has|is|with|at|—|–|-)?\s*(about |around |approximately |roughly |over |more than |~\s?|≈\s?|nearly |almost )?(\d{1,3}(?:,\d{3})+|\d{1,6})(\+)?\s+(?:lines|LOC|loc)\b`)

// printedOutput is what a program said, which is not a count of the document's.
var printedOutput = regexp.MustCompile(`(?i)\b\d+ passed\b|={5,}|\bin \d+\.\d+\s?s\b|^\s*(?:>>>|\$|\{|\[INFO)`)

// ofThem follows a noun that only says what kind of another thing is counted.
var ofThem = regexp.MustCompile(`(?i)^[ \-](?:files?|suites?|modules?|scripts?|data|cases?|classes|types?|messages?|names?|fixtures|hash(?:es)?)\b`)

// counted is a number of something that the repository can be asked for.
type counted struct {
	said   int
	about  bool // a round number: ±10 %
	least  bool // "over", "more than", "20+"
	whole  bool // speaks of all of them: a smaller number is wrong, too
	what   string
	actual []int // any of these makes it true; empty: nobody can tell
	once   int   // from which of these on it is one of an earlier commit; 0: none is
	at     []court.Place
}

// numbers holds counts against the repository. A count is true when it was so
// at the audited commit or when the document was last changed.
func (l *ledger) numbers(doc string) {
	t := l.repo.totals(doc)
	l.numbersOf(&t)
}

// numbersOf goes through the passages.
func (l *ledger) numbersOf(t *totals) {
	for i := range l.passages {
		p := &l.passages[i]
		if !prose(p) && p.Kind != passage.Table || len(l.claims) > 2*maxClaims {
			continue
		}
		for _, st := range statements(p) {
			if printedOutput.MatchString(st.text) {
				continue
			}
			for _, at := range numberShape.FindAllStringSubmatchIndex(st.text, -1) {
				m := make([]string, len(at)/2)
				for j := range m {
					if at[2*j] >= 0 {
						m[j] = st.text[at[2*j]:at[2*j+1]]
					}
				}
				n, ok := number(m[3])
				if !ok || ofThem.MatchString(st.text[at[1]:]) {
					continue
				}
				c := counted{said: n, what: strings.ToLower(strings.TrimSuffix(m[4], "s"))}
				c.hedged(m[2], strings.Contains(m[0], "+"))
				t.of(&c)
				l.counted(p, st, strings.TrimSpace(strings.TrimPrefix(m[0], m[1])), c)
			}
			for _, m := range linesOf.FindAllStringSubmatch(st.text, -1) {
				names := pathsIn(m[1])
				if n, ok := number(m[3]); ok && len(names) == 1 {
					c := counted{said: n, what: "line", whole: true}
					c.hedged(m[2], m[4] != "")
					c.actual, c.at = l.repo.linesIn(names[0], &c)
					l.counted(p, st, fmt.Sprintf("%s: %d lines", names[0], n), c)
				}
			}
		}
	}
}

// number reads digits or a word.
func number(s string) (int, bool) {
	if i := slices.Index(spelledOut, strings.ToLower(s)); i >= 0 {
		return i, true
	}
	n, err := strconv.Atoi(strings.ReplaceAll(s, ",", ""))
	return n, err == nil
}

// hedged notes how exact a number is meant to be.
func (c *counted) hedged(word string, plus bool) {
	word = strings.ToLower(strings.TrimSpace(word))
	c.least = plus || word == "over" || word == "more than" || word == "at least" || word == ">" || word == "≥"
	c.about = word != "" && !c.least
}

// counted takes down that the document gives a count.
func (l *ledger) counted(p *passage.Passage, st statement, subject string, c counted) {
	x := claim{Kind: ofNumber, Subject: subject, Modality: mood(p, st.around), Fate: c.fate(), Page: p.Page, Why: c.why(), passage: p, sentence: st.text, proof: c.at}
	switch {
	case x.Modality != done:
	case hearsay(p, st.text):
		x.Modality = others
	case denyWords.MatchString(st.text):
		x.Modality, x.Fate, x.Why = denied, undecided, "The sentence denies something, which may not be the count."
	}
	l.claims = append(l.claims, x)
}

func (c *counted) fate() fate {
	if len(c.actual) == 0 {
		return undecided
	}
	most := 0
	for i, n := range c.actual {
		slack := 0
		if c.about {
			slack = (n + 9) / 10
		}
		if c.least && n >= c.said || n-slack <= c.said && c.said <= n+slack {
			if c.once > 0 && i >= c.once {
				return renamed
			}
			return holds
		}
		most = max(most, n+slack)
	}
	if c.said < most && !c.whole { // some of them, or as many as there were once
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
	judges, detectives, routes    []int
	criteria                      []int
	testAt, nodeAt, criteriaAt    []court.Place
}

func (a *against) totals(doc string) totals {
	var t totals
	if a.history.Complete() {
		t.commits = a.commitCounts(doc)
	}
	t.tests, t.testAt = a.testCount()
	if g := a.graphs.Main; g != nil && len(g.Unresolved) == 0 && g.Provenance != agentgraph.FromFunctions {
		t.nodes = []int{len(g.Nodes), len(g.Nodes) + 2} // some count START and END
		t.nodeAt = []court.Place{{Path: g.Builder.Path, Line: g.Builder.Line, EndLine: g.Builder.Line}}
		t.judges, t.detectives = playing(g, facts.Judge), playing(g, facts.Detective)
		if routes := a.graphs.Decides(); routes.Answer == agentgraph.Yes {
			t.routes = []int{len(routes.Value)}
		}
	}
	all, own := len(a.program.Modules), 0
	for _, m := range a.program.Modules {
		if m.Scope == code.ScopeProduction {
			own++
		}
	}
	t.python = []int{own, all}
	t.criteria, t.criteriaAt = a.criteria()
	return t
}

// playing is how many nodes have a role; nil when none has.
func playing(g *agentgraph.Graph, role agentgraph.Role) []int {
	n := 0
	for _, x := range g.Nodes {
		if x.Role == role {
			n++
		}
	}
	if n < 2 { // one node may do the work of several
		return nil
	}
	return []int{n}
}

var rubricFile = regexp.MustCompile(`(?i)rubric[^/]*\.json$`)

// criteria is how many criteria each rubric of the repository has.
func (a *against) criteria() (counts []int, at []court.Place) {
	for _, e := range a.entries {
		var rubric struct {
			Dimensions []json.RawMessage `json:"dimensions"`
			Criteria   []json.RawMessage `json:"criteria"`
		}
		if !rubricFile.MatchString(e.Path) || json.Unmarshal(a.texts[e.Path], &rubric) != nil {
			continue
		}
		if n := len(rubric.Dimensions) + len(rubric.Criteria); n > 0 {
			counts, at = append(counts, n), append(at, court.Place{Path: e.Path})
		}
	}
	return counts, at
}

// linesIn is how many lines a file has, with and without those that are blank,
// then how many it had at earlier commits.
func (a *against) linesIn(name string, c *counted) ([]int, []court.Place) {
	found, f := a.locate(name)
	body, read := a.texts[found]
	if f != holds || !read {
		return nil, nil
	}
	total, written := lineCount(body), 0
	for line := range bytes.Lines(body) {
		if len(bytes.TrimSpace(line)) > 0 {
			written++
		}
	}
	actual := []int{total, total - 1, total + 1, written}
	c.once = len(actual)
	if lengths := a.lengths(found); len(lengths) > 0 {
		for _, i := range slices.Sorted(maps.Keys(lengths)) {
			actual = append(actual, lengths[i])
		}
	} else if !a.history.Complete() {
		c.whole = false
	}
	return actual, []court.Place{{Path: found}}
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
	case strings.HasPrefix(c.what, "judge"), strings.HasPrefix(c.what, "judicial"):
		c.some(t.judges, t.nodeAt)
	case strings.HasPrefix(c.what, "detective"):
		c.some(t.detectives, t.nodeAt)
	case c.what == "criteria", c.what == "dimension":
		c.some(t.criteria, t.criteriaAt)
	case c.what == "conditional edge":
		c.some(t.routes, t.nodeAt)
	}
}

// some takes over a count that can only bear a number out: what else people mean
// by the noun, nobody can tell.
func (c *counted) some(actual []int, at []court.Place) {
	if slices.Contains(actual, c.said) {
		c.actual, c.at = actual, at
	}
}

// someCommits is below what a number of commits mostly speaks of some of them.
const someCommits = 5

// commitCounts is how many commits there were at the audited one, and at each
// from the last change of the document on, the document's own left out too.
func (a *against) commitCounts(doc string) []int {
	total := len(a.history.Commits)
	out := []int{total, len(a.history.Own)}
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
	if a.foreign { // tests of other languages are not counted here, and all of them may be meant
		return nil, nil
	}
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
