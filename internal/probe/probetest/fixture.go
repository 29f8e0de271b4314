// Package probetest runs probes on fixtures: miniature repositories in txtar
// archives that carry their own expectation. It is for tests only.
//
// The comment of an archive holds settings, one per line:
//
//	args: {"role": "judges"}     arguments of the probe (JSON)
//	scope: tests                 default production
//	polarity: avoid              default want
//	remedy: told                 what each finding asks for is a part of the answer
//	pdf: report.txt              this file is set as the PDF document, see PDF; after
//	                             a first line "raw" its bytes are the document
//	pdf-path: docs/report.pdf    that document is this file of the tree
//
// Files are the tree at the audited commit, but for six: "want" is what the
// probe must answer, "want.facts" what the sheet must say (dotted keys),
// "history" tells the commits (see history.go), "ocr" and "looks" what is seen
// in pictures (see eyes.go), and "modes" says of entries of the tree that they
// are not plain files, one a line:
//
//	symlink PATH                 the file's text is where it leads
//	gitlink PATH                 a submodule; it has no file here
//	missing PATH                 its content is not to be had
//
// Run the tests with -update to
// rewrite the first two, and read the difference.
package probetest

import (
	"bufio"
	"context"
	"crypto/sha1"
	"encoding/hex"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/code/codetest"
	"github.com/automaton-auditor/automaton/internal/code/query"
	"github.com/automaton-auditor/automaton/internal/code/syntax"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/il"
	"github.com/automaton-auditor/automaton/internal/il/lower"
	"github.com/automaton-auditor/automaton/internal/langgraph"
	"github.com/automaton-auditor/automaton/internal/langgraph/script"
	"github.com/automaton-auditor/automaton/internal/probe"
	"github.com/automaton-auditor/automaton/internal/repo"
	"github.com/automaton-auditor/automaton/internal/rubric"
)

var update = flag.Bool("update", false, "rewrite what the fixtures want")

// Updating tells whether the tests shall rewrite what they want.
func Updating() bool { return *update }

// Fixture is a loaded archive.
type Fixture struct {
	Settings map[string]string
	Args     map[string]any
	Files    map[string]string
	archive  *txtar.Archive
	file     string
}

// Load reads an archive.
func Load(t testing.TB, file string) *Fixture {
	t.Helper()
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	f := &Fixture{Settings: map[string]string{}, Files: map[string]string{}, archive: txtar.Parse(raw), file: file}
	for line := range strings.Lines(string(f.archive.Comment)) {
		if k, v, ok := strings.Cut(strings.TrimSpace(line), ": "); ok {
			f.Settings[k] = v
		}
	}
	if a := f.Settings["args"]; a != "" {
		if err := json.Unmarshal([]byte(a), &f.Args); err != nil {
			t.Fatalf("%s: args: %v", file, err)
		}
	}
	for _, x := range f.archive.Files {
		f.Files[x.Name] = string(x.Data)
	}
	return f
}

// Scene is the scene of the fixture. Options may add to it before it is made.
func (f *Fixture) Scene(t testing.TB, more ...func(*probe.Options)) *probe.Scene {
	t.Helper()
	words, err := rubric.Profile()
	if err != nil {
		t.Fatal(err)
	}
	o := probe.Options{Repo: f.source(t), Commit: strings.Repeat("c0ffee00", 5), Slug: "fixture/" + strings.TrimSuffix(filepath.Base(f.file), ".txtar"),
		Parser: codetest.Inline{Service: code.Service()}, Syntax: codetest.Inline{Service: syntax.Service()}, Lower: lowered, Graphs: langgraph.Read, Scripts: script.Read, Words: words, Queries: codetest.Inline{Service: query.Service()}, NoPDF: "none in this fixture"}
	f.document(&o)
	f.eyes(t, &o)
	for _, m := range more {
		m(&o)
	}
	return probe.NewScene(o)
}

// source is the fixture's repository.
func (f *Fixture) source(t testing.TB) *source {
	t.Helper()
	s := &source{blobs: map[string][]byte{}, objects: map[string][]byte{}}
	for name, text := range f.Files {
		if name == "want" || name == "want.facts" || name == "history" || name == "modes" || name == "ocr" || name == "looks" || strings.HasPrefix(name, "was/") {
			continue
		}
		b := unescape(text)
		if name == f.Settings["pdf"] {
			if f.Settings["pdf-path"] == "" {
				continue
			}
			name, b = f.pdfPath(), f.pdfBytes()
		}
		oid := blobID(b)
		s.blobs[name], s.objects[oid] = b, b
		s.entries = append(s.entries, repo.Entry{Path: name, Mode: "100644", OID: oid, Size: int64(len(b)), Kind: repo.File})
	}
	slices.SortFunc(s.entries, func(a, b repo.Entry) int { return strings.Compare(a.Path, b.Path) })
	s.history = f.history(t, s)
	if err := s.modes(f.Files["modes"]); err != nil {
		t.Fatalf("%s: %v", f.file, err)
	}
	slices.SortFunc(s.entries, func(a, b repo.Entry) int { return strings.Compare(a.Path, b.Path) })
	return s
}

// modes makes of entries what the file "modes" says.
func (s *source) modes(text string) error {
	for line := range strings.Lines(text) {
		word, path, _ := strings.Cut(strings.TrimSpace(line), " ")
		i := slices.IndexFunc(s.entries, func(e repo.Entry) bool { return e.Path == path })
		switch {
		case word == "gitlink":
			s.entries = append(s.entries, repo.Entry{Path: path, Mode: "160000", OID: blobID([]byte(path)), Size: -1, Kind: repo.Submodule})
		case i < 0:
			return fmt.Errorf("modes: there is no file %q", path)
		case word == "symlink":
			s.entries[i].Mode, s.entries[i].Kind = "120000", repo.Symlink
		case word == "missing":
			delete(s.objects, s.entries[i].OID)
			delete(s.blobs, path)
			s.entries[i].Size = -1
		default:
			return fmt.Errorf("modes: what is %q", word)
		}
	}
	return nil
}

// unescape lets a fixture hold bytes that an archive cannot: a first line
// "escaped" makes the rest a Go string body.
func unescape(text string) []byte {
	body, ok := strings.CutPrefix(text, "escaped\n")
	if !ok {
		return []byte(text)
	}
	r := strings.NewReplacer(`\r`, "\r", `\n`, "\n", `\t`, "\t", `\0`, "\x00", `\ufeff`, "\ufeff", `\\`, `\`)
	return []byte(r.Replace(strings.ReplaceAll(body, "\n", "")))
}

func blobID(b []byte) string {
	h := sha1.New()
	fmt.Fprintf(h, "blob %d\x00", len(b))
	h.Write(b)
	return hex.EncodeToString(h.Sum(nil))
}

type source struct {
	entries []repo.Entry
	blobs   map[string][]byte
	objects map[string][]byte
	history *repo.History
}

func (s *source) Tree() []repo.Entry { return s.entries }

func (s *source) Blobs(_ context.Context, paths []string) (map[string][]byte, error) {
	return pick(s.blobs, paths), nil
}

func (s *source) Objects(_ context.Context, oids []string) (map[string][]byte, error) {
	return pick(s.objects, oids), nil
}

func (s *source) History(context.Context) (*repo.History, error) { return s.history, nil }

func pick(from map[string][]byte, keys []string) map[string][]byte {
	out := map[string][]byte{}
	for _, k := range keys {
		if b, ok := from[k]; ok {
			out[k] = b
		}
	}
	return out
}

// Run runs every fixture below dir: dir/PROBE_ID/NAME.txtar. Each probe must
// have at least two.
func Run(t *testing.T, dir string, probes []probe.Probe, more ...func(*Fixture, *probe.Options)) {
	t.Helper()
	for _, p := range probes {
		files, err := filepath.Glob(filepath.Join(dir, p.ID, "*.txtar"))
		if err != nil || len(files) < 2 {
			t.Errorf("probe %s has %d fixtures; it needs one that holds and one that does not", p.ID, len(files))
		}
		for _, file := range files {
			t.Run(p.ID+"/"+strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
				f := Load(t, file)
				s := f.Scene(t, func(o *probe.Options) {
					for _, m := range more {
						m(f, o)
					}
				})
				f.Compare(t, "want", Answer(t, s, p, f))
			})
		}
	}
}

// polarity is what the fixture's check asks for.
func (f *Fixture) polarity() court.Polarity {
	if f.Settings["polarity"] == string(court.Avoid) {
		return court.Avoid
	}
	return court.Want
}

// Answer is what a probe answers, one finding a line, as the fixtures show it.
// The evidence it leads to must be valid and must verify, and come from the sides that
// the probe says it reads.
func Answer(t testing.TB, s *probe.Scene, p probe.Probe, f *Fixture) string {
	t.Helper()
	ask := court.Ask{Probe: p.ID, Args: f.Args}
	c := court.Criterion{ID: "criterion", Artifacts: []court.Artifact{p.Target},
		Checks: []court.Check{{ID: "check", Weight: 1, Polarity: f.polarity(), Asks: []court.Ask{ask}, Text: p.Title, Scope: f.Settings["scope"]}}}
	found, faults := probe.Investigate(t.Context(), s, []probe.Probe{p},
		probe.Assignment{Detective: p.Target.Detective(), Criteria: []court.Criterion{c}, Jobs: 1})
	var b strings.Builder
	for _, e := range found["criterion"] {
		if err := e.Validate(); err != nil {
			t.Error(err)
		}
		if err := probe.Verify(t.Context(), s, e); err != nil && e.Found {
			t.Errorf("%s: %v", e.Location, err)
		}
		b.WriteString(Line(e))
		if f.Settings["remedy"] != "" {
			fmt.Fprintf(&b, "  remedy: %s\n", e.Remedy)
		}
	}
	for side, name := range map[probe.Reads]string{probe.Past: "the history", probe.Papers: "the document"} {
		if s.Seen().Has(side) && !p.Reads.Has(side) { // where no other probe reads it, it would find it closed
			t.Errorf("%s reads %s, and does not say so", p.ID, name)
		}
	}
	for _, x := range faults {
		fmt.Fprintf(&b, "fault %s: %s\n", x.Subject, x.Reason)
	}
	return b.String()
}

// Line is a piece of evidence as the fixtures show it.
func Line(e court.Evidence) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s", e.Outcome)
	if e.Outcome == court.Partial {
		fmt.Fprintf(&b, " %s", e.Share)
	}
	if e.Reason != "" {
		fmt.Fprintf(&b, " (%s)", e.Reason)
	}
	fmt.Fprintf(&b, " %s %s", e.Source, e.Confidence)
	if s := e.Security; s != nil {
		fmt.Fprintf(&b, " [%s, tainted %s, %s]", s.Severity, s.Tainted, s.Scope)
	}
	fmt.Fprintf(&b, ": %s\n", e.Rationale)
	for _, p := range e.At {
		fmt.Fprintf(&b, "  %s\n", p)
	}
	if e.More > 0 {
		fmt.Fprintf(&b, "  and %d more\n", e.More)
	}
	return b.String()
}

// Flat is a sheet by dotted keys; the values are JSON.
func Flat(t testing.TB, sheet *probe.Sheet) map[string]string {
	t.Helper()
	raw, err := sheet.JSON()
	if err != nil {
		t.Fatal(err)
	}
	var tree map[string]any
	if err := json.Unmarshal(raw, &tree); err != nil {
		t.Fatal(err)
	}
	flat := map[string]string{}
	flatten("", tree, flat)
	return flat
}

// Facts compares a sheet with the fixture's want.facts: one "key: value" a
// line, for the keys that stand there.
func (f *Fixture) Facts(t testing.TB, sheet *probe.Sheet) {
	t.Helper()
	flat := Flat(t, sheet)
	var got strings.Builder
	sc := bufio.NewScanner(strings.NewReader(f.Files["want.facts"]))
	for sc.Scan() {
		key, _, _ := strings.Cut(sc.Text(), ": ")
		v, ok := flat[key]
		if !ok {
			t.Errorf("the sheet has no key %q", key)
		}
		fmt.Fprintf(&got, "%s: %s\n", key, v)
	}
	f.Compare(t, "want.facts", got.String())
}

func flatten(prefix string, v any, out map[string]string) {
	if m, ok := v.(map[string]any); ok {
		for _, k := range slices.Sorted(maps.Keys(m)) {
			flatten(strings.TrimPrefix(prefix+"."+k, "."), m[k], out)
		}
		return
	}
	raw, _ := json.Marshal(v)
	out[prefix] = string(raw)
}

// Compare compares one expectation, or rewrites it with -update.
func (f *Fixture) Compare(t testing.TB, name, got string) {
	t.Helper()
	if !*update {
		if d := cmp.Diff(f.Files[name], got); d != "" {
			t.Errorf("%s: %s (-want +got):\n%s", f.file, name, d)
		}
		return
	}
	i := slices.IndexFunc(f.archive.Files, func(x txtar.File) bool { return x.Name == name })
	if i < 0 {
		f.archive.Files = append(f.archive.Files, txtar.File{Name: name})
		i = len(f.archive.Files) - 1
	}
	f.archive.Files[i].Data = []byte(got)
	if err := os.WriteFile(f.file, txtar.Format(f.archive), 0o600); err != nil {
		t.Fatal(err)
	}
}

func lowered(ctx context.Context, python *code.Program, others *syntax.Program) (*il.Program, error) {
	return lower.Load(ctx, codetest.Inline{Service: syntax.Service()}, python, others)
}
