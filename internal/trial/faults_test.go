package trial

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/graph"
	"github.com/automaton-auditor/automaton/internal/probe"
	"github.com/automaton-auditor/automaton/internal/repo"
)

// Neither repository nor document: nothing is decided, and nothing is claimed.
func TestMistrial(t *testing.T) {
	s := probe.NewScene(probe.Options{NoRepo: "it is not there", NoPDF: "none was given"})
	rec := try(t, hearing(t, s))
	if rec.Status != court.Mistrial || rec.Verdict != nil || len(rec.Opinions) > 0 || len(rec.Remedies) > 0 {
		t.Errorf("status %s, verdict %v, %d opinions, %d remedies", rec.Status, rec.Verdict, len(rec.Opinions), len(rec.Remedies))
	}
	if !slices.ContainsFunc(rec.Faults, func(f court.Fault) bool { return f.Stage == ErrorHandler }) {
		t.Errorf("the ErrorHandler says nothing: %v", rec.Faults)
	}
	for _, list := range rec.Evidences {
		for _, x := range list {
			if x.Outcome != court.Unknown || !x.Reason.Nothing() {
				t.Errorf("%s: %s (%s) of a submission that nobody saw", x.Check, x.Outcome, x.Reason)
			}
		}
	}
}

// A probe that fails or panics costs its own answer and nothing else, and the
// record says that it is partial.
func TestProbeBreaks(t *testing.T) {
	for name, run := range map[string]func(probe.Args) ([]probe.Finding, error){
		"error":   func(probe.Args) ([]probe.Finding, error) { return nil, errors.New("it broke") },
		"panic":   func(probe.Args) ([]probe.Finding, error) { panic("it broke") },
		"nothing": func(probe.Args) ([]probe.Finding, error) { return nil, nil },
		"nowhere": func(probe.Args) ([]probe.Finding, error) {
			return []probe.Finding{probe.Present(court.AST, []court.Place{{Path: "src/graph.py", Line: 9999}}, "it is there")}, nil
		},
	} {
		t.Run(name, func(t *testing.T) {
			rec := try(t, stage(t, run, func(probe.Args) ([]probe.Finding, error) { return found(3), nil }))
			if rec.Status != court.Partway {
				t.Errorf("status %s, want partial", rec.Status)
			}
			if !slices.ContainsFunc(rec.Faults, func(f court.Fault) bool { return f.Stage == "probe" && f.Subject == "hazy.core" }) {
				t.Errorf("no fault of the probe: %v", rec.Faults)
			}
			for _, x := range rec.Evidences["hazy"] {
				if want := map[string]court.Outcome{"hazy.core": court.Unknown, "hazy.rest": court.Present}[x.Check]; x.Outcome != want {
					t.Errorf("%s is %s, want %s", x.Check, x.Outcome, want)
				}
			}
			if r := rec.Verdict.Rulings[1]; r.Exact < 4*court.One {
				t.Errorf("the criterion beside it fell to %s", r.Exact)
			}
		})
	}
}

// A detective that goes down as a whole, in either hearing, leaves what the
// others found, and what it had found before.
func TestDetectiveBreaks(t *testing.T) {
	for name, round := range map[string]int{"first look": 1, "second look": 2} {
		t.Run(name, func(t *testing.T) {
			h := stage(t, atFirst(found(2)), atFirst(found(3)))
			h.Rubric = load(t, strings.Replace(twoCriteria, "github_repo", "pdf_report", 1), h.Probes)
			c := &nodes{scene: h.Opened.Scene, probes: h.Probes, jobs: 1, leftOut: h.Opened.LeftOut, saw: func(e court.Evidence) {
				if e.Detective == court.DocAnalyst && e.Round == round {
					panic("the desk is on fire")
				}
			}}
			state := strict(t, c, h)
			if n := len(state.Evidences["hazy"]); n != 2 || len(state.Evidences["clear"]) != 1 {
				t.Errorf("%d and %d pieces of evidence, want 2 and 1", n, len(state.Evidences["clear"]))
			}
			if !slices.ContainsFunc(state.Faults, func(f court.Fault) bool {
				return f.Stage == string(court.DocAnalyst) && strings.Contains(f.Reason, "the desk is on fire")
			}) {
				t.Errorf("no fault tells of it: %v", state.Faults)
			}
			if !incomplete(state) {
				t.Error("the case passes for complete")
			}
			if state.Verdict == nil || len(state.Verdict.Rulings) != 2 {
				t.Fatalf("verdict %+v", state.Verdict)
			}
		})
	}
}

// A detective whose time ends leaves what was found in it; what was not answered
// is unknown, and says why.
func TestDetectiveRunsOutOfTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := stage(t, func(probe.Args) ([]probe.Finding, error) { return found(2), nil }, nil)
		h.Probes[1].Run = func(ctx context.Context, _ *probe.Scene, _ probe.Args) ([]probe.Finding, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		}
		rec := try(t, h)
		got := map[string]court.Outcome{}
		for _, x := range append(rec.Evidences["hazy"], rec.Evidences["clear"]...) {
			got[x.Check] = x.Outcome
		}
		if want := map[string]court.Outcome{"hazy.core": court.Present, "hazy.rest": court.Unknown, "clear.core": court.Present}; !maps.Equal(got, want) {
			t.Errorf("found %v, want %v", got, want)
		}
		if rec.Status != court.Partway || !slices.ContainsFunc(rec.Faults, func(f court.Fault) bool {
			return f.Subject == "hazy.rest" && strings.Contains(f.Reason, "another machine")
		}) {
			t.Errorf("status %s, faults %v", rec.Status, rec.Faults)
		}
	})
}

// strict runs the audit graph where a node that changes the state it was given
// fails the run.
func strict(t *testing.T, c *nodes, h Setup) court.State {
	t.Helper()
	g, err := c.auditGraph()
	if err != nil {
		t.Fatal(err)
	}
	state, err := (&graph.Local[court.State]{Graph: g, Strict: true}).Run(t.Context(), court.State{Case: h.Opened.Case, Rubric: *h.Rubric})
	if err != nil {
		t.Fatal(err)
	}
	return state
}

// notes is a journal in memory.
type notes struct {
	mu   sync.Mutex
	list []graph.Record
}

func (n *notes) Load(context.Context) ([]graph.Record, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	return slices.Clone(n.list), nil
}

func (n *notes) Append(_ context.Context, r graph.Record) (graph.Record, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, old := range n.list {
		if old.Task == r.Task {
			return old, nil
		}
	}
	r.Outcome = slices.Clone(r.Outcome)
	n.list = append(n.list, r)
	return r, nil
}

// keep forgets every task but those that keep names.
func (n *notes) keep(what func(task string) bool) {
	n.list = slices.DeleteFunc(n.list, func(r graph.Record) bool { return !what(r.Task) })
}

// other is a repository whose files hold something else under the same ids, or
// are other files.
type other struct {
	probe.Source
	bytes bool
}

func (o other) Blobs(ctx context.Context, paths []string) (map[string][]byte, error) {
	all, err := o.Source.Blobs(ctx, paths)
	out := map[string][]byte{}
	for p, b := range all {
		if o.bytes {
			b = []byte("# " + strings.ReplaceAll(string(b), "\n", "\n# ")) // every line reads otherwise
		}
		out[p] = b
	}
	return out, err
}

func (o other) Tree() []repo.Entry {
	list := slices.Clone(o.Source.Tree())
	for i := range list {
		if !o.bytes {
			list[i].OID = strings.Repeat("0", 40)
		}
	}
	return list
}

// What the detectives of an interrupted run found is read again when the run
// goes on: a quote that does not stand any more is struck, and nothing is
// claimed in its place.
func TestQuoteNoLongerStands(t *testing.T) {
	for name, bytes := range map[string]bool{"other bytes": true, "another file": false} {
		t.Run(name, func(t *testing.T) {
			journal := &notes{}
			h := stage(t, func(probe.Args) ([]probe.Finding, error) { return found(2), nil }, func(probe.Args) ([]probe.Finding, error) { return found(3), nil })
			h.Journal = journal
			whole := try(t, h)
			journal.keep(func(task string) bool {
				return task == "head" || strings.Contains(task, "Investigator") || strings.Contains(task, "Analyst") || strings.Contains(task, "Inspector")
			})
			f := miniature(t)
			h.Opened = opened(f.Scene(t, func(o *probe.Options) { o.Repo = other{o.Repo, bytes} }))
			rec := try(t, h)
			if rec.Digest == whole.Digest {
				t.Fatal("the record is as if nothing had happened")
			}
			struck := map[string]bool{}
			for criterion, before := range whole.Evidences {
				now := map[string]court.Exhibit{}
				for _, x := range rec.Evidences[criterion] {
					now[x.ID] = x
				}
				for _, x := range before {
					was := now[x.ID]
					if was.Struck != "unverified" || was.Verified {
						t.Errorf("%s: %s stands on a quote that does not: struck %q, verified %t", criterion, x.Check, was.Struck, was.Verified)
					}
					struck[x.ID] = true
					in := now[was.Superseded]
					if in.Check != x.Check || in.Outcome != court.Unknown || in.Reason != court.Unverified || in.Content != "" || len(in.At) > 0 {
						t.Errorf("%s: in the place of %s stands %s (%s), content %q", criterion, x.Check, in.Outcome, in.Reason, in.Content)
					}
				}
			}
			for _, o := range rec.Opinions {
				if slices.ContainsFunc(o.Cited, func(id string) bool { return struck[id] }) {
					t.Errorf("%s cites what was struck", o.Key())
				}
			}
			if rec.Status != court.Partway || !slices.ContainsFunc(rec.Faults, func(f court.Fault) bool { return f.Stage == aggregator }) {
				t.Errorf("status %s, faults %v", rec.Status, rec.Faults)
			}
		})
	}
}

// A run that goes on from any point of its journal ends as the undisturbed one,
// and does nothing twice that was journalled.
func TestResumedAnywhere(t *testing.T) {
	full := &notes{}
	h := stage(t, atFirst(found(2)), atFirst(found(3)))
	h.Journal = full
	want := try(t, h)
	for n := range len(full.list) + 1 {
		h := stage(t, atFirst(found(2)), atFirst(found(3)))
		half := &notes{list: slices.Clone(full.list[:n])}
		h.Journal = half
		if got := try(t, h); got.Digest != want.Digest {
			t.Errorf("after %d of %d tasks: another record", n, len(full.list))
		}
		if len(half.list) != len(full.list) {
			t.Errorf("after %d tasks: %d in all, want %d", n, len(half.list), len(full.list))
		}
	}
}

// No node changes the state that it was given.
func TestNodesLeaveTheStateAlone(t *testing.T) {
	h := stage(t, atFirst(found(2)), atFirst(found(3)))
	state := strict(t, &nodes{scene: h.Opened.Scene, probes: h.Probes, jobs: 2, leftOut: h.Opened.LeftOut}, h)
	if state.Verdict == nil || len(state.Faults) > 0 {
		t.Errorf("verdict %v; faults %v", state.Verdict, state.Faults)
	}
}

// A file that could not be parsed is named with the first line where it could not.
func TestUnparsedIsNamed(t *testing.T) {
	f := miniature(t)
	f.Files["src/broken.py"] = "import os\n\ndef broken(:\n    pass\n"
	f.Files["web/page.ts"] = "export function shown(n: number): number {\n  return n + 1\n}\nfunction broken( { return (2 }\n"
	rec := try(t, hearing(t, f.Scene(t)))
	for _, at := range []string{"src/broken.py:3", "web/page.ts:4"} {
		if !slices.ContainsFunc(rec.Faults, func(f court.Fault) bool {
			return f.Subject == at && strings.HasPrefix(f.Reason, string(court.Unparsed)+": ") && !f.Blocks
		}) {
			t.Errorf("%s is not named in %v", at, rec.Faults)
		}
	}
	if rec.Status != court.Complete {
		t.Errorf("status %s", rec.Status)
	}
}
