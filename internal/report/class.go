package report

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/safetext"
)

// Class is what there is to say of a cohort: who stands where, who needs a person, and what the class as a whole shows. It
// names submissions by their ids, and nobody's name.
type Class struct {
	Name     string         `json:"name"` // of its folder, as commands take it
	Rubric   string         `json:"rubric"`
	Bench    string         `json:"bench"`
	Terms    string         `json:"terms"`                 // digests of rubric and checks, and the law: scores under others are others
	Bar      *court.Fixed   `json:"bar,omitempty"`         // of the total, for the gate
	Gate     string         `json:"gate,omitempty"`        // the flags of the gate; empty: there is none
	ByPeople []string       `json:"by_people,omitempty"`   // criteria that only people mark
	Unmarked int            `json:"unmarked,omitempty"`    // cases in which nobody did
	Moved    []string       `json:"moved,omitempty"`       // ids of submissions with another commit now than the one that was judged
	Calls    int            `json:"model_calls,omitempty"` // what the cases that stand asked of models, and what that cost
	Tokens   int64          `json:"model_tokens,omitempty"`
	USD      string         `json:"model_usd,omitempty"`
	Unpriced int            `json:"model_unpriced,omitempty"` // cases whose models have no known price
	Cases    []ClassCase    `json:"cases"`                    // in the order of the roster
	Criteria []ClassMark    `json:"criteria"`                 // in the order of the rubric
	Checks   []ClassCheck   `json:"checks"`                   // in the order of the rubric
	Alike    *Similarity    `json:"similarity,omitempty"`     // nil: nothing was compared
	Twins    [][]string     `json:"same_commit,omitempty"`    // ids that were submitted with one commit
	Tally    map[string]int `json:"tally"`                    // cases by state
	Run      *ClassRun      `json:"run,omitempty"`            // nil: nothing was run
}

// Under takes from a record what all cases of the class are judged with.
func (c *Class) Under(rec *court.Record) {
	c.Rubric = strings.TrimSpace(cmp.Or(rec.Rubric.Source.Name, rec.Rubric.Name) + " " + rec.Rubric.Version)
	c.Bench = benchWords(rec)
	c.Terms = fmt.Sprintf("%s %s law %d %s", rec.Rubric.Digest, rec.Rubric.Checks, rec.Origin.Law, rec.Origin.BenchSum)
	if rec.Gate == nil {
		return
	}
	var flags []string
	if bar, ok := rec.Gate.Bars[court.OverallID]; ok {
		c.Bar = &bar
		flags = append(flags, "--fail-under "+bar.Shown())
	}
	for _, k := range rec.Rubric.Criteria {
		if bar, ok := rec.Gate.Bars[k.ID]; ok {
			flags = append(flags, "--fail-under "+k.ID+"="+bar.Shown())
		}
	}
	for _, what := range rec.Gate.FailOn {
		flags = append(flags, "--fail-on "+what)
	}
	c.Gate = strings.Join(flags, " ")
}

// ClassCase is one submission. State is audited, partial, failed, cancelled or open.
type ClassCase struct {
	ID     string       `json:"id"`
	State  string       `json:"state"`
	Score  *court.Fixed `json:"score"` // nil: none
	Needs  []string     `json:"needs"` // why a person should look
	Reason string       `json:"reason,omitempty"`
	Gate   string       `json:"gate,omitempty"`

	Machine   *court.Fixed `json:"court_score,omitempty"` // of the court alone, where decisions of people make the score another one
	Decisions int          `json:"decisions,omitempty"`   // of people, in force
	Published bool         `json:"published,omitempty"`
}

// ClassMark is how one criterion was scored over the class.
type ClassMark struct {
	ID     string       `json:"id"`
	Name   string       `json:"name"`
	Scores [5]int       `json:"scores"` // how many have 1, 2, 3, 4, 5
	None   int          `json:"none"`   // how many have no score
	Mean   *court.Fixed `json:"mean"`   // of the exact scores; nil: nobody has one
}

// ClassCheck is how one check came out over the class.
type ClassCheck struct {
	Criterion string   `json:"criterion"`
	Check     string   `json:"check"`
	Text      string   `json:"text"`
	Failed    []string `json:"failed"` // ids
	Partly    int      `json:"partly"`
	Met       int      `json:"met"`
	Untold    int      `json:"not_checked"`
}

// ClassRun is what a run of the cohort did.
type ClassRun struct {
	Judged int   `json:"judged"` // cases that it ended
	Kept   int   `json:"kept"`   // that had ended before
	Millis int64 `json:"millis"`
}

// States of a ClassCase.
const (
	CaseAudited   = "audited"
	CasePartial   = "partial"
	CaseFailed    = "failed"
	CaseCancelled = "cancelled"
	CaseOpen      = "open"
)

// mostCases is how many lines each list of the summary has at most; all stand in the JSON.
const mostCases = 12

// ClassJSON writes a class as JSON.
func ClassJSON(w io.Writer, c Class) error {
	raw, err := json.MarshalIndent(c, "", "  ")
	if err != nil {
		return fmt.Errorf("writing the class: %w", err)
	}
	return put(w, append(safetext.JSON(raw), '\n'))
}

// ClassSummary writes what a cohort ends with: how many were audited, who needs a person and why, what failed, what the
// class shows, and the commands that go on from here.
func ClassSummary(w io.Writer, c Class, o TextOptions) error {
	s := classText{Class: c, o: o, p: paint(o.Color)}
	s.head()
	s.people()
	s.failed()
	s.held()
	s.distribution()
	s.mistakes()
	s.alike()
	s.remarks()
	s.tail()
	return put(w, []byte(trimRight(s.b.String())))
}

type classText struct {
	Class
	o TextOptions
	p paint
	b strings.Builder
}

func (s *classText) line(format string, a ...any) { fmt.Fprintf(&s.b, format+"\n", a...) }

// scored are the totals of the class, lowest first.
func (s *classText) scored() (list []court.Fixed) {
	for _, c := range s.Cases {
		if c.Score != nil {
			list = append(list, *c.Score)
		}
	}
	slices.Sort(list)
	return list
}

func (s *classText) head() {
	items := []string{plural(len(s.Cases), "case")}
	if s.Rubric != "" {
		items = append(items, "rubric "+clean(s.Rubric), clean(s.Bench))
	}
	s.line("%s  %s", s.p.bold(clean(s.Name)), strings.Join(items, ", "))
	s.line("")
	items = nil
	for _, state := range []string{CaseAudited, CasePartial, CaseFailed, CaseCancelled, CaseOpen} {
		if n := s.Tally[state]; n > 0 || state == CaseAudited {
			items = append(items, fmt.Sprintf("%d %s", n, state))
		}
	}
	if n := len(s.needy()); n > 0 {
		items = append(items, plural2(n, "needs", "need")+" a person")
	}
	if list := s.scored(); len(list) > 0 {
		items = append(items, "median "+median(list).Shown())
		if s.Bar != nil {
			under := slices.IndexFunc(list, func(f court.Fixed) bool { return f >= *s.Bar })
			if under < 0 {
				under = len(list)
			}
			items = append(items, fmt.Sprintf("%d under %s", under, s.Bar.Shown()))
		}
	}
	s.line("  %s", strings.Join(items, "   "))
	s.line("")
}

// median is the middle of a sorted list; of two, the mean, rounded down.
func median(list []court.Fixed) court.Fixed {
	n := len(list)
	return (list[(n-1)/2] + list[n/2]) / 2
}

// needy are the cases that need a person, the lowest total first.
func (s *classText) needy() (list []ClassCase) {
	for _, c := range s.Cases {
		if len(c.Needs) > 0 {
			list = append(list, c)
		}
	}
	slices.SortStableFunc(list, func(a, b ClassCase) int { return cmp.Compare(total(a), total(b)) })
	return list
}

func total(c ClassCase) court.Fixed {
	if c.Score == nil {
		return -1
	}
	return *c.Score
}

func shownTotal(c ClassCase) string {
	if c.Score == nil {
		return "–"
	}
	return c.Score.Shown()
}

// wideID is how many columns an id has at most in a list.
const wideID = 28

// idWidth is the room that the ids of a list take.
func idWidth(list []ClassCase) int {
	n := 12
	for _, c := range list {
		n = max(n, min(cells(clean(c.ID)), wideID))
	}
	return n
}

// list writes cases under a title, each with one line of words.
func (s *classText) list(title, rest string, cases []ClassCase, words func(ClassCase) string) {
	if len(cases) == 0 {
		return
	}
	shown := cases[:min(len(cases), mostCases)]
	w := idWidth(shown)
	s.line("  %s", s.p.bold(left(title, w+2)+right("SCORE", 6)+"  WHY"))
	for _, c := range shown {
		start := "  " + left(cut(clean(c.ID), w), w+2) + right(shownTotal(c), 6) + "  "
		s.b.WriteString(hung(start, w+12, wrap(court.Clean(words(c), 0), s.o.width()-w-12)))
	}
	if more := len(cases) - len(shown); more > 0 {
		s.line("  and %d more: %s", more, rest)
	}
	s.line("")
}

func (s *classText) people() {
	s.list("NEEDS A PERSON", s.command("serve", ""), s.needy(), func(c ClassCase) string { return strings.Join(c.Needs, "; ") })
}

func (s *classText) failed() {
	var list []ClassCase
	for _, c := range s.Cases {
		if c.State == CaseFailed {
			list = append(list, c)
		}
	}
	s.list("FAILED", s.command("serve", ""), list, func(c ClassCase) string { return c.Reason })
}

func (s *classText) distribution() {
	if len(s.Criteria) == 0 || len(s.scored()) == 0 {
		return
	}
	w := 20
	for _, m := range s.Criteria {
		w = max(w, min(cells(clean(m.Name)), s.o.width()-44))
	}
	s.line("  %s", s.p.bold(left("CRITERION", w)+right("MEAN", 7)+"      1    2    3    4    5    –"))
	for _, m := range s.Criteria {
		mean := "–"
		if m.Mean != nil {
			mean = m.Mean.Shown()
		}
		counts := ""
		for _, n := range append(m.Scores[:], m.None) {
			counts += right(fmt.Sprint(n), 5)
		}
		s.line("  %s%s  %s", left(cut(clean(m.Name), w), w), right(mean, 7), counts)
	}
	s.b.WriteString(legend("The numbers say how many submissions have each score; – is for no score.", s.o))
	s.line("")
}

// A check says something about the rubric, and not about the class, when everybody or nobody meets it. That takes some
// submissions.
const enoughForRubric = 5

func (s *classText) mistakes() {
	failing := slices.DeleteFunc(slices.Clone(s.Checks), func(c ClassCheck) bool { return len(c.Failed) == 0 })
	slices.SortStableFunc(failing, func(a, b ClassCheck) int { return cmp.Compare(len(b.Failed), len(a.Failed)) })
	if len(failing) == 0 {
		return
	}
	s.line("  %s", s.p.bold("NOT MET MOST OFTEN"))
	for _, c := range failing[:min(len(failing), 8)] {
		who := strings.Join(c.Failed[:min(len(c.Failed), 3)], ", ")
		if more := len(c.Failed) - 3; more > 0 {
			who += fmt.Sprintf(" and %d more", more)
		}
		start := right(fmt.Sprint(len(c.Failed)), 6) + "  "
		s.b.WriteString(hung(start, 8, wrap(clean(c.Text)+" ("+clean(who)+")", s.o.width()-8)))
	}
	var all, none []string
	enough := max(enoughForRubric, len(s.scored()))
	for _, c := range s.Checks {
		known := len(c.Failed) + c.Partly + c.Met
		switch {
		case known < enough:
		case c.Met == known:
			all = append(all, c.Text)
		case len(c.Failed) == known:
			none = append(none, c.Text)
		}
	}
	s.sameForAll("Everybody meets", all)
	s.sameForAll("Nobody meets", none)
	s.line("")
}

// Duration is a time in words: 4.2 s, 6 min 12 s, 2 h 5 min.
func Duration(millis int64) string {
	switch s := millis / 1000; {
	case s < 60:
		return fmt.Sprintf("%d.%d s", s, millis%1000/100)
	case s < 3600:
		return fmt.Sprintf("%d min %d s", s/60, s%60)
	default:
		return fmt.Sprintf("%d h %d min", s/3600, s%3600/60)
	}
}

// sameForAll names checks that separate nobody from anybody: they tell about the rubric.
func (s *classText) sameForAll(who string, checks []string) {
	if len(checks) == 0 {
		return
	}
	words := fmt.Sprintf("%s %s, so they separate nobody", who, plural(len(checks), "check"))
	if len(checks) == 1 {
		words = who + " 1 check, so it separates nobody"
	}
	some := checks[:min(len(checks), 3)]
	words += ": " + strings.Join(some, "; ")
	if more := len(checks) - len(some); more > 0 {
		words += fmt.Sprintf("; and %d more", more)
	}
	for _, l := range wrap(court.Clean(words, 0)+".", s.o.width()-4) {
		s.line("  %s", l)
	}
}

func (s *classText) command(verb, rest string) string {
	return strings.TrimSpace("automaton " + verb + " " + safetext.Shell(s.Name) + " " + rest)
}

func (s *classText) tail() {
	s.line("  grades  %s", s.command("report", "-f csv -o grades.csv"))
	switch {
	case s.Tally[CaseOpen] > 0:
		s.line("  resume  %s", s.command("batch", ""))
	case s.Tally[CaseFailed] > 0:
		s.line("  retry   %s", s.command("batch", "--retry failed"))
	case s.Tally[CasePartial] > 0:
		s.line("  retry   %s", s.command("batch", "--retry partial"))
	}
	if s.Run != nil {
		s.line("  %s judged, %d kept from before, %s", plural(s.Run.Judged, "case"), s.Run.Kept, Duration(s.Run.Millis))
	}
}
