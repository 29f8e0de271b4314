package report

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/safetext"
)

// csvColumns are the columns of a case as a table, a criterion a row. The score of
// the court is final_score, and exact before rounding; human_score is what a person
// gave, and effective the one that counts. The mean of effective by weight is the
// effective of the last row, unless a cap took something off, as its note says; so it
// is with low and high. The file has no mark of its encoding: a program that asks is told UTF-8.
var csvColumns = []string{"case", "repo_url", "commit", "criterion_id", "criterion", "prosecutor", "defense", "tech_lead",
	"final_score", "exact", "human_score", "effective", "low", "high", "status", "spread", "overruled", "note", "rubric", "weight"}

// modelColumns are added where models sat.
var modelColumns = []string{"bench", "embedded", "substituted", "struck_claims"}

// writeCSV writes one row per criterion, in the order of the rubric, and a last
// one for the total: RFC 4180 with line feeds. No score is a dash and never a zero;
// what does not apply is empty.
func writeCSV(w io.Writer, rec *court.Record) error {
	d := newDocket(rec)
	var b bytes.Buffer
	table := csv.NewWriter(&b)
	columns := csvColumns
	if d.judged() {
		columns = slices.Concat(columns, modelColumns)
	}
	if rec.Case.Calibration != nil {
		columns = slices.Concat(columns, []string{"calibrated"})
	}
	_ = table.Write(columns) // to memory
	for _, c := range d.heard() {
		row := []string{rec.Case.ID, rec.Case.RepoURL, rec.Case.Commit, c.ID, nameOf(c)}
		for _, seat := range seats() {
			row = append(row, d.saidNumber(c.ID, seat))
		}
		row = append(row, d.rulingCells(c.ID)...)
		row = append(row, d.note(c), digest12(rec.Rubric.Digest), c.Weight.Shown())
		row = slices.Concat(row, d.modelCells(c.ID), d.calibratedCell(d.calibrated(c.ID)))
		_ = table.Write(cellsOf(row)) // to memory
	}
	_ = table.Write(cellsOf(slices.Concat(d.overallCells(), d.modelCells(""), d.calibratedCell(d.totalCalibrated())))) // to memory
	table.Flush()
	return put(w, b.Bytes())
}

// calibratedCell is the cell of a calibrated score; none where the case has no calibration.
func (d *docket) calibratedCell(f *court.Fixed) []string {
	if d.rec.Case.Calibration == nil {
		return nil
	}
	return []string{shown(f)}
}

// overallCells are the row of the total: its status is that of the audit, and
// its note tells the outcome, what capped it and how far it is known.
func (d *docket) overallCells() []string {
	rec := d.rec
	row := []string{rec.Case.ID, rec.Case.RepoURL, rec.Case.Commit, court.OverallID, rec.Rubric.Name, "", "", "", "",
		"", "", court.NoScore, court.NoScore, court.NoScore, string(rec.Status), "", "", safetext.Capital(sentence(mistrialWords(rec))), digest12(rec.Rubric.Digest), ""}
	if v := rec.Verdict; v != nil {
		row[11], row[12], row[13] = v.Overall.Shown(), v.Overall.Low.Shown(), v.Overall.High.Shown()
		row[17] = d.lead()
		if list := d.remarks(); len(list) > 0 {
			row[17] += " Of the total: " + sentence(strings.Join(list, ", "))
		}
	}
	row[17] = strings.Join(append([]string{row[17]}, d.headNotes()...), " ")
	return row
}

// modelCells are the cells of modelColumns for a criterion, or without one for
// the total; none where no model sat. A claim that was struck is counted in the
// hearing that the ruling follows from.
func (d *docket) modelCells(criterion string) []string {
	if !d.judged() {
		return nil
	}
	if criterion == "" {
		score := ""
		if f := d.base(); f != nil {
			score = f.Shown()
		}
		return []string{d.rec.Origin.Seats(), score, "", ""}
	}
	var bench, substituted []string
	struck := 0
	for _, seat := range seats() {
		o := d.opinion(criterion, seat)
		if o == nil {
			continue
		}
		bench, struck = append(bench, o.Source), struck+len(o.Struck)
		if o.Substituted != "" {
			substituted = append(substituted, string(seat))
		}
	}
	return []string{strings.Join(bench, " "), d.alone(criterion), strings.Join(substituted, " "), fmt.Sprint(struck)}
}

// saidNumber is the score that a seat gave, without the marks for people.
func (d *docket) saidNumber(criterion string, seat court.Persona) string {
	if o := d.opinion(criterion, seat); o != nil && !d.blind(criterion) {
		return fmt.Sprint(o.Score)
	}
	return court.NoScore
}

// rulingCells are the cells from final_score to overruled.
func (d *docket) rulingCells(criterion string) []string {
	low, high := d.reach(criterion)
	human := "" // nobody was asked
	if d.rec.Case.Answer(criterion) != nil {
		human = shown(d.human(criterion))
	}
	scores := []string{human, shown(d.rec.Counts(criterion)), shown(low), shown(high)}
	r := d.rulings[criterion]
	if r == nil {
		return slices.Concat([]string{court.NoScore, court.NoScore}, scores, []string{"", "", ""})
	}
	final, exact, spread := court.NoScore, court.NoScore, fmt.Sprint(r.Spread)
	if d.blind(criterion) {
		spread = "" // nobody said anything
	}
	if r.Final != nil {
		final, exact = fmt.Sprint(*r.Final), r.Exact.Shown()
	}
	var overruled []string
	for _, seat := range r.Overruled {
		overruled = append(overruled, string(seat))
	}
	return slices.Concat([]string{final, exact}, scores, []string{string(r.Status), spread, strings.Join(overruled, " ")})
}

// blind tells whether a criterion has no check at all, so that its seats had
// nothing to give a score for.
func (d *docket) blind(criterion string) bool {
	h := d.hearings[criterion]
	return h != nil && h.Blind
}

func cellsOf(row []string) []string {
	for i := range row {
		row[i] = cell(row[i])
	}
	return row
}

// cell is foreign text as one cell: in one line, and no formula to a program
// that opens the table.
func cell(s string) string {
	s = court.Clean(s, 0)
	if s != "" && strings.ContainsRune("=+-@\t\r", rune(s[0])) {
		return "'" + s
	}
	return s
}
