package calibration

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/automaton-auditor/automaton/internal/court"
)

// Schema is the version of a calibration's file.
const Schema = "automaton/calibration/1"

// File is a calibration with all that it rests on. No case and no person is named in it.
type File struct {
	Schema string `json:"schema"`
	Digest string `json:"digest"` // of everything else

	Rubric   string                   `json:"rubric"` // digest
	Checks   string                   `json:"checks"` // digest
	Law      int                      `json:"law"`
	Bench    map[court.Persona]string `json:"bench"`
	BenchSum string                   `json:"bench_digest"`
	Prompts  string                   `json:"prompts_digest,omitempty"`
	Criteria []Criterion              `json:"criteria"`
}

// Criterion is what the marks of one criterion say.
type Criterion struct {
	ID      string                    `json:"criterion_id"`
	Court   Figures                   `json:"court"`
	Judges  map[court.Persona]Figures `json:"judges"`
	Markers *Figures                  `json:"markers"`    // one person against another; null: nobody marked what another did
	Mapped  *Figures                  `json:"calibrated"` // on marks that the map was not made from; null: there are too few
	Map     *court.Map                `json:"map"`        // null: there is none, as why says
	Why     string                    `json:"why,omitempty"`
	Anchors []Anchor                  `json:"anchors"` // sorted
}

// Heard is a record with the names under which marks may know its case.
type Heard struct {
	Record *court.Record
	Names  []string
}

// Errors that callers tell from others.
var (
	ErrTerms = errors.New("the scores are of different terms")
	ErrNone  = errors.New("no mark is of a case that has a record with a score")
)

// Make holds records against marks. missing are the cases with marks and without a record. All records must be of the
// same terms; the error wraps ErrTerms when they are not.
func Make(records []Heard, marks []Mark) (f *File, missing []string, err error) {
	if len(records) == 0 {
		return nil, nil, ErrNone
	}
	of, twice := map[string]*court.Record{}, map[string]bool{}
	first := records[0].Record
	for _, h := range records {
		if err := same(first, h.Record); err != nil {
			return nil, nil, err
		}
		for _, name := range h.Names {
			twice[name] = twice[name] || of[name] != nil && of[name] != h.Record
			of[name] = h.Record
		}
	}
	for _, m := range marks {
		if twice[m.Case] {
			return nil, nil, fmt.Errorf("two records could be of the case %q", m.Case)
		}
	}
	f = &File{Schema: Schema, Rubric: first.Rubric.Digest, Checks: first.Rubric.Checks, Law: first.Origin.Law, Bench: first.Origin.Bench,
		BenchSum: first.Origin.BenchSum, Prompts: first.Origin.Prompts}
	lost, found := map[string]bool{}, 0
	for _, c := range first.Rubric.Criteria {
		s := sheetOf(c.ID, of, marks, lost)
		if n := len(s.court); n > 0 {
			found += n
			f.Criteria = append(f.Criteria, s.criterion(c.ID))
		}
	}
	missing = slices.Sorted(maps.Keys(lost))
	if found == 0 {
		return nil, missing, ErrNone
	}
	f.Digest = f.digest()
	return f, missing, nil
}

func same(a, b *court.Record) error {
	if apart := a.Terms().Apart(b.Terms()); len(apart) > 0 {
		return fmt.Errorf("%w: %s and %s: %s", ErrTerms, a.Case.ID, b.Case.ID, apart[0])
	}
	if a.Origin.BenchSum != b.Origin.BenchSum {
		return fmt.Errorf("%w: %s and %s: the built-in judges are of different versions", ErrTerms, a.Case.ID, b.Case.ID)
	}
	return nil
}

// sheet is the anchors of one criterion.
type sheet struct {
	court   []Anchor
	judges  map[court.Persona][]Anchor
	markers []Anchor
}

func sheetOf(criterion string, of map[string]*court.Record, marks []Mark, lost map[string]bool) sheet {
	s := sheet{judges: map[court.Persona][]Anchor{}}
	byCase := map[*court.Record][]Mark{}
	name := map[*court.Record]string{}
	for _, m := range marks {
		if m.Criterion != criterion {
			continue
		}
		rec := of[m.Case]
		if rec == nil {
			lost[m.Case] = true
			continue
		}
		byCase[rec] = append(byCase[rec], m)
		name[rec] = cmp.Or(name[rec], m.Case)
	}
	recs := slices.SortedFunc(maps.Keys(byCase), func(a, b *court.Record) int { return cmp.Compare(name[a], name[b]) })
	for _, rec := range recs {
		list := byCase[rec]
		slices.SortFunc(list, func(a, b Mark) int { return cmp.Or(cmp.Compare(a.Marker, b.Marker), cmp.Compare(a.Line, b.Line)) })
		var sum int64
		for i, m := range list {
			sum += int64(m.Score)
			for _, other := range list[:i] {
				s.markers = append(s.markers, Anchor{Exact: other.Score, Mark: m.Score})
			}
		}
		mark := ratio(sum, int64(len(list)))
		if rec.Verdict == nil {
			continue
		}
		i := slices.IndexFunc(rec.Verdict.Rulings, func(r court.Ruling) bool {
			return r.Criterion == criterion && r.Final != nil && r.Status != court.Insufficient // that is provisional
		})
		if i < 0 {
			continue
		}
		s.court = append(s.court, Anchor{Exact: rec.Verdict.Rulings[i].Uncapped(), Mark: mark})
		for seat, exact := range said(rec, criterion) {
			s.judges[seat] = append(s.judges[seat], Anchor{Exact: exact, Mark: mark})
		}
	}
	return s
}

// said is what each seat gave in the last hearing.
func said(rec *court.Record, criterion string) map[court.Persona]court.Fixed {
	out, round := map[court.Persona]court.Fixed{}, map[court.Persona]int{}
	for _, o := range rec.Opinions {
		if o.Criterion == criterion && o.Round >= round[o.Judge] {
			out[o.Judge], round[o.Judge] = o.Exact, o.Round
		}
	}
	return out
}

func (s sheet) criterion(id string) Criterion {
	c := Criterion{ID: id, Court: FiguresOf(s.court), Judges: map[court.Persona]Figures{}}
	for seat, list := range s.judges {
		c.Judges[seat] = FiguresOf(list)
	}
	if len(s.markers) > 0 {
		f := FiguresOf(s.markers)
		c.Markers = &f
	}
	m, unseen, why := Fit(s.court)
	if c.Mapped, c.Why = unseen, why; why == "" {
		c.Map = &m
	}
	c.Anchors = s.court
	slices.SortFunc(c.Anchors, func(a, b Anchor) int { return cmp.Or(cmp.Compare(a.Exact, b.Exact), cmp.Compare(a.Mark, b.Mark)) })
	return c
}

func (f *File) digest() string {
	c := *f
	c.Digest = ""
	return "sha256:" + court.Digest(c)
}

// Read reads a calibration's file. What its maps rest on is reckoned again: a file that says otherwise is refused.
func Read(raw []byte) (*File, error) {
	if len(raw) > mostBytes {
		return nil, fmt.Errorf("it has more than %d bytes", mostBytes)
	}
	var f File
	if err := json.Unmarshal(raw, &f); err != nil {
		return nil, fmt.Errorf("it is no calibration: %w", err)
	}
	if f.Schema != Schema {
		return nil, fmt.Errorf("its schema is %q, not %q", court.Clean(f.Schema, 60), Schema)
	}
	if f.Digest != f.digest() {
		return nil, errors.New("its content does not give its digest")
	}
	for _, c := range f.Criteria {
		for _, a := range c.Anchors {
			if min(a.Exact, a.Mark) < court.One || max(a.Exact, a.Mark) > full {
				return nil, fmt.Errorf("an anchor of %q is not from 1 to 5", c.ID)
			}
		}
		if c.Map == nil {
			continue
		}
		m, unseen, why := Fit(c.Anchors)
		if why != "" || *c.Map != m || c.Mapped == nil || *c.Mapped != *unseen {
			return nil, fmt.Errorf("the map of %q does not follow from its anchors", c.ID)
		}
	}
	return &f, nil
}

// For is the calibration for cases under the terms; the error wraps ErrTerms where it was made under others. With no map
// in it, it changes nothing and is given all the same.
func (f *File) For(now court.Terms, benchSum string) (*court.Calibration, error) {
	apart := court.Terms{Rubric: f.Rubric, Checks: f.Checks, Law: f.Law, Bench: f.Bench, Prompts: f.Prompts}.Apart(now)
	if len(apart) == 0 && f.BenchSum != benchSum {
		apart = append(apart, "the built-in judges are of different versions")
	}
	if len(apart) > 0 {
		return nil, fmt.Errorf("%w: %s", ErrTerms, apart[0])
	}
	c := &court.Calibration{Digest: f.Digest, Criteria: []court.Calibrated{}}
	for _, k := range f.Criteria {
		if k.Map != nil {
			c.Criteria = append(c.Criteria, court.Calibrated{Criterion: k.ID, Map: *k.Map, Anchors: len(k.Anchors), Kappa: k.Mapped.Kappa, Error: k.Mapped.Error})
		}
	}
	return c, nil
}
