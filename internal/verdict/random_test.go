package verdict

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/automaton-auditor/automaton/internal/court"
)

// chance makes random matters; a seed makes the same ones again.
type chance struct{ *rand.Rand }

func newChance(seed uint64) chance { return chance{rand.New(rand.NewPCG(seed, 15))} }

func pick[T any](r chance, list ...T) T { return list[r.IntN(len(list))] }

func (r chance) unit() court.Fixed {
	return pick(r, 0, court.One, court.Fixed(r.IntN(int(court.One)+1)), court.Fixed(500*r.IntN(21)))
}

func (r chance) between(low, high court.Fixed) court.Fixed {
	return low + court.Fixed(r.IntN(int(high-low)+1))
}

// matter has one or two hearings with whole-numbered opinions, some of them
// inadmissible, and up to two flaws, some of them confirmed.
func (r chance) matter() Matter {
	m := Matter{Criterion: court.Criterion{ID: pick(r, "graph_orchestration", "safe_tool_engineering"), Weight: court.One},
		Law: court.DefaultSynthesis()}
	for round := 1; round <= 1+r.IntN(2); round++ {
		b := []court.Fixed{r.between(court.One, fullMark), r.between(court.One, fullMark), r.between(court.One, fullMark)}
		slices.Sort(b)
		m.Hearings = append(m.Hearings, court.Hearing{Criterion: m.Criterion.ID, Round: round,
			Bench: map[court.Persona]court.Fixed{court.Prosecutor: b[0], court.TechLead: b[1], court.Defense: b[2]},
			Doubt: r.unit(), Conflict: pick(r, 0, 0, r.unit()), Low: r.between(court.One, b[1]), High: r.between(b[1], fullMark),
			Parted: []court.Parting{{Check: "c", Because: "unknown"}}})
		for _, j := range court.Personas() {
			o := opinionOf(m, j, round, 1+r.IntN(5))
			if r.IntN(20) == 0 {
				o.Substituted = "no claim stands"
			}
			m.Opinions = append(m.Opinions, o)
		}
	}
	for range pick(r, 0, 0, 1, 1, 2) {
		m.Exhibits = append(m.Exhibits, r.flaw(len(m.Exhibits)))
	}
	return m
}

func opinionOf(m Matter, j court.Persona, round, score int) court.Opinion {
	return court.Opinion{Judge: j, Criterion: m.Criterion.ID, Round: round, Score: score, Exact: court.Fixed(score) * court.One}
}

func (r chance) flaw(i int) court.Exhibit {
	return court.Exhibit{Strength: r.unit(), Verified: r.IntN(5) > 0, Evidence: court.Evidence{ID: fmt.Sprintf("ev-%d", i), Check: "c",
		Outcome: pick(r, court.Violation, court.Violation, court.Absent),
		Source:  pick(r, court.Attested, court.Executed, court.AST, court.Git, court.Token),
		Security: &court.Flaw{Severity: pick(r, court.Medium, court.High, court.High), Tainted: pick(r, "yes", "yes", "no", "unknown"),
			Scope: pick(r, "production", "production", "test", "vendor", "docs"), Dismissed: r.IntN(10) == 0}}}
}
