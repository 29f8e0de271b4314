package bench

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"sync"

	"github.com/automaton-auditor/automaton/internal/court"
)

// Speaker is how the embedded judges sign their opinions.
const Speaker = "embedded/1"

//go:embed profiles/standard-1.json
var standardFile []byte

// profile is every number that the bench judges with. They are design choices
// that make the laws of the bench true, not fitted to marks; another number is
// another profile with another name.
type profile struct {
	Name        string                       `json:"name"`
	Reliability map[court.Source]court.Fixed `json:"reliability"`
	Proven      court.Fixed                  `json:"proven"`   // strength from which a fact counts in full
	Absence     court.Fixed                  `json:"absence"`  // the most that "searched and not found" weighs
	Examined    court.Fixed                  `json:"examined"` // strength from which a check counts as looked at
	Judges      map[court.Persona]standard   `json:"judges"`
}

// standard is one judge's standard of proof.
type standard struct {
	Credit     court.Fixed `json:"credit"`      // strength from which evidence is admitted in favour
	Blame      court.Fixed `json:"blame"`       // strength from which it is admitted against
	Doubt      court.Fixed `json:"doubt"`       // share of doubt resolved in favour
	Curve      curve       `json:"curve"`       // how partial compliance counts
	CoreHalves int64       `json:"core_halves"` // weight of a core check in halves; others weigh 2
	Gate       court.Fixed `json:"gate"`        // most that is given once a core check is proven failed
}

// current is the profile in force, read once from the embedded file.
var current = sync.OnceValue(func() profile {
	p, err := parseProfile(standardFile)
	if err != nil {
		panic(fmt.Sprintf("reading the embedded bench profile: %v", err)) // the file is part of the program
	}
	return p
})

func parseProfile(raw []byte) (profile, error) {
	var p profile
	if err := json.Unmarshal(raw, &p); err != nil {
		return p, fmt.Errorf("decoding profile: %w", err)
	}
	for _, s := range court.Sources() {
		if _, ok := p.Reliability[s]; !ok {
			return p, fmt.Errorf("checking profile %q: no reliability for source %q", p.Name, s)
		}
	}
	for _, j := range court.Personas() {
		if s, ok := p.Judges[j]; !ok || !s.Curve.known() {
			return p, fmt.Errorf("checking profile %q: no usable standard for %s", p.Name, j)
		}
	}
	return p, nil
}

// Digest identifies everything that the embedded bench's scores follow from
// besides the evidence: who speaks, and the profile. Lower-case hex.
func Digest() string {
	return court.Digest(struct {
		Speaker string          `json:"speaker"`
		Profile json.RawMessage `json:"profile"`
	}{Speaker, standardFile})
}
