package report

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/safetext"
)

// gradescope is what Gradescope takes of one submission.
type gradescope struct {
	Score      *court.Fixed     `json:"score"`
	Output     string           `json:"output"`
	Visibility string           `json:"visibility"`
	Tests      []gradescopeTest `json:"tests"`
}

type gradescopeTest struct {
	Name       string       `json:"name"`
	Score      *court.Fixed `json:"score"`
	MaxScore   court.Fixed  `json:"max_score"`
	Output     string       `json:"output"`
	Visibility string       `json:"visibility"`
}

// published is when a student sees a result: grades are drafts until somebody publishes them.
const published = "after_published"

// WriteGradescope writes the results.json of a grade with a score, a criterion with a score being a test. Gradescope takes
// no result without a score.
func WriteGradescope(w io.Writer, g Grade, r *Range) error {
	out := gradescope{Score: r.value(g.Score), Output: g.comment, Visibility: published, Tests: []gradescopeTest{}}
	for _, m := range g.Criteria {
		if m.Score != nil {
			out.Tests = append(out.Tests, gradescopeTest{Name: m.name, Score: r.value(m.Score), MaxScore: r.top(), Output: m.Note, Visibility: published})
		}
	}
	var b bytes.Buffer
	if err := dataJSON(&b, out); err != nil {
		return err
	}
	return put(w, safetext.JSON(b.Bytes()))
}

// mostFixes is how many remedies a short feedback tells.
const mostFixes = 3

// WriteFeedback writes a short feedback for the person who is judged, as plain text.
func WriteFeedback(w io.Writer, rec *court.Record, g Grade, r *Range) error {
	d := newDocket(rec)
	var b strings.Builder
	of := " of " + r.top().String()
	if g.Score == nil {
		b.WriteString("There is no score.\n")
	} else {
		fmt.Fprintf(&b, "Score: %s%s\n", r.text(g.Score), of)
	}
	if text := clean0(g.comment); text != "" {
		fmt.Fprintf(&b, "%s\n", text)
	} else if rec.Verdict == nil {
		fmt.Fprintf(&b, "%s\n", clean0(safetext.Capital(sentence(mistrialWords(rec)))))
	}
	for _, m := range g.Criteria {
		score := "no score"
		if m.Score != nil {
			score = r.text(m.Score) + of
		}
		fmt.Fprintf(&b, "\n%s: %s\n", clean0(m.name), score)
		if m.Note != "" {
			fmt.Fprintf(&b, "  %s\n", clean0(m.Note))
		}
	}
	for i, m := range rec.Remedies[:min(len(rec.Remedies), mostFixes)] {
		if i == 0 {
			b.WriteString("\nWhat to do first\n")
		}
		fmt.Fprintf(&b, "%d. %s: %s\n", i+1, d.place(m), clean0(sentence(m.Text)))
	}
	return put(w, []byte(b.String()))
}
