package calibration

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/safetext"
)

// Mark is what one person gave one criterion of one case.
type Mark struct {
	Line      int
	Case      string
	Criterion string
	Marker    string
	Score     court.Fixed // from 1 to 5, whatever it was given as
}

// Problems are all that is wrong with a file of marks, a line each.
type Problems []string

func (p Problems) Error() string { return strings.Join(p, "\n") }

const (
	mostBytes = 32 << 20
	mostMarks = 1_000_000
)

// Marks reads a table with the columns case, criterion_id and score, and, where several people marked, marker. A score is
// on the scale of its criterion in the rubric. A level that takes its criterion out of the total is not a mark. The error is
// Problems when rows are wrong.
func Marks(raw []byte, r *court.Rubric) ([]Mark, error) {
	if len(raw) > mostBytes {
		return nil, fmt.Errorf("it has more than %d bytes", mostBytes)
	}
	text, err := safetext.TableText(raw)
	if err != nil {
		return nil, err
	}
	in := csv.NewReader(strings.NewReader(text))
	in.FieldsPerRecord = -1
	if head, _, _ := strings.Cut(text, "\n"); strings.Count(head, ";") > strings.Count(head, ",") {
		in.Comma = ';'
	}
	head, err := in.Read()
	if err != nil {
		return nil, fmt.Errorf("reading its header: %w", err)
	}
	at := map[string]int{}
	for i, name := range head {
		at[strings.ToLower(strings.TrimSpace(name))] = i + 1
	}
	for _, name := range []string{"case", "criterion_id", "score"} {
		if at[name] == 0 {
			return nil, fmt.Errorf("it has no column %q; its columns are case, criterion_id, score and, where several people marked, marker", name)
		}
	}
	var list []Mark
	var bad Problems
	first := map[Mark]int{}
	for {
		row, err := in.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		line, _ := in.FieldPos(0)
		cell := func(name string) string {
			if i := at[name]; i > 0 && i <= len(row) {
				return strings.TrimSpace(row[i-1])
			}
			return ""
		}
		m := Mark{Case: cell("case"), Criterion: cell("criterion_id"), Marker: cell("marker")}
		was, twice := first[m]
		first[m] = line
		score, ok, err := scoreOf(r, m, cell("score"))
		switch {
		case twice:
			err = fmt.Errorf("%q marks %q of %q on line %d, too", m.Marker, m.Criterion, m.Case, was)
		case err == nil && m.Case == "":
			err = errors.New("the case is empty")
		}
		if err != nil {
			bad = append(bad, fmt.Sprintf("%d: %v", line, err))
			continue
		}
		if m.Line, m.Score = line, score; ok {
			list = append(list, m)
		}
		if len(list) > mostMarks {
			return nil, fmt.Errorf("it has more than %d marks", mostMarks)
		}
	}
	if len(bad) > 0 {
		return nil, bad
	}
	return list, nil
}

// scoreOf is a mark as a score from 1 to 5; ok is false for a level that takes the criterion out of the total.
func scoreOf(r *court.Rubric, m Mark, text string) (score court.Fixed, ok bool, err error) {
	i := slices.IndexFunc(r.Criteria, func(c court.Criterion) bool { return c.ID == m.Criterion })
	if i < 0 {
		return 0, false, fmt.Errorf("the rubric has no criterion %q", m.Criterion)
	}
	s := r.Criteria[i].Scale
	for _, l := range s.Levels {
		if strings.EqualFold(text, l.Name) || l.ID != "" && strings.EqualFold(text, l.ID) {
			return s.Score(l.Points), s.Exclude == "" || l.Key() != s.Exclude, nil
		}
	}
	n, err := court.ParseFixed(text)
	low, high := court.One, full
	scaled := s.Kind != "" && s.Kind != "five" && s.Max > s.Min
	if scaled {
		low, high = s.Min, s.Max
	}
	if err != nil || n < low || n > high {
		return 0, false, fmt.Errorf("the score %q of %q is not a number from %s to %s", court.Clean(text, 40), m.Criterion, low, high)
	}
	if scaled {
		n = s.Score(n)
	}
	return n, true, nil
}
