package cli

import (
	"maps"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
)

// The names that mean no profile.
const (
	embeddedBench = "embedded"
	autoBench     = "auto"
)

// judgeSeats are filled by --bench; a detective gets a model only by name, as it
// is shown more than quotes: pictures, or whole files.
var (
	judgeSeats     = []string{string(court.Prosecutor), string(court.Defense), string(court.TechLead)}
	detectiveSeats = []string{string(court.VisionInspector), string(court.RepoInvestigator)}
)

// seatNames are who was asked to sit where, by seat; a seat that nobody named is
// the embedded judge's, or empty.
func (a *app) seatNames() (map[string]string, error) {
	names := map[string]string{}
	for _, v := range a.config.List("bench") {
		seat, name, one := strings.Cut(v, "=")
		switch {
		case !one && len(a.config.List("bench")) > 1:
			return nil, usage("--bench NAME for all, or SEAT=NAME for each", "reading bench: %q names no seat", v)
		case !one:
			for _, s := range judgeSeats {
				names[s] = v
			}
		default:
			if err := fill(names, seat, name, "bench"); err != nil {
				return nil, err
			}
		}
	}
	apart := map[string]string{}
	for _, v := range a.config.List("seat") {
		seat, name, ok := strings.Cut(v, "=")
		if !ok {
			return nil, usage("--seat Defense=NAME", "reading bench: --seat %q is not SEAT=NAME", v)
		}
		if err := fill(apart, seat, name, "seat"); err != nil {
			return nil, err
		}
	}
	maps.Copy(names, apart)
	for _, d := range detectiveSeats {
		if names[d] == embeddedBench {
			delete(names, d)
		}
	}
	return names, nil
}

// fill gives one seat to a name, once.
func fill(names map[string]string, seat, name, key string) error {
	seats := slices.Concat(judgeSeats, detectiveSeats)
	switch {
	case !slices.Contains(seats, seat):
		return usage(meant(seat, seats), "reading bench: unknown seat %q (have %s)", seat, strings.Join(seats, ", "))
	case name == "":
		return usage("", "reading bench: no name is given for the seat %s", seat)
	case names[seat] != "":
		return usage("", "reading bench: %s of %s is given twice", key, seat)
	}
	names[seat] = name
	return nil
}
