package project

import (
	"context"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
	"github.com/automaton-auditor/automaton/internal/probe"
)

// seat is one of the three judges that an audit report may name.
type seat int

const (
	nobody seat = iota
	prosecutor
	defense
	techLead
)

// heard is one criterion of a published report with what the judges gave it.
type heard struct {
	name   string
	line   int
	scores map[seat]float64 // of five
	bare   []seat           // whose score was printed without what it is of
	final  float64          // -1: none
	text   strings.Builder
	failed map[seat]bool // whose opinion stands for a call that failed
}

// full tells whether all three judges are there.
func (h *heard) full() bool { return len(h.scores) == 3 }

// spread is the distance between highest and lowest score.
func (h *heard) spread() float64 {
	low, high := 1e9, -1e9
	for _, v := range h.scores {
		low, high = min(low, v), max(high, v)
	}
	return high - low
}

// audit is one audit report that the submission publishes.
type audit struct {
	file     file
	criteria []*heard
	overall  []float64 // as printed and, where it says of what it is, of five; nil: none
	text     string
}

// maxAudits bounds the reports that are read.
const maxAudits = 200

// published are the audit reports of a submission.
type published struct {
	read   []*audit
	opaque int // name all three judges, but in no form that we read
}

// audits reads the reports in the audit folders, and where there are none, Markdown elsewhere
// that reads like one; those that were received from others apart: they show another program's work.
func audits(ctx context.Context, s *probe.Scene) (published, error) {
	return probe.Shared(s, "project.audits", func() (published, error) {
		var out published
		inv, err := files(ctx, s)
		if err != nil {
			return out, err
		}
		seen := map[string]bool{} // a copy in another folder says nothing more
		for _, f := range inv.files {
			if !publishes(f) || dumps(f) || seen[f.text] || len(out.read) == maxAudits {
				continue
			}
			seen[f.text] = true
			a := readAudit(f)
			switch {
			case slices.ContainsFunc(a.criteria, (*heard).full):
				out.read = append(out.read, a)
			case namesAll(f.text):
				out.opaque++
			}
		}
		if len(out.read) > 0 || out.opaque > 0 {
			return out, nil
		}
		for _, f := range inv.files {
			if !mayPublish(f) || path.Ext(f.base) != ".md" || strings.HasPrefix(f.base, "readme") || !namesAll(f.text) || len(out.read) == maxAudits {
				continue
			}
			if a := readAudit(f); a.ruled() >= wholeAudit {
				out.read = append(out.read, a)
			}
		}
		return out, nil
	})
}

// wholeAudit is how many criteria with three opinions and a final score make Markdown an
// audit report whose name does not say that it is one; a design choice.
const wholeAudit = 3

// ruled counts those criteria.
func (a *audit) ruled() (n int) {
	for _, h := range a.criteria {
		if h.full() && h.final >= 0 {
			n++
		}
	}
	return n
}

// namesAll tells whether a text speaks of all three judges and of scores.
func namesAll(text string) bool {
	seen := map[seat]bool{}
	for _, m := range judgeWord.FindAllString(text, 200) {
		seen[seatOf(m)] = true
	}
	return len(seen) == 3 && strings.Contains(strings.ToLower(text), "score")
}

// mayPublish tells whether the program may have made a file.
func mayPublish(f file) bool {
	low, ext := strings.ToLower(f.path), path.Ext(f.base)
	return (ext == ".md" || ext == ".json") && !f.foreign() && !strings.Contains(low, "bypeer") && !strings.Contains(low, "by_peer") && !strings.Contains(low, "received")
}

// publishes tells whether a file is a report that the program may have made, by where it
// lies and what it is called.
func publishes(f file) bool {
	low := strings.ToLower(f.path)
	if !mayPublish(f) {
		return false
	}
	if strings.Contains(f.base, "audit_report") || strings.Contains(f.base, "audit-report") || strings.Contains(low, "report_on") {
		return true
	}
	for part := range strings.SplitSeq(strings.ToLower(f.dir()), "/") {
		switch part {
		case "audit", "audits", "audit_report", "audit_reports", "audit-reports", "audit_output", "audit_outputs":
			return true
		}
	}
	return false
}

// internals are words for what a program keeps of a run for itself.
var internals = regexp.MustCompile(`(?:^|[^a-z])(?:debug|dumps?|snapshots?|traces?|logs?|states?)(?:[^a-z]|$)`)

// dumps tells a file with the inside of a run, which is not a report to anybody.
func dumps(f file) bool {
	return !f.reports() && internals.MatchString(strings.ToLower(f.path))
}

// reports tells a Markdown file that is named a report.
func (f file) reports() bool {
	return path.Ext(f.base) == ".md" && strings.Contains(strings.ToLower(f.path), "report")
}

func readAudit(f file) *audit {
	a := &audit{file: f, text: f.text}
	if strings.HasSuffix(f.base, ".json") {
		readAuditJSON(a)
	} else {
		readAuditMarkdown(a)
	}
	a.scale()
	a.criteria = slices.DeleteFunc(a.criteria, func(h *heard) bool { return len(h.scores) == 0 && h.final < 0 })
	a.findFailed()
	return a
}

// scale brings the scores that do not say what they are of to a scale of five:
// they are of ten where one of them is above five.
func (a *audit) scale() {
	ten := slices.ContainsFunc(a.criteria, func(h *heard) bool {
		return slices.ContainsFunc(h.bare, func(who seat) bool { return h.scores[who] > five })
	})
	for _, h := range a.criteria {
		for _, who := range h.bare {
			if ten {
				h.scores[who] /= 2
			}
		}
	}
}

// judgeName is a judge, with the words for his office that may be glued to the name.
const judgeName = `(prosecutor|prosecution|defen[sc]e|tech[ _-]?lead)(?:[ _-]?(?:attorney|counsel|lawyer|judge|agent|node))?`

// ofScale is what a score is of: "/5", "out of 10".
const ofScale = `(?:[*_\x60]*\s*(?:/|out of)\s*(\d{1,3})\b)?`

var (
	judgeWord = regexp.MustCompile(`(?i)\b` + judgeName + `\b`)
	heading   = regexp.MustCompile(`^(#{1,6})\s+(.*)$`)
	generic   = regexp.MustCompile(`(?i)^[^a-z]*(?:` + judgeName + `|judges?\b|judicial (?:opinion|debate|bench|layer)|opinion|remediation|evidence|argument|score|rationale|debate|verdict|synthesis (?:verdict|rule|note)|final|dialect|resolution|ruling|recommend)|\bdissent`)
	scored    = regexp.MustCompile(`(?i)\b` + judgeName + `(?:'s)?(?:[\s*:|()\[\]_=\x60–—-]|\b(?:score|opinion|points|gives|judge|verdict)\b)*?(\d{1,2}(?:\.\d+)?)\b%?` + ofScale)
	// a line of one judge's that ends with the score
	scoredLast = regexp.MustCompile(`(?i)^[\s>*|_\x60-]*` + judgeName + `[*_\x60]*\s*:.*\(\s*score\s*[:=]?\s*(\d{1,2}(?:\.\d+)?)\b` + ofScale + `\s*\)[\s.*_|]*$`)
	named      = regexp.MustCompile(`(?i)^[\s#>*|_\x60-]*(?:[^\w\s]+\s*)?(?:the\s+)?` + judgeName + `(?:\s+opinion)?[\s*:|_\x60]*$`)
	scoreLine  = regexp.MustCompile(`(?i)^[\s>*|_\x60-]*(?:final\s+)?score\b[\s*:|_\x60=]*(\d{1,2}(?:\.\d+)?)\b` + ofScale)
	finalLine  = regexp.MustCompile(`(?i)\bfinal\s+(?:score|verdict|ruling)\b[\s*:|_\x60=]*(\d{1,2}(?:\.\d+)?)\b|^#+.*\bscore:?\s*(\d{1,2}(?:\.\d+)?)\b`)
	wholeLine  = regexp.MustCompile(`(?i)\b(?:overall|aggregate|total score)\b(?:[\s*:|_\x60=]|\b(?:final|average|score|governance|rating)\b)*(\d{1,3}(?:\.\d+)?)\b` + ofScale)
)

func seatOf(word string) seat {
	switch strings.ToLower(word)[0] {
	case 'p':
		return prosecutor
	case 'd':
		return defense
	case 't':
		return techLead
	}
	return nobody
}

// readAuditMarkdown takes each heading that is none of a judge or a part for a
// criterion; the first score of a judge below it is his.
func readAuditMarkdown(a *audit) {
	var now *heard
	who, since := nobody, 0
	n := 0
	for line := range strings.Lines(a.text) {
		n++
		line = strings.TrimRight(line, "\r\n")
		if m := wholeLine.FindStringSubmatch(line); m != nil && a.overall == nil {
			a.overall = []float64{number(m[1])}
			if of := number(m[2]); of > 0 {
				a.overall = append(a.overall, number(m[1])*five/of)
			}
		}
		if m := heading.FindStringSubmatch(line); m != nil && !generic.MatchString(m[2]) {
			now = &heard{name: m[2], line: n, scores: map[seat]float64{}, final: -1, failed: map[seat]bool{}}
			a.criteria = append(a.criteria, now)
			who = nobody
		}
		if now == nil {
			continue
		}
		now.text.WriteString(line + "\n")
		if m := finalLine.FindStringSubmatch(line); m != nil && now.final < 0 {
			now.final = number(m[1] + m[2])
		}
		if m := named.FindStringSubmatch(line); m != nil {
			who, since = seatOf(m[1]), n
			continue
		}
		if who != nobody && n-since <= 4 {
			if m := scoreLine.FindStringSubmatch(line); m != nil {
				now.give(who, number(m[1]), number(m[2]))
				who = nobody
			}
		}
		for _, m := range scored.FindAllStringSubmatch(line, 3) {
			if strings.HasSuffix(m[0], "%") {
				continue // a weight
			}
			now.give(seatOf(m[1]), number(m[2]), number(m[3]))
		}
		if m := scoredLast.FindStringSubmatch(line); m != nil {
			now.give(seatOf(m[1]), number(m[2]), number(m[3]))
		}
	}
}

// five is the end of the scale that scores are brought to.
const five = 5

// give takes a judge's first score; of is its scale's end, not positive when it
// was not said.
func (h *heard) give(who seat, score, of float64) {
	const most = 10
	switch _, ok := h.scores[who]; {
	case ok || score < 0:
	case of > 0 && score <= of:
		h.scores[who] = score * five / of
	case of <= 0 && score <= most:
		h.scores[who] = score
		h.bare = append(h.bare, who)
	}
}

func number(s string) float64 {
	v, err := strconv.ParseFloat(s, 64)
	if err != nil {
		return -1
	}
	return v
}

// mostComplete is the report with the most criteria that all three judged; one
// that is made to be read goes before others with up to twice as many, and none of failed
// calls alone before others. nil: what was read is not a report.
func mostComplete(all []*audit) *audit {
	if slices.ContainsFunc(all, (*audit).genuine) {
		all = slices.DeleteFunc(slices.Clone(all), func(a *audit) bool { return !a.genuine() })
	}
	most := 0
	for _, a := range all {
		most = max(most, a.complete())
	}
	var best *audit
	for _, a := range all {
		named := strings.Contains(strings.ToLower(a.file.path), "report")
		if 2*a.complete() < most || !named && a.overall == nil && !hasSummary.MatchString(a.text) {
			continue
		}
		if best == nil || a.form() > best.form() || a.form() == best.form() && a.complete() > best.complete() {
			best = a
		}
	}
	return best
}

// form says how much a file looks like a report to be read.
func (a *audit) form() int {
	switch {
	case a.file.reports():
		return 2
	case path.Ext(a.file.base) == ".md":
		return 1
	}
	return 0
}

func (a *audit) complete() int {
	n := 0
	for _, h := range a.criteria {
		if h.full() {
			n++
		}
	}
	return n
}

func (a *audit) place(h *heard) court.Place { return a.file.place(h.line) }
