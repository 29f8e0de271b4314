package report

import (
	"fmt"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
)

// sentence writes a sentence, wrapped.
func (s *classText) sentence(format string, a ...any) {
	for _, l := range wrap(court.Clean(fmt.Sprintf(format, a...), 0), s.o.width()-4) {
		s.line("  %s", l)
	}
}

// idList names cases, the first of many.
func idList(ids []string) string {
	if more := len(ids) - mostCases; more > 0 {
		return strings.Join(ids[:mostCases], ", ") + fmt.Sprintf(" and %d more", more)
	}
	return strings.Join(ids, ", ")
}

// gate says which cases the gate holds back, in the words of a single audit.
func (s *classText) held() {
	if s.Gate == "" {
		return
	}
	by := map[string][]string{}
	n := 0
	for _, c := range s.Cases {
		if c.Gate != "" {
			by[c.Gate] = append(by[c.Gate], c.ID)
			n++
		}
	}
	row := func(outcome, what string, color func(string) string) {
		if ids := by[outcome]; len(ids) > 0 {
			word := gateWord(&court.Gate{Outcome: outcome})
			words := fmt.Sprintf("%d of %s %s (%s)", len(ids), plural(n, "case"), what, s.Gate)
			if outcome != "pass" {
				words += ": " + idList(ids)
			}
			s.b.WriteString(hung("  "+color(word)+"  ", 4+cells(word), wrap(court.Clean(words, 0), s.o.width()-4-cells(word))))
		}
	}
	row("fail", "did not reach what was asked", s.p.red)
	row("insufficient", "could not be decided, because not everything could be examined", s.p.red)
	if len(by["pass"]) == n {
		row("pass", "reached what was asked", s.p.green)
	}
	s.line("")
}

func (s *classText) alike() {
	for _, ids := range s.Twins {
		for _, l := range wrap("One commit was submitted by "+clean(strings.Join(ids, ", "))+".", s.o.width()-4) {
			s.line("  %s", l)
		}
	}
	if len(s.Twins) > 0 {
		s.line("")
	}
	x := s.Alike
	if x == nil {
		return
	}
	s.line("  %s  %s: similarity.html", s.p.bold("ALIKE"), x.headline())
	for _, p := range x.Pairs[:min(len(x.Pairs), mostCases)] {
		s.line("  %s and %s: %s", clean(p.A), clean(p.B), p.facts())
	}
	for _, ids := range x.Clusters {
		if len(ids) > 2 {
			s.line("  Group of %d: %s", len(ids), clean(strings.Join(ids, ", ")))
		}
	}
	if len(x.Pairs) > 0 {
		s.b.WriteString(legend("A number is the share of the one that is in the other, whichever is more. The list changes no score; a person has to look.", s.o))
	}
	s.line("")
}

// remarks are what else a person should know before the grades go out.
func (s *classText) remarks() {
	n := s.b.Len()
	if len(s.ByPeople) > 0 && s.Unmarked > 0 {
		s.sentence("%s marked by a person, and %s no mark yet: %s. --answers FILE gives the marks.", plural2(len(s.ByPeople), "criterion is", "criteria are"),
			plural2(s.Unmarked, "case has", "cases have"), strings.Join(s.ByPeople, ", "))
	}
	s.decided()
	if len(s.Moved) > 0 {
		s.sentence("%s another commit now than the one that was judged: %s. To judge the new one, run %s.", plural2(len(s.Moved), "submission has", "submissions have"), idList(s.Moved),
			s.command("batch", "--retry moved"))
	}
	if s.Calls > 0 {
		cost := " for $" + s.USD
		switch {
		case s.USD == "":
			cost = "; the price is not known"
		case s.Unpriced > 0:
			cost += fmt.Sprintf(", and %s a price that is not known", plural2(s.Unpriced, "case has", "cases have"))
		}
		s.sentence("Models answered %s with %d tokens%s.", plural(s.Calls, "call"), s.Tokens, cost)
	}
	if s.b.Len() > n {
		s.line("")
	}
}

// decided says what people decided, and whether the scores may go out.
func (s *classText) decided() {
	var changed []string
	decided, published := 0, 0
	for _, c := range s.Cases {
		if c.Decisions > 0 {
			decided++
		}
		if c.Published {
			published++
		}
		if c.Machine != nil {
			changed = append(changed, fmt.Sprintf("%s (court %s)", c.ID, c.Machine.Shown()))
		}
	}
	if decided > 0 {
		text := fmt.Sprintf("People decided on %s", plural(decided, "case"))
		if len(changed) > 0 {
			text += ", and " + plural2(len(changed), "has another total by that", "have another total by that") + ": " + idList(changed)
		}
		s.sentence("%s.", text)
	}
	if published > 0 {
		s.sentence("%s published; the others are drafts.", plural2(published, "score is", "scores are"))
	}
}
