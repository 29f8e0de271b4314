package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
)

// claims are what the document says of the submission.
func (d *docket) claims() []court.Claim {
	if d.rec.Case.PDF == nil {
		return nil
	}
	all := d.rec.Case.PDF.Claims
	for _, x := range d.rec.Case.Further {
		all = slices.Concat(all, x.Claims)
	}
	return all
}

// claimed parts the claims into those that were found not to hold and the rest.
func (d *docket) claimed() (broken, rest []court.Claim) {
	for _, c := range d.claims() {
		if c.Modality == court.Claims && c.Fate.Untrue() {
			broken = append(broken, c)
		} else {
			rest = append(rest, c)
		}
	}
	return broken, rest
}

// claimCounts says how many things that the document claims hold, and how many it only
// speaks of.
func (d *docket) claimCounts() string {
	count, other := map[court.Fate]int{}, 0
	for _, c := range d.claims() {
		if c.Modality == court.Claims {
			count[c.Fate]++
		} else {
			other++
		}
	}
	s := "The document claims nothing"
	if len(count) > 0 {
		s = court.Held(count)
	}
	if other > 0 {
		s += fmt.Sprintf("; %d more are not claims but plans, memories, quotations, examples or gaps that the document admits", other)
	}
	n := d.rec.Case.PDF.MoreClaims
	for _, x := range d.rec.Case.Further {
		n += x.MoreClaims
	}
	if n > 0 {
		s += fmt.Sprintf("; %d beyond these are not listed", n)
	}
	return s + "."
}

// fateWord is a fate for people. That no commit has a file is all that a history
// can tell.
func fateWord(f court.Fate) string {
	if f == court.NeverExisted {
		return "never committed"
	}
	return spaced(string(f))
}

// proofText is where the repository speaks to a claim.
func proofText(c court.Claim) string {
	var list []string
	for _, p := range c.Proof {
		list = append(list, p.String())
	}
	return strings.Join(list, ", ")
}

const claimsTitle = "What the document says, compared with the repository"

// maxClaimRows bounds the claims that Markdown lists, of those that do not hold
// and of the rest.
const maxClaimRows = 100

func (m *markdown) ledger() {
	if len(m.claims()) == 0 {
		return
	}
	m.block("## " + claimsTitle)
	m.block("%s", mdText(m.claimCounts()))
	broken, rest := m.claimed()
	if len(broken) > 0 {
		m.claimRows(broken)
	}
	if len(rest) > 0 {
		m.block("<details><summary>The rest (%d)</summary>", len(rest))
		m.claimRows(rest)
		m.block("</details>")
	}
}

func (m *markdown) claimRows(list []court.Claim) {
	m.line("| Where | What | Fate | Its words | In the repository |\n|---|---|---|---|---|")
	for _, c := range list[:min(len(list), maxClaimRows)] {
		fate := fateWord(c.Fate)
		if c.Modality != court.Claims {
			fate = string(c.Modality) + "; " + fate
		}
		var proof strings.Builder
		for _, p := range c.Proof {
			proof.WriteString(" " + mdLink(mdCode(p.String(), true), Permalink(m.rec.Case, p)))
		}
		m.line("| %s | %s %s | %s | %s | %s%s |", mdText(c.At.String()), mdText(string(c.Kind)), mdCode(c.Subject, true), mdText(fate),
			mdText(c.Quote), mdText(c.Why), proof.String())
	}
	m.line("")
	if n := len(list) - maxClaimRows; n > 0 {
		m.block("%d more are in the record.", n)
	}
}

// claimView is one claim on the page.
type claimView struct {
	Place, Kind, Subject, Fate, Quote, Why, Proof, Link string
	To                                                  string // leads to Place
}

// ledgerView is the claims on the page, those that do not hold apart.
type ledgerView struct {
	Title, Counts string
	Broken, Rest  []claimView
}

func (m *pageMaker) ledger() *ledgerView {
	if len(m.claims()) == 0 {
		return nil
	}
	view := func(list []court.Claim) (out []claimView) {
		for _, c := range list {
			v := claimView{Place: strings.TrimPrefix(line(c.At.String()), "pdf:"), Kind: line(string(c.Kind)), Subject: line(c.Subject), Fate: line(fateWord(c.Fate)),
				Quote: line(c.Quote), Why: sentence(line(c.Why)), Proof: line(proofText(c)), Link: m.linkOf(c.Proof), To: m.link(c.At)}
			if c.Modality != court.Claims {
				v.Fate = line(string(c.Modality)) + "; " + v.Fate
			}
			out = append(out, v)
		}
		return out
	}
	broken, rest := m.claimed()
	return &ledgerView{claimsTitle, line(m.claimCounts()), view(broken), view(rest)}
}
