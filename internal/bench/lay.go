package bench

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/safetext"
)

// vantage is how one seat sees a brief.
type vantage struct {
	brief Brief
	seat  court.Persona
	names *safetext.Aliases
	fence safetext.Fence
	bare  bool // without prose and strings
}

// newFence is the fence of a seat in a case.
func newFence(digest string, j court.Persona) safetext.Fence {
	return safetext.NewFence(court.Digest([]string{"fence", digest, string(j)})[:8])
}

// block is a cleaned text between two lines of ours; of no text it is nothing.
func (v vantage) block(name, text string) string {
	if text == "" {
		return ""
	}
	return v.fence.Block(name, text)
}

func (c *Counsel) vantage(b Brief, bare bool) vantage {
	return vantage{brief: b, seat: c.Seat, names: c.Names, fence: newFence(c.Case, c.Seat), bare: bare}
}

// laid is a brief as it lies before a seat for one answer.
type laid struct {
	text   string
	sheets map[string]sheet // by id: what can be cited
}

// lay puts a brief into words. Nothing of it comes from elsewhere than the
// brief, and the order of the exhibits is the same whatever order they came in.
func (v vantage) lay(sample int) laid {
	b := v.brief
	all := v.sheets()
	sheets := choose(b, all, maxContent)
	room := maxContent
	for _, s := range sheets {
		room -= s.size()
	}
	shuffle(sheets, court.Digest([]string{digest(b), string(v.seat), fmt.Sprint(sample)}))

	var t strings.Builder
	fmt.Fprintf(&t, "The marker of this brief is %s\n\n# Criterion\n\njudge: %s\ncriterion_id: %s\n", v.fence.Marker, v.seat, v.line(b.Criterion.ID))
	t.WriteString(v.block("standard", v.fence.Clean(instructions(b, v.seat))))
	t.WriteString(v.block("checks", v.fence.Clean(questions(b.Criterion.Checks))))
	t.WriteString(v.testimony(room))
	fmt.Fprintf(&t, "\n# Exhibits\n\n%s.\n", counted(len(sheets), "exhibit", "exhibits", len(all)-len(sheets)))
	l := laid{sheets: make(map[string]sheet, len(sheets))}
	for _, s := range sheets {
		t.WriteString("\n" + v.text(s))
		l.sheets[s.ID] = s
	}
	fmt.Fprintf(&t, "\nThe brief ends here. Answer now, as the %s.\n", v.seat)
	l.text = t.String()
	return l
}

func counted(n int, one, many string, left int) string {
	s := fmt.Sprintf("%d %s", n, many)
	if n == 1 {
		s = "1 " + one
	}
	if left > 0 {
		s += fmt.Sprintf("; there is no room for %d more", left)
	}
	return s
}

// sheets are all exhibits in the order of the checks, then of ids.
func (v vantage) sheets() []sheet {
	var out []sheet
	for _, p := range pose(v.brief.Criterion.Checks, v.brief.Exhibits) {
		for _, it := range p.items {
			out = append(out, v.sheet(it.Exhibit))
		}
	}
	return out
}

// choose keeps what there is room for. Each check keeps its strongest item on
// each side, shortened when these alone are too much; the others follow in
// order.
func choose(b Brief, all []sheet, room int) []sheet {
	total := 0
	for _, s := range all {
		total += s.size()
	}
	if total <= room {
		return all
	}
	first := strongest(pose(b.Criterion.Checks, b.Exhibits))
	each, used := room/max(len(first), 1), 0
	for _, s := range all {
		if first[s.ID] {
			used += s.size()
		}
	}
	tight := used > room
	var out []sheet
	for _, s := range all {
		switch {
		case first[s.ID] && tight:
			out = append(out, s.shortened(each))
		case first[s.ID]:
			out = append(out, s)
		case used+s.size() <= room:
			used += s.size()
			out = append(out, s)
		}
	}
	return out
}

// strongest are the ids of each check's strongest item on each side; of a check
// with nothing on either side, its first.
func strongest(checks []posed) map[string]bool {
	out := map[string]bool{}
	for _, p := range checks {
		known := false
		for _, against := range []bool{false, true} {
			if it, ok := p.cite(against); ok && it.side(against) > 0 {
				out[it.ID], known = true, true
			}
		}
		if !known && len(p.items) > 0 {
			out[p.items[0].ID] = true
		}
	}
	return out
}

// shuffle orders sheets by chance that the seed decides, not where they came.
func shuffle(sheets []sheet, seed string) {
	keys := make(map[string]string, len(sheets))
	for _, s := range sheets {
		keys[s.ID] = court.Digest([]string{seed, s.ID})
	}
	slices.SortFunc(sheets, func(a, b sheet) int { return cmp.Compare(keys[a.ID], keys[b.ID]) })
}

// digest identifies what lies in a brief, whatever its order.
func digest(b Brief) string {
	ids := func(list []court.Exhibit) []string {
		out := make([]string, len(list))
		for i, x := range list {
			out[i] = x.ID
		}
		slices.Sort(out)
		return out
	}
	return court.Digest(struct {
		Criterion court.Criterion
		Guidance  court.Guidance
		Anchors   map[int]string
		Preamble  string
		Round     int
		Exhibits  []string
		Testimony []string
		Shown     map[string]string
	}{b.Criterion, b.Guidance, b.Anchors, b.Preamble, b.Round, ids(b.Exhibits), ids(b.Testimony), b.Shown})
}

// testimony is the passages of the document that there is room for, in the
// order of reading. It is nothing but prose: a bare view has none.
func (v vantage) testimony(room int) string {
	if v.bare || len(v.brief.Testimony) == 0 {
		return ""
	}
	list := slices.Clone(v.brief.Testimony)
	slices.SortFunc(list, func(x, y court.Exhibit) int {
		p, q := at(x), at(y)
		return cmp.Or(cmp.Compare(p.Page, q.Page), cmp.Compare(p.Line, q.Line), cmp.Compare(x.ID, y.ID))
	})
	var t strings.Builder
	n := 0
	for _, x := range list {
		text := strings.TrimPrefix(v.veil(places(x.Evidence)+":\n"+v.content(x.Evidence)), ":\n")
		if size := utf8.RuneCountInString(text); size <= room {
			room -= size
			t.WriteString(v.block("testimony", text))
			n++
		}
	}
	return fmt.Sprintf("\n# Testimony\n\n%s.\n", counted(n, "passage of the project's document", "passages of the project's document", len(list)-n)) + t.String()
}

// at is the first place of an exhibit.
func at(x court.Exhibit) court.Place {
	if len(x.At) == 0 {
		return court.Place{}
	}
	return x.At[0]
}
