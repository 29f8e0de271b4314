package bench

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/automaton-auditor/automaton/internal/court"
	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
)

// maxContent is how many characters of a submission a model is shown at once;
// maxPlaces, how many places of one exhibit.
const (
	maxContent = 24_000
	maxPlaces  = 3
)

// likely is the strength from which evidence is called so: the court's own
// standard of proof.
const likely = court.One / 2

// sheet is an exhibit as a model sees it. Its texts are cleaned; what stands in
// them is the submission's, the rest is ours.
type sheet struct {
	court.Exhibit
	place, finding, content string
	located                 bool // the content can be quoted; else the finding
	whole                   int  // characters before it was shortened; 0: it was not
}

// quotable is the text that a claim can quote.
func (s sheet) quotable() string {
	if s.located {
		return s.content
	}
	return s.finding
}

// citable tells whether enough of it is shown to be quoted.
func (s sheet) citable() bool {
	text := collapse(s.quotable())
	return utf8.RuneCountInString(text) >= minQuote || text != "" && text == collapse(shown(s.Evidence))
}

func (s sheet) size() int {
	return utf8.RuneCountInString(s.place) + utf8.RuneCountInString(s.finding) + utf8.RuneCountInString(s.content)
}

// sheet puts an exhibit into the view.
func (v vantage) sheet(x court.Exhibit) sheet {
	s := sheet{Exhibit: x, located: located(x.Evidence), place: v.veil(places(x.Evidence)), finding: x.Rationale}
	if v.bare {
		s.finding = quotation.ReplaceAllString(s.finding, "“…”")
	}
	if s.located && prose(x.Evidence) {
		s.finding = unscored(s.finding)
	}
	s.finding = v.veil(s.finding)
	if s.located {
		s.content = v.veil(v.content(x.Evidence))
	}
	return s
}

// veil is the submission's text as a model may see it.
func (v vantage) veil(s string) string { return v.names.Hide(v.fence.Clean(s)) }

// line is a word of the rubric's outside of blocks.
func (v vantage) line(s string) string { return v.fence.Clean(court.Clean(s, checkLimit)) }

// content is what stands at the evidence's place, as the trial wants it shown
// and without scores of the author's.
func (v vantage) content(e court.Evidence) string {
	if v.bare {
		if text, ok := v.brief.Bared[e.ID]; ok {
			return text
		}
		return "…"
	}
	text, ok := v.brief.Shown[e.ID]
	if !ok {
		text = e.Content
	}
	if prose(e) {
		return unscored(text)
	}
	return text
}

// quotation is a submission's words in a finding.
var quotation = regexp.MustCompile("\"[^\"\n]*\"|“[^”\n]*”|`[^`\n]*`")

// places lists where evidence stands, the first few.
func places(e court.Evidence) string {
	var lines []string
	for _, p := range e.At[:min(len(e.At), maxPlaces)] {
		lines = append(lines, court.Clean(p.String(), placeLimit))
	}
	if more := len(e.At) - len(lines) + e.More; more > 0 {
		lines = append(lines, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(lines, "\n")
}

// shortened holds a sheet to so many characters.
func (s sheet) shortened(room int) sheet {
	whole := s.size()
	if whole <= room {
		return s
	}
	s.whole = whole
	s.place = cut(s.place, room/4)
	s.finding = cut(s.finding, room/2)
	s.content = cut(s.content, room-utf8.RuneCountInString(s.place)-utf8.RuneCountInString(s.finding))
	return s
}

// text is the sheet as it lies before the model: our words, then the
// submission's in blocks.
func (v vantage) text(s sheet) string {
	var b strings.Builder
	fmt.Fprintf(&b, "id: %s\ncheck: %s\n", s.ID, v.line(s.Check))
	switch s.Outcome {
	case court.NotApplicable: // to judges it is as what nobody could tell: it shows nothing about the project
		fmt.Fprintf(&b, "outcome: %s\nreason: nothing to check\n", court.Unknown)
	case court.Unknown:
		fmt.Fprintf(&b, "outcome: %s\n", court.Unknown)
		if s.Reason != "" {
			fmt.Fprintf(&b, "reason: %s\n", v.line(strings.ReplaceAll(string(s.Reason), "_", " ")))
		}
	default:
		fmt.Fprintf(&b, "outcome: %s\nstrength: %s\n", s.Outcome, s.strength())
	}
	if s.whole > 0 {
		fmt.Fprintf(&b, "shortened: %d of %d characters are shown\n", s.size(), s.whole)
	}
	if !s.citable() {
		b.WriteString("not to be cited: too little of it is left to quote\n")
	}
	b.WriteString(v.block("place", s.place))
	b.WriteString(v.block("finding", s.finding))
	b.WriteString(v.block("content", s.content))
	return b.String()
}

// strength is a word for how much the evidence can carry.
func (s sheet) strength() string {
	switch m := Strength(s.Evidence); {
	case m >= current().Proven:
		return "proven"
	case m >= likely:
		return "likely"
	default:
		return "weak"
	}
}
