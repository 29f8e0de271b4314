package judicial

import (
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/probe"
	"github.com/automaton-auditor/automaton/internal/safetext"
)

var promptExtract = probe.Probe{
	ID: "prompt.extract", Version: "3", Target: court.GithubRepo,
	Title:  "Three judges have prompts of their own",
	Doc:    "Collects the texts in the judges' code, in the constants that it names and in prompt files, and files each under the judge that its name, key, branch, function or first words say. A judge has a prompt of its own when it has at least two words beyond the role name that the others lack.",
	Remedy: "Write a prompt of its own for each of the three judges.", Effort: 60, Recall: 9500,
	Run: ofPrompts(extract),
}

// ofPrompts is a probe that asks about the judges' prompts.
func ofPrompts(ask func(*bench, *prompts) probe.Finding) run {
	return ofJudges(func(b *bench) probe.Finding { return b.reaching(ask(b, b.prompts())) })
}

// reaching is a finding on what models are told: it has its effect where one is asked.
func (b *bench) reaching(f probe.Finding) probe.Finding {
	for _, c := range b.models.in(b.judges) {
		f.Through = append(f.Through, spot(c.Node))
	}
	return f
}

func extract(b *bench, pr *prompts) probe.Finding {
	l := compare(pr)
	var names []string
	var at []court.Place
	for p, s := range pr.own {
		if len(s.parts) > 0 {
			names = append(names, persona(p).title())
			at = append(at, pr.main(persona(p)))
		}
	}
	var f probe.Finding
	switch {
	case l.personas == 3:
		f = probe.Present(court.AST, sorted(at), "Prosecutor, defense and tech lead each have a prompt of their own.")
	case l.personas > 0:
		f = probe.Partly(probe.Ratio(l.personas, 3), court.AST, sorted(at), "%d of three judges have words of their own in their prompts (%s).", l.personas, strings.Join(names, ", ")).
			Do("Write a prompt of its own for each judge that has none yet; %s have one.", strings.Join(names, ", "))
	case len(pr.common.parts) > 0 && !b.dynamicPrompts():
		why := "the judges share one prompt, in which only the role differs"
		if b.single() {
			why = "there is one judge with one prompt, and no other that has one of its own"
		}
		f = probe.Missing(probe.Ratio(b.p.Examined()), court.AST, "%s", safetext.Sentence(why))
		f.Places = pr.shared()
	default:
		f = probe.Cannot(court.Dynamic, spots(b.models.in(b.judges)[0].Node), "The judges' prompts could not be resolved.")
	}
	f.Data = map[string]any{"judges.personas": l.personas}
	return f
}

// dynamicPrompts reports whether the judges' code reads its prompts from where
// they cannot be seen: a file or a table that is not in the repository.
func (b *bench) dynamicPrompts() bool {
	for _, c := range b.judges.calls(b.p, b.il) {
		if (c.Name == "read_text" || c.Name == "open" || c.Name == "hub" || c.Name == "pull") && starts(split(c.Node.Text()), "prompt", "persona") {
			return true
		}
	}
	return b.filledFromData()
}
