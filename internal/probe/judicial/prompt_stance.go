package judicial

import (
	"context"
	"fmt"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/probe"
)

// stances are the words of each judge, by their beginnings.
var stances = [...][]string{
	prosecutor: {"flaw", "gap", "adversar", "strict", "reject", "secur", "laz", "harsh", "critical", "violat", "vulnerab", "scrutin", "missing", "attack", "doubt", "skeptic", "guilt", "charge", "fail", "unsafe", "risk", "cynic", "penal"},
	defense:    {"effort", "intent", "credit", "creativ", "mitigat", "generous", "partial", "reward", "merit", "strength", "optimis", "spirit", "forgiv", "iterat", "favor", "benefit", "good", "highlight", "understand", "support", "advoca"},
	techLead:   {"maintain", "architect", "production", "pragmat", "modular", "work", "practical", "viab", "debt", "scal", "sound", "clean", "robust", "operat", "realis", "deploy", "function", "reliab", "test"},
}

// Hits that make a stance.
const (
	enoughHits = 3
	otherHits  = 2
)

var promptStance = probe.Probe{
	ID: "prompt.stance", Version: "3", Target: court.GithubRepo,
	Title:  "A judge's prompt takes that judge's stance",
	Doc:    "Counts, in the sentences that not all three prompts have, the different words of the judge's stance and of the other judges'. Three of its own make a stance, unless another judge's are more.",
	Remedy: "Say in the prompt what this judge looks for and how it weighs it.", Effort: 20, Recall: 9000,
	Args: []probe.Arg{{Name: "judge", Type: "string", Allowed: personas[:], Default: "prosecutor", Doc: "whose stance"}},
	Run: func(ctx context.Context, s *probe.Scene, a probe.Args) ([]probe.Finding, error) {
		judge := prosecutor
		for p, name := range personas {
			if name == a.String("judge") {
				judge = persona(p)
			}
		}
		return ofPrompts(func(b *bench, pr *prompts) probe.Finding { return stance(b, pr, judge) })(ctx, s, a)
	},
}

// toStand asks for a stance.
const toStand = "Say in the prompt of the %s what this judge looks for and how it weighs it."

func stance(b *bench, pr *prompts, judge persona) probe.Finding {
	own := pr.own[judge]
	if len(own.parts) == 0 {
		if len(pr.common.parts) > 0 && compare(pr).personas == 0 && !b.dynamicPrompts() {
			return probe.Missing(probe.Ratio(b.p.Examined()), court.AST, "The prompt has no words of its own for the %s.", judge.title()).Do(toStand, judge.title())
		}
		return probe.Cannot(court.Dynamic, spots(b.models.in(b.judges)[0].Node), "The prompt of the %s could not be resolved.", judge.title())
	}
	words := wordSet(personaText(pr, judge))
	var hits [3]int
	for p, families := range stances {
		for _, f := range families {
			for w := range words {
				if strings.HasPrefix(w, f) {
					hits[p]++
					break
				}
			}
		}
	}
	mine := hits[judge]
	rival, best := nobody, 0
	for p, n := range hits {
		if persona(p) != judge && n > best {
			rival, best = persona(p), n
		}
	}
	at := []court.Place{pr.main(judge)}
	switch {
	case mine >= enoughHits && best <= mine:
		return probe.Present(court.AST, at, "The prompt of the %s uses %s of its stance.", judge.title(), different(mine))
	case mine < otherHits && best >= enoughHits:
		return probe.Against(court.AST, at, "The prompt of the %s takes the stance of the %s.", judge.title(), rival.title()).Do(toStand, judge.title())
	case mine > 0:
		return probe.Partly(probe.Ratio(min(mine, enoughHits), enoughHits+1), court.AST, at, "The prompt of the %s uses %s of its stance and %d of another judge's.", judge.title(), different(mine), best).Do(toStand, judge.title())
	default:
		return probe.Missing(probe.Ratio(b.p.Examined()), court.AST, "The prompt of the %s has no word of its stance.", judge.title()).Do(toStand, judge.title())
	}
}

// different is a number of words in words.
func different(n int) string {
	if n == 1 {
		return "1 word"
	}
	return fmt.Sprintf("%d different words", n)
}
