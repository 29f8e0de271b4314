package bench

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/llm"
)

// script is a model that says what it is told to, and may mend an answer once.
type script struct {
	reply   func(p llm.Prompt, turn int) (string, error) // turn 1 is the repair
	prompts []llm.Prompt
	faults  []string // what the model was told for its repairs
}

var errRefused = errors.New("the model refused")

func (s *script) Ask(_ context.Context, p llm.Prompt, check func(json.RawMessage) error) (llm.Answered, error) {
	s.prompts = append(s.prompts, p)
	var last error
	for turn := range 2 {
		text, err := s.reply(p, turn)
		if err != nil {
			return llm.Answered{}, err
		}
		if last = check(json.RawMessage(text)); last == nil {
			return llm.Answered{JSON: json.RawMessage(text), Asked: turn + 1}, nil
		}
		s.faults = append(s.faults, last.Error())
	}
	return llm.Answered{}, fmt.Errorf("no usable answer: %w", last)
}

// says answers every question alike.
func says(text string) *script {
	return &script{reply: func(llm.Prompt, int) (string, error) { return text, nil }}
}

// inTurn answers question by question, without repairs.
func inTurn(replies ...any) *script {
	n := 0
	return &script{reply: func(_ llm.Prompt, turn int) (string, error) {
		r := replies[min(n, len(replies)-1)]
		if _, fails := r.(error); fails || turn == 1 || !strings.Contains(fmt.Sprint(r), "junk") {
			n++
		}
		if err, ok := r.(error); ok {
			return "", err
		}
		return r.(string), nil
	}}
}

func counsel(j court.Persona, m *script) *Counsel {
	return &Counsel{Seat: j, Source: "house/mock-1", Model: "mock-1", Asker: m, Case: "the digest of a case"}
}

// writes is an answer of the Defense on the worked example.
func writes(score any, claims ...map[string]string) string {
	if claims == nil {
		claims = []map[string]string{}
	}
	raw, err := json.Marshal(map[string]any{"judge": "Defense", "criterion_id": "safe_tool_engineering", "score": score, "claims": claims,
		"remedy": "Pass the arguments as a list."})
	if err != nil {
		panic(err)
	}
	return string(raw)
}

// pointsOf is what can be claimed of the worked example, by label.
func pointsOf(list []court.Exhibit) map[string]map[string]string {
	quotes := map[string][3]string{
		"E1": {"with tempfile.TemporaryDirectory() as box:", For, "Two of three clones live in a folder that goes away by itself."},
		"E2": {"os.system(f\"git log", Against, "The address reaches a shell as it was given."},
		"E4": {"No handler; all 9 files read", Against, "Nobody handles a login that fails."},
		"E5": {"if not url.startswith(\"https://\")", For, "Addresses of other schemes are refused."},
		"E6": {"the target folder is computed", Open, "Nobody can tell where clones land."},
	}
	out := map[string]map[string]string{}
	for _, x := range list {
		if q, ok := quotes[x.Label]; ok {
			out[x.Label] = map[string]string{"evidence_id": x.ID, "quote": q[0], "stance": q[1], "text": q[2]}
		}
	}
	return out
}

func TestCounselSpeaks(t *testing.T) {
	c, list := workedExample()
	p := pointsOf(list)
	m := says(writes(3, p["E5"], p["E2"]))
	o, err := counsel(court.Defense, m).Opine(t.Context(), NewBrief(c, 1, list))
	if err != nil {
		t.Fatal(err)
	}
	want := court.Opinion{Judge: court.Defense, Criterion: c.ID, Round: 1, Score: 3, Exact: 30000, Source: "house/mock-1",
		Argument: "Addresses of other schemes are refused [E5]. The address reaches a shell as it was given [E2].",
		Cited:    []string{p["E5"]["evidence_id"], p["E2"]["evidence_id"]},
		Citations: []court.Citation{
			{ID: p["E5"]["evidence_id"], Quote: p["E5"]["quote"], Verified: true, Stance: For, Check: "tool.url_checked", Text: "Addresses of other schemes are refused."},
			{ID: p["E2"]["evidence_id"], Quote: p["E2"]["quote"], Verified: true, Stance: Against, Check: "tool.no_shell", Text: "The address reaches a shell as it was given."},
		},
		Remedy: "Pass the arguments as a list."}
	if diff := cmp.Diff(want, o); diff != "" {
		t.Errorf("opinion (-want +got)\n%s", diff)
	}
	if err := Admit(NewBrief(c, 1, list), o); err != nil {
		t.Error(err)
	}
	if got := m.prompts[0]; got.Model != "mock-1" || got.For != "Defense safe_tool_engineering 1" || got.Sample != 0 || got.Temperature != nil || len(m.prompts) != 1 {
		t.Errorf("asked %d times: %+v", len(m.prompts), got)
	}
}

// Every way in which a seat is lost is an error that wraps what happened, and
// no error becomes an opinion.
func TestSeatIsLost(t *testing.T) {
	c, list := workedExample()
	for name, m := range map[string]*script{
		"refused":  inTurn(errRefused),
		"junk":     says("junk"),
		"nothing":  says(""),
		"always 6": says(writes(6, pointsOf(list)["E2"], pointsOf(list)["E5"])),
	} {
		t.Run(name, func(t *testing.T) {
			o, err := counsel(court.Defense, m).Opine(t.Context(), NewBrief(c, 1, list))
			if err == nil || o.Score != 0 || name == "refused" && !errors.Is(err, errRefused) || !strings.HasPrefix(err.Error(), "hearing Defense on safe_tool_engineering: ") {
				t.Errorf("opinion %+v, error %v", o, err)
			}
		})
	}
	if _, err := (&Counsel{Seat: "Jury", Asker: says("")}).Opine(t.Context(), NewBrief(c, 1, list)); err == nil {
		t.Error("somebody spoke who has no seat")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := counsel(court.Defense, inTurn(errRefused)).Opine(ctx, NewBrief(c, 1, list)); !errors.Is(err, context.Canceled) {
		t.Errorf("stopped with %v", err)
	}
}

// A judge who always says the same is admitted with what stands: the chief
// justice binds the score to the facts.
func TestBribed(t *testing.T) {
	c, list := workedExample()
	p := pointsOf(list)
	for _, score := range []int{1, 5} {
		o, err := counsel(court.Defense, says(writes(score, p["E2"], p["E5"]))).Opine(t.Context(), NewBrief(c, 1, list))
		if err != nil || o.Score != score || o.Exact != court.Fixed(score)*court.One {
			t.Errorf("%d: %+v, %v", score, o, err)
		}
	}
}

// server is a model behind the layers that every call goes through.
type server func(n int, p llm.Prompt) llm.Reply

func (s server) Complete(_ context.Context, p llm.Prompt) (llm.Reply, error) {
	return s(len(p.Messages)/2, p), nil
}

// Through the real ladder a seat is filled or lost as it should be, and a
// record can say why.
func TestThroughTheLadder(t *testing.T) {
	c, list := workedExample()
	p := pointsOf(list)
	good := writes(3, p["E2"], p["E5"])
	reply := func(text string) llm.Reply { return llm.Reply{Text: text, Stop: llm.Done} }
	tests := map[string]struct {
		do  server
		why string // empty: the seat is filled
	}{
		"good": {func(int, llm.Prompt) llm.Reply { return reply(good) }, ""},
		"mended": {func(n int, pr llm.Prompt) llm.Reply {
			if n == 0 {
				return reply(writes(5, p["E2"], p["E4"]))
			}
			if told := pr.Messages[2].Text; !strings.Contains(told, "the score of 5 contradicts the claims that stand") {
				return reply("nobody told me: " + told)
			}
			return reply(good)
		}, ""},
		"fenced, where prose is allowed": {func(_ int, pr llm.Prompt) llm.Reply {
			if pr.Answer.Mode != llm.Text {
				return reply("")
			}
			return reply("Here it is:\n```json\n" + good + "\n```")
		}, ""},
		"invented": {func(int, llm.Prompt) llm.Reply { return reply(writes(3, edited(p["E2"], "evidence_id", "ev-1"))) }, "no valid answer: no claim stands; claim 1 on ev-1 is struck out"},
		"junk":     {func(int, llm.Prompt) llm.Reply { return reply("I think it is a 4.") }, "no valid answer"},
		"refused":  {func(int, llm.Prompt) llm.Reply { return llm.Reply{Text: "I will not.", Stop: llm.Refused} }, "refused: I will not."},
		"cut off":  {func(int, llm.Prompt) llm.Reply { return llm.Reply{Text: good[:40], Stop: llm.Truncated} }, "cut off"},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			run, err := llm.Open(llm.Options{Clock: llm.Clock{Now: func() time.Time { return time.Unix(0, 0) }, Sleep: func(context.Context, time.Duration) error { return nil }},
				Random: func(int64) int64 { return 0 }})
			if err != nil {
				t.Fatal(err)
			}
			ladder, err := run.Ladder(llm.Endpoint{Provider: "house", Model: "mock-1", Local: true}, tc.do)
			if err != nil {
				t.Fatal(err)
			}
			d := counsel(court.Defense, nil)
			d.Asker = ladder
			o, err := d.Opine(t.Context(), NewBrief(c, 1, list))
			if tc.why == "" && (err != nil || o.Score != 3) || tc.why != "" && (err == nil || !strings.HasPrefix(llm.Why(err), tc.why)) {
				t.Errorf("%+v, %q, want %q", o, llm.Why(err), tc.why)
			}
		})
	}
}

func TestRepair(t *testing.T) {
	c, list := workedExample()
	p := pointsOf(list)
	invented := map[string]string{"evidence_id": "ev-000000000000000000000000", "quote": "all is well here", "stance": For, "text": "Everything is in place."}
	m := &script{reply: func(_ llm.Prompt, turn int) (string, error) {
		if turn == 0 {
			return writes(5, invented), nil
		}
		return writes(3, p["E2"], p["E5"]), nil
	}}
	o, err := counsel(court.Defense, m).Opine(t.Context(), NewBrief(c, 1, list))
	if err != nil || o.Score != 3 || len(o.Struck) != 0 {
		t.Fatalf("%+v, %v", o, err)
	}
	want := "no claim stands; claim 1 on ev-000000000000000000000000 is struck out: no exhibit of this brief has that id"
	if diff := cmp.Diff([]string{want}, m.faults); diff != "" {
		t.Errorf("faults told (-want +got)\n%s", diff)
	}
}

// Where there is nothing to rest on, no model is asked.
func TestBlindIsNotAsked(t *testing.T) {
	c, _ := workedExample()
	for name, b := range map[string]Brief{"no checks": NewBrief(court.Criterion{ID: "api_contracts"}, 1, nil), "no evidence": NewBrief(c, 1, nil)} {
		m := inTurn(errRefused)
		o, err := counsel(court.Prosecutor, m).Opine(t.Context(), b)
		want, _ := Embedded(court.Prosecutor).Opine(t.Context(), b)
		if err != nil || len(m.prompts) != 0 || cmp.Diff(want, o) != "" {
			t.Errorf("%s: asked %d times, %v\n%s", name, len(m.prompts), err, cmp.Diff(want, o))
		}
	}
}
