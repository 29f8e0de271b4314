package cli

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
	"github.com/automaton-auditor/automaton/internal/probe"
	"github.com/automaton-auditor/automaton/internal/safetext"
	"github.com/automaton-auditor/automaton/internal/trace"
)

// message is what standard error says beside events, as --progress json
// prints it.
type message struct {
	Kind  string   `json:"kind"` // error, warning, note, debug
	Case  string   `json:"case,omitempty"`
	Text  string   `json:"text"`
	Hints []string `json:"hints,omitempty"`
}

// tell writes a message to standard error as a whole, as several audits may share
// it: with the case that it is about, and without what is shaped like a key, as it
// may name a file of the submission. There is nobody to tell when writing fails,
// and the exit code says what matters.
func (a *app) tell(m message) {
	m.Case, m.Text, m.Hints = a.about, discreet(m.Text), slices.Clone(m.Hints)
	for i, h := range m.Hints {
		m.Hints[i] = discreet(h)
	}
	if a.asJSON() {
		if raw, err := json.Marshal(m); err == nil {
			_, _ = a.Stderr.Write(append(safetext.JSON(raw), '\n'))
		}
		return
	}
	start, text := "automaton: ", shown(m.Text)
	switch m.Kind {
	case "place": // FILE:LINE:COLUMN: as compilers say it
		start = ""
	case "warning":
		start += "warning: "
	}
	if m.Case != "" && m.Kind != "place" && !strings.Contains(text, strconv.Quote(m.Case)) {
		start += m.Case + ": "
	}
	text = start + text + "\n"
	for _, h := range m.Hints {
		text += "hint: " + court.Clean(h, maxHint) + "\n"
	}
	_, _ = a.Stderr.Write([]byte(text))
}

// maxHint is how long a hint may be, in runes: some list what can be named.
const maxHint = 4000

// login is what stands before the host of an address, however short it is; the
// path of a file may have lost one of its slashes.
var login = regexp.MustCompile(`(:/{1,3})([^/\s"]+)@`)

// discreet is a text without what is shaped like a key, and without the user and
// password of an address; git is everybody's user.
func discreet(text string) string {
	return login.ReplaceAllStringFunc(probe.Mask(text), func(s string) string {
		if m := login.FindStringSubmatch(s); m[2] != "git" {
			return m[1] + "[redacted]@"
		}
		return s
	})
}

// asJSON tells whether standard error holds JSON lines. It is asked before the
// settings are read, too.
func (a *app) asJSON() bool {
	return a.flags.progress == "json" || a.flags.progress == "" && a.config.Text("progress") == "json"
}

func (a *app) warn(format string, args ...any) {
	if !a.flags.quiet {
		a.tell(message{Kind: "warning", Text: fmt.Sprintf(format, args...)})
	}
}

// note says what was decided for the user.
func (a *app) note(format string, args ...any) {
	if !a.flags.quiet {
		a.tell(message{Kind: "note", Text: fmt.Sprintf(format, args...)})
	}
}

// say is for those who want to know everything.
func (a *app) say(format string, args ...any) {
	if a.flags.debug {
		a.tell(message{Kind: "debug", Text: fmt.Sprintf(format, args...)})
	}
}

// recent keeps the last events for a crash file.
func (a *app) recent(e trace.Event) error {
	const kept = 50
	a.lastMu.Lock()
	defer a.lastMu.Unlock()
	if a.last = append(a.last, e); len(a.last) > kept {
		a.last = a.last[1:]
	}
	return nil
}
