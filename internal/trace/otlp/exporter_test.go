package otlp

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/automaton-auditor/automaton/internal/trace"
)

func epoch() time.Time { return time.Unix(1767600000, 0) }

// told is a small case, as the trial tells it.
var told = []struct {
	ms int
	e  trace.Event
}{
	{0, trace.Event{Kind: trace.CaseStart, Text: "acme/secret-name", Digest: "b194"}},
	{1, trace.Event{Kind: trace.NodeStart, Node: "RepoInvestigator"}},
	{2, trace.Event{Kind: trace.Progress, Node: "RepoInvestigator", Text: "src/of_the_submission.py"}},
	{30, trace.Event{Kind: trace.Probed, Node: "RepoInvestigator", Item: "tools/no_shell,tools/no_eval,style/x", Text: "proc.shell", Found: 2, Ms: 25}},
	{31, trace.Event{Kind: trace.Evidence, Node: "RepoInvestigator", Item: "no_shell", Grave: true, Text: "src/of_the_submission.py:7  a shell"}},
	{39, trace.Event{Kind: trace.Evidence, Node: "RepoInvestigator", Found: 12}},
	{40, trace.Event{Kind: trace.NodeEnd, Node: "RepoInvestigator", Ms: 39}},
	{41, trace.Event{Kind: trace.NodeStart, Node: "Defense"}},
	{300, trace.Event{Kind: trace.ModelCall, Node: "Defense", Item: "tools", Ms: 250, Call: &trace.Call{Provider: "gemini", Model: "large", Answered: "large-2", Host: "llm.example.edu:8443",
		Mode: "schema", Stop: "done", Tries: 2, In: 900, Cached: 100, Out: 80, USD: "0.0125", Question: "what of_the_submission does", Answer: "it does of_the_submission"}}},
	{310, trace.Event{Kind: trace.ModelCall, Node: "Defense", Item: "style", Ms: 5, Call: &trace.Call{Provider: "ollama", Model: "small", Mode: "text", Error: "permanent"}}},
	{311, trace.Event{Kind: trace.Fault, Node: "Defense", Item: "style", Text: "no answer about src/of_the_submission.py"}},
	{312, trace.Event{Kind: trace.Opinion, Node: "Defense", Item: "tools", Score: 4, Round: 1}},
	{320, trace.Event{Kind: trace.NodeEnd, Node: "Defense", Ms: 279}},
	{321, trace.Event{Kind: trace.NodeStart, Node: "ChiefJustice"}},
	{322, trace.Event{Kind: trace.Holding, Node: "ChiefJustice", Item: "tools", Rule: &trace.Rule{ID: "security_override", Outcome: "fired", Before: "3.65", After: "3.00"}}},
	{323, trace.Event{Kind: trace.NodeEnd, Node: "ChiefJustice", Ms: 2}},
	{324, trace.Event{Kind: trace.Route, Node: "ChiefJustice", Text: "settled"}},
	{325, trace.Event{Kind: trace.CaseEnd, Ms: 325, Text: "complete", Total: "3.00"}},
}

// tell sends the case by an exporter.
func tell(t *testing.T, o Options) error {
	t.Helper()
	if o.Getenv == nil {
		o.Getenv = func(string) string { return "" }
	}
	x, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	now := epoch()
	log := trace.NewLog("acme__secret-name-1234567", func() time.Time { return now }, x.Event)
	for _, s := range told {
		now = epoch().Add(time.Duration(s.ms) * time.Millisecond)
		log.Emit(s.e)
	}
	if log.Err() != nil {
		t.Error(log.Err())
	}
	return x.Close(context.Background())
}

func to(c *collector, name string, header map[string]string) Target {
	return Target{Name: name, URL: c.URL + "/v1/traces", Header: header, Timeout: patience}
}

const whole = `audit internal +0s 325ms
  . automaton.case.id=acme__secret-name-1234567
  . automaton.rubric.digest=b194
  . langsmith.span.kind=chain
  . openinference.span.kind=CHAIN
  . automaton.status=complete
  . automaton.overall=3.00
  invoke_agent RepoInvestigator internal +1ms 39ms
    . gen_ai.operation.name=invoke_agent
    . gen_ai.agent.name=RepoInvestigator
    . langsmith.span.kind=chain
    . openinference.span.kind=AGENT
    . automaton.evidence.count=12
    ! automaton.evidence automaton.check.id=no_shell
    execute_tool proc.shell internal +5ms 25ms
      . gen_ai.operation.name=execute_tool
      . gen_ai.tool.name=proc.shell
      . gen_ai.tool.type=function
      . automaton.criterion.id=tools,style
      . automaton.check.id=tools/no_shell,tools/no_eval,style/x
      . automaton.evidence.count=2
      . langsmith.span.kind=tool
      . openinference.span.kind=TOOL
  invoke_agent Defense internal +41ms 279ms failed
    . gen_ai.operation.name=invoke_agent
    . gen_ai.agent.name=Defense
    . langsmith.span.kind=chain
    . openinference.span.kind=AGENT
    ! automaton.fault automaton.criterion.id=style
    ! automaton.opinion automaton.criterion.id=tools automaton.opinion.score=4 automaton.opinion.round=1
    chat large client +50ms 250ms
      . gen_ai.operation.name=chat
      . gen_ai.provider.name=gcp.gemini
      . gen_ai.system=gemini
      . gen_ai.request.model=large
      . gen_ai.response.model=large-2
      . gen_ai.output.type=json
      . server.address=llm.example.edu
      . llm.model_name=large-2
      . automaton.model.mode=schema
      . automaton.criterion.id=tools
      . automaton.model.tries=2
      . automaton.model.kept=false
      . server.port=8443
      . gen_ai.response.finish_reasons=[stop]
      . gen_ai.usage.input_tokens=900
      . gen_ai.usage.cache_read.input_tokens=100
      . gen_ai.usage.output_tokens=80
      . llm.token_count.prompt=900
      . llm.token_count.completion=80
      . gen_ai.usage.cost=0.0125
      . langsmith.span.kind=llm
      . openinference.span.kind=LLM
    chat small client +305ms 5ms failed
      . gen_ai.operation.name=chat
      . gen_ai.provider.name=ollama
      . gen_ai.system=ollama
      . gen_ai.request.model=small
      . gen_ai.output.type=json
      . error.type=permanent
      . llm.model_name=small
      . automaton.model.mode=text
      . automaton.criterion.id=style
      . automaton.model.tries=0
      . automaton.model.kept=false
      . langsmith.span.kind=llm
      . openinference.span.kind=LLM
  invoke_agent ChiefJustice internal +321ms 2ms
    . gen_ai.operation.name=invoke_agent
    . gen_ai.agent.name=ChiefJustice
    . langsmith.span.kind=chain
    . openinference.span.kind=AGENT
    rule security_override internal +322ms 0s
      . automaton.criterion.id=tools
      . automaton.rule.outcome=fired
      . automaton.rule.before=3.65
      . automaton.rule.after=3.00
      . langsmith.span.kind=chain
      . openinference.span.kind=CHAIN
`

// What arrives is the whole case, as a tree, with its times; two places get the
// same spans, each with its own key; nothing of the submission leaves.
func TestTree(t *testing.T) {
	one, other := collecting(t), collecting(t)
	zipped := to(other, "phoenix", map[string]string{"Authorization": "Bearer other-key"})
	zipped.Gzip = true
	env := map[string]string{"OTEL_RESOURCE_ATTRIBUTES": "team=a%20b,service.name=x", "OTEL_SERVICE_NAME": "auditor", "PHOENIX_PROJECT_NAME": "week2"}
	err := tell(t, Options{Targets: []Target{to(one, "langsmith", map[string]string{"x-api-key": "one-key", "Langsmith-Project": "p"}), zipped}, Version: "1.2.3",
		Getenv: func(k string) string { return env[k] }})
	if err != nil {
		t.Error(err)
	}
	if d := cmp.Diff(whole, one.tree(epoch())); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff(one.tree(epoch()), other.tree(epoch())); d != "" {
		t.Errorf("the two differ: %s", d)
	}
	if a, b := one.spans()[0], other.spans()[0]; id(a.TraceId) != id(b.TraceId) || id(a.SpanId) != id(b.SpanId) || len(a.TraceId) != 16 {
		t.Error("two traces of one case")
	}
	want := map[string]string{"service.name": "auditor", "service.version": "1.2.3", "team": "a b", "openinference.project.name": "week2"}
	if d := cmp.Diff(want, one.about()); d != "" {
		t.Error(d)
	}
	for name, c := range map[string]*collector{"one-key": one, "other-key": other} {
		for _, r := range c.asked {
			all := fmt.Sprint(r.Header)
			if !strings.Contains(all, name) || strings.Contains(all, "one-key") && strings.Contains(all, "other-key") {
				t.Errorf("the headers are %s", all)
			}
			if r.URL.Path != "/v1/traces" || r.Header.Get("Content-Type") != "application/x-protobuf" || (r.Header.Get("Content-Encoding") == "gzip") != (c == other) {
				t.Errorf("%s %s", r.URL.Path, all)
			}
		}
	}
	for _, s := range []string{"of_the_submission", "acme/secret-name"} {
		if strings.Contains(one.raw.String(), s) {
			t.Errorf("%q left", s)
		}
	}
}

// Content leaves when it is asked for, without our own keys; the case is not
// named when that is.
func TestContentAndRedaction(t *testing.T) {
	c := collecting(t)
	hide := func(s string) string { return strings.ReplaceAll(s, "what", "[key]") }
	if err := tell(t, Options{Targets: []Target{to(c, "otlp", nil)}, Content: true, Redact: true, Hide: hide}); err != nil {
		t.Error(err)
	}
	got := c.tree(epoch())
	for _, want := range []string{". input.value=[key] of_the_submission does\n", ". output.value=it does of_the_submission\n", "output.value=no answer about src/of_the_submission.py\n",
		". automaton.case.id=sha256:"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q did not arrive", want)
		}
	}
	if strings.Contains(c.raw.String(), "secret-name") {
		t.Error("the case is named")
	}
}

// A case is a part of what started it, or alone; a parent that is not recorded
// is not, either.
func TestParent(t *testing.T) {
	const trace1, span1 = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"
	for name, tc := range map[string]struct {
		parent string
		spans  int
		inside bool
	}{
		"alone":        {"", 8, false},
		"inside":       {"00-" + trace1 + "-" + span1 + "-01", 8, true},
		"not recorded": {"00-" + trace1 + "-" + span1 + "-00", 0, true},
		"damaged":      {"00-" + trace1 + "-01", 8, false},
	} {
		t.Run(name, func(t *testing.T) {
			c := collecting(t)
			err := tell(t, Options{Targets: []Target{to(c, "otlp", nil)}, Getenv: func(k string) string { return map[string]string{"TRACEPARENT": tc.parent, "TRACESTATE": "a=b"}[k] }})
			if err != nil {
				t.Error(err)
			}
			all := c.spans()
			if len(all) != tc.spans {
				t.Fatalf("%d spans, want %d", len(all), tc.spans)
			}
			for _, s := range all {
				if (id(s.TraceId) == trace1) != tc.inside {
					t.Errorf("the trace is %s", id(s.TraceId))
				}
			}
			if tc.spans > 0 && tc.inside && (id(all[0].ParentSpanId) != span1 || all[0].TraceState != "a=b") {
				t.Errorf("the parent is %s, the state %q", id(all[0].ParentSpanId), all[0].TraceState)
			}
		})
	}
}

// The variables of the process are not the exporter's: a .env file may say
// otherwise, and keys of one place are not for another.
func TestProcessIsNotAsked(t *testing.T) {
	for k, v := range map[string]string{"ENDPOINT": "http://127.0.0.1:1", "HEADERS": "stolen=1", "TRACES_HEADERS": "stolen=1,broken", "COMPRESSION": "gzip", "PROTOCOL": "http/json",
		"INSECURE": "false", "TIMEOUT": "1", "CERTIFICATE": "/none"} {
		t.Setenv("OTEL_EXPORTER_OTLP_"+k, v)
	}
	t.Setenv("OTEL_TRACES_SAMPLER", "always_off")
	t.Setenv("OTEL_SERVICE_NAME", "process")
	t.Setenv("OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT", "1")
	c := collecting(t)
	if err := tell(t, Options{Targets: []Target{to(c, "phoenix", nil)}}); err != nil {
		t.Error(err)
	}
	if d := cmp.Diff(whole, c.tree(epoch())); d != "" {
		t.Error(d)
	}
	for _, r := range c.asked {
		if r.Header.Get("stolen") != "" || r.Header.Get("Content-Encoding") != "" || r.Header.Get("Content-Type") != "application/x-protobuf" {
			t.Errorf("the headers are %v", r.Header)
		}
	}
	if got := c.about()["service.name"]; got != "automaton" {
		t.Errorf("the service is %q", got)
	}
}

// Whatever a collector does, the audit gets one error at its end, short and
// without keys; another collector gets everything.
func TestTrouble(t *testing.T) {
	elsewhere := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { t.Errorf("asked elsewhere: %v", r.Header) }))
	defer elsewhere.Close()
	held := make(chan struct{})
	dead := httptest.NewServer(http.NotFoundHandler())
	dead.Close()
	for name, tc := range map[string]struct {
		answer http.HandlerFunc
		want   string
	}{
		"dead": {nil, "connection refused"},
		"echo": {func(w http.ResponseWriter, r *http.Request) {
			w.WriteHeader(http.StatusUnauthorized)
			fmt.Fprintf(w, "your key %s\x1b[31m is unknown", r.Header.Get("x-api-key"))
		}, `401 Unauthorized (body: your key [key]\u{1b}[31m is unknown)`},
		"redirect": {func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, elsewhere.URL, http.StatusTemporaryRedirect)
		}, "the server sends elsewhere"},
		"huge":      {func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(make([]byte, 1<<20)) }, "8 of 8 spans"},
		"huge fail": {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(500); _, _ = w.Write(make([]byte, 1<<20)) }, "8 of 8 spans"},
		"header":    {func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("X", strings.Repeat("x", 1<<20)) }, "8 of 8 spans"},
		"junk": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/x-protobuf")
			_, _ = w.Write([]byte("<html>"))
		}, "8 of 8 spans"},
		"later": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", "999999999")
			w.WriteHeader(429)
		}, "8 of 8 spans"},
		"hang": {func(_ http.ResponseWriter, r *http.Request) { <-held }, "no answer in time"},
	} {
		t.Run(name, func(t *testing.T) {
			url := dead.URL
			if tc.answer != nil {
				s := httptest.NewServer(tc.answer)
				t.Cleanup(s.Close)
				url = s.URL
			}
			good := collecting(t)
			bad := Target{Name: "langsmith", URL: url, Header: map[string]string{"x-api-key": "a-key-of-ours"}, Timeout: patience}
			x, err := New(Options{Targets: []Target{bad, to(good, "otlp", nil)}, Getenv: func(string) string { return "" }})
			if err != nil {
				t.Fatal(err)
			}
			if name == "hang" {
				x.flushing = 50 * time.Millisecond
				t.Cleanup(func() { close(held) })
			}
			log := trace.NewLog("x", epoch, x.Event)
			for _, s := range told {
				log.Emit(s.e)
			}
			err = x.Close(context.Background())
			if err == nil || !strings.HasPrefix(err.Error(), "sending the trace to langsmith (127.0.0.1:") || !strings.Contains(err.Error(), tc.want) ||
				strings.Contains(err.Error(), "a-key-of-ours") || len(err.Error()) > 500 || strings.Contains(err.Error(), "\n") {
				t.Errorf("error %v, want %q", err, tc.want)
			}
			if log.Err() != nil {
				t.Error(log.Err())
			}
			if n := len(good.spans()); n != 8 {
				t.Errorf("%d spans arrived at the other", n)
			}
		})
	}
}

// A case that was begun twice, or never ended, leaves nothing open.
func TestEndsOpen(t *testing.T) {
	c := collecting(t)
	x, err := New(Options{Targets: []Target{to(c, "otlp", nil)}, Getenv: func(string) string { return "" }})
	if err != nil {
		t.Fatal(err)
	}
	log := trace.NewLog("x", epoch, x.Event)
	for _, e := range []trace.Event{{Kind: trace.Fault, Node: "nobody"}, {Kind: trace.CaseStart}, {Kind: trace.NodeStart, Node: "A"}, {Kind: trace.CaseStart},
		{Kind: trace.NodeStart, Node: "B"}, {Kind: trace.NodeStart, Node: "B"}, {Kind: trace.NodeEnd, Node: "B"}, {Kind: trace.NodeEnd, Node: "B"},
		{Kind: trace.Probed, Node: "B", Text: "late"}, {Kind: trace.ModelCall}, {Kind: trace.Holding}, {Kind: "of tomorrow"}} {
		log.Emit(e)
	}
	if err := x.Event(trace.Event{Seq: 9, At: "yesterday"}); err != nil {
		t.Error(err)
	}
	if err := x.Close(context.Background()); err == nil || err.Error() != "telling event 9 to collectors: its time cannot be read" {
		t.Error(err)
	}
	names := map[string]int{}
	for _, s := range c.spans() {
		names[s.Name]++
	}
	if d := cmp.Diff(map[string]int{"audit": 3, "invoke_agent A": 1, "invoke_agent B": 2, "execute_tool late": 1}, names); d != "" {
		t.Error(d)
	}
}
