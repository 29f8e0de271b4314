package report

import (
	"fmt"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/automaton-auditor/automaton/internal/court"
)

// Filling says how grades go into a file that a learning platform exported.
type Filling struct {
	Column   string // that takes the grade
	Feedback string // that takes a comment; empty: none does
	Match    string // with the ids; empty: the known column in which most of them are
	Range    *Range // nil: 1 to 5
}

// Filled is a file with grades, and what a person should know of it.
type Filled struct {
	Raw     []byte
	By      string   // the column with the ids; empty: none had any
	Rows    []int    // lines of students who have no submission
	Missing []string // ids of submissions that have no row, or more than one
	Blank   []string // ids of submissions without a score: their cells are empty
	Notes   []string
}

// idColumns are those in which Canvas and Moodle export who somebody is, the most telling first.
var idColumns = []string{"sis user id", "id number", "identifier", "username", "sis login id", "integration id", "id"}

// Fill writes grades into one column of a file, and comments into another when that is asked for. Rows are found by the
// id, then by the mail. Nothing else of the file changes by a byte.
func Fill(raw []byte, list []Grade, f Filling) (Filled, error) {
	s, err := readSheet(raw)
	if err != nil {
		return Filled{}, err
	}
	p := filler{sheet: s, how: f, list: list}
	if p.column, err = p.named(f.Column); err != nil {
		return Filled{}, err
	}
	p.feedback, p.match = -1, -1
	if f.Feedback != "" {
		if p.feedback, err = p.named(f.Feedback); err != nil {
			return Filled{}, err
		}
	}
	if f.Match != "" {
		if p.match, err = p.named(f.Match); err != nil {
			return Filled{}, err
		}
	} else {
		p.match = p.idColumn()
	}
	switch {
	case p.match == p.column || p.match >= 0 && p.match == p.feedback:
		return Filled{}, fmt.Errorf("the column %q tells whose row it is; it takes no grade", p.head(p.match))
	case p.feedback == p.column:
		return Filled{}, fmt.Errorf("the column %q cannot take both grade and feedback", p.head(p.column))
	}
	return p.fill(), nil
}

// filler is a file that grades go into. Columns are counted from 0; -1: there is none.
type filler struct {
	*sheet
	how                     Filling
	list                    []Grade
	column, feedback, match int
}

func (p *filler) head(column int) string { return p.cellAt(0, column) }

// cellAt is what a cell says; empty where the row is shorter.
func (p *filler) cellAt(row, column int) string {
	if cells := p.rows[row].cells; column >= 0 && column < len(cells) {
		return p.text(cells[column])
	}
	return ""
}

// named finds a column by its head.
func (p *filler) named(name string) (int, error) {
	at := -1
	var heads []string
	for i := range p.rows[0].cells {
		head := p.head(i)
		heads = append(heads, fmt.Sprintf("%q", court.Clean(head, 60)))
		if head != strings.TrimSpace(name) {
			continue
		}
		if at >= 0 {
			return -1, fmt.Errorf("two columns are called %q", head)
		}
		at = i
	}
	if at < 0 {
		return -1, fmt.Errorf("it has no column %q (have %s)", name, strings.Join(heads, ", "))
	}
	return at, nil
}

// idColumn is the known column that has most ids of submissions. It is one for all rows, as a number may mean one
// person in one column and another in the next.
func (p *filler) idColumn() int {
	ids := map[string]bool{}
	for _, g := range p.list {
		ids[g.ID] = true
	}
	best, most := -1, 0
	for _, name := range idColumns {
		for i := range p.rows[0].cells {
			if strings.ToLower(p.head(i)) != name {
				continue
			}
			n := 0
			for row := 1; row < len(p.rows); row++ {
				if ids[normal(p.cellAt(row, i))] {
					n++
				}
			}
			if n > most {
				best, most = i, n
			}
		}
	}
	return best
}

// normal is an id as rosters hold it.
func normal(id string) string { return norm.NFC.String(id) }

// matched says which grade goes into which row, by id and then by mail. Where two rows could be one submission or two
// submissions one row, none is.
func (p *filler) matched() map[int]int {
	out := map[int]int{}
	taken := map[int]bool{}
	link := func(key func(Grade) string, rows func(row int) []string) {
		grade, row := map[string][]int{}, map[string][]int{}
		for i, g := range p.list {
			if k := key(g); k != "" && !taken[i] {
				grade[k] = append(grade[k], i)
			}
		}
		for r := 1; r < len(p.rows); r++ {
			if _, done := out[r]; done {
				continue
			}
			keys := rows(r)
			slices.Sort(keys)
			for _, k := range slices.Compact(keys) {
				row[k] = append(row[k], r)
			}
		}
		found := map[int][]int{} // by row
		for k, g := range grade {
			if len(g) == 1 && len(row[k]) == 1 {
				found[row[k][0]] = append(found[row[k][0]], g[0])
			}
		}
		for r, g := range found {
			if len(g) == 1 {
				out[r], taken[g[0]] = g[0], true
			}
		}
	}
	if p.match >= 0 {
		link(func(g Grade) string { return g.ID }, func(r int) []string { return []string{normal(p.cellAt(r, p.match))} })
	}
	mails, ids := p.mailColumns(), map[string]bool{}
	for _, g := range p.list {
		ids[g.ID] = true
	}
	link(func(g Grade) string { return strings.ToLower(g.Email) }, func(r int) (keys []string) {
		if p.match >= 0 && ids[normal(p.cellAt(r, p.match))] { // its id names a submission: the mail of another one is a contradiction
			return nil
		}
		for _, c := range mails {
			keys = append(keys, strings.ToLower(p.cellAt(r, c)))
		}
		return keys
	})
	return out
}

// mailColumns are those that hold addresses, in whatever language: no student writes into them.
func (p *filler) mailColumns() (list []int) {
	for i := range p.rows[0].cells {
		if head := strings.ToLower(p.head(i)); strings.Contains(head, "mail") || head == "sis login id" || i == p.match {
			list = append(list, i)
		}
	}
	return list
}

// testStudent is whom Canvas has in every course.
const testStudent = "Student, Test"

// somebody tells whether a row is of a student: rows that explain columns have no id.
func (p *filler) somebody(row int) bool {
	if p.cellAt(row, 0) == testStudent {
		return false
	}
	for i := range p.rows[0].cells {
		head := strings.ToLower(p.head(i))
		if (slices.Contains(idColumns, head) || strings.Contains(head, "mail")) && p.cellAt(row, i) != "" {
			return true
		}
	}
	return p.cellAt(row, p.match) != ""
}

func (p *filler) fill() Filled {
	out := Filled{By: p.head(p.match)}
	of := p.matched()
	var edits []edit
	given := map[int]bool{}
	for row := 1; row < len(p.rows); row++ {
		i, ok := of[row]
		cells := p.rows[row].cells
		switch {
		case !ok && p.somebody(row):
			out.Rows = append(out.Rows, p.rows[row].line)
		case !ok:
		case p.list[i].held:
			given[i] = true
		case len(cells) <= max(p.column, p.feedback):
			out.Notes = append(out.Notes, fmt.Sprintf("the row on line %d is too short for the column %q, so it took no grade", p.rows[row].line, p.how.Column))
			given[i] = true
		default:
			g := p.list[i]
			given[i] = true
			edits = append(edits, edit{cells[p.column], p.how.Range.text(g.Score)})
			if p.feedback >= 0 {
				edits = append(edits, edit{cells[p.feedback], comment(g)})
			}
			if g.Score == nil {
				out.Blank = append(out.Blank, g.ID)
			}
		}
	}
	for i, g := range p.list {
		if !given[i] {
			out.Missing = append(out.Missing, g.ID)
		}
	}
	out.Notes = append(out.Notes, p.otherScale(of)...)
	out.Raw = p.with(edits)
	return out
}

// otherScale says when the file has another best grade than what is filled in: in a row "Points Possible" of Canvas, or
// in a column "Maximum Grade" of Moodle.
func (p *filler) otherScale(of map[int]int) []string {
	best := -1
	for i := range p.rows[0].cells {
		if strings.EqualFold(p.head(i), "Maximum Grade") {
			best = i
		}
	}
	for row := 1; row < len(p.rows); row++ {
		text := ""
		if _, ok := of[row]; ok {
			text = p.cellAt(row, best)
		} else if strings.EqualFold(p.cellAt(row, 0), "Points Possible") {
			text = p.cellAt(row, p.column)
		}
		if top, err := court.ParseFixed(strings.ReplaceAll(text, ",", ".")); err == nil && top != p.how.Range.top() {
			return []string{fmt.Sprintf("the best grade in the file is %s, and these grades go up to %s; --scale 0..%s brings them there", top, p.how.Range.top(), top)}
		}
	}
	return nil
}

// comment is what a student reads of a grade beside it, in one line. A platform takes it for HTML, and a table for a
// formula when it begins like one.
func comment(g Grade) string {
	return cell(strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;").Replace(clean0(g.comment)))
}
