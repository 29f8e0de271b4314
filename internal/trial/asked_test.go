package trial

import (
	"context"
	"sync/atomic"
	"testing"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/probe"
	"github.com/automaton-auditor/automaton/internal/probe/probetest"
	"github.com/automaton-auditor/automaton/internal/repo"
)

// counted is a worker that counts its requests.
type counted struct {
	probe.Worker
	n *atomic.Int64
}

func (c counted) Do(ctx context.Context, request []byte) ([]byte, error) {
	c.n.Add(1)
	return c.Worker.Do(ctx, request)
}

// remembered is a repository that counts how often its history is read.
type remembered struct {
	probe.Source
	n *atomic.Int64
}

func (r remembered) History(ctx context.Context) (*repo.History, error) {
	r.n.Add(1)
	return r.Source.History(ctx)
}

// asking counts what a run asks of each side of the submission.
type asking struct{ python, others, pdf, history atomic.Int64 }

func (a *asking) watch(o *probe.Options) {
	o.Parser = counted{o.Parser.(probe.Worker), &a.python}
	o.Syntax = code.Parser(counted{o.Syntax.(probe.Worker), &a.others})
	o.Reader = counted{o.Reader, &a.pdf}
	o.Repo = remembered{o.Repo, &a.history}
}

// reported is the miniature with a document and a script.
func reported(t *testing.T) *probetest.Fixture {
	f := miniature(t)
	f.Files["report.txt"] = "Report\n\nThe detectives run in parallel and their evidence is joined before the judges.\n"
	f.Files["web/page.ts"] = "export function shown(n: number): number {\n  return n + 1\n}\n"
	f.Settings["pdf"] = "report.txt"
	return f
}

// A criterion has the score that it has among all, whatever else is heard; what it
// does not ask for is not read, and the record says so.
func TestOnlyWhatIsAsked(t *testing.T) {
	f := reported(t)
	h := hearing(t, f.Scene(t))
	all := try(t, h)
	probes := Probes()
	for _, c := range h.Rubric.Heard(nil) {
		var n asking
		h.Opened, h.Only = opened(f.Scene(t, n.watch)), []string{c.ID}
		rec := try(t, h)
		if got, want := scores(rec)[c.ID], scores(all)[c.ID]; got != want {
			t.Errorf("%s alone has %s, among all %s", c.ID, got.Shown(), want.Shown())
		}
		reads := probe.Assignment{Criteria: []court.Criterion{c}}.Reads(probes)
		for side, x := range map[probe.Reads]struct {
			name string
			read bool
		}{probe.Past: {"history", n.history.Load() > 0}, probe.Papers: {"pdf", n.pdf.Load() > 0}, probe.Code: {"code", n.others.Load() > 0}} {
			said := false
			for _, f := range rec.Faults {
				said = said || f.Subject == x.name && f.Reason == probe.Files.Left(probe.Papers) && !f.Blocks
			}
			if said == reads.Has(side) || x.read && said {
				t.Errorf("%s: %s is asked for: %t; it is read: %t; the record says that it is not: %t", c.ID, x.name, reads.Has(side), x.read, said)
			}
		}
		if reads.Has(probe.Code) {
			continue
		}
		if n.python.Load() > 3 { // the first versions of a state, a tool and a graph
			t.Errorf("%s: %d files are parsed", c.ID, n.python.Load())
		}
	}
}

// A program that is not a graph of agents has a history that is judged without a parser.
func TestHistoryAlone(t *testing.T) {
	f := reported(t)
	for name := range f.Files {
		if name != "history" && name != "report.txt" {
			delete(f.Files, name)
		}
	}
	f.Files["history"] = "commit 2026-01-05T10:03:11+02:00 ada: a tool\nA tools/one.py +2\n"
	f.Files["tools/one.py"] = "def one():\n    return 1\n"
	var n asking
	h := hearing(t, f.Scene(t, n.watch))
	h.Only = []string{"git_forensic_analysis"}
	try(t, h)
	if n.python.Load()+n.others.Load()+n.pdf.Load() > 0 || n.history.Load() == 0 {
		t.Errorf("asked: parsers %d and %d, PDF reader %d, history %d", n.python.Load(), n.others.Load(), n.pdf.Load(), n.history.Load())
	}
}
