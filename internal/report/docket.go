package report

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
)

// docket is a record with its parts at hand: what every rendering looks up.
type docket struct {
	rec       *court.Record
	exhibits  []court.Exhibit           // in the order of their labels, without testimony
	testimony []court.Exhibit           // what the document says, likewise
	byID      map[string]*court.Exhibit // by id and by label
	opinions  map[string]*court.Opinion // criterion/seat: of the last hearing
	firsts    map[string]*court.Opinion // likewise: of the first
	hearings  map[string]*court.Hearing // the last one of each criterion
	rulings   map[string]*court.Ruling
	app       string // address, but for the place, at which the web app shows what lies at a place; empty: it does not
}

// seats is the order in which reports show the bench.
func seats() []court.Persona {
	return []court.Persona{court.Prosecutor, court.Defense, court.TechLead}
}

func newDocket(rec *court.Record) *docket {
	d := &docket{rec: rec, byID: map[string]*court.Exhibit{}, opinions: map[string]*court.Opinion{}, firsts: map[string]*court.Opinion{},
		hearings: map[string]*court.Hearing{}, rulings: map[string]*court.Ruling{}}
	for _, x := range sortedExhibits(rec) {
		if x.Check == court.Testimony {
			d.testimony = append(d.testimony, x)
		} else {
			d.exhibits = append(d.exhibits, x)
		}
	}
	for _, list := range [][]court.Exhibit{d.exhibits, d.testimony} {
		for i := range list {
			d.byID[list[i].ID], d.byID[list[i].Label] = &list[i], &list[i]
		}
	}
	for i := range rec.Opinions {
		o := &rec.Opinions[i]
		key := o.Criterion + "/" + string(o.Judge)
		if last := d.opinions[key]; last == nil || last.Round < o.Round {
			d.opinions[key] = o
		}
		if first := d.firsts[key]; first == nil || first.Round > o.Round {
			d.firsts[key] = o
		}
	}
	for i := range rec.Hearings {
		h := &rec.Hearings[i]
		if last := d.hearings[h.Criterion]; last == nil || last.Round < h.Round {
			d.hearings[h.Criterion] = h
		}
	}
	if rec.Verdict != nil {
		for i := range rec.Verdict.Rulings {
			d.rulings[rec.Verdict.Rulings[i].Criterion] = &rec.Verdict.Rulings[i]
		}
	}
	return d
}

// sortedExhibits is all evidence by the number of its label; evidence without
// one comes last, by criterion and id.
func sortedExhibits(rec *court.Record) []court.Exhibit {
	var all []court.Exhibit
	for _, list := range rec.Evidences {
		all = append(all, list...)
	}
	number := func(x court.Exhibit) int {
		n, err := strconv.Atoi(strings.TrimLeft(x.Label, "EP"))
		if err != nil {
			return math.MaxInt
		}
		return n
	}
	slices.SortFunc(all, func(a, b court.Exhibit) int {
		return cmp.Or(cmp.Compare(number(a), number(b)), cmp.Compare(a.Criterion, b.Criterion), cmp.Compare(a.ID, b.ID))
	})
	return all
}

// heard lists the criteria of the case in rubric order: all, or those selected.
func (d *docket) heard() []court.Criterion { return d.rec.Rubric.Asked(d.rec.Case.Only) }

func (d *docket) criterion(id string) (court.Criterion, bool) {
	i := slices.IndexFunc(d.rec.Rubric.Criteria, func(c court.Criterion) bool { return c.ID == id })
	if i < 0 {
		return court.Criterion{}, false
	}
	return d.rec.Rubric.Criteria[i], true
}

// name is what people call a criterion.
func (d *docket) name(id string) string {
	if c, ok := d.criterion(id); ok {
		return nameOf(c)
	}
	return id
}

func nameOf(c court.Criterion) string { return cmp.Or(c.Name, c.ID) }

func (d *docket) opinion(criterion string, seat court.Persona) *court.Opinion {
	return d.opinions[criterion+"/"+string(seat)]
}

// counted is the exact score that an opinion enters the ruling with: bound to
// the evidence when the law of the case says so.
func (d *docket) counted(o *court.Opinion) court.Fixed {
	law := d.rec.Rubric.Synthesis.FactSupremacy
	h := d.hearings[o.Criterion]
	if !law.On || law.Mode != "clamp" || h == nil || len(h.Bench) == 0 {
		return o.Exact
	}
	low, high := h.Bound()
	return min(max(o.Exact, low), high)
}

// of lists the evidence of one criterion in the order of its labels.
func (d *docket) of(criterion string) []court.Exhibit { return on(criterion, d.exhibits) }

// says is what the document says about a criterion.
func (d *docket) says(criterion string) []court.Exhibit { return on(criterion, d.testimony) }

func on(criterion string, all []court.Exhibit) []court.Exhibit {
	var list []court.Exhibit
	for _, x := range all {
		if x.Criterion == criterion {
			list = append(list, x)
		}
	}
	return list
}

// label is the label of evidence; an id that the record does not hold stays as it is.
func (d *docket) label(id string) string {
	if x := d.byID[id]; x != nil && x.Label != "" {
		return x.Label
	}
	return id
}

// labels are those of several, each once.
func (d *docket) labels(ids []string) []string {
	var list []string
	for _, id := range ids {
		if name := d.label(id); !slices.Contains(list, name) {
			list = append(list, name)
		}
	}
	return list
}

// cited tells which evidence some opinion or ruling rests on, by id.
func (d *docket) cited() map[string]bool {
	set := map[string]bool{}
	add := func(ids []string) {
		for _, id := range ids {
			set[id] = true
		}
	}
	for _, o := range d.rec.Opinions {
		add(o.Cited)
	}
	for _, r := range d.rulings {
		for _, h := range r.Holdings {
			add(h.Evidence)
		}
	}
	return set
}

// cap is the rule that capped the overall score and the criterion whose ruling
// explains it; both are empty when nothing capped it.
func (d *docket) cap() (rule, criterion string) {
	if d.rec.Verdict == nil || !d.rec.Verdict.Overall.Capped {
		return "", ""
	}
	rule = "security_override" // the only rule that reaches the overall
	for _, r := range d.rec.Verdict.Rulings {
		if h := holding(&r, rule); h != nil && h.Outcome == court.Fired {
			return rule, r.Criterion
		}
	}
	return rule, ""
}

// binds tells whether the cap took anything off the total.
func (d *docket) binds() bool {
	all := d.rec.Verdict.Overall
	return all.Capped && all.BeforeCap > all.Exact
}

// capWords is the remark on the capping rule; empty when none fired.
func (d *docket) capWords() string {
	rule, _ := d.cap()
	switch {
	case rule == "":
		return ""
	case d.binds():
		return "capped by " + rule
	default:
		return rule + " fired, its cap does not bind"
	}
}

func holding(r *court.Ruling, rule string) *court.Holding {
	for i := range r.Holdings {
		if r.Holdings[i].Rule == rule {
			return &r.Holdings[i]
		}
	}
	return nil
}

// hasInsufficient tells whether some ruling could not be decided, and nobody else did.
func (d *docket) hasInsufficient() bool {
	for id, r := range d.rulings {
		if (r.Status == court.Insufficient || r.Final == nil) && d.rec.Case.Answer(id) == nil {
			return true
		}
	}
	return false
}

// scored counts the criteria that are in the total, and all of the rubric.
func (d *docket) scored() (heard, all int) {
	heard = len(d.rulings)
	for _, a := range d.rec.Case.Answers {
		switch {
		case a.Excluded && a.Override:
			heard--
		case !a.Excluded && !a.Override:
			heard++
		}
	}
	if v := d.rec.Verdict; v != nil {
		heard -= v.Overall.Unexamined
	}
	return heard, len(d.rec.Rubric.Criteria)
}
