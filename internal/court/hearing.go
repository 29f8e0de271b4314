package court

import (
	"cmp"
	"fmt"
)

// Row is one check in one judge's ledger. B, D and U are belief, disbelief and
// doubt and sum to One; Held is the part of the doubt that counts against the submission,
// which withheld what would tell; X is what the check is worth to the judge; Sure is the
// belief left when every doubt, here and in the parents, goes against it.
type Row struct {
	Check  string `json:"check"`
	Core   bool   `json:"core"`
	Weight int64  `json:"weight"` // in halves; 0: there is nothing to check
	B      Fixed  `json:"b"`
	D      Fixed  `json:"d"`
	U      Fixed  `json:"u"`
	Held   Fixed  `json:"held,omitempty"` // none in records of law 1
	X      Fixed  `json:"x"`
	Sure   Fixed  `json:"sure"`
}

// Applies tells whether the check asks about anything that the submission has.
func (r Row) Applies() bool { return r.Weight > 0 }

// Fails is what speaks against the check: disbelief, and doubt that counts as such.
func (r Row) Fails() Fixed { return r.D + r.Held }

// Hearing is what the bench makes of the evidence on one criterion in one
// round. With hearings and opinions the chief justice can rule again without
// probes or bench.
type Hearing struct {
	Criterion string            `json:"criterion_id"`
	Round     int               `json:"round"` // 1 or 2
	Bench     map[Persona]Fixed `json:"bench"` // exact score of each embedded judge
	Ledger    map[Persona][]Row `json:"ledger"`
	Doubt     Fixed             `json:"doubt"`
	Conflict  Fixed             `json:"conflict"`
	Coverage  Fixed             `json:"coverage"`
	Unseen    Fixed             `json:"unseen,omitempty"` // share of the checks that nobody looked at, which is not the submission's doing; none in records of law 1
	Low       Fixed             `json:"low"`
	High      Fixed             `json:"high"`
	Linear    *bool             `json:"linear,omitempty"` // only in records made before rubrics named the checks of orchestration_fraud
	Blind     bool              `json:"blind"`
	Against   []string          `json:"against"` // evidence of the weightiest failed checks, for fact_supremacy
	For       []string          `json:"for"`     // evidence of the weightiest met checks
	Parted    []Parting         `json:"parted"`  // checks that part Prosecutor and Defense, widest first
}

// Parting is a check over which Prosecutor and Defense differ.
type Parting struct {
	Check   string   `json:"check"`
	Because string   `json:"because"` // conflict, unknown, weak, standard, partial, failure
	Settles string   `json:"settles"` // what would settle it
	For     []string `json:"for"`     // what the Defense relies on
	Against []string `json:"against"` // what the Prosecutor relies on
}

// Bound is the interval of exact scores that the evidence allows.
func (h Hearing) Bound() (low, high Fixed) {
	low, high = h.Bench[Prosecutor], h.Bench[Prosecutor]
	for _, j := range Personas() {
		low, high = min(low, h.Bench[j]), max(high, h.Bench[j])
	}
	return low, high
}

// Key is the hearing's criterion and round.
func (h Hearing) Key() string { return fmt.Sprintf("%s/%d", h.Criterion, h.Round) }

// Compare orders hearings by criterion and round.
func (h Hearing) Compare(o Hearing) int {
	return cmp.Or(cmp.Compare(h.Criterion, o.Criterion), cmp.Compare(h.Round, o.Round))
}

// Seal is what the EvidenceAggregator attests of one piece of evidence.
type Seal struct {
	ID         string `json:"id"`
	Label      string `json:"label"` // E1, E2, …: what people call it; P1, P2, … of testimony
	Strength   Fixed  `json:"strength"`
	Verified   bool   `json:"verified"`             // re-read from the source, and it stands there
	Superseded string `json:"superseded,omitempty"` // the evidence that took its place
	Struck     string `json:"struck,omitempty"`     // why it no longer counts
}

// Key is the evidence's id.
func (s Seal) Key() string { return s.ID }
