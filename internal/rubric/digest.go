package rubric

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
)

// sealed is everything of a rubric that can change a score or a judge's view.
type sealed struct {
	Name      string
	Criteria  []sealedCriterion
	Synthesis court.Synthesis
	Rules     []court.RuleText
	Guidance  court.Guidance
	Anchors   map[int]string
	Preamble  string
}

type sealedCriterion struct {
	ID, Name                      string
	Artifacts                     []court.Artifact
	Instruction, Success, Failure string
	Shown                         map[string]string
	Guidance                      court.Guidance
	Weight                        court.Fixed
	Scale                         court.Scale
	Bound                         string
	Checks                        []court.Check
}

// sealedAsk is one check of one criterion with the versions of its probes.
type sealedAsk struct {
	Criterion string
	Check     court.Check
	Versions  []string
}

// Digests are the rubric digest and the checks digest: SHA-256 in lower-case
// hex over canonical JSON. The first covers everything that can change a score
// or a judge's view, the second the checks with the versions of their probes.
// Two scores can be compared only when both are equal.
func Digests(r *court.Rubric, known Catalogue) (rubric, checks string, err error) {
	return digests(r, &known)
}

func digests(r *court.Rubric, known *Catalogue) (rubric, checks string, err error) {
	// The author's rules are members of an object: their order means nothing.
	rules := slices.SortedFunc(slices.Values(r.Rules), func(a, b court.RuleText) int {
		return cmp.Or(cmp.Compare(a.ID, b.ID), cmp.Compare(a.Text, b.Text))
	})
	s := sealed{Name: r.Name, Synthesis: r.Synthesis, Rules: rules, Guidance: r.Guidance, Anchors: r.Anchors, Preamble: r.Preamble}
	var asks []sealedAsk
	for _, c := range r.Criteria {
		s.Criteria = append(s.Criteria, sealedCriterion{ID: c.ID, Name: c.Name, Artifacts: c.Artifacts, Instruction: c.Instruction,
			Success: c.Success, Failure: c.Failure, Shown: c.Shown, Guidance: c.Guidance, Weight: c.Weight, Scale: c.Scale,
			Bound: otherID(c), Checks: c.Checks})
		for _, ch := range c.Checks {
			a := sealedAsk{Criterion: c.ID, Check: ch}
			for _, ask := range ch.Asks {
				p, _ := known.find(ask.Probe)
				a.Versions = append(a.Versions, p.Version)
			}
			asks = append(asks, a)
		}
	}
	if rubric, err = digest(s); err != nil {
		return "", "", err
	}
	checks, err = digest(asks)
	return rubric, checks, err
}

func digest(v any) (string, error) {
	raw, err := court.Canonical(v)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(raw)
	return hex.EncodeToString(sum[:]), nil
}

// otherID is the id under which rules find a criterion beside its own.
func otherID(c court.Criterion) string {
	if id := boundID(c.Binding); id != c.ID {
		return id
	}
	return ""
}

// boundID is the built-in criterion that a binding names, "" for none. Rules
// apply to a criterion under that id, too.
func boundID(binding string) string {
	_, id, _ := strings.Cut(binding, ":")
	return id
}
