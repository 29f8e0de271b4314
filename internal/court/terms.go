package court

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Terms is under what a case was heard. A score under other terms is another
// score: the two are not held against each other.
type Terms struct {
	Rubric, Checks string // digests
	Law            int
	Bench          map[Persona]string // the version of each seat
	Prompts        string             // digest of what models were asked with
}

// Terms is under what the record's case was heard.
func (r *Record) Terms() Terms {
	return Terms{r.Rubric.Digest, r.Rubric.Checks, r.Origin.Law, r.Origin.Bench, r.Origin.Prompts}
}

// Apart says in words what differs between two terms, nothing when scores under
// them may be compared.
func (t Terms) Apart(now Terms) []string {
	var list []string
	differ := func(what, a, b string) {
		if a != b {
			list = append(list, fmt.Sprintf("the %s differ: %s and %s", what, told(a), told(b)))
		}
	}
	differ("rubrics", t.Rubric, now.Rubric)
	differ("checks", t.Checks, now.Checks)
	differ("laws", fmt.Sprint(t.Law), fmt.Sprint(now.Law))
	sat, sits := seatLine(t.Bench), seatLine(now.Bench)
	if models(t.Bench) || models(now.Bench) {
		sat, sits = benchWords(t.Bench), benchWords(now.Bench)
	}
	differ("benches", sat, sits)
	switch {
	case t.Prompts == now.Prompts:
	case t.Prompts != "" && now.Prompts != "":
		list = append(list, fmt.Sprintf("the models were asked in other words: prompts %s and %s", told(t.Prompts), told(now.Prompts)))
	case sat == sits:
		list = append(list, "models were asked in one of the two only")
	}
	return list
}

// models tells whether a model sits on a bench.
func models(bench map[Persona]string) bool {
	for _, who := range bench {
		if !strings.HasPrefix(who, EmbeddedPrefix) {
			return true
		}
	}
	return false
}

// benchWords names a bench beside one on which models sit.
func benchWords(bench map[Persona]string) string {
	switch line, all := seatLine(bench), slices.Compact(slices.Sorted(maps.Values(bench))); {
	case len(all) > 1:
		return "a mixed bench (" + line + ")"
	case len(all) == 1 && models(bench):
		return "the model " + line
	case len(all) == 1:
		return "the embedded bench (" + line + ")"
	default:
		return line
	}
}

// told is the beginning of a digest, and other text as it is.
func told(s string) string {
	if sum, ok := strings.CutPrefix(s, "sha256:"); ok {
		s = sum[:min(len(sum), 12)]
	}
	if s == "" {
		return "none"
	}
	return s
}

// Modelled tells whether a model was given a seat of the bench.
func (o Origin) Modelled() bool { return models(o.Bench) }

// Seats names the bench: once when one sits in every seat.
func (o Origin) Seats() string { return seatLine(o.Bench) }

func seatLine(bench map[Persona]string) string {
	var list []string
	for _, seat := range []Persona{Prosecutor, Defense, TechLead} {
		if who, ok := bench[seat]; ok {
			list = append(list, string(seat)+" "+who)
		}
	}
	switch all := slices.Compact(slices.Sorted(maps.Values(bench))); {
	case len(list) == 0:
		return "no bench"
	case len(all) == 1:
		return all[0]
	default:
		return strings.Join(list, ", ")
	}
}

// OverallID names the total where criteria have their ids: in gates, falls and
// comparisons.
const OverallID = "overall"

// Fall is a score that went down as printed, or away.
type Fall struct {
	Criterion string // its id, or OverallID
	Was       Fixed
	Is        *Fixed // nil: no score any more
}

// Fallen lists what fell since an older verdict on the same terms: criteria that
// both heard, in the order of the new verdict, then the total if both heard the
// same criteria. Without an old verdict nothing fell; without a new one, the
// total did.
func (v *Verdict) Fallen(old *Verdict) []Fall {
	if old == nil {
		return nil
	}
	if v == nil {
		return []Fall{{Criterion: OverallID, Was: old.Overall.Exact}}
	}
	was := map[string]Ruling{}
	for _, r := range old.Rulings {
		was[r.Criterion] = r
	}
	var list []Fall
	for _, r := range v.Rulings {
		before, heard := was[r.Criterion]
		switch {
		case !heard || before.Final == nil:
		case r.Final == nil:
			list = append(list, Fall{Criterion: r.Criterion, Was: before.Exact})
		case r.Exact.Cut() < before.Exact.Cut():
			list = append(list, Fall{r.Criterion, before.Exact, &r.Exact})
		}
	}
	if v.SameHeard(old) && v.Overall.Exact.Cut() < old.Overall.Exact.Cut() {
		list = append(list, Fall{OverallID, old.Overall.Exact, &v.Overall.Exact})
	}
	return list
}

// SameHeard tells whether two verdicts have scores for the same criteria. Totals over
// different ones are not held against each other.
func (v *Verdict) SameHeard(other *Verdict) bool {
	ids := func(v *Verdict) []string {
		var list []string
		for _, r := range v.Rulings {
			if r.Final != nil {
				list = append(list, r.Criterion)
			}
		}
		slices.Sort(list)
		return list
	}
	return slices.Equal(ids(v), ids(other))
}
