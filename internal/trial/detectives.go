package trial

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/pdf"
	"github.com/automaton-auditor/automaton/internal/probe"
	"github.com/automaton-auditor/automaton/internal/repo"
)

// investigate is a detective's node: it answers the checks that are his, in
// the second round only those that the dispute turns on.
func (c *chambers) investigate(d court.Detective) func(context.Context, court.State) (court.State, error) {
	return func(ctx context.Context, s court.State) (court.State, error) {
		b := probe.Brief{Detective: d, Criteria: heard(s), Round: s.Round(), Only: reopened(s), Jobs: c.jobs, Saw: c.saw, Asking: c.watch.asking(d)}
		m := c.meter(d, &b)
		leftOut, err := c.secure(ctx, m)
		if err != nil {
			return court.State{}, err
		}
		found, faults := probe.Investigate(ctx, c.scene, c.probes, b)
		if err := ctx.Err(); err != nil {
			return court.State{}, err
		}
		c.watch.gathered(d, found)
		for i := range faults { // a probe that failed left its check unknown
			faults[i].Blocks = true
		}
		patch := court.State{Evidences: found, Faults: faults}
		if s.Round() > 1 {
			return patch, nil
		}
		inquired, lapses := c.scene.Inquire(ctx, c.probes, b, found)
		if err := ctx.Err(); err != nil {
			return court.State{}, err
		}
		if len(inquired) > 0 {
			c.watch.gathered(d, inquired)
		}
		switch d {
		case court.RepoInvestigator:
			portrait, unpainted := portray(ctx, c.scene, heard(s), namedBy(found))
			patch.Portrait = portrait
			files, notices := c.addressed(ctx, heard(s), found)
			if len(c.bench.Seats) > 0 {
				patch.Addressed = files
			}
			patch.Faults = slices.Concat(c.faults, leftOut, patch.Faults, c.unread(ctx), notices, unpainted, c.parser.faults(d), c.syntax.faults(d), c.queries.faults(d))
		case court.DocAnalyst:
			patch.Evidences = c.testimony(ctx, heard(s), patch.Evidences)
			var faults []court.Fault
			patch.Document, patch.Further, faults = c.documents(ctx, s.Case)
			patch.Faults = append(patch.Faults, faults...)
		case court.VisionInspector: // what it could not see is in its evidence
			patch.Faults = append(patch.Faults, c.reader.faults(d)...)
		}
		if len(inquired)+len(lapses) > 0 && d != court.RepoInvestigator {
			patch.Faults = append(patch.Faults, c.firstOnly(d)...)
		}
		for id, list := range inquired {
			patch.Evidences[id] = append(patch.Evidences[id], list...)
		}
		patch.Faults = append(patch.Faults, lapses...) // no check rests on it: nothing blocks
		return patch, nil
	}
}

// passages is the probe that finds what the document says about a question.
const passages = "doc.passages"

// testimony lays what the document says about each criterion beside the
// evidence, so that who judges reads passages and never the whole of it.
func (c *chambers) testimony(ctx context.Context, criteria []court.Criterion, found map[string][]court.Evidence) map[string][]court.Evidence {
	if !c.scene.HasPDF() {
		return found
	}
	var asked []court.Criterion
	for _, cr := range criteria {
		question := strings.Join([]string{cr.Name, cr.Instruction, cr.Success, cr.Failure}, "\n")
		asked = append(asked, court.Criterion{ID: cr.ID, Artifacts: []court.Artifact{court.PDFReport}, Checks: []court.Check{{
			ID: court.Testimony, Weight: 1, Polarity: court.Want, Text: "What the document says about it",
			Asks: []court.Ask{{Probe: passages, Args: map[string]any{"question": question}}}}}})
	}
	said, _ := probe.Investigate(ctx, c.scene, c.probes, probe.Brief{Detective: court.DocAnalyst, Criteria: asked, Jobs: c.jobs})
	for id, list := range said {
		for _, e := range list {
			if e.Outcome == court.Present {
				e.Ask = passages // the question is the criterion's own text
				found[id] = append(found[id], e.Sealed())
			}
		}
	}
	return found
}

// secure reads and parses the submission before any probe starts. All probes
// share what comes of it, so it must not be cut short by the time limit of the
// probe that happens to ask first. What goes wrong is told to each that asks;
// what was cut, missing or ignored on the way is told once, and before any probe
// can add to it, so that it does not depend on who was faster.
func (c *chambers) secure(ctx context.Context, m *meter) ([]court.Fault, error) {
	var all sync.WaitGroup
	if c.scene.HasRepo() {
		all.Go(func() {
			_, _ = c.scene.Graphs(ctx)
			m.secured(theCode)
		})
		all.Go(func() { _, _ = c.scene.History(ctx) })
	}
	if c.scene.HasPDF() {
		all.Go(func() {
			for _, d := range c.scene.Documents() {
				_, _ = d.Passages(ctx)
				_, _ = d.Figures(ctx)
			}
			m.secured(theDocument)
		})
	}
	all.Wait()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return probe.Shared(c.scene, "trial.left_out", func() ([]court.Fault, error) { return c.leftOut(), nil })
}

// mostNamed is how many files one kind of note names.
const mostNamed = 20

// cutOrMissing makes faults of what the reader of the repository left out. Of
// what befell many files, the first are named and the others counted.
func cutOrMissing(notes []repo.Note) []court.Fault {
	type kind struct{ code, text string }
	count := map[kind]int{}
	var out []court.Fault
	for _, n := range notes {
		k := kind{n.Code, n.Text}
		if count[k]++; count[k] <= mostNamed {
			out = append(out, court.Fault{Stage: string(court.RepoInvestigator), Subject: shown(n.Subject, 200), Reason: shown(n.Code+": "+n.Text, 300)})
		}
	}
	for _, n := range notes {
		k := kind{n.Code, n.Text}
		if more := count[k] - mostNamed; more > 0 {
			out = append(out, court.Fault{Stage: string(court.RepoInvestigator), Reason: shown(fmt.Sprintf("%s: %s; so with %d more", n.Code, n.Text, more), 300)})
		}
		delete(count, k)
	}
	return out
}

// unread lists the source files that could not be examined, or only in part.
func (c *chambers) unread(ctx context.Context) []court.Fault {
	if !c.scene.HasRepo() {
		return nil
	}
	program, err := c.scene.Python(ctx)
	if err != nil {
		return []court.Fault{{Stage: string(court.RepoInvestigator), Subject: "python", Reason: shown(err.Error(), 500), Blocks: true}}
	}
	var out []court.Fault
	for _, f := range program.Faults {
		out = append(out, court.Fault{Stage: string(court.RepoInvestigator), Subject: shown(f.Path, 200), Reason: shown(f.Reason, 300)})
	}
	large, _, err := c.scene.Unread(ctx)
	if err != nil {
		return append(out, court.Fault{Stage: string(court.RepoInvestigator), Subject: "python", Reason: court.Clean(err.Error(), 500), Blocks: true})
	}
	var notes []repo.Note
	for _, p := range large {
		_, err := c.scene.Text(ctx, p.Path)
		if u, ok := errors.AsType[*probe.Unable](err); ok && u.Reason == court.TooLarge { // what is missing was told by the repository
			notes = append(notes, repo.Note{Code: "limit_blob", Subject: p.Path, Text: "the source file is too large to be read"})
		}
	}
	return append(out, cutOrMissing(notes)...)
}

// unread is the status of a document that our reader failed on: nothing is said
// about the document itself.
const unread = "unread"

// noted makes faults of what a reader left out: one for each thing, however
// many pages it befell.
func noted(notes []pdf.Note) []court.Fault {
	type thing struct {
		code pdf.NoteCode
		text string
	}
	var order []thing
	pages := map[thing][]int{}
	for _, n := range notes {
		k := thing{n.Code, n.Text}
		if pages[k] == nil {
			order = append(order, k)
		}
		pages[k] = append(pages[k], max(n.Page, 1))
	}
	var faults []court.Fault
	for _, k := range order {
		first, last, n := slices.Min(pages[k]), slices.Max(pages[k]), len(pages[k])
		why := shown(k.text, 250)
		if n > 1 {
			why = fmt.Sprintf("%s; so on %d pages up to page %d", why, n, last)
		}
		faults = append(faults, court.Fault{Stage: string(court.DocAnalyst), Subject: court.Place{Page: first}.String(), Reason: why})
	}
	return faults
}

// half is the doubt from which a check is looked at again.
const half = court.One / 2

// reopened says which checks of the disputed criteria are looked at again: what
// the judges cited, what nobody knows, and core checks in conflict. In the
// first round that is everything.
func reopened(s court.State) func(criterion, check string) bool {
	if s.Round() == 1 {
		return nil
	}
	again := map[[2]string]bool{}
	checkOf := map[string]string{}
	for _, id := range s.Disputed {
		for _, e := range s.Evidences[id] {
			checkOf[e.ID] = e.Check
		}
	}
	for _, o := range s.Opinions {
		for _, id := range o.Cited {
			again[[2]string{o.Criterion, checkOf[id]}] = true
		}
	}
	for _, h := range s.Hearings {
		clash := h.Conflict >= s.Rubric.Synthesis.ReEvaluation.CoreConflict
		for _, r := range h.Ledger[court.TechLead] {
			if r.U >= half || r.Core && clash {
				again[[2]string{h.Criterion, r.Check}] = true
			}
		}
	}
	return func(criterion, check string) bool { return again[[2]string{criterion, check}] }
}
