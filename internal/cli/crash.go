package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"

	"github.com/automaton-auditor/automaton/internal/safetext"
)

// crash reports a bug of ours: one line for the user, the stack in a file.
func (a *app) crash(p any, stack []byte) int {
	file, err := a.crashFile(p, stack)
	if err != nil {
		file = "nothing more, as its file could not be written: " + err.Error()
	}
	a.tell(message{Kind: "error", Text: fmt.Sprintf("internal error: %v", p), Hints: []string{"please report it with " + file}})
	return exitBug
}

// crashFile writes what is needed to find a bug: version, command, stack and
// the last events. The file is new and its name cannot be guessed: the folder
// is everybody's.
func (a *app) crashFile(p any, stack []byte) (name string, err error) {
	f, err := os.CreateTemp("", "automaton-crash-"+a.Now().UTC().Format("20060102T150405Z")+"-*.txt")
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	l := &lines{w: &shared{w: f, hide: a.hide}}
	l.f("automaton %s, %s, command %s\n\n%v\n\n%s\n", a.Version, runtime.Version(), a.commandName(), p, stack)
	a.lastMu.Lock()
	defer a.lastMu.Unlock()
	for _, e := range a.last {
		raw, err := json.Marshal(e)
		if err != nil {
			return "", err
		}
		l.f("%s\n", safetext.JSON(raw))
	}
	return f.Name(), l.err
}

// commandName is the command that was asked for; other words may hold secrets.
func (a *app) commandName() string {
	for _, w := range a.Args {
		if slices.Contains(commandNames(), w) {
			return w
		}
	}
	return "unknown"
}
