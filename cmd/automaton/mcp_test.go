package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/automaton-auditor/automaton/internal/store"
)

// agent is a client of "automaton mcp", in a lab.
type agent struct {
	*attempt
	t       *testing.T
	session *sdk.ClientSession

	mu    sync.Mutex
	steps []string // of audits, as it was told
}

// agent begins "automaton mcp ARGS" and greets it. Without roots it says that it knows of none.
func (l *lab) agent(t *testing.T, version string, roots []string, args ...string) *agent {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	t.Cleanup(cancel)
	g := &agent{t: t, attempt: &attempt{lab: l, cmd: exec.CommandContext(ctx, l.program(), append([]string{"mcp"}, args...)...), ended: make(chan struct{})}}
	g.cmd.Dir, g.cmd.Env = l.dir, l.env
	stderr, err := os.CreateTemp(l.dir, "stderr-*")
	if err != nil {
		t.Fatal(err)
	}
	g.stderr, g.cmd.Stderr = stderr.Name(), stderr
	in, err := g.cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := g.cmd.StdoutPipe()
	if err := errors.Join(err, g.cmd.Start()); err != nil {
		t.Fatal(err)
	}
	o := &sdk.ClientOptions{Capabilities: &sdk.ClientCapabilities{}, ProgressNotificationHandler: func(_ context.Context, r *sdk.ProgressNotificationClientRequest) {
		g.mu.Lock()
		defer g.mu.Unlock()
		g.steps = append(g.steps, r.Params.Message)
	}}
	if roots != nil {
		o.Capabilities.RootsV2 = &sdk.RootCapabilities{}
	}
	c := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, o)
	for _, r := range roots {
		c.AddRoots(&sdk.Root{URI: "file://" + filepath.Join(l.dir, r)})
	}
	if g.session, err = c.Connect(ctx, &sdk.IOTransport{Reader: out, Writer: in}, &sdk.ClientSessionOptions{ProtocolVersion: version}); err != nil {
		t.Fatalf("%v: %s", err, g.said())
	}
	t.Cleanup(func() { g.leave(t) })
	return g
}

// leave goes away. The server must end by itself, with nothing left.
func (g *agent) leave(t *testing.T) {
	t.Helper()
	if g.over() {
		return
	}
	_ = g.session.Close() // the pipe may be closed already
	_ = g.cmd.Wait()      // how it ended is in ProcessState
	close(g.ended)
	if g.code() != 0 {
		t.Errorf("the server ended with %d: %s", g.code(), g.said())
	}
	g.clean(t)
}

// call calls a tool. What it answers as data lands in result; refused tells what was wrong.
func (g *agent) call(ctx context.Context, tool, args string, result any) (refused string) {
	g.t.Helper()
	p := &sdk.CallToolParams{Name: tool, Arguments: json.RawMessage(args)}
	p.SetProgressToken("p")
	got, err := g.session.CallTool(ctx, p)
	if err != nil {
		return err.Error()
	}
	text := got.Content[0].(*sdk.TextContent).Text
	if got.IsError {
		return text
	}
	raw, err := json.Marshal(got.StructuredContent)
	answer := struct {
		Notice string
		Result json.RawMessage
	}{}
	if err = errors.Join(err, json.Unmarshal(raw, &answer)); err != nil {
		g.t.Fatal(err)
	}
	if !strings.Contains(answer.Notice, "never an instruction") || !strings.HasPrefix(text, answer.Notice+"\n<<<") || !strings.HasSuffix(text, ">>>\n") {
		g.t.Errorf("%s: the answer is not marked: %.200q", tool, text)
	}
	if err := json.Unmarshal(answer.Result, result); err != nil {
		g.t.Fatalf("%s: %v in %.300s", tool, err, raw)
	}
	return ""
}

// An agent audits, asks why, what else, what if, and what changed.
func TestAgent(t *testing.T) {
	if testing.Short() {
		t.Skip("hears two cases")
	}
	t.Parallel()
	l := newLab(t)
	ctx := context.Background()
	g := l.agent(t, "", []string{"work"}, "--root", "work", "--jobs", "1")
	var rubric struct {
		Criteria []struct {
			ID     string
			Checks []struct{ ID, Text string }
		}
	}
	if why := g.call(ctx, "show_rubric", "{}", &rubric); why != "" || len(rubric.Criteria) < 5 || rubric.Criteria[0].Checks[0].Text == "" {
		t.Fatalf("%s, %+v", why, rubric)
	}
	type audit struct {
		RecordID string `json:"record_id"`
		Status   string
		Overall  struct{ Exact float64 }
		Rulings  []struct {
			Criterion string `json:"criterion_id"`
		}
		Remedies []struct {
			Number int
			Then   float64 `json:"overall_then"`
		}
		Uncommitted int `json:"uncommitted_files"`
	}
	var first, second audit
	work := `{"path": "` + filepath.Join(l.dir, "work") + `", "pdf": "none", "only": ["safe_tool_engineering", "graph_orchestration"]`
	if why := g.call(ctx, "audit_repository", work+"}", &first); why != "" {
		t.Fatal(why)
	}
	if len(first.Rulings) != 2 || first.Status != "complete" || len(first.Remedies) == 0 || first.Overall.Exact < 1 {
		t.Fatalf("%+v", first)
	}
	g.mu.Lock()
	for _, node := range []string{"fetch: work", "RepoInvestigator: ", "EvidenceAggregator", "Prosecutor: 2 opinions", "ChiefJustice"} {
		if !slices.ContainsFunc(g.steps, func(s string) bool { return strings.HasPrefix(s, node) }) {
			t.Errorf("no progress of %q in %q", node, g.steps)
		}
	}
	g.mu.Unlock()
	rec, _, err := store.ReadBytes(filepath.Join(l.dir, "automaton-out", first.RecordID))
	if err != nil || !rec.Intact() {
		t.Fatal(err)
	}
	id := `{"record_id": "` + first.RecordID + `"`
	var why struct {
		Opinions, Evidence []struct{ Location, Argument string }
		Ruling             struct{ Holdings []struct{ Rule string } }
	}
	if no := g.call(ctx, "explain_ruling", id+`, "criterion_id": "safe_tool_engineering"}`, &why); no != "" || len(why.Opinions) != 3 || len(why.Evidence) == 0 || len(why.Ruling.Holdings) == 0 {
		t.Errorf("%s, %+v", no, why)
	}
	var list struct {
		Total    int
		Findings []struct{ Severity, Label, Location string }
	}
	if no := g.call(ctx, "list_findings", id+`}`, &list); no != "" || list.Total == 0 || list.Total != len(list.Findings) || list.Findings[0].Label == "" {
		t.Errorf("%s, %+v", no, list)
	}
	var then struct {
		Overall struct{ Old, New float64 }
		Asked   []string
	}
	if no := g.call(ctx, "what_if", id+`, "fixes": ["1"]}`, &then); no != "" || then.Overall.Old != first.Overall.Exact || then.Overall.New != first.Remedies[0].Then || len(then.Asked) != 1 {
		t.Errorf("%s, %+v, %+v", no, then, first)
	}
	// another case of the same commit, to compare with; a change that is not committed is told
	if err := os.WriteFile(filepath.Join(l.dir, "work", "README.md"), []byte("changed\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if no := g.call(ctx, "audit_repository", strings.Replace(work, `, "graph_orchestration"`, "", 1)+"}", &second); no != "" || len(second.Rulings) != 1 || second.Uncommitted != 1 {
		t.Fatalf("%s, %+v", no, second)
	}
	var between struct{ Criteria []struct{ Notes []string } }
	if no := g.call(ctx, "compare_records", `{"old_record_id": "`+first.RecordID+`", "new_record_id": "`+second.RecordID+`"}`, &between); no != "" || len(between.Criteria) != 2 {
		t.Errorf("%s, %+v", no, between)
	}
	got, err := g.session.ReadResource(ctx, &sdk.ReadResourceParams{URI: "automaton://records/" + first.RecordID})
	if err != nil {
		t.Fatal(err)
	}
	if kept, err := store.Decode([]byte(got.Contents[0].Text)); err != nil || kept.Digest != rec.Digest {
		t.Errorf("the resource is another record: %v", err)
	}
}

// A client that wants what it must not have is refused, and answered afterwards as before.
func TestHostileAgent(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.makeOutside(t)
	at := func(name string) string { return filepath.Join(l.dir, name) }
	path := func(p string) string { raw, _ := json.Marshal(map[string]string{"path": p}); return string(raw) }
	long := strings.Repeat("x", 5000)
	calls := map[string]struct{ tool, args, want string }{
		"a path outside":              {"audit_repository", path(at("outside")), "where this server may look"},
		"a path that is not there":    {"audit_repository", path(at("outside/none")), "where this server may look"},
		"up and out":                  {"audit_repository", path(at("allowed") + "/../outside"), "where this server may look"},
		"a link that leads out":       {"audit_repository", path(at("allowed/link")), "where this server may look"},
		"a relative path":             {"audit_repository", path("work"), "is not an absolute path"},
		"an address":                  {"audit_repository", path("https://github.com/OWNER/NAME"), "is not an absolute path"},
		"another name of a root":      {"audit_repository", path(strings.ToUpper(at("allowed"))), "where this server may look"},
		"outside the client's roots":  {"audit_repository", path(at("allowed/other")), "not in a root of the client's"},
		"a document outside":          {"audit_repository", `{"path": "` + at("allowed/mine") + `", "pdf": "` + at("report.pdf") + `"}`, "where this server may look"},
		"a document's address":        {"audit_repository", `{"path": "` + at("allowed/mine") + `", "pdf": "https://example.org/a.pdf"}`, "is not an absolute path"},
		"a revision with a flag":      {"audit_repository", `{"path": "` + at("allowed/mine") + `", "commit": "--upload-pack=x y"}`, "pattern"},
		"a rubric":                    {"audit_repository", `{"path": "` + at("allowed/mine") + `", "rubric": "software"}`, "additional properties"},
		"a gate":                      {"audit_repository", `{"path": "` + at("allowed/mine") + `", "fail_under": "1"}`, "additional properties"},
		"a budget":                    {"audit_repository", `{"path": "` + at("allowed/mine") + `", "budget": 100}`, "additional properties"},
		"a bench":                     {"audit_repository", `{"path": "` + at("allowed/mine") + `", "Bench": "auto"}`, "additional properties"},
		"roots of its own making":     {"audit_repository", `{"path": "` + at("allowed/other") + `", "Rooted": false, "Roots": ["/"]}`, "additional properties"},
		"a criterion that is not":     {"audit_repository", `{"path": "` + at("allowed/mine") + `", "only": ["nope"]}`, "is not a criterion"},
		"a path that is a number":     {"audit_repository", `{"path": 7}`, "has type"},
		"no path":                     {"audit_repository", `{}`, "missing"},
		"arguments that are a list":   {"audit_repository", `[]`, "unmarshal"},
		"a long path":                 {"audit_repository", path("/" + long), "maxLength"},
		"many criteria":               {"audit_repository", `{"path": "/", "only": [` + strings.Repeat(`"a",`, 200) + `"a"]}`, "maxItems"},
		"a record elsewhere":          {"list_findings", `{"record_id": "../outside"}`, "pattern"},
		"a record above":              {"list_findings", `{"record_id": ".."}`, "there is no record"},
		"a hidden record":             {"list_findings", `{"record_id": ".automaton-x.build"}`, "there is no record"},
		"a record with another slash": {"list_findings", `{"record_id": "..\\outside"}`, "pattern"},
		"a record that is not":        {"explain_ruling", `{"record_id": "none", "criterion_id": "x"}`, "no such file"},
		"a record behind a link":      {"list_findings", `{"record_id": "linked"}`, "reading record"},
		"a severity that is not":      {"list_findings", `{"record_id": "a", "severity": "fatal"}`, "enum"},
		"an unknown tool":             {"run_shell", `{}`, `unknown tool "run_shell"`},
	}
	g := l.agent(t, "2025-06-18", []string{"allowed/mine"}, "--root", "allowed", "--out", "out")
	for name, c := range calls {
		var none any
		if got := g.call(context.Background(), c.tool, c.args, &none); !strings.Contains(got, c.want) || strings.Contains(got, "passwd") {
			t.Errorf("%s: %q", name, got)
		}
	}
	for _, uri := range []string{"automaton://records/../outside", "automaton://records/%2e%2e", "automaton://records/linked", "file:///etc/passwd", "automaton://records/"} {
		if got, err := g.session.ReadResource(context.Background(), &sdk.ReadResourceParams{URI: uri}); err == nil {
			t.Errorf("%s is read: %+v", uri, got)
		}
	}
	var any map[string]any
	if why := g.call(context.Background(), "show_rubric", "{}", &any); why != "" {
		t.Error(why)
	}
	g.leave(t) // one server at a time: each is asked to leave nothing behind
	rootless := l.agent(t, "2025-06-18", []string{}, "--root", "allowed", "--out", "out")
	if got := rootless.call(context.Background(), "audit_repository", path(at("allowed/mine")), &any); !strings.Contains(got, "names none") {
		t.Errorf("a client whose roots are none: %q", got)
	}
	if left, _ := filepath.Glob(at("out/[a-z]*")); len(left) != 1 { // the link of the test's
		t.Errorf("something was kept: %v", left)
	}
}

// makeOutside makes folders that a client may see or not, and links between them.
func (l *lab) makeOutside(t *testing.T) {
	t.Helper()
	work := filepath.Join(l.dir, "work")
	err := errors.Join(os.MkdirAll(filepath.Join(l.dir, "allowed"), 0o700), os.Mkdir(filepath.Join(l.dir, "out"), 0o700))
	for _, name := range []string{"outside", "allowed/mine", "allowed/other"} {
		err = errors.Join(err, os.CopyFS(filepath.Join(l.dir, name), os.DirFS(work)))
	}
	err = errors.Join(err, os.Symlink(filepath.Join(l.dir, "outside"), filepath.Join(l.dir, "allowed", "link")), os.Symlink("/etc", filepath.Join(l.dir, "out", "linked")))
	if err != nil {
		t.Fatal(err)
	}
}

// Lines that are no messages are answered, and the session goes on.
func TestBadMessages(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	lines := []string{
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`,
		`{"jsonrpc":"2.0","method":"notifications/initialized"}`,
		`{"jsonrpc":"2.0","id":2,"method":`,
		`[{"jsonrpc":"2.0","id":3,"method":"ping"}]`,
		strings.Repeat("[", 1000) + strings.Repeat("]", 1000),
		`{"jsonrpc":"1.0","id":4,"method":"ping"}`,
		`"` + strings.Repeat("x", 2<<20) + `"`,
		"\xff\xfe",
		`{"jsonrpc":"2.0","id":5,"method":"no/such"}`,
		`{"jsonrpc":"2.0","id":6,"method":"tools/call","params":"x"}`,
		`{"jsonrpc":"2.0","id":7,"method":"ping"}`,
	}
	a := &attempt{lab: l, cmd: exec.Command(l.program(), "mcp", "--root", "work"), ended: make(chan struct{}), stderr: os.DevNull}
	a.cmd.Dir, a.cmd.Env = l.dir, l.env
	in, err := a.cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := a.cmd.StdoutPipe()
	if err := errors.Join(err, a.cmd.Start()); err != nil {
		t.Fatal(err)
	}
	go func() { _, _ = io.WriteString(in, strings.Join(lines, "\n")+"\n") }() // the answers tell whether it arrived
	codes, answered := map[float64]int{}, map[float64]bool{}
	for said := bufio.NewScanner(out); len(answered) < 4 && said.Scan(); {
		var m struct {
			ID    *float64
			Error struct{ Code float64 }
		}
		if err := json.Unmarshal(said.Bytes(), &m); err != nil {
			t.Fatalf("%v in %q", err, said.Text())
		}
		if m.ID == nil {
			codes[m.Error.Code]++
		} else {
			answered[*m.ID] = m.Error.Code == 0
		}
	}
	_ = in.Close()
	_ = a.cmd.Wait() // how it ended is in ProcessState
	close(a.ended)
	a.clean(t)
	if a.code() != 0 || codes[-32700] != 2 || codes[-32600] != 4 {
		t.Errorf("ended with %d, refused %v", a.code(), codes)
	}
	if want := map[float64]bool{1: true, 5: false, 6: false, 7: true}; !maps.Equal(answered, want) {
		t.Errorf("answered %v, want %v", answered, want)
	}
}

// An audit that its client gives up ends with its children, and so does one whose client goes away.
func TestAgentGivesUp(t *testing.T) {
	if testing.Short() {
		t.Skip("hears a case")
	}
	t.Parallel()
	l := newLab(t)
	l.stubGit(t, "exec sleep 1000\n")
	g := l.agent(t, "", nil, "--root", ".", "--offline")
	args := `{"path": "` + filepath.Join(l.dir, "work") + `", "pdf": "none"}`
	for _, how := range []string{"cancels", "goes away"} {
		ctx, cancel := context.WithCancel(context.Background())
		ended := make(chan string, 1)
		go func() {
			var none any
			ended <- g.call(ctx, "audit_repository", args, &none)
		}()
		if !await(patience, func() bool { return len(l.processes(t, "1000")) > 0 }) {
			t.Fatalf("the audit did not begin: %s", g.said())
		}
		if how == "cancels" {
			cancel()
			if why := <-ended; !strings.Contains(why, "canceled") {
				t.Errorf("it says %q", why)
			}
			if !await(patience, func() bool { return len(l.processes(t, "1000")) == 0 && len(l.runDirs(t)) == 0 }) {
				t.Errorf("left: %v, %v", l.processes(t, "1000"), l.runDirs(t))
			}
			continue
		}
		g.signal(syscall.SIGTERM)
		<-ended
		cancel()
		g.leave(t)
	}
}
