package cli

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/automaton-auditor/automaton/internal/batch"
	"github.com/automaton-auditor/automaton/internal/config"
)

// hookHeader holds the time of a message in Unix seconds and the HMAC-SHA256, with the secret, of that time, a dot and the body:
// t=1764100000,v1=HEX. Who gets it compares both, and turns old ones away.
const hookHeader = "Automaton-Signature"

// Limits of a message to a hook.
const (
	hookTries  = 4
	hookTime   = 10 * time.Second // for one try
	hookQueue  = 1024             // messages that wait; more are told and dropped
	mostSecret = 4096             // bytes of the secret's file
)

// hookFlags say whom to tell.
type hookFlags struct{ url, secret string }

// hookMessage is what is sent: that a case ended, or that nothing of the class is open any more.
type hookMessage struct {
	Kind   string `json:"kind"` // case.end or cohort.end
	At     string `json:"at"`
	Cohort string `json:"cohort"`
	Case   string `json:"case,omitempty"`
	State  string `json:"state,omitempty"`
	Reason string `json:"reason,omitempty"`
}

// hook tells an address what ended. It never holds the judging up and never fails it.
type hook struct {
	app    *app
	url    string
	secret []byte
	client *http.Client
	wait   func(context.Context, time.Duration) error // between tries
	queue  chan hookMessage
	done   chan struct{}
}

// hook prepares to tell an address; nil: nobody is told.
func (a *app) hook(f hookFlags) (*hook, error) {
	if f.url == "" && f.secret == "" {
		return nil, nil
	}
	u, err := url.Parse(f.url)
	switch {
	case f.url == "" || f.secret == "":
		return nil, usage("give both: the secret signs what is sent", "reading flags: --hook and --hook-secret belong together")
	case err != nil || u.Host == "" || u.User != nil:
		return nil, usage("--hook https://HOST/PATH", "reading flags: --hook is not an address without a password")
	case u.Scheme != "https" && (u.Scheme != "http" || !loopback(u.Hostname())):
		return nil, usage("--hook https://HOST/PATH", "reading flags: --hook %q: only this machine is told without encryption", f.url)
	}
	raw, err := config.ReadFile(a.path(f.secret), mostSecret)
	if err != nil {
		return nil, coded(exitUsage, fmt.Errorf("reading --hook-secret: %w", err))
	}
	secret := bytes.TrimSpace(raw)
	if len(secret) < 16 {
		return nil, usage("openssl rand -hex 32 prints one", "reading --hook-secret %q: it has %d bytes, and 16 are the least", f.secret, len(secret))
	}
	h := &hook{app: a, url: f.url, secret: secret, wait: sleepFor, queue: make(chan hookMessage, hookQueue), done: make(chan struct{}),
		client: &http.Client{Timeout: hookTime, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}}
	return h, nil
}

func loopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// sleepFor waits, unless the context ends first.
func sleepFor(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}

// run sends what is queued until close.
func (h *hook) run(ctx context.Context) {
	defer close(h.done)
	for m := range h.queue {
		if err := h.send(ctx, m); err != nil {
			h.app.warn("--hook: %s of %s was not told: %v", m.Kind, shown(m.Case+m.Cohort), err)
		}
	}
}

// step queues the end of a case.
func (h *hook) step(cohort string, s batch.Step) {
	if s.Kind == batch.Ended {
		h.add(hookMessage{Kind: "case.end", Cohort: cohort, Case: s.Row.ID, State: batch.StateWord(s.Row.State), Reason: s.Row.Reason})
	}
}

func (h *hook) add(m hookMessage) {
	m.At = h.app.Now().UTC().Format(time.RFC3339)
	select {
	case h.queue <- m:
	default:
		h.app.warn("--hook: %s of %s is not told: too much waits", m.Kind, shown(m.Case+m.Cohort))
	}
}

// close waits until all that is queued was sent or given up.
func (h *hook) close() {
	close(h.queue)
	<-h.done
}

// send delivers a message, with some tries: 1, 4 and 16 seconds lie between them. What the other side refuses is not tried again.
func (h *hook) send(ctx context.Context, m hookMessage) error {
	body, err := json.Marshal(m)
	if err != nil {
		return err
	}
	pause := time.Second
	for n := 1; ; n++ {
		again, err := h.try(ctx, body)
		if err == nil || !again || n == hookTries {
			return err
		}
		if err := h.wait(ctx, pause); err != nil {
			return err
		}
		pause *= 4
	}
}

// try sends a body once. again tells whether another try may do.
func (h *hook) try(ctx context.Context, body []byte) (again bool, err error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, h.url, bytes.NewReader(body))
	if err != nil {
		return false, err
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("User-Agent", h.app.tool())
	r.Header.Set(hookHeader, h.sign(h.app.Now().Unix(), body))
	answer, err := h.client.Do(r)
	if err != nil {
		return true, config.Cause(err)
	}
	_, _ = io.CopyN(io.Discard, answer.Body, 64<<10) // nothing is read from it
	_ = answer.Body.Close()
	if answer.StatusCode/100 == 2 {
		return false, nil
	}
	again = answer.StatusCode >= 500 || answer.StatusCode == http.StatusTooManyRequests || answer.StatusCode == http.StatusRequestTimeout
	return again, fmt.Errorf("it answered %s", strings.ToLower(answer.Status))
}

func (h *hook) sign(at int64, body []byte) string {
	mac := hmac.New(sha256.New, h.secret)
	_, _ = fmt.Fprintf(mac, "%d.", at) // a hash takes all
	_, _ = mac.Write(body)
	return fmt.Sprintf("t=%d,v1=%s", at, hex.EncodeToString(mac.Sum(nil)))
}
