package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
)

// page is what the template reads: strings and yes or no, nothing to compute.
type page struct {
	Subject, CaseID, Digest, Tool, Title string
	Headline, Summary, Overall, Band     string
	CapWords, CapAnchor                  string
	Remarks, Warnings, Notes, Faults     []string
	Gate                                 *chip
	Meta, Digests                        []pair
	Criteria                             []criterionView // in the rubric's order
	Disputed, Rest                       []criterionView
	Answered                             bool // people gave marks, too
	Evidence                             []evidenceView
	Filters                              []filterView
	Fixes, More                          []fixView // what to do first, and the rest
	Radar                                *radar
	Timeline                             *timeline
	Ledger                               *ledgerView
	Graph                                *graphView
	Chain                                *chainView
	History                              *historyView
	Trimmed                              bool
	Models, Judged                       bool // models had a part; they sat on the bench
	Worth, Order                         string
	Firmness, Limits                     []string // legend
	Own                                  []ownView
}

type chip struct{ Class, Text string }

type pair struct{ Key, Text, Link string }

// pageMaker builds a page from a docket.
type pageMaker struct {
	*docket
	anchors map[string]string // of criteria and of evidence, by id
	cites   map[string]bool   // evidence that somebody rests on
	quotes  map[string][]string
	first   map[string]*court.Exhibit // the first evidence with a quote
	trimmed bool
}

func newPageMaker(rec *court.Record, trimmed bool) *pageMaker {
	m := &pageMaker{docket: newDocket(rec), anchors: map[string]string{}, quotes: map[string][]string{}, first: map[string]*court.Exhibit{}, trimmed: trimmed}
	m.cites = m.cited()
	m.nameAnchors()
	for _, o := range rec.Opinions {
		for _, c := range o.Citations {
			if q := strings.Join(strings.Fields(c.Quote), " "); len(q) >= 4 {
				m.quotes[c.ID] = append(m.quotes[c.ID], q)
			}
		}
	}
	return m
}

// newPage makes the page of a record. Around is what the web app puts there; nil: it is a file of its own.
func newPage(rec *court.Record, around *Around, trimmed bool) *page {
	m := newPageMaker(rec, trimmed)
	if around != nil {
		m.app = around.Source
	}
	p := &page{Subject: line(subject(rec)), CaseID: line(rec.Case.ID), Digest: line(rec.Digest), Tool: line(rec.Origin.Tool), Title: "no verdict",
		Headline: "No verdict", Summary: "No verdict: " + sentence(mistrialWords(rec)), Meta: m.meta(), Digests: m.digests(), Gate: m.gateChip(), Trimmed: trimmed}
	if v := rec.Verdict; v != nil {
		p.Overall, p.Band = v.Overall.Shown(), band(v.Overall.Exact)
		p.Title, p.Headline, p.Summary = p.Overall+" of 5", line(v.Headline), line(m.docket.summary())
		if v.Overall.Coverage < court.One/2 || v.Overall.Unscored { // then the headline judges nothing, nor does the colour
			p.Band = "b0"
		}
		p.Remarks = m.pageRemarks()
		p.CapWords = m.capWords()
		_, p.CapAnchor = m.cap()
		p.CapAnchor = cmp.Or(m.anchors[p.CapAnchor], "scores")
	}
	p.Warnings = m.warnings()
	for _, s := range m.headNotes() {
		p.Notes = append(p.Notes, line(s))
	}
	m.holders(m.heard())
	for _, c := range m.heard() {
		v := m.criterionView(c)
		if p.Criteria = append(p.Criteria, v); v.Disputed {
			p.Disputed = append(p.Disputed, v)
		} else {
			p.Rest = append(p.Rest, v)
		}
		p.Answered = p.Answered || v.Marks.Answered
	}
	for i := range m.exhibits {
		p.Evidence = append(p.Evidence, m.evidenceRow(&m.exhibits[i]))
	}
	p.Filters = filters(p.Criteria)
	p.Fixes, p.More = m.fixes()
	p.Faults, p.Order, p.Firmness, p.Limits = m.faultLines(), m.inOrder(), m.firmness(), m.limits()
	p.Radar, p.Timeline, p.Ledger = m.radar(), newTimeline(rec.Run.Spans), m.ledger()
	p.Graph, p.Chain, p.History = m.graph(), m.chain(), m.history()
	p.Models, p.Judged, p.Worth, p.Own = m.models(), m.judged(), m.worthWords(), m.ownViews()
	return p
}

// line is foreign text on one line of the page.
func line(s string) string { return court.Clean(strings.Join(strings.Fields(s), " "), 0) }

var plainID = regexp.MustCompile(`^[A-Za-z0-9._-]{1,80}$`)
var plainLabel = regexp.MustCompile(`^[EP][0-9]{1,6}$`)

// nameAnchors gives every criterion and every piece of evidence an id of its
// own in the page, readable where theirs is harmless.
func (m *pageMaker) nameAnchors() {
	taken := map[string]bool{}
	name := func(id, wanted, otherwise string) {
		if taken[wanted] || wanted == "" {
			wanted = otherwise
		}
		taken[wanted] = true
		m.anchors[id] = wanted
	}
	for i, c := range m.heard() {
		wanted := ""
		if plainID.MatchString(c.ID) {
			wanted = "c-" + c.ID
		}
		name(c.ID, wanted, fmt.Sprintf("criterion-%d", i+1))
	}
	for i, x := range slices.Concat(m.exhibits, m.testimony) {
		if _, ok := m.anchors[x.Criterion]; !ok {
			continue // no criterion shows it
		}
		wanted := ""
		if plainLabel.MatchString(x.Label) {
			wanted = x.Label
		}
		name(x.ID, wanted, fmt.Sprintf("evidence-%d", i+1))
	}
}

// band is the class of a score's colour; a word or number stands beside it.
func band(f court.Fixed) string { return Band(&f) }

// Band is the same of a score that may be missing.
func Band(f *court.Fixed) string {
	if f == nil {
		return "b0"
	}
	return fmt.Sprintf("b%d", min(5, max(1, f.Score())))
}

func (m *pageMaker) pageRemarks() []string {
	all := m.rec.Verdict.Overall
	var parts []string
	if m.binds() {
		parts = append(parts, all.BeforeCap.Shown()+" before the cap")
	}
	if all.Low.Shown() != all.High.Shown() {
		parts = append(parts, rangeWords(all.Low, all.High))
	}
	return append(parts, m.totalBeside()...)
}

func (m *pageMaker) gateChip() *chip {
	g := m.rec.Gate
	if g == nil {
		return nil
	}
	class := map[string]string{"pass": "good", "fail": "bad"}[g.Outcome]
	return &chip{cmp.Or(class, "warn"), line(strings.TrimSuffix(m.gateSentence(), "."))}
}

// warnings are what a reader must know before the numbers.
func (m *pageMaker) warnings() []string {
	var list []string
	if m.rec.Status == court.Partway {
		list = append(list, "partial audit")
	}
	if n, all := m.scored(); m.rec.Verdict != nil && n != all {
		list = append(list, fmt.Sprintf("over %d of %d criteria", n, all))
	}
	if m.rec.Verdict != nil {
		list = append(list, m.onScale()...)
	}
	if m.rec.Origin.TrustTree {
		list = append(list, "the audited tree was trusted")
	}
	if !m.rec.Rubric.Synthesis.FactSupremacy.On {
		list = append(list, "opinions were not bound to the evidence")
	}
	return list
}

// Chips tells whether there is any.
func (p *page) Chips() bool { return p.CapWords != "" || p.Gate != nil || len(p.Warnings) > 0 }

// meta is where everything came from.
func (m *pageMaker) meta() []pair {
	rec := m.rec
	repo := cmp.Or(rec.Case.RepoURL, rec.Case.Slug)
	if rec.Case.Commit != "" {
		repo += "@" + state(rec.Case)
	}
	pdf := pdfLine(rec)
	if rec.Case.PDF != nil && rec.Case.PDF.Pages > 0 {
		pages := rec.Case.PDF.Pages
		for _, d := range rec.Case.Further {
			pages += d.Pages
		}
		pdf += ", " + plural(pages, "page")
	}
	rubric := strings.Join(strings.Fields(fmt.Sprintf("%s %s (%s)", rec.Rubric.Name, rec.Rubric.Version, digest12(rec.Rubric.Digest))), " ")
	if n := len(rec.Rubric.Notes); n > 0 {
		rubric += ", " + plural(n, "note")
	}
	if rec.Case.Path != "" {
		repo += ": " + rec.Case.Path
	}
	list := []pair{{"Repository", line(repo), cmp.Or(treeLink(rec.Case), webBase(rec.Case))}, {"PDF", line(strings.TrimPrefix(pdf, "PDF ")), m.document()},
		{"Rubric", line(rubric), ""}, {"Judges", line(benchWords(rec)), ""}}
	list = append(list, m.modelPairs()...)
	if rec.Verdict != nil {
		list = append(list, pair{"Audit", line(fmt.Sprintf("%s, %s examined", rec.Status, percent(rec.Verdict.Overall.Coverage))), ""})
	}
	return list
}

// document is where the web app shows the document; empty: nowhere.
func (m *pageMaker) document() string {
	c := m.rec.Case
	if m.app == "" || c.PDF == nil || c.PDF.Pages == 0 {
		return ""
	}
	return m.link(court.Place{Page: 1, Digest: c.PDF.SHA256})
}

func (m *pageMaker) digests() []pair {
	rec := m.rec
	list := []pair{{Key: "Record", Text: line(rec.Digest)}, {Key: "Rubric", Text: line(rec.Rubric.Digest)}, {Key: "Checks", Text: line(rec.Rubric.Checks)},
		{Key: "Judges", Text: line(rec.Origin.BenchSum)}, {Key: "Prompts", Text: line(rec.Origin.Prompts)}, {Key: "OCR", Text: line(rec.Origin.OCR)}}
	return slices.DeleteFunc(list, func(p pair) bool { return p.Text == "" })
}
