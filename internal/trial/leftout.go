package trial

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/pdf"
	"github.com/automaton-auditor/automaton/internal/probe"
	"github.com/automaton-auditor/automaton/internal/repo"
)

// mostNamed is how many files one kind of note names.
const mostNamed = 20

// cutOrMissing makes faults of what the reader of the repository left out. Of
// what befell many files, the first are named and the others counted. Where time
// ran out, the audit is partial: another machine may read it all.
func cutOrMissing(notes []repo.Note) []court.Fault {
	type kind struct{ code, text string }
	count := map[kind]int{}
	var out []court.Fault
	for _, n := range notes {
		k := kind{n.Code, n.Text}
		if count[k]++; count[k] <= mostNamed {
			f := court.Fault{Stage: string(court.RepoInvestigator), Subject: shown(n.Subject, 200), Reason: shown(n.Code+": "+n.Text, 300)}
			if n.Code == "limit_wall" || n.Code == "limit_cpu" {
				f.Reason, f.Blocks = f.Reason+"; this may be otherwise on another machine", true
			}
			out = append(out, f)
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

// unasked names the sides of the submission that were not looked at, since no
// check of this run asks for them.
func (c *nodes) unasked() []court.Fault {
	var out []court.Fault
	say := func(is bool, d court.Detective, subject string, side probe.Reads) {
		if why := c.scene.Reads().Left(side); is && why != "" {
			out = append(out, court.Fault{Stage: string(d), Subject: subject, Reason: why})
		}
	}
	say(c.scene.HasRepo(), court.RepoInvestigator, "code", probe.Code)
	say(c.scene.HasRepo(), court.RepoInvestigator, "history", probe.Past)
	say(c.papered, court.DocAnalyst, "pdf", probe.Papers)
	return out
}

// unread lists the source files that could not be examined, or only in part.
func (c *nodes) unread(ctx context.Context) []court.Fault {
	if !c.scene.HasRepo() || !c.scene.Reads().Has(probe.Code) {
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
	files, err := c.scene.Files(ctx)
	if err != nil {
		return append(out, court.Fault{Stage: string(court.RepoInvestigator), Subject: "python", Reason: court.Clean(err.Error(), 500), Blocks: true})
	}
	var notes []repo.Note
	for _, f := range files {
		if f.Bytes != nil || f.Language() != "python" || program.Layout.Scope(f.Path) != code.ScopeProduction {
			continue
		}
		_, err := c.scene.Text(ctx, f.Path)
		if u, ok := errors.AsType[*probe.Unable](err); ok && u.Reason == court.TooLarge { // what is missing was told by the repository
			notes = append(notes, repo.Note{Code: "limit_blob", Subject: f.Path, Text: "the source file is too large to be read"})
		}
	}
	return append(append(out, c.unparsed(ctx, program)...), cutOrMissing(notes)...)
}

// unparsed names the files of code and of tests that the parser could not follow, each with
// the first line where it could not.
func (c *nodes) unparsed(ctx context.Context, python *code.Program) []court.Fault {
	var notes []repo.Note
	note := func(path string, line int, scope code.Scope) {
		if scope == code.ScopeProduction || scope == code.ScopeTest {
			notes = append(notes, repo.Note{Code: string(court.Unparsed), Subject: court.Place{Path: path, Line: line}.String(),
				Text: "the file could not be parsed here, so checks that need it may have no answer"})
		}
	}
	for _, m := range python.Modules {
		if broken := m.Broken(); len(broken) > 0 {
			note(m.Path, broken[0].Line(), m.Scope)
		}
	}
	others, err := c.scene.Syntax(ctx)
	if err != nil { // no parser of these languages is to be had: what asks for them says so
		return cutOrMissing(notes)
	}
	for _, f := range others.Files {
		if line := f.BrokenLine(); line > 0 {
			note(f.Path, line, f.Scope)
		}
	}
	return cutOrMissing(notes)
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
