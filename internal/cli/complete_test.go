package cli

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/automaton-auditor/automaton/internal/court"
)

// offers are what a shell is offered for the last word of a command line.
func (w *world) offers(t *testing.T, args ...string) []string {
	t.Helper()
	if code := w.run(append([]string{"__complete"}, args...)...); code != exitDone {
		t.Fatalf("exit %d: %s", code, w.err.String())
	}
	lines := strings.Split(strings.TrimSuffix(w.out.String(), "\n"), "\n")
	return lines[:len(lines)-1] // the last one tells the shell what else to do
}

func TestCompletion(t *testing.T) {
	w := newWorld(t)
	w.file(t, "rec/record.json", string(aRecord(t, "fine_id", "a fine text")))
	for name, tc := range map[string]struct {
		args      []string
		want, not string
	}{
		"commands":          {[]string{"ver"}, "verify\tChecks", "audit"},
		"formats":           {[]string{"audit", "-f", "sa"}, "sarif", "html"},
		"global flag":       {[]string{"version", "--progress", ""}, "live", "many"},
		"rubrics":           {[]string{"audit", "-r", ""}, "courtroom\tbuilt in", ""},
		"criteria":          {[]string{"audit", "--only", "git_forensic_analysis,ch"}, "git_forensic_analysis,chief_justice_synthesis\tChief justice", "git_forensic_analysis,git"},
		"bars":              {[]string{"audit", "--fail-under", "theo"}, "theoretical_depth=\tConcepts explained", ""},
		"conditions":        {[]string{"audit", "--fail-on", ""}, "contested", ""},
		"probes":            {[]string{"probe", "run", "proc.sh"}, "proc.shell\tNo process is started through a shell", "proc.timeout"},
		"criteria of a rec": {[]string{"explain", "rec", "-c", ""}, "fine_id\ta fine text", "git_forensic_analysis"},
		"evidence":          {[]string{"explain", "rec", "--evidence", "E"}, "E1\tpresent: a fine text", ""},
		"dropped":           {[]string{"whatif", "rec", "--drop", ""}, "E1\tpresent: a fine text", ""},
		"fixes":             {[]string{"whatif", "rec", "--fix", ""}, "1\ta fine text", ""},
		"checks":            {[]string{"whatif", "rec", "--fix", "fine"}, "fine_id\ta fine text", "1\t"},
		"rules":             {[]string{"whatif", "rec", "--off", ""}, "security_override", "fine_id"},
		"settings":          {[]string{"whatif", "rec", "--set", "dissent."}, "dissent.gt=\tnow ", "security"},
		"no record":         {[]string{"explain", "-c", ""}, "", "fine_id"},
		"after a flag":      {[]string{"explain", "--out", "x", "rec", "--color", "never", "-c", ""}, "fine_id\ta fine text", ""},
	} {
		t.Run(name, func(t *testing.T) {
			got := "\n" + strings.Join(w.offers(t, tc.args...), "\n") + "\n"
			if tc.want != "" && !strings.Contains(got, "\n"+tc.want) {
				t.Errorf("offers %q, want %q", got, tc.want)
			}
			if tc.not != "" && strings.Contains(got, "\n"+tc.not) {
				t.Errorf("offers %q, and not %q", got, tc.not)
			}
		})
	}
}

// aRecord has one of everything that completion offers, of that id and text.
func aRecord(t *testing.T, id, text string) []byte {
	t.Helper()
	c := court.Criterion{ID: id, Name: text, Checks: []court.Check{{ID: id, Text: text}}}
	rec := court.Record{Schema: court.SchemaRecord, Rubric: court.Rubric{Criteria: []court.Criterion{c}},
		Evidences: map[string][]court.Exhibit{id: {{Evidence: court.Evidence{ID: "ev-1", Criterion: id, Outcome: court.Present, Rationale: text}, Label: "E1"}}},
		Verdict:   &court.Verdict{Rulings: []court.Ruling{{Criterion: id, Holdings: []court.Holding{{Rule: id}}}}},
		Remedies:  []court.Remedy{{Criterion: id, Check: id, Text: text}}}
	raw, err := json.Marshal(rec)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// Whatever a record holds, a shell gets nothing that it could act on.
func TestD40Completion(t *testing.T) {
	tame := regexp.MustCompile(`^[\pL\pN._,:/+=()-]+(\t[\pL\pN._,:/+=() -]*)?$`)
	lines := map[string][]string{"explain -c": {"explain", "rec", "-c", ""}, "evidence": {"explain", "rec", "--evidence", ""}, "fix": {"whatif", "rec", "--fix", ""}, "off": {"whatif", "rec", "--off", ""}}
	texts := map[string]string{"shell": "$(touch owned)`id`;a|b&c>d<e'f\"g\\h!i*j?k[l]m{n}o~p#q%r\n_activeHelp_ s\t:4"}
	maps.Copy(texts, hostile)
	for kind, text := range texts {
		w := newWorld(t)
		if err := os.MkdirAll(filepath.Join(w.Dir, "rec"), 0o700); err != nil {
			t.Fatal(err)
		}
		w.file(t, "rec/record.json", string(aRecord(t, text, text)))
		for name, args := range lines {
			for _, offered := range w.offers(t, args...) {
				if !tame.MatchString(offered) {
					t.Errorf("%s, %s: %q", kind, name, offered)
				}
			}
		}
	}
}
