package web

import (
	"cmp"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/report"
)

// onePage is how many submissions a page lists.
const onePage = 100

// cohortView is the first page.
type cohortView struct {
	Submissions, Needy, Failed, Open int
	Median                           string
	Bars                             []bar
	Most                             int
	Find                             string
	Columns                          []column
	Rows                             []entry
	Shown                            int
	Walk                             string // what addresses of cases keep of the query
	First, Last                      int
	Before, After                    string // addresses of the pages around; empty: there is none
	Rubric, Bench, Gate              string
	Chips                            []chip
	Work                             *workView // nil: nothing is open
	Wait                             string    // address that says when something is
}

// Legend are the scores that have a colour.
func (cohortView) Legend() []int { return []int{1, 2, 3, 4, 5} }

// bar is a part of the histogram: a half point, and how many have it.
type bar struct {
	Text      string
	Count     int
	X, Y, Top int
	Height    int
}

// column is a heading that sorts.
type column struct {
	Text, Link, Sorted, Class string
}

// chip is a search that one click makes.
type chip struct{ Text, Link string }

// sorts are the orders of the list, each from the side that is of most interest.
var sorts = map[string]func(a, b entry) int{
	"name":  func(a, b entry) int { return cmp.Compare(a.Name, b.Name) },
	"repo":  func(a, b entry) int { return cmp.Compare(a.Repo, b.Repo) },
	"score": func(a, b entry) int { return compareScores(b.Overall, a.Overall) },
	"need":  func(a, b entry) int { return cmp.Compare(len(b.Needs), len(a.Needs)) },
}

// compareScores orders scores, none below all.
func compareScores(a, b *court.Fixed) int {
	of := func(f *court.Fixed) court.Fixed {
		if f == nil {
			return -1
		}
		return *f
	}
	return cmp.Compare(of(a), of(b))
}

func (s *Server) cohortPage(w http.ResponseWriter, r *http.Request) error {
	t, err := s.table(r.Context())
	if err != nil {
		return err
	}
	q := r.URL.Query()
	rows := t.listed(q)
	v := cohortView{Walk: walkOf(q), Submissions: len(t.rows), Needy: t.needy(), Find: q.Get("find"), Failed: t.class.Tally[report.CaseFailed], Open: t.class.Tally[report.CaseOpen],
		Rubric: t.class.Rubric, Bench: t.class.Bench, Gate: t.class.Gate, Median: median(t.scores())}
	v.Bars, v.Most = histogram(t.scores())
	work, id, err := s.work(r.Context(), map[string]*hearing{})
	if err != nil {
		return err
	}
	if work.From != "" {
		v.Work = &work
	} else {
		v.Wait = "/live/events?after=" + id + "&wait=" + id
	}
	v.page(rows, q)
	v.Columns = columns(cmp.Or(q.Get("sort"), "score"), q.Get("up") != "", v.Find)
	for _, c := range []struct{ text, find string }{{"all", ""}, {"need a person", "flag:"}, {"contested", "flag:contested"}, {"capped", "flag:capped"}, {"appeal waiting", "flag:appeal"}, {"drafts", "status:draft"}, {"decided", "status:decided"}, {"failed", "status:failed"}, {"below 3", "score<3"}} {
		v.Chips = append(v.Chips, chip{c.text, "/?" + url.Values{"find": {c.find}}.Encode()})
	}
	return s.show(w, r, http.StatusOK, "cohort", s.Name, v)
}

// listed are the submissions that a query finds, in the order that it asks for.
func (t *table) listed(q url.Values) (rows []entry) {
	want := parseQuery(q.Get("find"))
	for _, e := range t.rows {
		if want.holds(e) {
			rows = append(rows, e)
		}
	}
	if by := sorts[cmp.Or(q.Get("sort"), "score")]; by != nil {
		slices.SortStableFunc(rows, func(a, b entry) int {
			if q.Get("up") != "" {
				return by(b, a)
			}
			return by(a, b)
		})
	}
	return rows
}

// walkOf is the part of a query that says which submissions are gone through, and in which order; empty: all.
func walkOf(q url.Values) string {
	walk := url.Values{}
	for _, key := range []string{"find", "sort", "up"} {
		if q.Get(key) != "" {
			walk.Set(key, q.Get(key))
		}
	}
	if len(walk) == 0 {
		return ""
	}
	return "?" + walk.Encode()
}

// page takes the part of the list that is asked for.
func (v *cohortView) page(rows []entry, q url.Values) {
	v.Shown = len(rows)
	n, _ := strconv.Atoi(q.Get("page")) // what is no number is the first page
	n = max(0, min(n, (len(rows)-1)/onePage))
	first, last := n*onePage, min(len(rows), (n+1)*onePage)
	v.Rows, v.First, v.Last = rows[first:last], first+1, last
	link := func(n int) string {
		q.Set("page", strconv.Itoa(n))
		return "/?" + q.Encode()
	}
	if n > 0 {
		v.Before = link(n - 1)
	}
	if last < len(rows) {
		v.After = link(n + 1)
	}
}

func columns(order string, up bool, find string) (list []column) {
	for _, c := range []struct{ key, text, class string }{{"name", "Student", ""}, {"repo", "Repository", ""}, {"score", "Score", "n"}, {"", "By criterion", ""}, {"need", "Why a person should look", ""}} {
		x := column{Text: c.text, Class: c.class}
		if c.key != "" {
			q := url.Values{"sort": {c.key}}
			if find != "" {
				q.Set("find", find)
			}
			if c.key == order {
				x.Sorted = "descending"
				if up != (c.key == "name" || c.key == "repo") {
					x.Sorted = "ascending"
				}
				if !up {
					q.Set("up", "1")
				}
			}
			x.Link = "/?" + q.Encode()
		}
		list = append(list, x)
	}
	return list
}

// median of sorted scores, cut as all scores are.
func median(list []court.Fixed) string {
	if len(list) == 0 {
		return "–"
	}
	return middle(list).Shown()
}

// middle is the median of sorted scores, of which there is one.
func middle(list []court.Fixed) court.Fixed { return (list[(len(list)-1)/2] + list[len(list)/2]) / 2 }

// Sizes of the histogram, in units of its picture.
const (
	barWide, barHigh, barBase = 40, 60, 74
)

// histogram counts scores by half points: each is counted at the half point next to it, the upper one of two.
func histogram(list []court.Fixed) (bars []bar, most int) {
	const half = court.One / 2
	var counts [9]int
	for _, f := range list {
		i := int((min(max(f, court.One), 5*court.One) - court.One + half/2) / half)
		counts[i]++
		most = max(most, counts[i])
	}
	for i, n := range counts {
		b := bar{Text: fmt.Sprintf("%d.%d", 1+i/2, i%2*5), Count: n, X: i * barWide}
		if most > 0 {
			b.Height = n * barHigh / most
		}
		b.Y = barBase - b.Height
		b.Top = b.Y - 4
		bars = append(bars, b)
	}
	return bars, most
}
