package trial

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/probe"
	"github.com/automaton-auditor/automaton/internal/probe/probetest"
)

// scene is the scene of a variant.
func (g *golden) scene(t testing.TB, variant string, f *probetest.Fixture) *probe.Scene {
	name := g.name
	if variant != "" {
		name += "_" + strings.ReplaceAll(variant, " ", "_")
	}
	return f.Scene(t, func(o *probe.Options) { o.Slug = "golden/" + name })
}

// try draws the sheet of a variant and holds it against its claims.
func (g *golden) try(t *testing.T, variant string) *probe.Sheet {
	t.Helper()
	s := g.scene(t, variant, g.fixture(t, variant))
	sheet, faults := probe.Draw(t.Context(), s, Sections())
	for _, x := range faults {
		t.Errorf("fault %s: %s", x.Subject, x.Reason)
	}
	c := claims{t: t, scene: s, facts: probetest.Flat(t, sheet)}
	if g.parts[variant].must == "" {
		t.Error("nothing says what it must show")
	}
	for line := range strings.Lines(g.parts[variant].must) {
		c.check(strings.TrimSpace(line))
	}
	c.settle()
	return sheet
}

// claims are what a row of the table says of a case, one a line:
//
//	KEY: JSON              a fact of the sheet
//	ASK = OUTCOME, ...     all outcomes of a question of the built-in rubrics,
//	                       written as court.Ask.Key writes it
//	coverage ASK < 1       not all of what is asked about could be examined
//	score ID >= N          the exact score of a criterion, or <=
//	status ID STATUS       the status of its ruling
//	# ...                  why
type claims struct {
	t       *testing.T
	scene   *probe.Scene
	facts   map[string]string
	asked   map[string][]string // outcomes wanted, by question
	rulings []string
}

func (c *claims) check(line string) {
	c.t.Helper()
	word, rest, _ := strings.Cut(line, " ")
	ask, outcomes, question := strings.Cut(line, " = ")
	key, value, fact := strings.Cut(line, ": ")
	switch {
	case line == "" || word == "#":
	case word == "score" || word == "status":
		c.rulings = append(c.rulings, word+" "+rest)
	case word == "coverage":
		ask := strings.TrimSuffix(rest, " < 1")
		if !slices.ContainsFunc(answers(c.t, c.scene, ask), func(e court.Evidence) bool { return e.Coverage < court.One }) {
			c.t.Errorf("%s is said of everything, but not everything could be examined", ask)
		}
	case question:
		if c.asked == nil {
			c.asked = map[string][]string{}
		}
		c.asked[ask] = strings.Split(outcomes, ", ")
	case fact:
		if got, ok := c.facts[key]; !ok || got != value {
			c.t.Errorf("%s is %s, must be %s", key, got, value)
		}
	default:
		c.t.Errorf("what does %q claim?", line)
	}
}

// settle asks the questions and hears the case, if anything claims to know.
func (c *claims) settle() {
	c.t.Helper()
	for _, ask := range slices.Sorted(maps.Keys(c.asked)) {
		got := outcomes(c.t, c.scene, ask)
		if d := cmp.Diff(slices.Sorted(slices.Values(c.asked[ask])), got); d != "" {
			c.t.Errorf("%s (-must +got):\n%s", ask, d)
		}
	}
	if c.rulings == nil || raced { // a hearing takes long under the race detector
		return
	}
	rec := try(c.t, hearing(c.t, c.scene))
	for _, line := range c.rulings {
		w := strings.Fields(line)
		i := slices.IndexFunc(rec.Verdict.Rulings, func(r court.Ruling) bool { return r.Criterion == w[1] })
		if i < 0 {
			c.t.Fatalf("no ruling on %s", w[1])
		}
		r := rec.Verdict.Rulings[i]
		var bar court.Fixed
		switch {
		case w[0] == "status" && string(r.Status) == w[2]:
		case w[0] == "status":
			c.t.Errorf("%s is %s, must be %s", w[1], r.Status, w[2])
		case json.Unmarshal([]byte(w[3]), &bar) != nil:
			c.t.Errorf("what does %q claim?", line)
		case w[2] == ">=" && r.Exact < bar, w[2] == "<=" && r.Exact > bar:
			c.t.Errorf("%s has %s, must be %s %s", w[1], r.Exact, w[2], w[3])
		}
	}
}

// outcomes are all different outcomes of a question.
func outcomes(t *testing.T, s *probe.Scene, ask string) []string {
	t.Helper()
	seen := map[string]bool{}
	for _, e := range answers(t, s, ask) {
		seen[string(e.Outcome)] = true
	}
	return slices.Sorted(maps.Keys(seen))
}

// answers are the evidence for a question: as the built-in rubric asks it, or,
// when that does not, as any rubric might.
func answers(t *testing.T, s *probe.Scene, ask string) []court.Evidence {
	t.Helper()
	c := court.Criterion{ID: "asked", Checks: []court.Check{asked(t, ask)}, Artifacts: []court.Artifact{court.GithubRepo}}
	found, faults := probe.Investigate(t.Context(), s, Probes(), probe.Assignment{Detective: court.RepoInvestigator, Criteria: []court.Criterion{c}, Jobs: 1})
	for _, f := range faults {
		t.Errorf("fault %s: %s", f.Subject, f.Reason)
	}
	return slices.DeleteFunc(found[c.ID], func(e court.Evidence) bool { return e.Ask != ask })
}

func asked(t *testing.T, ask string) court.Check {
	t.Helper()
	for _, c := range law(t).Criteria {
		for _, ch := range c.Checks {
			if slices.ContainsFunc(ch.Asks, func(a court.Ask) bool { return a.Key() == ask }) {
				return ch
			}
		}
	}
	id, args, _ := strings.Cut(ask, "{")
	if !slices.ContainsFunc(Probes(), func(p probe.Probe) bool { return p.ID == id }) {
		t.Errorf("there is no probe %q", id)
	}
	a := court.Ask{Probe: id}
	if args != "" {
		if err := json.Unmarshal([]byte("{"+args), &a.Args); err != nil {
			t.Errorf("%s: %v", ask, err)
		}
	}
	return court.Check{ID: "check", Weight: 1, Polarity: court.Want, Asks: []court.Ask{a}, Text: ask}
}

// compare holds the sheets against what the archive wants, or writes it.
func (g *golden) compare(t *testing.T, sheets map[string]*probe.Sheet) {
	t.Helper()
	start := sheets[""]
	if g.base != nil {
		start, _ = probe.Draw(t.Context(), g.base.scene(t, "", g.base.fixture(t, "")), Sections())
	}
	from := map[string]string{} // without anything to differ from, all of it is told
	if start != nil {
		from = probetest.Flat(t, start)
	}
	wanted := map[string]string{}
	for v, sheet := range sheets {
		name := "want.differs"
		if v != "" {
			name = "@" + v + "/" + name
		}
		if v != "" || g.base != nil {
			wanted[name] = differs(from, probetest.Flat(t, sheet))
			continue
		}
		raw, err := sheet.JSON()
		if err != nil {
			t.Fatal(err)
		}
		wanted["want.sheet"] = string(raw)
	}
	if probetest.Updating() {
		g.rewrite(t, wanted)
		return
	}
	for _, f := range g.archive.Files {
		if strings.HasSuffix(f.Name, "want.sheet") || strings.HasSuffix(f.Name, "want.differs") {
			if d := cmp.Diff(string(f.Data), wanted[f.Name]); d != "" {
				t.Errorf("%s (-want +got):\n%s", f.Name, d)
			}
			delete(wanted, f.Name)
		}
	}
	for name := range wanted {
		t.Errorf("%s is missing", name)
	}
}

// differs lists the facts of b that are not those of a, but for the name.
func differs(a, b map[string]string) string {
	var out strings.Builder
	for _, k := range slices.Sorted(maps.Keys(b)) {
		if a[k] != b[k] && k != "repo" {
			fmt.Fprintf(&out, "%s: %s\n", k, b[k])
		}
	}
	return out.String()
}

// rewrite puts what is wanted into the archive, each where it stood or behind
// the last file of its variant.
func (g *golden) rewrite(t *testing.T, wanted map[string]string) {
	t.Helper()
	for _, name := range slices.Sorted(maps.Keys(wanted)) {
		at := slices.IndexFunc(g.archive.Files, func(f txtar.File) bool { return f.Name == name })
		if at < 0 {
			prefix, _, variant := strings.Cut(name, "/")
			at = len(g.archive.Files)
			for i, f := range g.archive.Files {
				if own := strings.HasPrefix(f.Name, "@"); variant && strings.HasPrefix(f.Name, prefix+"/") || !variant && !own {
					at = i + 1
				}
			}
			g.archive.Files = slices.Insert(g.archive.Files, at, txtar.File{Name: name})
		}
		g.archive.Files[at].Data = []byte(wanted[name])
	}
	if err := os.WriteFile(goldenFile(g.name), txtar.Format(g.archive), 0o600); err != nil {
		t.Fatal(err)
	}
}
