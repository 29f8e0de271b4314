package report

import (
	"fmt"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
)

// bound says what a model's score counts, where the evidence moved it without
// overruling it.
func (t *explainText) bound(v voiced) string {
	if v.Overruled || v.Counted == v.Exact {
		return ""
	}
	return ", moved into what the evidence allows"
}

// claims are what a model's opinion rests on, each with its quote, then what did
// not stand and how the opinion came about.
func (t *explainText) claims(v voiced) {
	row := func(text string) {
		t.b.WriteString(hung(left("", indent)+"- ", indent+2, wrap(text, t.o.width()-indent-2)))
	}
	if v.claims {
		for _, c := range v.Citations {
			row(t.claim(c))
		}
	}
	for _, c := range v.Struck {
		row("STRUCK: " + t.claim(c) + " Why: " + sentence(clipped(c).Why))
	}
	for _, n := range v.noted {
		row(n)
	}
}

// claim is one claim in a line: side, evidence, text and quote.
func (t *explainText) claim(c court.Citation) string {
	label := clean(strings.Join(t.label([]string{c.ID}), ""))
	c = clipped(c)
	return fmt.Sprintf("%s %s: %s “%s”", c.Stance, label, sentence(c.Text), c.Quote)
}

// remedies are what judges would have done, in their words.
func (t *explainText) remedies() {
	told := false
	for _, v := range t.e.Opinions {
		if v.Remedy == "" {
			continue
		}
		if !told {
			t.line("  IN THE JUDGES' OWN WORDS (nobody computed what it is worth)")
		}
		told = true
		start := fmt.Sprintf("  %s  ", left(string(v.Judge), seatCol))
		t.b.WriteString(hung(start, cells(start), wrap(sentence(clean0(v.Remedy)), t.o.width()-cells(start))))
	}
	if told {
		t.line("")
	}
}
