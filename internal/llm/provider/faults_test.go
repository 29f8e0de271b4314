package provider_test

import (
	"net/http"
	"net/http/httptest"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/automaton-auditor/automaton/internal/llm"
	"github.com/automaton-auditor/automaton/internal/llm/llmtest"
)

// fault is one of the 32 faults that a model server may show, and what comes
// of a question. A good answer goes before each, so that the way of asking is
// settled, as it is for all but the first question of a run.
type fault struct {
	answers  []llmtest.Answer // in order; then the last again
	requests int              // that the question takes
	slept    []time.Duration
	why      string // it is lost; empty: answered
	memory   uint64 // bytes allocated at most, the server's own included; 0: not measured
}

func fails(f llmtest.Fault) llmtest.Answer { return llmtest.Answer{Fault: f} }

func reply(text string) llmtest.Answer { return llmtest.Answer{JSON: text} }

// with is the good answer with one thing changed.
func with(from, to string) llmtest.Answer {
	bad := strings.Replace(good, from, to, 1)
	if bad == good {
		panic(from)
	}
	return reply(bad)
}

func faults(s *stopped, elsewhere string) map[string]fault {
	const half, one, two, ten = 500 * time.Millisecond, time.Second, 2 * time.Second, 10 * time.Second
	hang := fails(func(w http.ResponseWriter, req *http.Request) {
		s.expire <- struct{}{}
		llmtest.Hang(w, req)
	})
	drip := fails(func(w http.ResponseWriter, req *http.Request) {
		tick := make(chan time.Time)
		go func() {
			for range 3 {
				tick <- time.Time{}
			}
			s.expire <- struct{}{}
		}()
		llmtest.Drip(tick)(w, req)
	})
	date := time.Date(2020, 2, 29, 23, 59, 58, 0, time.UTC) // by the server's clock
	ok, down := reply(good), fails(llmtest.Status(503, "overloaded"))
	mend := func(a llmtest.Answer, why string) fault {
		return fault{answers: []llmtest.Answer{a}, requests: 2, why: "no valid answer: " + why}
	}
	lost := func(f llmtest.Fault, why string, memory uint64) fault {
		return fault{answers: []llmtest.Answer{fails(f)}, requests: 1, why: why, memory: memory}
	}
	return map[string]fault{
		"good answer":           {answers: []llmtest.Answer{ok}, requests: 1},
		"hang twice":            {answers: []llmtest.Answer{hang, hang, ok}, requests: 3, slept: []time.Duration{half, one}},
		"429, wait 1":           {answers: []llmtest.Answer{fails(llmtest.RetryAfter(1)), ok}, requests: 2, slept: []time.Duration{one}},
		"503 twice":             {answers: []llmtest.Answer{down, down, ok}, requests: 3, slept: []time.Duration{half, one}},
		"half an envelope once": {answers: []llmtest.Answer{fails(llmtest.Half), ok}, requests: 2, slept: []time.Duration{half}},
		"reset once":            {answers: []llmtest.Answer{fails(llmtest.Reset), ok}, requests: 2, slept: []time.Duration{half}},
		"cut body once":         {answers: []llmtest.Answer{fails(llmtest.Cut), ok}, requests: 2, slept: []time.Duration{half}},
		"slow drip":             {answers: []llmtest.Answer{drip}, requests: 4, slept: []time.Duration{half, one, two}, why: "timeout: no whole answer within 2m0s"},
		"503 for ever":          {answers: []llmtest.Answer{down}, requests: 4, slept: []time.Duration{half, one, two}, why: "http 503: overloaded"},
		"429, wait for ever":    lost(llmtest.RetryAfter(999999999), "http 429: the server asks to wait 277777h46m39s, over 1m0s", 0),
		"429, other clock":      {answers: []llmtest.Answer{fails(llmtest.RetryUntil(date, ten)), ok}, requests: 2, slept: []time.Duration{ten}},
		"401 with the key":      lost(llmtest.Status(401, "Incorrect API key provided: "+key+"\x1b[2J"), `http 401: Incorrect API key provided: [key]\u{1b}[2J`, 0),
		"redirect":              lost(llmtest.Redirect(elsewhere), "redirect refused: http 307", 0),
		"a page":                lost(llmtest.HTML, `not JSON: the server sent "text/html"`, 0),
		"gzip bomb":             lost(llmtest.Bomb, "compressed answer: gzip was not asked for", 2<<20),
		"a gigabyte":            lost(llmtest.Endless, "answer too large: over 1048576 bytes", 3<<20),
		"10 MB of header":       lost(llmtest.Header, "header too large: over 65536 bytes", 0),
		"cut off":               {answers: []llmtest.Answer{{JSON: `{"judge":`, Stop: "LIMIT"}}, requests: 2, why: "cut off"},
		"prose":                 mend(llmtest.Answer{Say: "I would say four."}, "PROSE"),
		"two objects":           mend(reply(good+good), "TWO"),
		"score 9":               mend(with(`"score":4`, `"score":9`), "score must be 1 to 5"),
		"score 4.7":             mend(with(`"score":4`, `"score":4.7`), "score: 4.7 is not an integer in range"),
		`score "5"`:             mend(with(`"score":4`, `"score":"5"`), "score: a string is not an integer in range"),
		"score 1e400":           mend(with(`"score":4`, `"score":1e400`), "score: 1e400 is not an integer in range"),
		"other judge":           mend(with("Defense", "Prosecutor"), "judge must be Defense and criterion_id c1"),
		"unknown evidence":      mend(with("ev-1", "ev-2"), "evidence_id must be one of the brief's"),
		"name twice":            mend(with(`"score":4`, `"score":4,"score":5`), "score stands twice"),
		"name in other case":    mend(with(`"score"`, `"SCORE"`), "SCORE is not a name of the schema"),
		"100,000 deep":          mend(reply(`{"claims":`+strings.Repeat("[", 100_000)+strings.Repeat("]", 100_000)+"}"), "the answer nests deeper than 64"),
		"fenced, then strict":   {answers: []llmtest.Answer{{Say: "```json\n" + good + "\n```"}, ok}, requests: 2},
		"refusal":               {answers: []llmtest.Answer{{Refusal: "I can't \x1b]0;owned\a\u202e help."}}, requests: 1, why: `refused: I can't \u{1b}]0;owned\u{7}\u{202e} help.`},
		"nothing":               {answers: []llmtest.Answer{fails(llmtest.Nothing)}, requests: 4, slept: []time.Duration{half, one, two}, why: "empty answer"},
	}
}

func TestFaults(t *testing.T) {
	var hits atomic.Int64
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { hits.Add(1) }))
	defer other.Close()
	if n := len(faults(new(stopped), "")); n != 32 {
		t.Errorf("%d faults", n)
	}
	for _, dialect := range []string{"openai", "anthropic"} {
		for name := range faults(new(stopped), other.URL) {
			t.Run(dialect+"/"+name, func(t *testing.T) {
				clock := &stopped{expire: make(chan struct{})}
				f := faults(clock, other.URL)[name]
				f.run(t, dialect, clock)
			})
		}
	}
	if hits.Load() != 0 {
		t.Errorf("%d requests went elsewhere", hits.Load())
	}
}

func (f fault) run(t *testing.T, dialect string, clock *stopped) {
	s := llmtest.New(t, llmtest.Script{Answer: func(r llmtest.Request) llmtest.Answer {
		if r.N == 1 {
			return reply(good)
		}
		a := f.answers[min(r.N-2, len(f.answers)-1)]
		if a.Stop == "LIMIT" {
			a.Stop = map[string]string{"openai": "length", "anthropic": "max_tokens"}[dialect]
		}
		return a
	}})
	m, e := adapter(t, dialect, s)
	o := clock.options()
	var told []llm.Call
	o.Tell = func(c llm.Call) { told = append(told, c) }
	run, err := llm.Open(o)
	if err != nil {
		t.Fatal(err)
	}
	l, err := run.Ladder(e, m)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := l.Ask(t.Context(), question(), check); err != nil {
		t.Fatal(err)
	}
	begun := clock.now
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	got, err := l.Ask(t.Context(), question(), check)
	runtime.ReadMemStats(&after)

	why := strings.NewReplacer("PROSE", "the answer is not one JSON object and nothing else",
		"TWO", "the JSON is not valid: invalid character '{' after top-level value, at byte 112").Replace(f.why)
	if llm.Why(err) != why || err == nil && string(got.JSON) != good {
		t.Errorf("%q with %q, want %q", llm.Why(err), got.JSON, why)
	}
	if n := len(s.Requests()) - 1; n != f.requests {
		t.Errorf("%d requests, want %d", n, f.requests)
	}
	if !slices.Equal(clock.slept, f.slept) {
		t.Errorf("slept %v, want %v", clock.slept, f.slept)
	}
	if used := after.TotalAlloc - before.TotalAlloc; f.memory > 0 && used > f.memory {
		t.Errorf("%d bytes allocated, want at most %d", used, f.memory)
	} else if f.memory > 0 {
		t.Logf("%d bytes allocated", used)
	}
	for _, c := range told {
		if text := llm.Why(c.Err) + c.Reply.Text + string(c.Reply.Args) + c.Host; strings.Contains(text, key) || c.Err != nil && strings.Contains(c.Err.Error(), key) {
			t.Errorf("the key is in a trace: %s", text)
		}
	}
	if clock.now.Sub(begun) > time.Minute {
		t.Errorf("waited %s", clock.now.Sub(begun))
	}
}
