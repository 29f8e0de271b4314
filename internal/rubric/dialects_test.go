package rubric

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/automaton-auditor/automaton/internal/court"
)

var update = flag.Bool("update", false, "write what was found into the fixtures")

// TestDialects loads one small rubric per dialect and feature and compares all
// that the loader made of it.
func TestDialects(t *testing.T) {
	files, err := filepath.Glob("testdata/dialects/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no fixtures: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			ar, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			raw := ar.Files[0].Data
			r, err := Load("folder/mini.json", strings.NewReader(string(raw)), catalogue(t))
			if err != nil {
				t.Fatal(err)
			}
			got := describe(t, r)
			if *update {
				ar.Files[1].Data = []byte(got)
				if err := os.WriteFile(file, txtar.Format(ar), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if diff := cmp.Diff(string(ar.Files[1].Data), got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			roundTrip(t, "folder/mini.json", raw)
			digestHolds(t, raw)
		})
	}
}

// describe says in lines what a rubric holds.
func describe(t *testing.T, r *court.Rubric) string {
	t.Helper()
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line("%s %q version %q target %q, dialect %s, features %s", r.Source.Name, r.Name, r.Version, r.Target, r.Dialect, strings.Join(r.Features, " "))
	guidance := func(indent string, g court.Guidance) {
		for _, s := range [][2]string{{"prosecutor", g.Prosecutor}, {"defense", g.Defense}, {"tech_lead", g.TechLead}, {"shared", g.Shared}} {
			if s[1] != "" {
				line("%s%s: %q", indent, s[0], s[1])
			}
		}
	}
	guidance("", r.Guidance)
	if r.Preamble != "" {
		line("preamble: %q", r.Preamble)
	}
	for n := 1; n <= 5; n++ {
		if s, ok := r.Anchors[n]; ok {
			line("anchor %d: %q", n, s)
		}
	}
	for _, k := range sortedKeys(r.Extra) {
		line("extra %s: %s", k, r.Extra[k])
	}
	for _, c := range r.Criteria {
		line("\n%s %q at %d:%d, %v, weight %s, %s, %s", c.ID, c.Name, c.Pos.Line, c.Pos.Col, c.Artifacts, c.Weight, scaleWords(c.Scale), c.Binding)
		line("  instruction: %q", c.Instruction)
		for _, s := range [][2]string{{"success", c.Success}, {"failure", c.Failure}} {
			if s[1] != "" {
				line("  %s: %q", s[0], s[1])
			}
		}
		for _, k := range sortedKeys(c.Shown) {
			line("  shown %s: %q", k, c.Shown[k])
		}
		guidance("  ", c.Guidance)
		for n := 1; n <= 5; n++ {
			if s, ok := c.Scale.Anchors[n]; ok {
				line("  anchor %d: %q", n, s)
			}
		}
		for _, k := range sortedKeys(c.Extra) {
			line("  extra %s: %s", k, c.Extra[k])
		}
		if strings.Contains(c.Binding, ":") {
			line("  %d checks of the built-in", len(c.Checks))
			for _, ch := range c.Checks {
				if ch.Facet == court.Design && ch.Weight == 1 && len(ch.Requires) == 0 {
					line("  check %s: %s", ch.ID, ch.Text)
				}
			}
			continue
		}
		for _, ch := range c.Checks {
			keys := []string{}
			for _, a := range ch.Asks {
				keys = append(keys, a.Key())
			}
			line("  check %s: %d %s %s %s %s requires %v: %s", ch.ID, ch.Weight, ch.Facet, ch.Polarity, ch.Scope, strings.Join(keys, " + "), ch.Requires, ch.Text)
		}
	}
	line("")
	for _, rule := range r.Rules {
		line("rule %s runs %q: %s", rule.ID, rule.Runs, rule.Text)
	}
	changes := changed(t, r.Synthesis)
	for _, k := range sortedKeys(changes) {
		line("synthesis %s = %v", k, changes[k])
	}
	for _, n := range r.Notes {
		line("%d:%d %s %s %s -> %s: %s", n.Pos.Line, n.Pos.Col, n.Code, n.Criterion, n.Field, n.Used, n.Text)
	}
	for _, f := range Lint(r, catalogue(t)) {
		line("%d:%d finding %s %s: %s", f.Pos.Line, f.Pos.Col, f.Code, f.Criterion, f.Text)
	}
	return b.String()
}

func scaleWords(s court.Scale) string {
	if s.Kind == five {
		return five
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s..%s", s.Kind, s.Min, s.Max)
	for _, l := range s.Levels {
		fmt.Fprintf(&b, " [%s %s %s %q]", l.ID, l.Name, l.Points, l.Text)
	}
	if s.Exclude != "" {
		b.WriteString(" without " + s.Exclude)
	}
	return b.String()
}
