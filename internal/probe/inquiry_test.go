package probe_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/probe"
	"github.com/automaton-auditor/automaton/internal/probe/probetest"
)

const inquiryArchive = `pdf: report.txt
-- app/main.py --
"""Handles orders, retries included."""
import json
from app.settings import LIMIT

def handle(order):
    """Validates every order strictly."""
    # retries three times
    total = json.loads(order)["total"]
    return total * 2


if __name__ == "__main__":
    print(handle('{"total": 1}'))
-- app/settings.py --
API = "sk-ant-api03-Qw81Zx29Er73Ty64Ui"
LIMIT = 3
-- app/spare.py --
def retry(times): return [handle] * times
-- vendor/lib.py --
def borrowed(): return handle
-- tests/test_main.py --
from app.main import handle
def test_handle(): assert handle('{"total": 2}') == 4
-- deploy.yml --
run: make deploy # retries
-- README.md --
Orders are validated strictly and tried again.
-- link.py --
app/main.py
-- modes --
symlink link.py
-- report.txt --
# Orders

## Handling

Every order is parsed, doubled and printed for the clerk at the counter.
`

// inquirer plays moves, one a turn, and keeps what it was asked.
type inquirer struct {
	moves []probe.Move
	err   error // instead of the first move that is not there
	mu    sync.Mutex
	asked []probe.Inquiry
}

func (i *inquirer) Inquire(_ context.Context, q probe.Inquiry) (probe.Move, error) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.asked = append(i.asked, q)
	if n := len(i.asked); n <= len(i.moves) {
		return i.moves[n-1], nil
	}
	return probe.Move{Done: true}, i.err
}

func inquiryScene(t testing.TB, archive string, more ...func(*probe.Options)) *probe.Scene {
	t.Helper()
	file := filepath.Join(t.TempDir(), "scene.txtar")
	if err := os.WriteFile(file, []byte(archive), 0o600); err != nil {
		t.Fatal(err)
	}
	return probetest.Load(t, file).Scene(t, more...)
}

// contracts is a criterion that was bound by its words, with one check that its
// probe left open and one that it settled.
func contracts(artifact court.Artifact) court.Criterion {
	check := func(id string) court.Check {
		return court.Check{ID: id, Weight: 1, Polarity: court.Want, Text: "Orders are handled", Scope: "production", Asks: []court.Ask{{Probe: id}}}
	}
	return court.Criterion{ID: "contracts", Name: "Contracts", Artifacts: []court.Artifact{artifact}, Instruction: "Orders are handled.", Binding: "plan",
		Checks: []court.Check{check("open"), check("settled")}}
}

var inquiryProbes = []probe.Probe{
	{ID: "open", Version: "1", Target: court.GithubRepo, Run: gives(probe.Missing(court.One, court.AST, "Nothing like it is there."))},
	{ID: "settled", Version: "1", Target: court.GithubRepo, Run: gives(probe.Present(court.AST, []court.Place{{Path: "app/main.py", Line: 8}}, "It is there."))},
}

// inquire has a criterion looked into after its probes.
func inquire(t testing.TB, s *probe.Scene, d court.Detective, criteria ...court.Criterion) ([]court.Evidence, []court.Fault) {
	t.Helper()
	b := probe.Assignment{Detective: d, Criteria: criteria, Jobs: 2}
	found, _ := probe.Investigate(t.Context(), s, inquiryProbes, b)
	out, faults := s.Inquire(t.Context(), inquiryProbes, b, found)
	var all []court.Evidence
	for _, c := range criteria {
		all = append(all, out[c.ID]...)
	}
	for _, e := range all {
		if err := e.Validate(); err != nil {
			t.Error(err)
		}
		if err := probe.Verify(t.Context(), s, e); err != nil {
			t.Errorf("%s cannot be read again: %v", e.Location, err)
		}
		if e.Source != court.ModelQuote || e.Probe != "investigation/1" || e.Security != nil || e.Outcome != court.Present && e.Outcome != court.Violation {
			t.Errorf("%+v", e)
		}
	}
	for _, f := range faults {
		if f.Blocks {
			t.Errorf("%+v blocks", f)
		}
	}
	return all, faults
}

// item is one that stands.
func item() probe.Item {
	return probe.Item{Check: "open", Stance: "support", Statement: "The handler parses the order.", Path: "app/main.py", From: 7, To: 9, Quote: `json.loads(order)["total"]`}
}

// Whatever a model says, only what the bytes confirm becomes evidence.
func TestInquireHoldsItemsAgainstTheBytes(t *testing.T) {
	with := func(change func(*probe.Item)) probe.Item {
		it := item()
		change(&it)
		return it
	}
	tests := map[string]struct {
		item  probe.Item
		where string // of the evidence; empty: the item falls
	}{
		"it stands":              {item(), "app/main.py:8"},
		"contrary":               {with(func(i *probe.Item) { i.Stance = "contrary" }), "app/main.py:8"},
		"several lines":          {with(func(i *probe.Item) { i.Quote = "total = json.loads(order)[\"total\"]\r\n    return total * 2\n" }), "app/main.py:8-9"},
		"with a comment before":  {with(func(i *probe.Item) { i.Quote = "retries three times\n    total = json" }), "app/main.py:7-8"},
		"a masked key":           {probe.Item{Check: "open", Stance: "support", Statement: "A key is configured.", Path: "app/settings.py", From: 1, To: 1, Quote: `API = "[redacted:anthropic_key]"`}, "app/settings.py:1"},
		"configuration":          {probe.Item{Check: "open", Stance: "support", Statement: "A command deploys it.", Path: "deploy.yml", From: 1, To: 1, Quote: "run: make deploy"}, "deploy.yml:1"},
		"an unknown check":       {with(func(i *probe.Item) { i.Check = "invented" }), ""},
		"a settled check":        {with(func(i *probe.Item) { i.Check = "settled" }), ""},
		"testimony":              {with(func(i *probe.Item) { i.Check = court.Testimony }), ""},
		"an unknown stance":      {with(func(i *probe.Item) { i.Stance = "absent" }), ""},
		"an invented path":       {with(func(i *probe.Item) { i.Path = "app/retry.py" }), ""},
		"a path that climbs":     {with(func(i *probe.Item) { i.Path = "../../../../etc/passwd"; i.Quote = "root:x:0:0" }), ""},
		"a path that comes back": {with(func(i *probe.Item) { i.Path = "app/../app/main.py" }), ""},
		"an absolute path":       {with(func(i *probe.Item) { i.Path = "/etc/passwd" }), ""},
		"a symlink":              {with(func(i *probe.Item) { i.Path = "link.py"; i.From, i.To = 1, 1; i.Quote = "app/main.py" }), ""},
		"a folder":               {with(func(i *probe.Item) { i.Path = "app" }), ""},
		"elsewhere in the file":  {with(func(i *probe.Item) { i.From, i.To = 1, 4 }), ""},
		"not word for word":      {with(func(i *probe.Item) { i.Quote = `json.loads(order)['total']` }), ""},
		"joined with dots":       {with(func(i *probe.Item) { i.Quote = "json.loads ... total * 2" }), ""},
		"lines out of range":     {with(func(i *probe.Item) { i.To = 400 }), ""},
		"line zero":              {with(func(i *probe.Item) { i.From = 0 }), ""},
		"negative lines":         {with(func(i *probe.Item) { i.From, i.To = -3, -1 }), ""},
		"backwards":              {with(func(i *probe.Item) { i.From, i.To = 9, 7 }), ""},
		"an empty quote":         {with(func(i *probe.Item) { i.Quote = "" }), ""},
		"a blank quote":          {with(func(i *probe.Item) { i.From, i.To, i.Quote = 4, 4, "\n" }), ""},
		"a short quote":          {with(func(i *probe.Item) { i.Quote = "total" }), ""},
		"a comment":              {with(func(i *probe.Item) { i.Quote = "# retries three times" }), ""},
		"a docstring":            {with(func(i *probe.Item) { i.From, i.To, i.Quote = 6, 6, `"""Validates every order strictly."""` }), ""},
		"prose": {with(func(i *probe.Item) {
			i.Path, i.From, i.To, i.Quote = "README.md", 1, 1, "Orders are validated strictly"
		}), ""},
		"a comment in configuration": {with(func(i *probe.Item) { i.Path, i.From, i.To, i.Quote = "deploy.yml", 1, 1, "# retries" }), ""},
		"other people's code":        {with(func(i *probe.Item) { i.Path, i.From, i.To, i.Quote = "vendor/lib.py", 1, 1, "def borrowed()" }), ""},
		"what nobody runs":           {with(func(i *probe.Item) { i.Path, i.From, i.To, i.Quote = "app/spare.py", 1, 1, "def retry(times)" }), ""},
		"a test":                     {with(func(i *probe.Item) { i.Path, i.From, i.To, i.Quote = "tests/test_main.py", 2, 2, "def test_handle()" }), ""},
		"a page for code":            {with(func(i *probe.Item) { i.Path, i.Page, i.Quote = "", 1, "Every order is parsed" }), ""},
		"a file and a page":          {with(func(i *probe.Item) { i.Page = 1 }), ""},
		"neither":                    {with(func(i *probe.Item) { i.Path = "" }), ""},
		"absence":                    {with(func(i *probe.Item) { i.Statement = "There are no retries anywhere." }), ""},
		"absence in support":         {with(func(i *probe.Item) { i.Statement = "The handler doesn't start a shell." }), ""},
		"nothing said":               {with(func(i *probe.Item) { i.Statement = " ok " }), ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			s := inquiryScene(t, inquiryArchive, func(o *probe.Options) { o.Inquirer = &inquirer{moves: []probe.Move{{Items: []probe.Item{tt.item}}}} })
			got, faults := inquire(t, s, court.RepoInvestigator, contracts(court.GithubRepo))
			if tt.where == "" {
				if len(got) != 0 || len(faults) != 1 || faults[0].Reason != "1 of 1 statement did not match the bytes" {
					t.Errorf("%+v, %v", got, faults)
				}
				return
			}
			if len(got) != 1 || len(faults) != 0 || got[0].Location != tt.where {
				t.Errorf("%+v, %v", got, faults)
			}
		})
	}
}

func TestInquireEvidence(t *testing.T) {
	contrary := item()
	contrary.Stance, contrary.Statement = "contrary", "The total\u202e is \x1b[31mdoubled\nbefore  it returns."
	s := inquiryScene(t, inquiryArchive, func(o *probe.Options) { o.Inquirer = &inquirer{moves: []probe.Move{{Items: []probe.Item{contrary}}}} })
	got, _ := inquire(t, s, court.RepoInvestigator, contracts(court.GithubRepo))
	if len(got) != 1 {
		t.Fatal(got)
	}
	e := got[0]
	want := court.Evidence{Criterion: "contracts", Check: "open", Ask: "investigation", Probe: "investigation/1", Detective: court.RepoInvestigator, Goal: "Orders are handled",
		Found: true, Outcome: court.Violation, Content: "    total = json.loads(order)[\"total\"]", Location: "app/main.py:8", At: e.At,
		Rationale:  `A model that investigated says: The total\u{202e} is \u{1b}[31mdoubled before it returns.`,
		Confidence: court.One, Source: court.ModelQuote, Coverage: court.One, Round: 1, ID: e.ID}
	if d := cmp.Diff(want, e); d != "" {
		t.Error(d)
	}
}

// What the document says is quoted from its pages, for checks of the document.
func TestInquireTheDocument(t *testing.T) {
	page := probe.Item{Check: "open", Stance: "support", Statement: "The document tells how orders are handled.", Page: 1, Quote: "Every  order is parsed,\ndoubled and printed"}
	for name, tt := range map[string]struct {
		change func(*probe.Item)
		stands bool
	}{
		"it stands":     {func(*probe.Item) {}, true},
		"another page":  {func(i *probe.Item) { i.Page = 2 }, false},
		"another text":  {func(i *probe.Item) { i.Quote = "Every order is paid for" }, false},
		"a short quote": {func(i *probe.Item) { i.Quote = "order" }, false},
		"a file's prose": {func(i *probe.Item) {
			i.Page, i.Path, i.From, i.To, i.Quote = 0, "README.md", 1, 1, "validated strictly"
		}, false},
		"code": {func(i *probe.Item) {
			i.Page, i.Path, i.From, i.To, i.Quote = 0, "app/main.py", 8, 8, "total = json.loads"
		}, true},
	} {
		it := page
		tt.change(&it)
		s := inquiryScene(t, inquiryArchive, func(o *probe.Options) { o.Inquirer = &inquirer{moves: []probe.Move{{Items: []probe.Item{it}}}} })
		got, faults := inquire(t, s, court.DocAnalyst, contracts(court.PDFReport))
		if stands := len(got) == 1; stands != tt.stands || stands == (len(faults) == 1) {
			t.Errorf("%s: %+v, %v", name, got, faults)
		}
	}
}

// Equal items count once, and no more than twelve are looked at.
func TestInquireManyItems(t *testing.T) {
	var thousand []probe.Item
	for range 1000 {
		thousand = append(thousand, item())
	}
	s := inquiryScene(t, inquiryArchive, func(o *probe.Options) { o.Inquirer = &inquirer{moves: []probe.Move{{Items: thousand}}} })
	got, faults := inquire(t, s, court.RepoInvestigator, contracts(court.GithubRepo))
	if len(got) != 1 || len(faults) != 2 || !strings.HasPrefix(faults[0].Reason, "11 of 12 statements") || !strings.HasPrefix(faults[1].Reason, "988 statements were left out") {
		t.Errorf("%d, %v", len(got), faults)
	}
}

// A model that always wants to see more is asked a last time what it found.
func TestInquireEndlessCalls(t *testing.T) {
	many := make([]probe.Call, 500)
	for i := range many {
		many[i] = probe.Call{Tool: "read", Path: "app/main.py", From: 1, To: 1 << 40}
	}
	move := probe.Move{Calls: many}
	in := &inquirer{moves: []probe.Move{move, move, move, move}}
	s := inquiryScene(t, inquiryArchive, func(o *probe.Options) { o.Inquirer = in })
	if got, faults := inquire(t, s, court.RepoInvestigator, contracts(court.GithubRepo)); len(got)+len(faults) != 0 {
		t.Error(got, faults)
	}
	if n := len(in.asked); n != 2 || in.asked[1].Calls != 0 || len(in.asked[1].Seen) != 12 {
		t.Errorf("%d turns, at last with %d calls left after %d", n, in.asked[1].Calls, len(in.asked[1].Seen))
	}
	in = &inquirer{moves: []probe.Move{{Calls: many[:5]}, {Calls: many[:5]}, {Calls: many[:5]}, {Calls: many[:5]}}}
	s = inquiryScene(t, inquiryArchive, func(o *probe.Options) { o.Inquirer = in })
	inquire(t, s, court.RepoInvestigator, contracts(court.GithubRepo))
	if n := len(in.asked); n != 3 || in.asked[1].Calls != 7 || in.asked[2].Calls != 0 || len(in.asked[2].Seen) != 10 {
		t.Errorf("%d turns: %+v", n, in.asked)
	}
}

// A model that fails leaves what it said until then, and a fault.
func TestInquireFails(t *testing.T) {
	in := &inquirer{moves: []probe.Move{{Calls: []probe.Call{{Tool: "list"}}, Items: []probe.Item{item()}}}, err: errors.New("no credit\nleft for sk-ant-" + "api03-Qw81Zx29Er73Ty64Ui")}
	s := inquiryScene(t, inquiryArchive, func(o *probe.Options) { o.Inquirer = in })
	got, faults := inquire(t, s, court.RepoInvestigator, contracts(court.GithubRepo))
	if len(got) != 1 || len(faults) != 1 || faults[0].Reason != `the investigation ended early: no credit\nleft for [redacted:anthropic_key]` {
		t.Errorf("%+v, %v", got, faults)
	}
}

// deaf waits for ever, or panics.
type deaf struct{ panics bool }

func (d deaf) Inquire(ctx context.Context, _ probe.Inquiry) (probe.Move, error) {
	if d.panics {
		panic("boo")
	}
	<-ctx.Done()
	return probe.Move{Items: []probe.Item{item()}}, nil
}

func TestInquireTakesTooLong(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := inquiryScene(t, strings.Replace(inquiryArchive, "pdf: report.txt\n", "", 1), func(o *probe.Options) { o.Inquirer = deaf{} })
		got, faults := inquire(t, s, court.RepoInvestigator, contracts(court.GithubRepo))
		if len(got) > 1 || len(faults) != 1 || faults[0].Reason != "the investigation took too long" {
			t.Errorf("%+v, %v", got, faults)
		}
	})
}

func TestInquirePanics(t *testing.T) {
	s := inquiryScene(t, inquiryArchive, func(o *probe.Options) { o.Inquirer = deaf{panics: true} })
	got, faults := inquire(t, s, court.RepoInvestigator, contracts(court.GithubRepo))
	if len(got) != 0 || len(faults) != 1 || !strings.Contains(faults[0].Reason, "boo") {
		t.Errorf("%+v, %v", got, faults)
	}
}

// Which checks a model is asked about.
func TestInquireWhat(t *testing.T) {
	generic := contracts(court.GithubRepo)
	bound := contracts(court.GithubRepo)
	bound.Binding = "own"
	blind := generic
	blind.Checks = nil
	unsure := bound
	unsure.Checks = append([]court.Check{}, bound.Checks...)
	unsure.Checks[0].Asks = []court.Ask{{Probe: "nobody"}}
	tests := map[string]struct {
		criterion court.Criterion
		by        court.Detective
		unknown   bool
		open      string
	}{
		"what words led to":             {generic, court.RepoInvestigator, false, "open"},
		"by another detective":          {generic, court.DocAnalyst, false, ""},
		"a criterion without any check": {blind, court.RepoInvestigator, true, ""},
		"checks of its own":             {bound, court.RepoInvestigator, false, ""},
		"checks of its own, on request": {bound, court.RepoInvestigator, true, ""},
		"unknown":                       {unsure, court.RepoInvestigator, false, ""},
		"unknown, on request":           {unsure, court.RepoInvestigator, true, "open"},
	}
	for name, tt := range tests {
		in := &inquirer{}
		s := inquiryScene(t, inquiryArchive, func(o *probe.Options) { o.Inquirer, o.InquireUnknown = in, tt.unknown })
		if got, faults := inquire(t, s, tt.by, tt.criterion); len(got)+len(faults) != 0 {
			t.Errorf("%s: %v, %v", name, got, faults)
		}
		var open []string
		for _, q := range in.asked {
			for _, c := range q.Open {
				open = append(open, c.ID)
			}
			if len(q.Criterion.Checks) > 0 || q.Criterion.Guidance != (court.Guidance{}) || len(q.Case) != 64 {
				t.Errorf("%s: asked with %+v", name, q)
			}
		}
		if got := strings.Join(open, " "); got != tt.open {
			t.Errorf("%s: asked about %q, want %q", name, got, tt.open)
		}
	}
}

// A case has a bound of its own, which falls on the same criteria no matter who works.
func TestInquireWholeCase(t *testing.T) {
	var criteria []court.Criterion
	for i := range 13 {
		c := contracts(court.GithubRepo)
		c.ID = fmt.Sprintf("c%02d", i)
		criteria = append(criteria, c)
	}
	in := &inquirer{}
	s := inquiryScene(t, inquiryArchive, func(o *probe.Options) { o.Inquirer = in })
	_, faults := inquire(t, s, court.RepoInvestigator, criteria...)
	if len(in.asked) != 10 || len(faults) != 1 || !strings.HasPrefix(faults[0].Reason, "3 criteria were not investigated") {
		t.Errorf("%d were asked about, %v", len(in.asked), faults)
	}
	for _, q := range in.asked {
		if q.Criterion.ID > "c09" {
			t.Errorf("%s had its turn", q.Criterion.ID)
		}
	}
}

// Without an Inquirer nothing is looked into.
func TestInquireNobody(t *testing.T) {
	got, faults := inquire(t, inquiryScene(t, inquiryArchive), court.RepoInvestigator, contracts(court.GithubRepo))
	if len(got)+len(faults) != 0 {
		t.Error(got, faults)
	}
}
