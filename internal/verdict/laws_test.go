package verdict

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/automaton-auditor/automaton/internal/court"
)

const rounds = 1500

// law runs a law on random matters that are the same in every run: on the
// matter, its ruling, and the ruling as it would be without flaws.
func law(t *testing.T, name string, holds func(r chance, m Matter, got, free court.Ruling) bool) {
	t.Helper()
	t.Run(name, func(t *testing.T) {
		for seed := range uint64(rounds) {
			r := newChance(seed)
			m := r.matter()
			innocent := m
			innocent.Exhibits = nil
			if !holds(r, m, RuleOn(m), RuleOn(innocent)) {
				t.Fatalf("broken with seed %d: %+v", seed, m)
			}
		}
	})
}

func flawed(m Matter) bool { return len(confirmedIn(m.Law.SecurityOverride, m.Exhibits)) > 0 }

// inForce is the hearing that the ruling rests on.
func inForce(m Matter, r court.Ruling) court.Hearing {
	if r.Reheard {
		return m.Hearings[len(m.Hearings)-1]
	}
	return m.Hearings[0]
}

func TestLawsOfBounds(t *testing.T) {
	law(t, "V1 without a cap a ruling lies in the bound", func(_ chance, m Matter, _, free court.Ruling) bool {
		low, high := inForce(m, free).Bound()
		return low <= free.Exact && free.Exact <= high
	})
	law(t, "V2 the override never raises and never leaves more than the cap", func(_ chance, m Matter, got, free court.Ruling) bool {
		limit := m.Law.SecurityOverride.Cap
		return got.Exact == free.Exact && (!flawed(m) || got.Exact <= limit) || flawed(m) && got.Exact == limit && limit < free.Exact
	})
	law(t, "V8 low <= exact <= high, and the integer is the exact, rounded", func(_ chance, _ Matter, got, _ court.Ruling) bool {
		return got.Low <= got.Exact && got.Exact <= got.High && *got.Final == got.Exact.Score()
	})
	law(t, "V12 before any cap a ruling is the weighted mean of the heard opinions", func(_ chance, m Matter, _, free court.Ruling) bool {
		h := inForce(m, free)
		low, high := h.Bound()
		heard := scores{}
		for _, o := range m.Opinions {
			if o.Round == h.Round {
				heard[o.Judge] = min(max(o.Exact, low), high)
				if o.Substituted != "" {
					heard[o.Judge] = h.Bench[o.Judge]
				}
			}
		}
		techLead := int64(1)
		if m.Criterion.ID == "graph_orchestration" {
			techLead = 2
		}
		sum := int64(heard[court.Prosecutor]) + techLead*int64(heard[court.TechLead]) + int64(heard[court.Defense])
		return int64(free.Exact) == court.Div(sum, 2+techLead)
	})
}

func TestLawsOfFlaws(t *testing.T) {
	law(t, "V3 an unconfirmed flaw changes nothing", func(_ chance, m Matter, got, free court.Ruling) bool {
		return flawed(m) || cmp.Equal(got, free)
	})
	law(t, "V4 two flaws are as one", func(_ chance, m Matter, got, _ court.Ruling) bool {
		m.Exhibits = append(slices.Clone(m.Exhibits), m.Exhibits...)
		return cmp.Equal(RuleOn(m), got)
	})
}

func TestLawsOfProcedure(t *testing.T) {
	law(t, "V5 order of opinions and hearings changes nothing", func(r chance, m Matter, got, _ court.Ruling) bool {
		m.Opinions, m.Hearings = slices.Clone(m.Opinions), slices.Clone(m.Hearings)
		r.Shuffle(len(m.Opinions), func(i, k int) { m.Opinions[i], m.Opinions[k] = m.Opinions[k], m.Opinions[i] })
		slices.Reverse(m.Hearings)
		return cmp.Equal(RuleOn(m), got)
	})
	law(t, "V6 holdings chain from the first to the ruling", func(_ chance, _ Matter, got, _ court.Ruling) bool {
		for i, h := range got.Holdings[1:] {
			if got.Holdings[i].After != h.Before {
				return false
			}
		}
		return got.Holdings[len(got.Holdings)-1].After == got.Exact
	})
	law(t, "V7 each rule once, in order", func(_ chance, _ Matter, got, _ court.Ruling) bool {
		var law, done []string
		for _, r := range Rules {
			law = append(law, r.ID)
		}
		for i, h := range got.Holdings {
			if i == 3 && got.Reheard { // fact_supremacy on the second hearing
				if h.Rule != factSupremacyID {
					return false
				}
				continue
			}
			done = append(done, h.Rule)
		}
		return slices.Equal(law, done)
	})
	law(t, "V9 a wide spread in either hearing means dissent", func(_ chance, _ Matter, got, _ court.Ruling) bool {
		return got.Dissent == (max(got.Spread, got.FirstSpread) > 2) && (!got.Dissent || len(got.Parted) > 0)
	})
	law(t, "V10 a kinder opinion never lowers the ruling", func(r chance, m Matter, _, _ court.Ruling) bool {
		m.Hearings = m.Hearings[:1]
		at := r.IntN(3)
		kinder, plain := m, m
		kinder.Opinions, plain.Opinions = slices.Clone(m.Opinions[:3]), slices.Clone(m.Opinions[:3])
		plain.Opinions[at].Substituted = ""
		kinder.Opinions[at] = opinionOf(m, m.Opinions[at].Judge, 1, min(5, m.Opinions[at].Score+1))
		return RuleOn(kinder).Exact >= RuleOn(plain).Exact
	})
	law(t, "V11 a silent judge counts as the bench in that seat", func(r chance, m Matter, _, _ court.Ruling) bool {
		j := pick(r, court.Personas()...)
		silent, same := m, m
		silent.Opinions = slices.DeleteFunc(slices.Clone(m.Opinions), func(o court.Opinion) bool { return o.Judge == j })
		same.Opinions = slices.Clone(silent.Opinions)
		for _, h := range m.Hearings {
			same.Opinions = append(same.Opinions, court.Opinion{Judge: j, Criterion: h.Criterion, Round: h.Round, Exact: h.Bench[j], Score: h.Bench[j].Score()})
		}
		return RuleOn(silent).Exact == RuleOn(same).Exact
	})
}

// Two opinions for one seat are none: neither can be preferred.
func TestTwoOpinionsForOneSeat(t *testing.T) {
	m := newChance(1).matter()
	m.Opinions = append(m.Opinions, opinionOf(m, court.Defense, 1, 5), opinionOf(m, court.Defense, 1, 1))
	s := sit(m)
	admissibility(s)
	if !slices.Contains(s.ruling.Substituted, court.Defense) || s.raw[court.Defense] != m.Hearings[0].Bench[court.Defense] {
		t.Errorf("substituted %v, heard %v", s.ruling.Substituted, s.raw)
	}
}

func BenchmarkRuleOn(b *testing.B) {
	m := newChance(7).matter()
	b.ReportAllocs()
	for b.Loop() {
		RuleOn(m)
	}
}
