package trial

import (
	"cmp"
	"slices"

	"github.com/automaton-auditor/automaton/internal/court"
)

// inOrder sorts evidence by its check's place in the criterion, then by id.
func inOrder(c court.Criterion, list []court.Evidence) []court.Evidence {
	at := checkOrder(c)
	list = slices.Clone(list)
	slices.SortFunc(list, func(a, b court.Evidence) int {
		if d := at[a.Check] - at[b.Check]; d != 0 {
			return d
		}
		if a.Check == court.Testimony { // in the order of reading
			return cmp.Or(cmp.Compare(a.At[0].Page, b.At[0].Page), cmp.Compare(a.At[0].Line, b.At[0].Line), a.Compare(b))
		}
		return a.Compare(b)
	})
	return list
}

// inCheckOrder sorts exhibits as they are read: by check, then by id, which is
// how their labels count.
func inCheckOrder(c court.Criterion, list []court.Exhibit) []court.Exhibit {
	at := checkOrder(c)
	slices.SortStableFunc(list, func(x, y court.Exhibit) int {
		return cmp.Or(cmp.Compare(at[x.Check], at[y.Check]), cmp.Compare(x.ID, y.ID))
	})
	return list
}

func checkOrder(c court.Criterion) map[string]int {
	at := map[string]int{court.Testimony: len(c.Checks)}
	for i, ch := range c.Checks {
		at[ch.ID] = i
	}
	return at
}

// exhibits is the evidence of a criterion with its seals, by id.
func exhibits(s court.State, criterion string) []court.Exhibit {
	seals := map[string]court.Seal{}
	for _, seal := range s.Seals {
		seals[seal.ID] = seal
	}
	return sealedExhibits(s.Evidences[criterion], seals)
}

func sealedExhibits(list []court.Evidence, seals map[string]court.Seal) []court.Exhibit {
	var out []court.Exhibit
	for _, e := range list {
		seal, ok := seals[e.ID]
		if !ok {
			continue // not aggregated: nothing is heard that was not sealed
		}
		if e.Security != nil {
			flaw := *e.Security
			flaw.Verified = seal.Verified
			e.Security = &flaw
		}
		out = append(out, court.Exhibit{Evidence: e, Label: seal.Label, Strength: seal.Strength, Verified: seal.Verified,
			Superseded: seal.Superseded, Struck: seal.Struck})
	}
	slices.SortFunc(out, func(x, y court.Exhibit) int { return cmp.Compare(x.ID, y.ID) })
	return out
}

// allExhibits is the evidence of every criterion with its seals.
func allExhibits(s court.State) map[string][]court.Exhibit {
	out := map[string][]court.Exhibit{}
	for id := range s.Evidences {
		out[id] = exhibits(s, id)
	}
	return out
}

// points shows an exact score on a criterion's own scale; a plain one needs no
// other.
func points(c court.Criterion, exact court.Fixed) *court.Points {
	if c.Scale.Kind != "points" && c.Scale.Kind != "levels" {
		return nil
	}
	p := &court.Points{Points: c.Scale.Points(exact), Max: c.Scale.Max}
	if l, ok := c.Scale.Level(exact); ok {
		p.Level = l.Name
	}
	return p
}

// incomplete tells whether our own inquiry kept something from being examined.
func incomplete(s court.State) bool {
	return s.Case.Commit == "" || blocked(s.Faults)
}
