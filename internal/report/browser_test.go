package report

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// browser is an installed Chromium, driven by the DevTools protocol over two
// pipes: JSON messages with a NUL behind each. No port is opened and no library
// is needed for it.
type browser struct {
	in      io.Writer
	mu      sync.Mutex
	next    int
	waiting map[int]chan wire
	tab     *tab // the one that is used again and again, as each has a process of its own
}

type wire struct {
	ID        int             `json:"id,omitempty"`
	SessionID string          `json:"sessionId,omitempty"`
	Method    string          `json:"method,omitempty"`
	Params    json.RawMessage `json:"params,omitempty"`
	Result    json.RawMessage `json:"result,omitempty"`
	Error     *struct {
		Message string `json:"message"`
	} `json:"error,omitempty"`
}

type object = map[string]any

// patience is how long a browser may take for one thing on a busy machine.
const patience = 3 * time.Minute

// chromium is the browser's path; empty: there is none.
func chromium() string {
	if path := os.Getenv("AUTOMATON_CHROMIUM"); path != "" {
		return path
	}
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	return ""
}

// needBrowser starts a browser that ends with the test, or skips the test.
func needBrowser(t testing.TB) *browser {
	t.Helper()
	if testing.Short() {
		t.Skip("a whole browser: run without -short")
	}
	path := chromium()
	if path == "" {
		t.Skip("no Chromium is installed, so the page is not tried in a browser: apt-get install chromium, or set AUTOMATON_CHROMIUM")
	}
	flags := []string{"--headless", "--remote-debugging-pipe", "--no-first-run", "--disable-gpu", "--disable-extensions", "--disable-background-networking",
		"--disable-component-update", "--disable-sync", "--disable-default-apps", "--mute-audio", "--disable-dev-shm-usage", "--force-color-profile=srgb",
		"--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1", "--user-data-dir=" + t.TempDir()}
	if os.Geteuid() == 0 {
		flags = append(flags, "--no-sandbox") // root has no sandbox to give
	}
	cmd := exec.Command(path, append(flags, "about:blank")...)
	toBrowser, in, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	out, fromBrowser, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd.ExtraFiles = []*os.File{toBrowser, fromBrowser} // it reads 3 and writes 4
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	_, _ = toBrowser.Close(), fromBrowser.Close()
	b := &browser{in: in, waiting: map[int]chan wire{}}
	go b.listen(out)
	t.Cleanup(func() {
		_ = b.call("", "Browser.close", nil, nil)
		_ = in.Close()
		late := time.AfterFunc(patience, func() { _ = cmd.Process.Kill() })
		_ = cmd.Wait()
		late.Stop()
	})
	return b
}

// listen hands each message to the call that waits for it or to its tab, until
// the browser ends.
func (b *browser) listen(out io.Reader) {
	from := bufio.NewReaderSize(out, 1<<20)
	for {
		raw, err := from.ReadBytes(0)
		if err != nil {
			return
		}
		var m wire
		if json.Unmarshal(bytes.TrimSuffix(raw, []byte{0}), &m) != nil {
			continue
		}
		b.mu.Lock()
		answer, p := b.waiting[m.ID], b.tab
		delete(b.waiting, m.ID)
		b.mu.Unlock()
		switch {
		case answer != nil:
			answer <- m
		case p != nil && p.session == m.SessionID:
			p.happened(m)
		}
	}
}

// call asks the browser, or the tab of a session, and waits for the answer.
func (b *browser) call(session, method string, params object, result any) error {
	answer, err := b.send(session, method, params)
	if err != nil {
		return err
	}
	select {
	case m := <-answer:
		switch {
		case m.Error != nil:
			return fmt.Errorf("%s: %s", method, m.Error.Message)
		case result != nil:
			return json.Unmarshal(m.Result, result)
		}
		return nil
	case <-time.After(patience):
		return errors.New(method + ": the browser does not answer")
	}
}

func (b *browser) send(session, method string, params object) (chan wire, error) {
	if params == nil {
		params = object{}
	}
	given, err := json.Marshal(params)
	if err != nil {
		return nil, err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.next++
	raw, err := json.Marshal(wire{ID: b.next, SessionID: session, Method: method, Params: given})
	if err != nil {
		return nil, err
	}
	answer := make(chan wire, 1)
	b.waiting[b.next] = answer
	_, err = b.in.Write(append(raw, 0))
	return answer, err
}

// look is how a page is looked at.
type look struct {
	Width             int // of the window, 0 is 1200
	Dark              bool
	Media             string            // print
	Features          map[string]string // forced-colors and the like; motion is reduced unless it is named
	NoScript, Lawless bool              // without JavaScript; without its content security policy
}

// tab shows one page after the other.
type tab struct {
	b       *browser
	session string
	mu      sync.Mutex
	events  []wire
}

// happened keeps what the page does. A dialog is closed, since everything in
// the page waits for it.
func (p *tab) happened(m wire) {
	p.mu.Lock()
	p.events = append(p.events, m)
	p.mu.Unlock()
	if m.Method == "Page.javascriptDialogOpening" {
		_, _ = p.b.send(p.session, "Page.handleJavaScriptDialog", object{"accept": true})
	}
}

// of are the events of a method that happened so far.
func (p *tab) of(method string) []wire {
	p.mu.Lock()
	defer p.mu.Unlock()
	var list []wire
	for _, m := range p.events {
		if m.Method == method {
			list = append(list, m)
		}
	}
	return list
}

// open shows a page from a file, as a reader does who got it by mail. What was
// shown before is gone.
func (b *browser) open(t testing.TB, page string, l look) *tab {
	t.Helper()
	file := filepath.Join(t.TempDir(), "report.html")
	if err := os.WriteFile(file, []byte(page), 0o600); err != nil {
		t.Fatal(err)
	}
	return b.visit(t, "file://"+file, l)
}

func (b *browser) visit(t testing.TB, address string, l look) *tab {
	t.Helper()
	if b.tab == nil {
		b.newTab(t)
	}
	p := b.tab
	p.do(t, "Emulation.setScriptExecutionDisabled", object{"value": l.NoScript}, nil)
	p.do(t, "Page.setBypassCSP", object{"enabled": l.Lawless}, nil)
	p.show(t, l)
	p.mu.Lock()
	p.events = nil
	p.mu.Unlock()
	p.do(t, "Page.navigate", object{"url": address}, nil)
	p.until(t, "the page to load", func() bool { return len(p.of("Page.loadEventFired")) > 0 })
	return p
}

// newTab opens the tab and listens to all that happens in it.
func (b *browser) newTab(t testing.TB) {
	t.Helper()
	var made struct{ TargetID string }
	var attached struct{ SessionID string }
	err := b.call("", "Target.createTarget", object{"url": "about:blank"}, &made)
	if err == nil {
		err = b.call("", "Target.attachToTarget", object{"targetId": made.TargetID, "flatten": true}, &attached)
	}
	if err != nil {
		t.Fatal(err)
	}
	p := &tab{b: b, session: attached.SessionID}
	b.mu.Lock()
	b.tab = p
	b.mu.Unlock()
	for _, domain := range []string{"Page", "Network", "Runtime", "Log", "Audits", "Performance"} {
		p.do(t, domain+".enable", nil, nil)
	}
	p.do(t, "Page.bringToFront", nil, nil)
}

// show changes how the page is looked at.
func (p *tab) show(t testing.TB, l look) {
	t.Helper()
	scheme := map[bool]string{false: "light", true: "dark"}[l.Dark]
	features := []object{{"name": "prefers-color-scheme", "value": scheme}}
	if l.Features["prefers-reduced-motion"] == "" {
		features = append(features, object{"name": "prefers-reduced-motion", "value": "reduce"})
	}
	for name, value := range l.Features {
		features = append(features, object{"name": name, "value": value})
	}
	if l.Width == 0 {
		l.Width = 1200
	}
	p.do(t, "Emulation.setEmulatedMedia", object{"media": l.Media, "features": features}, nil)
	p.do(t, "Emulation.setDeviceMetricsOverride", object{"width": l.Width, "height": 900, "deviceScaleFactor": 1, "mobile": l.Width < 600}, nil)
}

// do asks the page for something that must go well.
func (p *tab) do(t testing.TB, method string, params object, result any) {
	t.Helper()
	if err := p.b.call(p.session, method, params, result); err != nil {
		t.Fatal(err)
	}
}

// eval is the value of an expression in the page, a promise's when it comes.
func eval[T any](t testing.TB, p *tab, expression string) (value T) {
	t.Helper()
	var answer struct {
		Result           struct{ Value json.RawMessage }
		ExceptionDetails *struct {
			Text      string
			Exception struct{ Description string }
		}
	}
	p.do(t, "Runtime.evaluate", object{"expression": expression, "awaitPromise": true, "returnByValue": true}, &answer)
	if x := answer.ExceptionDetails; x != nil {
		t.Fatalf("%s %s in %.200s", x.Text, x.Exception.Description, expression)
	}
	if len(answer.Result.Value) > 0 {
		if err := json.Unmarshal(answer.Result.Value, &value); err != nil {
			t.Fatalf("%v in %.200s", err, expression)
		}
	}
	return value
}

// press hits a key: a letter, or Tab, Enter, Space.
func (p *tab) press(t testing.TB, key string) {
	t.Helper()
	stroke := object{"key": key, "text": key}
	switch key {
	case "Tab":
		stroke = object{"key": key, "code": key, "windowsVirtualKeyCode": 9}
	case "Enter":
		stroke = object{"key": key, "code": key, "windowsVirtualKeyCode": 13, "text": "\r"}
	case "Space":
		stroke = object{"key": " ", "code": key, "windowsVirtualKeyCode": 32, "text": " "}
	}
	for _, kind := range []string{"keyDown", "keyUp"} {
		stroke["type"] = kind
		p.do(t, "Input.dispatchKeyEvent", stroke, nil)
	}
}

// until waits for something that the page does by itself.
func (p *tab) until(t testing.TB, what string, done func() bool) {
	t.Helper()
	for start := time.Now(); !done(); time.Sleep(5 * time.Millisecond) {
		if time.Since(start) > patience {
			t.Fatal("waited in vain for " + what)
		}
	}
}

// misdeeds are what no page of ours may do: ask for anything but itself, break
// its policy, write errors, open dialogs or windows, go elsewhere.
func (p *tab) misdeeds() []string {
	var list []string
	for _, method := range []string{"Network.requestWillBeSent", "Network.webSocketCreated", "Page.frameNavigated", "Page.javascriptDialogOpening", "Page.windowOpen",
		"Page.frameRequestedNavigation", "Page.downloadWillBegin", "Runtime.exceptionThrown", "Runtime.consoleAPICalled", "Log.entryAdded", "Audits.issueAdded"} {
		for i, m := range p.of(method) {
			itself := i == 0 && (method == "Network.requestWillBeSent" || method == "Page.frameNavigated") && strings.Contains(string(m.Params), "/report.html")
			clicked := strings.Contains(string(m.Params), "NavigationEntryMarkedSkippable") // by a script of the test
			if !itself && !clicked {
				list = append(list, fmt.Sprintf("%s %.400s", method, m.Params))
			}
		}
	}
	return list
}
