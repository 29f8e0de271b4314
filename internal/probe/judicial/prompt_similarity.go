package judicial

import (
	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/probe"
)

// alike is the similarity from which prompts count as the same.
const alike = 9000

var promptSimilarity = probe.Probe{
	ID: "prompt.similarity", Version: "3", Target: court.GithubRepo,
	Title:  "The three prompts are worded differently",
	Doc:    "Compares what the judges are told beyond what all three share, sentence by sentence, without template holes and role names; whole prompts when that is shorter than ten words. Similarity is words in common over words in either.",
	Remedy: "Give each judge a stance, duties and standards in words of its own.", Effort: 60, Recall: 9500,
	Run: ofPrompts(similarity),
}

// toPart asks for prompts that differ.
const toPart = "Give the prompts of %s and %s a stance, duties and standards in words of their own."

func similarity(b *bench, pr *prompts) probe.Finding {
	l := compare(pr)
	if !l.known {
		if b.single() { // that judges are missing is said elsewhere
			return probe.Cannot(court.Dynamic, spots(b.models.in(b.judges)[0].Node), "Only one judge was found, so there are no prompts to compare.")
		}
		if l.personas == 0 && len(pr.common.parts) > 0 && !b.dynamicPrompts() {
			return probe.Against(court.AST, pr.shared(), "One prompt serves all three judges.")
		}
		return probe.Cannot(court.Dynamic, spots(b.models.in(b.judges)[0].Node), "The prompts of all three judges could not be resolved.")
	}
	at := sorted([]court.Place{pr.main(l.a), pr.main(l.b)})
	what := "The words of their own"
	if l.whole {
		what = "The whole prompts (the own parts are short)"
	}
	var f probe.Finding
	percent := court.Div(100*int64(l.most), int64(court.One))
	switch {
	case l.most < half:
		f = probe.Present(court.AST, at, "%s of %s and %s, the two that are most alike, are %d %% alike.", what, l.a.title(), l.b.title(), percent)
	case l.most < alike:
		f = probe.Partly(court.One-l.most, court.AST, at, "%s of %s and %s are %d %% alike.", what, l.a.title(), l.b.title(), percent).Do(toPart, l.a.title(), l.b.title())
	default:
		f = probe.Against(court.AST, at, "%s of %s and %s are %d %% alike.", what, l.a.title(), l.b.title(), percent).Do(toPart, l.a.title(), l.b.title())
	}
	f.Data = map[string]any{"judges.prompts_distinct": l.most < half, "similarity": l.most}
	return f
}

// single reports whether there is but one judge: one function in which judges
// begin, and no two of the three names in their files.
func (b *bench) single() bool {
	if len(b.judges.roots) > 1 {
		return false
	}
	named := map[persona]bool{}
	seen := map[*code.Module]bool{}
	for _, d := range b.judges.defs {
		if m := d.Module; !seen[m] {
			seen[m] = true
			for n := range m.Root().Walk() {
				if n.Is("identifier", "string_content") {
					for _, p := range mentioned(n.Text()) {
						named[p] = true
					}
				}
			}
		}
	}
	return len(named) < 2
}

// mentioned lists the judges that a text names.
func mentioned(text string) []persona {
	var out []persona
	ws := split(text)
	for i := range ws {
		if p := who(ws[i:min(i+2, len(ws))]); p != nobody {
			out = append(out, p)
		}
	}
	return out
}
