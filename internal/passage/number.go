package passage

import (
	"math"
	"strconv"
	"strings"

	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
)

// Many documents set all headings alike and leave their order to numbers: "6", "6.1", or "Priority 2" in a plan.
var (
	headNumber = regexp.MustCompile(`^(\d{1,2}(?:\.\d{1,2}){0,3})[.)]?\s+\S`)
	stepTitle  = regexp.MustCompile(`(?i)^\W*(?:priority|phase|step|milestone|sprint|task|action|item)\s*#?\d`)
)

// numberOf is the number that a heading begins with, "" for none.
func numberOf(title string) string {
	if m := headNumber.FindStringSubmatch(title); m != nil {
		return m[1]
	}
	return ""
}

// isPart tells whether a heading belongs below another one of the same face.
func isPart(title, above string) bool {
	if stepTitle.MatchString(title) {
		return !stepTitle.MatchString(above)
	}
	outer := numberOf(above)
	return outer != "" && strings.HasPrefix(numberOf(title), outer+".")
}

// isNext tells whether a number may come after another in an outline: 6.1 after 6; 6.2, 7 after 6.1.
func isNext(number, before string) bool {
	if before == "" {
		return number == "1"
	}
	if number == before+".1" {
		return true
	}
	for at := before; ; {
		prefix, last := "", at
		if i := strings.LastIndexByte(at, '.'); i >= 0 {
			prefix, last = at[:i+1], at[i+1:]
		}
		n, _ := strconv.Atoi(last) // two digits at most
		if number == prefix+strconv.Itoa(n+1) {
			return true
		}
		if prefix == "" {
			return false
		}
		at = prefix[:len(prefix)-1]
	}
}

// plainHeadings finds the headings of a document that has none by their face: short lines with white space above,
// numbered from one on, each with something of its own below. At least three of them are an outline and no list.
func (p *page) plainHeadings(rows []row) {
	const most, few, runes = 2, 3, 80
	faces := 0
	for _, r := range rows {
		if r.kind == Heading {
			faces++
		}
	}
	if faces > most {
		return
	}
	var found []int
	before := ""
	for i := range rows {
		number := strings.TrimSuffix(rows[i].mark, ".")
		if number == rows[i].mark || !isNext(number, before) || strings.Contains(number, ".") || !p.apart(rows[i]) ||
			len([]rune(rows[i].text)) > runes || strings.ContainsAny(rows[i].text[len(rows[i].text)-1:], ".,;:") || !p.opens(rows, i) {
			continue
		}
		found, before = append(found, i), number
	}
	if len(found) < few {
		return
	}
	for _, i := range found {
		rows[i].kind, rows[i].text, rows[i].mark = Heading, rows[i].mark+" "+rows[i].text, ""
	}
}

// opens: what follows the row is of its own, and no further item of a list of numbers.
func (p *page) opens(rows []row, i int) bool {
	if i+1 >= len(rows) {
		return false
	}
	next := rows[i+1]
	if next.mark != "" {
		return !isOrdinal(next.mark)
	}
	return p.apart(next)
}

// apart: the row has white space above it, or stands on top of a page.
func (p *page) apart(r row) bool { return math.IsNaN(r.gap) || !p.near(r) }
