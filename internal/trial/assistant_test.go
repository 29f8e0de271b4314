package trial

import (
	"context"
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/figure"
	"github.com/automaton-auditor/automaton/internal/llm"
	"github.com/automaton-auditor/automaton/internal/llm/llmtest"
	"github.com/automaton-auditor/automaton/internal/llm/provider"
	"github.com/automaton-auditor/automaton/internal/probe"
)

// wired is an assistant that asks a server, or a cassette when there is none.
func wired(t *testing.T, name string, srv *llmtest.Server, tape string, mode llm.CassetteMode) *Assistant {
	t.Helper()
	run, err := llm.Open(llm.Options{Cassette: tape, CassetteMode: mode, Random: func(int64) int64 { return 0 },
		Clock: llm.Clock{Now: epoch, Sleep: func(context.Context, time.Duration) error { return nil }}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := run.Close(); err != nil {
			t.Error(err)
		}
	})
	c := provider.Config{Provider: name, Model: "m", Key: "a-key-of-ours", BaseURL: "http://127.0.0.1:9"}
	if srv != nil {
		c.BaseURL = srv.URL
	}
	model, at, err := provider.Open(c)
	if err != nil {
		t.Fatal(err)
	}
	l, err := run.Ladder(at, model)
	if err != nil {
		t.Fatal(err)
	}
	return &Assistant{Model: "m", Asker: l}
}

// firstOpen is the first check that a turn of an investigation asks about.
func firstOpen(text string) string {
	_, rest, _ := strings.Cut(text, " checks>>>\n")
	id, _, _ := strings.Cut(rest, ":")
	return id
}

// A model behind either wire format looks at a picture and investigates; an
// invented place falls. From the cassette, without the server, the record is
// the same.
func TestScoutsOverTheWire(t *testing.T) {
	for _, name := range []string{"openai", "anthropic"} {
		t.Run(name, func(t *testing.T) {
			srv := llmtest.New(t, llmtest.Script{Answer: func(r llmtest.Request) llmtest.Answer {
				switch text := r.Last(); {
				case len(r.Messages[0].Images) > 0:
					return llmtest.Answer{JSON: goodFigure}
				case !strings.Contains(text, " answer 1>>>"):
					return llmtest.Answer{JSON: moveOf(t, probe.Move{Calls: []probe.Call{{Tool: "read", Path: "src/tools/git_tools.py"}}})}
				default:
					return llmtest.Answer{JSON: moveOf(t, probe.Move{Done: true, Items: []probe.Item{
						{Check: firstOpen(text), Stance: "support", Statement: "The history is read by a child process.", Path: "src/tools/git_tools.py", From: 23, To: 25, Quote: `["git", "log", "--oneline"]`},
						{Check: firstOpen(text), Stance: "support", Statement: "A settlement is made for every order.", Path: "src/settle.py", From: 1, To: 1, Quote: "def settle(order)"}}})}
				}
			}})
			tape := filepath.Join(t.TempDir(), "tape")
			heard := func(s *Assistant) *court.Record {
				h := hearing(t, miniature(t).Scene(t, func(o *probe.Options) { o.Inquirer = s }))
				h.Rubric = load(t, byWords, Probes())
				return try(t, h)
			}
			drawn := func(s *Assistant) string {
				d, err := s.Look(t.Context(), figure.Picture{PNG: []byte("\x89PNG\r\n"), Page: 1})
				if err != nil {
					t.Fatal(err)
				}
				raw, err := json.Marshal(d)
				if err != nil {
					t.Fatal(err)
				}
				return string(raw)
			}
			var first, again *court.Record
			var seen, reseen string
			t.Run("live", func(t *testing.T) {
				s := wired(t, name, srv, tape, llm.Record)
				first, seen = heard(s), drawn(s)
			})
			asked := len(srv.Requests())
			t.Run("replayed", func(t *testing.T) {
				s := wired(t, name, nil, tape, llm.Replay)
				again, reseen = heard(s), drawn(s)
			})
			if first.Digest != again.Digest || seen != reseen || asked != 3 || len(srv.Requests()) != asked {
				t.Errorf("%d requests, then %d; %s and %s", asked, len(srv.Requests()), first.Digest, again.Digest)
			}
			n := 0
			for _, x := range first.Evidences["fetching"] {
				if x.Source == court.ModelQuote {
					n++
				}
			}
			if n != 1 {
				t.Errorf("%d findings of the model entered", n)
			}
			if image := srv.Requests()[2].Messages[0].Images; len(image) != 1 || image[0] != "image/png;base64,iVBORw0K" {
				t.Errorf("%q", image)
			}
		})
	}
}

// What was investigated for the first hearing stands in the second, and nobody
// is asked again.
func TestInvestigationStandsInTheSecondHearing(t *testing.T) {
	h := stage(t, atFirst(found(2)), atFirst(found(3)))
	m := &byRule{rule: func(p llm.Prompt) string {
		return moveOf(t, probe.Move{Items: []probe.Item{{Check: openCheck(p), Stance: "contrary", Statement: "Two processes are started.", Path: "src/tools/git_tools.py", From: 13, To: 13, Quote: "cloned = subprocess.run("}}})
	}}
	h.Opened = opened(miniature(t).Scene(t, func(o *probe.Options) { o.Inquirer, o.InquireUnknown = &Assistant{Asker: m}, true }))
	rec := try(t, h)
	n := 0
	for _, x := range rec.Evidences["hazy"] {
		if x.Source == court.ModelQuote && x.Stands() {
			n++
		}
	}
	again := slices.ContainsFunc(rec.Hearings, func(x court.Hearing) bool { return x.Criterion == "hazy" && x.Round == 2 })
	if len(m.asked) != 1 || n != 1 || !again {
		t.Errorf("%d questions, %d findings, %+v", len(m.asked), n, rec.Hearings)
	}
}
