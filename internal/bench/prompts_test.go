package bench

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/llm"
	"github.com/automaton-auditor/automaton/internal/safetext"
)

var update = flag.Bool("update", false, "write what is compared with")

// small are words without a meaning of their own.
var small = strings.Fields("a an and any are as at be been but by can could do does down for from had has have he her his how if in into is it its " +
	"may might must no nor not of on one or other others our out over own same she should so some than that the their them then there these they this those " +
	"to until up upon was were what whatever when where which whichever while who whose will with without would you your")

func words(text string, without []string) map[string]bool {
	out := map[string]bool{}
	for _, w := range regexp.MustCompile(`[\p{L}]+`).FindAllString(strings.ToLower(text), -1) {
		if !slices.Contains(without, w) {
			out[w] = true
		}
	}
	return out
}

// Three philosophies that share their words would be one. The overlap of two
// texts is the number of different words in both over that of the shorter one:
// the strictest of the usual measures.
func TestPersonasShareLittle(t *testing.T) {
	const most = 30 // percent
	for i, p := range court.Personas() {
		for _, q := range court.Personas()[i+1:] {
			for name, without := range map[string][]string{"all words": nil, "words with a meaning": small} {
				a, b := words(philosophy(p), without), words(philosophy(q), without)
				both := 0
				for w := range a {
					if b[w] {
						both++
					}
				}
				share := 100 * both / min(len(a), len(b))
				t.Logf("%s and %s share %d %% of %s", p, q, share, name)
				if len(a) < 40 || share >= most {
					t.Errorf("%s and %s share %d %% of %s (%d and %d), not under %d %%", p, q, share, name, len(a), len(b), most)
				}
			}
		}
	}
}

// A shortened case as the three seats are asked about it. `go test -update`
// writes the files anew: read the difference, it is what models see.
func TestPromptsAsSent(t *testing.T) {
	b := miniature()
	for _, j := range court.Personas() {
		d := counsel(j, nil)
		d.Names = safetext.NewAliases("Ada Byron", "ada@mill.example")
		p := d.Prompt(b, 0)
		got := fmt.Sprintf("model: %s\nfor: %s\nsample: %d\ntokens: %d\nanswer: %s (%s)\n\n==== schema\n%s\n\n==== system\n%s\n==== %s\n%s",
			p.Model, p.For, p.Sample, p.MaxTokens, p.Answer.Name, p.Answer.Doc, p.Answer.Schema, p.System, p.Messages[0].Role, p.Messages[0].Text)
		file := filepath.Join("testdata", "prompts", strings.ToLower(string(j))+".golden")
		if *update {
			if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), got); diff != "" {
			t.Errorf("%s (-want +got)\n%s", j, diff)
		}
		if len(p.Messages) != 1 || p.Messages[0].Role != llm.User || p.CacheKey == "" || !strings.HasPrefix(p.CacheKey, string(j)) {
			t.Errorf("%s: %d messages, cache key %q", j, len(p.Messages), p.CacheKey)
		}
	}
}

// miniature is the worked example with all that a brief can hold.
func miniature() Brief {
	c, list := workedExample()
	c.Name = "Safe tools"
	c.Instruction = "Find how repositories are cloned and how processes are started."
	c.Success = "Clones in temporary folders; checked calls; no shell; failed logins handled."
	c.Failure = "os.system with foreign input; clones into the working folder."
	c.Shown = map[string]string{"protocol": "Read the tools before the graph."}
	c.Guidance = court.Guidance{Prosecutor: "Charge every call that reaches a shell.", Defense: "Reward checks that are there.",
		TechLead: "Ask what fails first.", Shared: "Only code that runs counts."}
	c.Scale.Anchors = map[int]string{1: "Foreign input reaches a shell.", 5: "Every process is confined and checked."}
	list[2].Content = "subprocess.run(cmd, check=True)  # by Ada Byron"
	said := court.Exhibit{Label: "P1", Evidence: court.Evidence{Check: court.Testimony, Criterion: c.ID, Probe: "p/1", Outcome: court.Present, Source: court.Mention,
		At: []court.Place{{Page: 3, Digest: "d"}}, Content: "All clones are sandboxed, says Ada Byron.", Rationale: "The document says this."}.Sealed()}
	b := NewBrief(c, 1, append(list, said))
	b.Guidance.Shared = "Be brief."
	b.Preamble = "Look at the newest commit."
	b.Shown = map[string]string{list[2].ID: "subprocess.run(cmd, check=True)"}
	return b
}

// Another text, schema or layout is another digest; the same is the same.
func TestPromptsHaveADigest(t *testing.T) {
	if got := Prompts(); got != Prompts() || !regexp.MustCompile(`^[0-9a-f]{64}$`).MatchString(got) {
		t.Errorf("digest %q", got)
	}
}

// The schema is JSON that keeps to what all servers know: every member is
// required, none else is allowed, and no lengths or ranges.
func TestSchema(t *testing.T) {
	raw := schema(court.TechLead, `a "strange" id`)
	var object func(at string, v any)
	object = func(at string, v any) {
		switch v := v.(type) {
		case map[string]any:
			for key, inner := range v {
				if slices.Contains([]string{"minLength", "maxLength", "minimum", "maximum", "minItems", "maxItems", "pattern", "format"}, key) {
					t.Errorf("%s uses %s", at, key)
				}
				object(at+"/"+key, inner)
			}
			props, ok := v["properties"].(map[string]any)
			if !ok {
				return
			}
			if required, _ := v["required"].([]any); len(required) != len(props) || v["additionalProperties"] != false {
				t.Errorf("%s requires %v of %d", at, required, len(props))
			}
		case []any:
			for i, inner := range v {
				object(fmt.Sprintf("%s/%d", at, i), inner)
			}
		}
	}
	var v map[string]any
	if err := json.Unmarshal(raw, &v); err != nil {
		t.Fatal(err)
	}
	object("", v)
	props := v["properties"].(map[string]any)
	if got := fmt.Sprint(props["judge"], props["criterion_id"], props["score"]); got != `map[enum:[TechLead] type:string] map[enum:[a "strange" id] type:string] map[enum:[1 2 3 4 5] type:integer]` {
		t.Error(got)
	}
}
