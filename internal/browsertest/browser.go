// Package browsertest drives an installed Chromium for tests of pages: what they look like, do with keys, ask for and say to
// axe, the checker of accessibility that lies in it. It knows no page, and is for tests only.
package browsertest

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

// Browser is an installed Chromium, driven by the DevTools protocol over two
// pipes: JSON messages with a NUL behind each. No port is opened and no library
// is needed for it.
type Browser struct {
	in      io.Writer
	mu      sync.Mutex
	next    int
	waiting map[int]chan Event
	tabs    map[string]*Tab // by session
	first   *Tab            // the one that is used again and again, as each has a process of its own
}

// Event is a message of the browser.
type Event struct {
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

// Need starts a browser that ends with the test, or skips the test.
func Need(t testing.TB) *Browser {
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
	b := &Browser{in: in, waiting: map[int]chan Event{}, tabs: map[string]*Tab{}}
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
func (b *Browser) listen(out io.Reader) {
	from := bufio.NewReaderSize(out, 1<<20)
	for {
		raw, err := from.ReadBytes(0)
		if err != nil {
			return
		}
		var m Event
		if json.Unmarshal(bytes.TrimSuffix(raw, []byte{0}), &m) != nil {
			continue
		}
		b.mu.Lock()
		answer, p := b.waiting[m.ID], b.tabs[m.SessionID]
		delete(b.waiting, m.ID)
		b.mu.Unlock()
		switch {
		case answer != nil:
			answer <- m
		case p != nil:
			p.happened(m)
		}
	}
}

// call asks the browser, or the tab of a session, and waits for the answer.
func (b *Browser) call(session, method string, params object, result any) error {
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

func (b *Browser) send(session, method string, params object) (chan Event, error) {
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
	raw, err := json.Marshal(Event{ID: b.next, SessionID: session, Method: method, Params: given})
	if err != nil {
		return nil, err
	}
	answer := make(chan Event, 1)
	b.waiting[b.next] = answer
	_, err = b.in.Write(append(raw, 0))
	return answer, err
}

// Look is how a page is looked at.
type Look struct {
	Width             int // of the window, 0 is 1200
	Dark              bool
	Media             string            // print
	Features          map[string]string // forced-colors and the like; motion is reduced unless it is named
	NoScript, Lawless bool              // without JavaScript; without its content security policy
}

// Tab shows one page after the other.
type Tab struct {
	b       *Browser
	session string
	mu      sync.Mutex
	events  []Event
}

// happened keeps what the page does. A dialog is closed, since everything in
// the page waits for it.
func (p *Tab) happened(m Event) {
	p.mu.Lock()
	p.events = append(p.events, m)
	p.mu.Unlock()
	if m.Method == "Page.javascriptDialogOpening" {
		_, _ = p.b.send(p.session, "Page.handleJavaScriptDialog", object{"accept": true})
	}
}

// Of are the events of a method that happened so far.
func (p *Tab) Of(method string) []Event {
	p.mu.Lock()
	defer p.mu.Unlock()
	var list []Event
	for _, m := range p.events {
		if m.Method == method {
			list = append(list, m)
		}
	}
	return list
}

// Open shows a page from a file, as a reader does who got it by mail. What was
// shown before is gone.
func (b *Browser) Open(t testing.TB, page string, l Look) *Tab {
	t.Helper()
	file := filepath.Join(t.TempDir(), "report.html")
	if err := os.WriteFile(file, []byte(page), 0o600); err != nil {
		t.Fatal(err)
	}
	return b.Visit(t, "file://"+file, l)
}

// Visit shows what lies at an address, in the place of what was shown before.
func (b *Browser) Visit(t testing.TB, address string, l Look) *Tab {
	t.Helper()
	if b.first == nil {
		b.first = b.Tab(t)
	}
	b.first.Visit(t, address, l)
	return b.first
}

// Visit is the same in this tab.
func (p *Tab) Visit(t testing.TB, address string, l Look) {
	t.Helper()
	p.Do(t, "Emulation.setScriptExecutionDisabled", object{"value": l.NoScript}, nil)
	p.Do(t, "Page.setBypassCSP", object{"enabled": l.Lawless}, nil)
	p.Show(t, l)
	p.mu.Lock()
	p.events = nil
	p.mu.Unlock()
	p.Loading(t, func() { p.Do(t, "Page.navigate", object{"url": address}, nil) })
}

// Loading does something that leads to another page, and waits for that.
func (p *Tab) Loading(t testing.TB, do func()) {
	t.Helper()
	before := len(p.Of("Page.loadEventFired"))
	do()
	p.Until(t, "the page to load", func() bool { return len(p.Of("Page.loadEventFired")) > before })
}

// Tab opens a tab more, and listens to all that happens in it.
func (b *Browser) Tab(t testing.TB) *Tab {
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
	p := &Tab{b: b, session: attached.SessionID}
	b.mu.Lock()
	b.tabs[p.session] = p
	b.mu.Unlock()
	for _, domain := range []string{"Page", "Network", "Runtime", "Log", "Audits", "Performance"} {
		p.Do(t, domain+".enable", nil, nil)
	}
	p.Do(t, "Page.bringToFront", nil, nil)
	return p
}

// Show changes how the page is looked at.
func (p *Tab) Show(t testing.TB, l Look) {
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
	p.Do(t, "Emulation.setEmulatedMedia", object{"media": l.Media, "features": features}, nil)
	p.Do(t, "Emulation.setDeviceMetricsOverride", object{"width": l.Width, "height": 900, "deviceScaleFactor": 1, "mobile": l.Width < 600}, nil)
}

// Do asks the page for something that must go well.
func (p *Tab) Do(t testing.TB, method string, params object, result any) {
	t.Helper()
	if err := p.b.call(p.session, method, params, result); err != nil {
		t.Fatal(err)
	}
}

// Eval is the value of an expression in the page, a promise's when it comes.
func Eval[T any](t testing.TB, p *Tab, expression string) (value T) {
	t.Helper()
	var answer struct {
		Result           struct{ Value json.RawMessage }
		ExceptionDetails *struct {
			Text      string
			Exception struct{ Description string }
		}
	}
	p.Do(t, "Runtime.evaluate", object{"expression": expression, "awaitPromise": true, "returnByValue": true}, &answer)
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

// Press hits a key: a letter, or Tab, Enter, Space.
func (p *Tab) Press(t testing.TB, key string) {
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
		p.Do(t, "Input.dispatchKeyEvent", stroke, nil)
	}
}

// Until waits for something that the page does by itself.
func (p *Tab) Until(t testing.TB, what string, done func() bool) {
	t.Helper()
	for start := time.Now(); !done(); time.Sleep(5 * time.Millisecond) {
		if time.Since(start) > patience {
			t.Fatal("waited in vain for " + what)
		}
	}
}

// Misdeeds are what no page from a file may do: ask for anything but itself, go elsewhere, open windows, and the faults that
// no page may have.
func (p *Tab) Misdeeds() []string {
	list := p.Faults()
	for _, method := range []string{"Network.requestWillBeSent", "Network.webSocketCreated", "Page.frameNavigated", "Page.windowOpen", "Page.frameRequestedNavigation", "Page.downloadWillBegin"} {
		for i, m := range p.Of(method) {
			itself := i == 0 && (method == "Network.requestWillBeSent" || method == "Page.frameNavigated") && strings.Contains(string(m.Params), "/report.html")
			if !itself {
				list = append(list, m.String())
			}
		}
	}
	return list
}

// Faults are what no page may do: break its policy, write to the console, open dialogs.
func (p *Tab) Faults() (list []string) {
	for _, method := range []string{"Page.javascriptDialogOpening", "Runtime.exceptionThrown", "Runtime.consoleAPICalled", "Log.entryAdded", "Audits.issueAdded"} {
		for _, m := range p.Of(method) {
			clicked := strings.Contains(string(m.Params), "NavigationEntryMarkedSkippable") // by a script of the test
			advice := strings.Contains(string(m.Params), `"level":"verbose"`)
			if !clicked && !advice {
				list = append(list, m.String())
			}
		}
	}
	return list
}

// String is what happened, for a test's log.
func (m Event) String() string { return fmt.Sprintf("%s %.400s", m.Method, m.Params) }
