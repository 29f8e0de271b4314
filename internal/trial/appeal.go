package trial

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/bench"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/probe"
	"github.com/automaton-auditor/automaton/internal/rubric"
	"github.com/automaton-auditor/automaton/internal/store"
)

// Appealed examines one criterion of a record again at the recorded commit, as far as probes look, for what stands at the
// places that the audited side names. Only evidence that is found there takes the place of the answer that it belongs to;
// where nothing is, the record that it gives has the verdict that it had. Parent names the one that was appealed. The lines
// say of each place what the court knows of it.
func Appealed(ctx context.Context, o *Opened, rec *court.Record, criterion string, places []court.Place, jobs int) (*court.Record, []store.Line, error) {
	i := slices.IndexFunc(rec.Rubric.Heard(rec.Case.Only), func(c court.Criterion) bool { return c.ID == criterion })
	if i < 0 || rec.Verdict == nil {
		return nil, nil, fmt.Errorf("hearing an appeal: the record has no ruling on %q", criterion)
	}
	if err := sameGround(o, rec); err != nil {
		return nil, nil, fmt.Errorf("hearing an appeal: %w", err)
	}
	a := &appeal{criterion: rec.Rubric.Heard(rec.Case.Only)[i], rec: rec, places: places}
	o.Scene.Equip(Probes(), Sections(), assignment(&rec.Rubric))
	a.scene = o.Scene.For(probe.Assignment{Criteria: []court.Criterion{a.criterion}}.Reads(Probes()))
	if err := a.look(ctx, &nodes{scene: a.scene, leftOut: o.LeftOut}, jobs); err != nil {
		return nil, nil, fmt.Errorf("hearing an appeal: %w", err)
	}
	out, err := a.judge(ctx)
	if err != nil {
		return nil, nil, fmt.Errorf("hearing an appeal: %w", err)
	}
	return out, a.told(ctx, out), nil
}

// sameGround says why what is open now is not what was judged, or not judged by the same checks.
func sameGround(o *Opened, rec *court.Record) error {
	if o.Case.Commit != rec.Case.Commit {
		return fmt.Errorf("the repository is at %s, and the record is about %s", court.Clean(o.Case.Commit, 64), court.Clean(rec.Case.Commit, 64))
	}
	r := rec.Rubric
	_, checks, err := rubric.Digests(&r, Catalogue(Probes()))
	if err != nil {
		return err
	}
	if rec.Origin.Law != court.Law || rec.Rubric.Checks != checks {
		return errors.New("the record was made by other checks or rules than this program has: audit the commit again first")
	}
	return nil
}

// appeal is one criterion that is examined again.
type appeal struct {
	criterion court.Criterion
	rec       *court.Record
	places    []court.Place
	scene     *probe.Scene
	fresh     []court.Evidence // new answers of questions that have something at a named place
}

// named tells whether evidence stands at one of the places.
func (a *appeal) named(e court.Evidence) bool {
	return slices.ContainsFunc(e.At, func(p court.Place) bool { return slices.ContainsFunc(a.places, p.Meets) })
}

// look asks every question of the criterion again, as deep as its probe goes, and keeps the answers that are new at a named
// place.
func (a *appeal) look(ctx context.Context, n *nodes, jobs int) error {
	known := map[string]bool{}
	for _, x := range a.rec.Evidences[a.criterion.ID] {
		known[x.ID] = x.Stands()
	}
	var all []court.Evidence
	for _, d := range []court.Detective{court.RepoInvestigator, court.DocAnalyst, court.VisionInspector} {
		b := probe.Assignment{Detective: d, Criteria: []court.Criterion{a.criterion}, Round: 2, Jobs: jobs}
		if _, err := n.secure(ctx, n.meter(d, &b)); err != nil {
			return err
		}
		found, _ := probe.Investigate(ctx, a.scene, Probes(), b)
		if err := ctx.Err(); err != nil {
			return err
		}
		all = append(all, found[a.criterion.ID]...)
	}
	questions := map[[2]string]bool{}
	for _, e := range all {
		if !known[e.ID] && e.Outcome != court.Unknown && a.named(e) && probe.Verify(ctx, a.scene, e) == nil {
			questions[[2]string{e.Check, e.Ask}] = true
		}
	}
	for _, e := range all {
		if questions[[2]string{e.Check, e.Ask}] && probe.Verify(ctx, a.scene, e) == nil {
			a.fresh = append(a.fresh, e)
		}
	}
	return ctx.Err()
}

// judge is the record with the new answers in place of the old ones, ruled on by the same court.
func (a *appeal) judge(ctx context.Context) (*court.Record, error) {
	out := *a.rec
	out.Parent, out.Run = a.rec.Digest, court.Run{Spans: []court.Span{}}
	if len(a.fresh) > 0 {
		out.Evidences = map[string][]court.Exhibit{}
		for id, list := range a.rec.Evidences {
			out.Evidences[id] = list
		}
		out.Evidences[a.criterion.ID] = confirmed(a.rec.Rubric.Synthesis.SecurityOverride, inCheckOrder(a.criterion, a.replaced()))
		if err := hearChanged(ctx, a.rec, &out, false); err != nil {
			return nil, err
		}
		ruled, err := Ruling(&out)
		if err != nil {
			return nil, err
		}
		out = *ruled
		out.Remedies, out.Stakes = advised(out.Rubric, out.Case, out.Evidences), stakes(out.Rubric, out.Case, out.Evidences)
	}
	out.Seal()
	return &out, nil
}

// replaced is the evidence of the criterion with the new answers: the old ones to the same questions are superseded, and what
// was found again stays what it was.
func (a *appeal) replaced() []court.Exhibit {
	list := slices.Clone(a.rec.Evidences[a.criterion.ID])
	last := lastLabel(a.rec)
	for _, e := range a.fresh {
		if i := slices.IndexFunc(list, func(x court.Exhibit) bool { return x.ID == e.ID }); i >= 0 {
			list[i].Superseded, list[i].Struck = "", ""
			continue
		}
		last++
		if e.Security != nil {
			flaw := *e.Security
			flaw.Verified = true
			e.Security = &flaw
		}
		list = append(list, court.Exhibit{Evidence: e, Label: fmt.Sprintf("E%d", last), Strength: bench.Strength(e), Verified: true})
	}
	for i, x := range list {
		by := slices.IndexFunc(a.fresh, func(e court.Evidence) bool { return e.Check == x.Check && e.Ask == x.Ask })
		again := slices.ContainsFunc(a.fresh, func(e court.Evidence) bool { return e.ID == x.ID })
		if by >= 0 && !again && x.Stands() {
			list[i].Superseded = a.fresh[by].ID
		}
	}
	return list
}

// told says of each place what the court knows of it.
func (a *appeal) told(ctx context.Context, out *court.Record) []store.Line {
	var lines []store.Line
	for _, p := range a.places {
		l := store.Line{Check: p.String(), Result: store.Skipped, Text: "No check of this criterion found anything here."}
		if err := a.there(ctx, p); err != nil {
			l.Result, l.Text = store.No, court.Clean("There is no such place at the recorded commit: "+err.Error()+".", 300)
		}
		var seen []string
		for _, x := range out.Evidences[a.criterion.ID] {
			if x.Stands() && slices.ContainsFunc(x.At, p.Meets) {
				was := "already known"
				if slices.ContainsFunc(a.fresh, func(e court.Evidence) bool { return e.ID == x.ID }) && !a.had(x.ID) {
					was = "new"
				}
				seen = append(seen, fmt.Sprintf("%s (%s, %s): %s", x.Label, x.Outcome, was, court.Clean(x.Rationale, 300)))
			}
		}
		if len(seen) > 0 {
			l.Result, l.Text = store.OK, strings.Join(seen, " ")
		}
		lines = append(lines, l)
	}
	return lines
}

func (a *appeal) had(id string) bool {
	return slices.ContainsFunc(a.rec.Evidences[a.criterion.ID], func(x court.Exhibit) bool { return x.ID == id })
}

// there says why a place is not in what was judged.
func (a *appeal) there(ctx context.Context, p court.Place) error {
	if p.Path != "" {
		if _, ok := a.scene.Entry(p.Path); !ok {
			return errors.New("no file has this path")
		}
		f, err := a.scene.Text(ctx, p.Path)
		if err != nil {
			return nil //nolint:nilerr // a file without text has no lines to count, and no check reads it
		}
		if n := bytes.Count(f.Bytes, []byte("\n")) + 1; p.EndLine > n {
			return fmt.Errorf("the file has %s", court.Count(n, "line"))
		}
		return nil
	}
	if pdf := a.rec.Case.PDF; pdf == nil || p.Page > pdf.Pages {
		return fmt.Errorf("the document has no page %d", p.Page)
	}
	return nil
}
