package trial

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/bench"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/probe"
)

// seal verifies one piece of evidence. In the second round it is read again.
func (a *aggregation) seal(ctx context.Context, s *probe.Scene, e court.Evidence) {
	old, sealed := a.seals[e.ID]
	if sealed && (old.Struck != "" || old.Superseded != "") {
		return
	}
	err := probe.Verify(ctx, s, e)
	if err == nil {
		a.attest(e, true)
		return
	}
	if ctx.Err() != nil { // the step was cut short: nothing is known of this item
		return
	}
	a.patch.Faults = append(a.patch.Faults, court.Fault{Stage: aggregator, Subject: e.ID, Reason: shown(err.Error(), 300), Blocks: true})
	in := e
	in.Outcome, in.Reason, in.Source, in.Confidence, in.Share = court.Unknown, court.Unverified, court.Mention, 0, 0
	in.Content, in.At, in.Security, in.Data, in.More = "", nil, nil, nil, 0
	in.Remedy, in.Effort = "", 0
	in.Rationale = "The finding could not be read again at its place: " + shown(err.Error(), 200) + "."
	in = in.Sealed()
	a.patch.Evidences[e.Criterion] = append(a.patch.Evidences[e.Criterion], in)
	a.attest(e, false)
	lost := a.seals[e.ID]
	lost.Struck, lost.Superseded = "unverified", in.ID
	a.seals[e.ID] = lost
	a.attest(in, true)
}

// attest gives a label, once, and the strength.
func (a *aggregation) attest(e court.Evidence, verified bool) {
	seal, ok := a.seals[e.ID]
	if !ok {
		seal = court.Seal{ID: e.ID, Label: a.given.next(e)}
	}
	seal.Strength, seal.Verified = bench.Strength(e), verified
	a.seals[e.ID] = seal
}

// supersede retires what the second look at a question did not find again.
func (a *aggregation) supersede(criterion string) {
	if a.state.Round() == 1 {
		return
	}
	fresh := map[string]string{} // by check and ask: an answer of this round
	for _, e := range a.state.Evidences[criterion] {
		key := e.Check + "\x00" + e.Ask
		if a.seals[e.ID].Struck != "" { // found again, and still not where it should be
			continue
		}
		if e.Round == a.state.Round() && (fresh[key] == "" || e.ID < fresh[key]) {
			fresh[key] = e.ID
		}
	}
	for _, e := range a.state.Evidences[criterion] {
		by := fresh[e.Check+"\x00"+e.Ask]
		seal := a.seals[e.ID]
		if by != "" && e.Round < a.state.Round() && seal.Superseded == "" {
			seal.Superseded = by
			a.seals[e.ID] = seal
		}
	}
}

// exhibits is the evidence of a criterion, with what this round adds.
func (a *aggregation) exhibits(criterion string) []court.Exhibit {
	all := slices.Concat(a.state.Evidences[criterion], a.patch.Evidences[criterion])
	return sealedExhibits(all, a.seals)
}

// silent says so when a detective answered nothing, though nothing is known to
// have kept him from it.
func (a *aggregation) silent() {
	if a.state.Round() > 1 || incomplete(a.state) {
		return
	}
	for _, c := range heard(a.state) {
		for _, ch := range c.Checks {
			if len(ch.Asks) > 0 && !slices.ContainsFunc(a.state.Evidences[c.ID], func(e court.Evidence) bool { return e.Check == ch.ID }) {
				a.patch.Faults = append(a.patch.Faults, court.Fault{Stage: aggregator, Subject: court.Clean(c.ID, 200), Reason: court.Clean("nobody answered "+ch.ID, 300), Blocks: true})
				return
			}
		}
	}
}

// claims strikes from the ledger of the document what cannot be read again at
// its place. No check rests on it, so that the audit stays complete.
func (a *aggregation) claims(ctx context.Context, s *probe.Scene) {
	doc := a.state.Document
	if doc == nil || a.state.Round() > 1 {
		return
	}
	if len(doc.Claims) > 0 {
		seen := a.standing(ctx, s, *doc)
		a.patch.Document = &seen
	}
	for _, d := range a.state.Further {
		a.patch.Further = append(a.patch.Further, a.standing(ctx, s, d))
	}
}

// standing is a document with the claims that can be read again.
func (a *aggregation) standing(ctx context.Context, s *probe.Scene, doc court.PDF) court.PDF {
	seen := doc
	seen.Claims = nil
	for _, x := range doc.Claims {
		if err := s.VerifyClaim(ctx, x); err == nil {
			seen.Claims = append(seen.Claims, x)
		} else if ctx.Err() == nil {
			a.patch.Faults = append(a.patch.Faults, court.Fault{Stage: aggregator, Subject: shown("claim "+x.Subject, 200), Reason: shown(err.Error(), 300)})
		}
	}
	return seen
}

// numbering counts the labels given so far, of evidence and of testimony.
type numbering struct{ found, said int }

func numberingOf(seals []court.Seal) numbering {
	var n numbering
	for _, seal := range seals {
		if strings.HasPrefix(seal.Label, "P") {
			n.said++
		} else {
			n.found++
		}
	}
	return n
}

// next numbers evidence in the order in which it is sealed, and testimony apart.
func (n *numbering) next(e court.Evidence) string {
	if e.Check == court.Testimony {
		n.said++
		return fmt.Sprintf("P%d", n.said)
	}
	n.found++
	return fmt.Sprintf("E%d", n.found)
}

// unsealed stands in for the seals of evidence that a run which was cut short
// never aggregated: it is shown, but nobody vouches for it.
func unsealed(s court.State) []court.Seal {
	sealed := map[string]bool{}
	for _, seal := range s.Seals {
		sealed[seal.ID] = true
	}
	given := numberingOf(s.Seals)
	var out []court.Seal
	for _, c := range s.Rubric.Criteria {
		for _, e := range inOrder(c, s.Evidences[c.ID]) {
			if !sealed[e.ID] {
				out = append(out, court.Seal{ID: e.ID, Label: given.next(e), Strength: bench.Strength(e)})
			}
		}
	}
	return out
}
