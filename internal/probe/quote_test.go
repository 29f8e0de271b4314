package probe_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/probe"
	"github.com/automaton-auditor/automaton/internal/probe/probetest"
)

// sceneOf is a scene of a txtar archive.
func sceneOf(t *testing.T, text string) *probe.Scene {
	t.Helper()
	file := filepath.Join(t.TempDir(), "scene.txtar")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return probetest.Load(t, file).Scene(t)
}

// found is the only evidence that a finding leads to.
func found(t *testing.T, s *probe.Scene, f probe.Finding) (court.Evidence, []court.Fault) {
	t.Helper()
	got, faults := investigateIn(t, s, probe.Probe{ID: "x.y", Version: "1", Target: court.GithubRepo, Run: gives(f)}, court.Want)
	if len(got) != 1 {
		t.Fatalf("%d pieces of evidence", len(got))
	}
	return got[0], faults
}

var bodyLine = "MIIEow9xK3vQ7zLm2XcV8bN4tR6yHw1sDe5GjPa9F3kQ7zLm2XcV8bN4tR6yHw1s"

// armoured is a private key of n lines.
func armoured(kind string, n int) string {
	return "-----BEGIN " + kind + "-----\n" + strings.Repeat(bodyLine+"\n", n) + "-----END " + kind + "-----\n"
}

// No line of a private key is quoted, wherever the quote begins and ends.
func TestPrivateKeysAreMaskedWhole(t *testing.T) {
	for _, kind := range []string{"RSA PRIVATE KEY", "PRIVATE KEY", "OPENSSH PRIVATE KEY", "PGP PRIVATE KEY BLOCK"} {
		s := sceneOf(t, "-- k.pem --\nbefore = 1\n"+armoured(kind, 60)+"after = 2\n")
		for _, at := range []court.Place{{Line: 1, EndLine: 64}, {Line: 1, EndLine: 3}, {Line: 10, EndLine: 12}, {Line: 30, EndLine: 64}, {Line: 63, EndLine: 64}} {
			at.Path = "k.pem"
			e, faults := found(t, s, probe.Present(court.Config, []court.Place{at}, "there"))
			if len(faults) > 0 || strings.Contains(e.Content, bodyLine[:20]) || !strings.Contains(e.Content, "[redacted:private_key]") {
				t.Errorf("%s at %s: %v %q", kind, e.Location, faults, e.Content)
			}
			if want := min(at.EndLine-at.Line, 39); strings.Count(e.Content, "\n") != want {
				t.Errorf("%s at %s: %d line breaks, want %d", kind, e.Location, strings.Count(e.Content, "\n"), want)
			}
			if err := probe.Verify(t.Context(), s, e); err != nil {
				t.Error(err)
			}
		}
	}
}

// A key that reaches into a quote is masked, and one that a bound would cut.
func TestKeysAtTheEdgesOfAQuote(t *testing.T) {
	key := "sk-ant-" + "api03-Qw81Zx29Er73Ty64Ui"
	tests := map[string]struct {
		file string
		line int
	}{
		"assigned on the next line": {"api_key = \\\n\"x\"\nsecret_key =\n  \"" + key[7:] + "\"\n", 4},
		"at the bound":              {strings.Repeat("x ", 2040) + key + strings.Repeat(" y", 3000) + "\n", 1},
		"after a long line":         {strings.Repeat("x ", 200000) + "\n'" + key + "'\n", 2},
	}
	for name, tc := range tests {
		s := sceneOf(t, "-- a.txt --\n"+tc.file)
		e, faults := found(t, s, probe.Present(court.Config, []court.Place{{Path: "a.txt", Line: tc.line}}, "there"))
		if strings.Contains(e.Content, key[7:15]) || len(faults) > 0 || len(e.Content) > 4096 || strings.HasSuffix(e.Content, "[redac") {
			t.Errorf("%s: %v %.80q … %q", name, faults, e.Content, e.Content[max(len(e.Content)-40, 0):])
		}
		if err := probe.Verify(t.Context(), s, e); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Nothing that leaves with the evidence shows a key, escaped or not.
func TestNoFieldShowsAKey(t *testing.T) {
	key := "sk-ant-" + "api03-Qw81Zx29Er73Ty64Ui"
	s := sceneOf(t, "-- conf/"+key+".py --\none = 1\n")
	f := probe.Against(court.AST, []court.Place{{Path: "conf/" + key + ".py", Line: 1}}, "It says %q, and %q.", "\n"+key, "\x1b"+key)
	f.Remedy = "Remove " + key
	f.Data = map[string]any{"text": "\n" + key, "\t" + key: []string{"é" + key, key}}
	e, faults := found(t, s, f)
	all := fmt.Sprint(e.Rationale, e.Remedy, string(e.Data), e.At, e.Location, faults)
	if strings.Contains(all, "Qw81") || len(faults) > 0 || e.Outcome != court.Violation {
		t.Errorf("%s %s", e.Outcome, all)
	}
	if err := probe.Verify(t.Context(), s, e); err != nil {
		t.Error(err)
	}
	f.Places[0].Line = 9
	if _, faults = found(t, s, f); len(faults) != 1 || strings.Contains(faults[0].Reason, "Qw81") {
		t.Errorf("faults %v", faults)
	}
	e.At[0].Line = 9
	if err := probe.Verify(t.Context(), s, e); err == nil || strings.Contains(err.Error(), "Qw81") {
		t.Errorf("got %v", err)
	}
}

// A key in a sentence of the document does not destroy what quotes it.
func TestQuoteOfAPageWithAKey(t *testing.T) {
	sentence := "The key sk-proj-" + "Zk3mQ9xV7bT2wLp8RcY5 is read by the loader."
	s := sceneOf(t, "pdf: report.txt\n-- report.txt --\n"+sentence+"\nAnother line stands here.\n-- a.py --\nx\n")
	f := probe.Against(court.Structure, []court.Place{{Page: 1, Digest: s.PDFDigest()}}, "said")
	f.Quote = sentence
	e, faults := found(t, s, f)
	if len(faults) > 0 || e.Content != "The key [redacted:openai_key] is read by the loader." {
		t.Fatalf("%q, faults %v", e.Content, faults)
	}
	if err := probe.Verify(t.Context(), s, e); err != nil {
		t.Error(err)
	}
	for name, text := range map[string]string{
		"other words":    "The key [redacted:openai_key] is read by nobody.",
		"an added key":   "The key [redacted:openai_key] is read by the loader.[redacted:openai_key]Another line stands here.[redacted:jwt]",
		"another order":  "is read by the loader. [redacted:openai_key] The key",
		"no secret here": "The key is read by the loader.",
	} {
		e.Content = text
		if probe.Verify(t.Context(), s, e) == nil {
			t.Errorf("%s passes", name)
		}
	}
}

// Every place is looked at, not only the quoted one.
func TestVerifyLooksAtEveryPlace(t *testing.T) {
	s := sceneOf(t, "pdf: report.txt\n-- report.txt --\nA line of text.\n-- a.py --\none = 1\n-- b.py --\nx\ny\n")
	h, err := s.History(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	places := []court.Place{{Path: "a.py", Line: 1}, {Path: "b.py", Line: 1, EndLine: 2}, {Commit: h.Commits[0].ID}, {Page: 1, Digest: s.PDFDigest()}}
	e, faults := found(t, s, probe.Against(court.AST, places, "there"))
	if err := probe.Verify(t.Context(), s, e); err != nil || len(faults) > 0 {
		t.Fatal(err, faults)
	}
	for name, change := range map[string]func(*court.Evidence){
		"line":     func(e *court.Evidence) { e.At[1].Line = 9 },
		"end":      func(e *court.Evidence) { e.At[1].EndLine = 9 },
		"path":     func(e *court.Evidence) { e.At[1].Path = "a.py" },
		"commit":   func(e *court.Evidence) { e.At[2].Commit = strings.Repeat("0", 40) },
		"page":     func(e *court.Evidence) { e.At[3].Page = 2 },
		"document": func(e *court.Evidence) { e.At[3].Digest = strings.Repeat("0", 64) },
		"nothing":  func(e *court.Evidence) { e.At[3] = court.Place{} },
		"none":     func(e *court.Evidence) { e.At, e.Content = nil, "" },
	} {
		c := e
		c.At = slices.Clone(e.At)
		change(&c)
		if probe.Verify(t.Context(), s, c) == nil {
			t.Errorf("a changed %s passes", name)
		}
	}
	for i := range places[1:] {
		wrong := slices.Clone(places)
		wrong[i+1] = court.Place{Path: "a.py", Line: 77}
		if e, faults := found(t, s, probe.Against(court.AST, wrong, "there")); e.Reason != court.Unverified || len(faults) != 1 {
			t.Errorf("a wrong place %d is kept: %s %v", i+1, e.Outcome, faults)
		}
	}
}

// What is located needs a place; a search that found nothing does not.
func TestLocatedNeedsAPlace(t *testing.T) {
	flaw := probe.Clean(court.One, court.AST, "clean")
	flaw.Security = &court.Flaw{Severity: court.High}
	tests := map[string]struct {
		f    probe.Finding
		want court.Outcome
	}{
		"present":   {probe.Present(court.AST, nil, "there"), court.Unknown},
		"partial":   {probe.Partly(5000, court.AST, nil, "half"), court.Unknown},
		"violation": {probe.Against(court.AST, nil, "there"), court.Unknown},
		"flaw":      {flaw, court.Unknown},
		"clean":     {probe.Clean(court.One, court.AST, "clean"), court.Present},
		"absent":    {probe.Missing(court.One, court.AST, "nothing"), court.Absent},
	}
	for name, tc := range tests {
		s := scene(t)
		e, faults := found(t, s, tc.f)
		if e.Outcome != tc.want || (len(faults) == 1) != (tc.want == court.Unknown) || e.Security != nil {
			t.Errorf("%s: %s, faults %v", name, e.Outcome, faults)
		}
		if err := probe.Verify(t.Context(), s, e); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A path that is no UTF-8 cannot stand in a record: it is shown escaped, with
// its bytes beside it, and the file is found again.
func TestPathsThatAreNoText(t *testing.T) {
	for _, path := range []string{"inv\xff\xfe.py", "\xff/\x1b[31m.py", "a\xc3/ok.py"} {
		s := sceneOf(t, "-- "+path+" --\nx = 1\n-- "+strings.ToValidUTF8(path, `\xff`)+" --\nx = 2\n")
		e, faults := found(t, s, probe.Present(court.AST, []court.Place{{Path: path, Line: 1}}, "there"))
		if len(faults) > 0 || e.At[0].File() != path || e.At[0].Path != court.Clean(path, 0) || !utf8.ValidString(e.At[0].Path) {
			t.Errorf("%q: place %+v, faults %v", path, e.At[0], faults)
		}
		raw, err := json.Marshal(e)
		if err != nil {
			t.Fatal(err)
		}
		var back court.Evidence
		if err := json.Unmarshal(raw, &back); err != nil {
			t.Fatal(err)
		}
		if err := probe.Verify(t.Context(), s, back); err != nil {
			t.Errorf("%q: %v", path, err)
		}
	}
}
