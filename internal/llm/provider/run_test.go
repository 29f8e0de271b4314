package provider_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/automaton-auditor/automaton/internal/llm"
	"github.com/automaton-auditor/automaton/internal/llm/llmtest"
)

// A whole run over the wire, thirty questions at once to a server that knows no
// schemas, and now and then errs: recorded, then played after the server is
// gone, to the same answers.
func TestRecordedRun(t *testing.T) {
	for _, dialect := range []string{"openai", "anthropic"} {
		t.Run(dialect, func(t *testing.T) {
			var mu sync.Mutex
			seen := map[string]int{}
			s := llmtest.New(t, llmtest.Script{Key: key, Refuse: []string{llmtest.Schema}, Answer: func(r llmtest.Request) llmtest.Answer {
				mu.Lock()
				defer mu.Unlock()
				brief := r.Messages[0].Text
				seen[brief]++
				switch n := seen[brief]; {
				case strings.HasSuffix(brief, "3") && n == 1:
					return fails(llmtest.Status(503, "busy"))
				case strings.HasSuffix(brief, "5") && n == 1:
					return with(`"score":4`, `"score":9`)
				case strings.HasSuffix(brief, "7"):
					return llmtest.Answer{Refusal: "I will not."}
				}
				return reply(good)
			}})
			o := new(stopped).options()
			o.Cassette, o.CassetteMode, o.Budget = filepath.Join(t.TempDir(), "run.cassette"), llm.Record, 0
			var calls []llm.Call
			o.Tell = func(c llm.Call) {
				mu.Lock()
				defer mu.Unlock()
				calls = append(calls, c)
			}
			m, e := adapter(t, dialect, s)
			recorded := thirty(t, o, e, m)
			requests := len(s.Requests())
			tries := 0
			for _, c := range calls {
				tries += c.Tries
			}
			if requests != tries || requests < 30 {
				t.Errorf("%d requests, %d in the trace", requests, tries)
			}
			s.Close()

			o.CassetteMode = llm.Replay
			played := thirty(t, o, e, nil)
			if !slices.Equal(recorded, played) {
				t.Errorf("recorded %q\nplayed   %q", recorded, played)
			}
			if !strings.Contains(recorded[0], `"score":4`) || recorded[7] != "7:  refused: I will not." {
				t.Errorf("%q", recorded)
			}
			raw, err := os.ReadFile(o.Cassette)
			if err != nil || strings.Contains(string(raw), key) || strings.Contains(string(raw), e.BaseURL) || strings.Count(string(raw), "\n") != 31 {
				t.Errorf("%d bytes on the cassette, %v", len(raw), err)
			}
		})
	}
}

// thirty asks thirty questions at once and writes down what came of each.
func thirty(t *testing.T, o llm.Options, e llm.Endpoint, m llm.Model) []string {
	t.Helper()
	run, err := llm.Open(o)
	if err != nil {
		t.Fatal(err)
	}
	l, err := run.Ladder(e, m)
	if err != nil {
		t.Fatal(err)
	}
	out := make([]string, 30)
	var wg sync.WaitGroup
	for i := range out {
		wg.Go(func() {
			p := question()
			p.Messages[0].Text = fmt.Sprint("brief ", i)
			got, err := l.Ask(t.Context(), p, check)
			text, bad := json.Marshal(got.JSON)
			if got.JSON == nil {
				text = nil
			}
			out[i] = fmt.Sprintf("%d: %s %s", i, text, llm.Why(err))
			if bad != nil {
				t.Error(bad)
			}
		})
	}
	wg.Wait()
	if err := run.Missed(); err != nil {
		t.Error(err)
	}
	if err := run.Close(); err != nil {
		t.Error(err)
	}
	return out
}
