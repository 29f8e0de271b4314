package trial

import (
	"slices"
	"strings"
	"testing"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/rubric"
)

// TestProbesAreDescribed holds what rubrics, reports and people rely on.
func TestProbesAreDescribed(t *testing.T) {
	// A check that fails must say what to do, unless it is about the past, or its findings say it.
	past := []string{"git.progression", "git.grid", "git.clock", "git.rewrite", "git.hygiene"}
	wanted := map[string]bool{}
	for _, a := range builtinAsks() {
		wanted[a.Probe] = true
	}
	seen := map[string]bool{}
	for _, p := range Probes() {
		if seen[p.ID] {
			t.Errorf("%s: there are two of this id", p.ID)
		}
		seen[p.ID] = true
		for name, text := range map[string]string{"version": p.Version, "target": string(p.Target), "title": p.Title, "doc": p.Doc, "remedy": p.Remedy} {
			if strings.TrimSpace(text) == "" && (name != "remedy" || wanted[p.ID] && !slices.Contains(past, p.ID)) {
				t.Errorf("%s: no %s", p.ID, name)
			}
		}
		if strings.HasSuffix(p.Title, ".") {
			t.Errorf("%s: the title %q ends with a full stop; it stands inside sentences", p.ID, p.Title)
		}
		if p.Effort < 0 || p.Recall < 0 || p.Recall > 10000 {
			t.Errorf("%s: effort %d, recall %d", p.ID, p.Effort, p.Recall)
		}
		if p.Run == nil {
			t.Errorf("%s: cannot be run", p.ID)
		}
		for _, a := range p.Args {
			if !slices.Contains([]string{"string", "int", "bool", "strings"}, a.Type) || a.Name == "" || a.Doc == "" && len(a.Allowed) == 0 {
				t.Errorf("%s: argument %+v", p.ID, a)
			}
		}
	}
}

// builtinAsks are the asks of the built-in rubrics.
func builtinAsks() (all []court.Ask) {
	for _, name := range rubric.Builtins() {
		r, err := rubric.Builtin(name, Catalogue(Probes()))
		if err != nil {
			continue // a test of its own says so
		}
		for _, c := range r.Criteria {
			for _, ch := range c.Checks {
				all = append(all, ch.Asks...)
			}
		}
	}
	return all
}

// TestCourtroomIsAnswered: what the default rubric asks has a probe that takes
// these arguments.
func TestCourtroomIsAnswered(t *testing.T) {
	r, err := rubric.Builtin("courtroom", Catalogue(Probes()))
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Notes) > 0 {
		t.Errorf("notes: %v", r.Notes)
	}
	known := map[string]bool{}
	for _, p := range Probes() {
		known[p.ID] = true
	}
	for _, c := range r.Criteria {
		for _, ch := range c.Checks {
			for _, a := range ch.Asks {
				if !known[a.Probe] {
					t.Errorf("%s: no probe %s", ch.ID, a.Key())
				}
			}
		}
	}
}

// TestSectionsAreNamedOnce: two sections of one name would fill each other's
// part of the sheet.
func TestSectionsAreNamedOnce(t *testing.T) {
	seen := map[string]bool{}
	for _, s := range Sections() {
		if s.Name == "" || s.Fill == nil || seen[s.Name] {
			t.Errorf("section %q: no name, nothing to fill it with, or named twice", s.Name)
		}
		seen[s.Name] = true
	}
}

// TestNumbersHaveASource: of what the rubrics for any project ask, a number in
// the description of a probe is one of those that say where they come from.
func TestNumbersHaveASource(t *testing.T) {
	for _, name := range []string{"software", "report"} {
		r, err := rubric.Builtin(name, Catalogue(Probes()))
		if err != nil {
			t.Fatal(err)
		}
		asked := map[string]bool{}
		for _, c := range r.Criteria {
			for _, ch := range c.Checks {
				for _, a := range ch.Asks {
					asked[a.Probe] = true
				}
			}
		}
		for _, p := range Probes() {
			if asked[p.ID] && strings.ContainsAny(p.Doc, "0123456789") && p.Threshold() == "" {
				t.Errorf("%s: its description has a number, and nothing says where it comes from", p.ID)
			}
		}
	}
}
