package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/automaton-auditor/automaton/internal/batch"
	"github.com/automaton-auditor/automaton/internal/docket"
)

// hooked is an app that tells a server, and what it says on standard error.
func hooked(t *testing.T, address string) (*hook, *bytes.Buffer) {
	t.Helper()
	var said bytes.Buffer
	dir := t.TempDir()
	a := newApp(Env{Stderr: &said, Getenv: func(string) string { return "" }, Now: func() time.Time { return time.Unix(1_790_000_000, 0) }, Dir: dir, Version: "1"})
	if err := os.WriteFile(filepath.Join(dir, "secret"), []byte("0123456789abcdef\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	h, err := a.hook(hookFlags{address, "secret"})
	if err != nil {
		t.Fatal(err)
	}
	h.wait = func(context.Context, time.Duration) error { return nil }
	return h, &said
}

func endedStep(id string) batch.Step {
	return batch.Step{Kind: batch.Ended, Row: docket.Submission{ID: id, State: docket.Done}}
}

// What ended is told, signed, and again where the other side could not take it.
func TestHook(t *testing.T) {
	type told struct{ signature, body string }
	var got []told
	answers := []int{500, 429, 200, 200}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		raw, _ := io.ReadAll(r.Body)
		got = append(got, told{r.Header.Get(hookHeader), string(raw)})
		w.WriteHeader(answers[len(got)-1])
	}))
	defer s.Close()
	h, said := hooked(t, s.URL)
	go h.run(t.Context())
	h.step("c0ffee", batch.Step{Kind: batch.Begun})
	h.step("c0ffee", endedStep("ada"))
	h.add(hookMessage{Kind: "cohort.end", Cohort: "c0ffee"})
	h.close()
	if len(got) != 4 || said.Len() > 0 {
		t.Fatal(got, said)
	}
	var m hookMessage
	if err := json.Unmarshal([]byte(got[2].body), &m); err != nil || m.Case != "ada" || m.State != "audited" || m.At != "2026-09-21T14:13:20Z" {
		t.Error(m, err)
	}
	if got[2].signature != h.sign(1_790_000_000, []byte(got[2].body)) || got[2].signature == h.sign(1_790_000_000, []byte(got[3].body)) || !strings.HasPrefix(got[2].signature, "t=1790000000,v1=") {
		t.Error(got[2].signature)
	}
}

// What cannot be told is said, and nothing else comes of it.
func TestHookFails(t *testing.T) {
	for name, test := range map[string]struct {
		answer int
		tries  int
	}{"refused": {403, 1}, "sent elsewhere": {307, 1}, "down": {503, hookTries}} {
		t.Run(name, func(t *testing.T) {
			tries := 0
			s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				_, _ = io.Copy(io.Discard, r.Body)
				tries++
				w.Header().Set("Location", "/elsewhere")
				w.WriteHeader(test.answer)
			}))
			defer s.Close()
			h, said := hooked(t, s.URL)
			go h.run(t.Context())
			h.step("c0ffee", endedStep("ada"))
			h.close()
			if tries != test.tries || !strings.Contains(said.String(), "was not told") {
				t.Error(tries, said)
			}
		})
	}
}

func TestHookIsRefused(t *testing.T) {
	dir := t.TempDir()
	a := newApp(Env{Stderr: io.Discard, Getenv: func(string) string { return "" }, Now: time.Now, Dir: dir, Version: "1"})
	if err := os.WriteFile(filepath.Join(dir, "short"), []byte("short"), 0o600); err != nil {
		t.Fatal(err)
	}
	for f, want := range map[hookFlags]string{
		{"https://example.org/x", ""}:             "belong together",
		{"http://example.org/x", "short"}:         "only this machine is told without encryption",
		{"https://u:p@example.org/x", "short"}:    "without a password",
		{"ftp://127.0.0.1/x", "short"}:            "only this machine",
		{"nowhere", "short"}:                      "not an address",
		{"https://example.org/x", "short"}:        "16 are the least",
		{"http://localhost:1/x", "there-is-none"}: "reading --hook-secret",
	} {
		if _, err := a.hook(f); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v, want %q", f, err, want)
		}
	}
}
