package document

import (
	"fmt"
	"strings"

	"github.com/automaton-auditor/automaton/internal/command"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/passage"
)

// commands holds the command lines that the document prints against the tree.
func (l *ledger) commands(project command.Project) {
	note := func(p *passage.Passage, said string, m modality, lines []command.Line) {
		for _, line := range lines {
			if len(l.claims) > 2*maxClaims {
				return
			}
			c := claim{Kind: ofCommand, Subject: court.Clean(line.Text, 120), Modality: m, Page: p.Page, passage: p, sentence: said}
			if said == "" {
				c.sentence = line.Text
			}
			c.Fate, c.Why, c.proof = ran(project.Check(line))
			if c.Fate == untrue && m == done && denyWords.MatchString(said) {
				c.Modality, c.Fate, c.Why = denied, undecided, "The sentence denies something, which may be the command."
			}
			l.claims = append(l.claims, c)
		}
	}
	for i := range l.passages {
		p := &l.passages[i]
		if p.Kind == passage.Code {
			note(p, "", mood(p, ""), command.Listing(p.Text))
			continue
		}
		for _, st := range statements(p) {
			m := mood(p, st.around)
			if m == done && hearsay(p, st.text) {
				m = others
			}
			note(p, st.text, m, command.Text(st.text))
		}
	}
}

// ran is what became of a command: it works on paper when everything that could
// be looked up is there.
func ran(results []command.Result) (fate, string, []court.Place) {
	var proof []court.Place
	var gone, moved, there []string
	for _, r := range results {
		if r.Path != "" {
			proof = append(proof, court.Place{Path: r.Path, Line: r.Line, EndLine: r.Line})
		}
		name := r.String()
		switch r.Answer {
		case command.Gone:
			gone = append(gone, name)
		case command.Moved:
			moved = append(moved, name)
		case command.There:
			there = append(there, name)
		case command.Open:
		}
	}
	switch {
	case len(gone) > 0:
		return untrue, fmt.Sprintf("The repository does not have %s.", strings.Join(gone, ", ")), proof
	case len(moved) > 0:
		return renamed, fmt.Sprintf("The repository has this elsewhere: %s.", strings.Join(moved, ", ")), proof
	case len(there) > 0:
		return holds, fmt.Sprintf("The repository has %s.", strings.Join(there, ", ")), proof
	}
	return undecided, "The command names nothing of the repository that could be looked up.", nil
}
