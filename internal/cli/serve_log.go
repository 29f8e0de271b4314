package cli

import (
	"cmp"
	"encoding/json"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/automaton-auditor/automaton/internal/web"
)

// visitsName is the file of a cohort's folder with who did what in the browser, a request that writes a line.
const visitsName = "access.jsonl"

// visits keeps who did what.
type visits struct {
	a    *app
	mu   sync.Mutex
	file *os.File // nil: nothing can be written
}

// visits opens the log of a cohort; without one requests are told to those who want to know everything, and not kept.
func (a *app) visits(h *class, readOnly bool) (*visits, error) {
	v := &visits{a: a}
	if readOnly {
		return v, nil
	}
	file, err := os.OpenFile(filepath.Join(h.path, visitsName), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, coded(exitUnexamined, err)
	}
	v.file = file
	return v, nil
}

// note keeps a request that writes, whatever came of it.
func (v *visits) note(x web.Visit) {
	v.a.say("%s %s: %d in %s, for %s", x.Method, x.Path, x.Status, x.Took.Round(time.Millisecond), cmp.Or(x.By, "nobody"))
	if v.file == nil || !x.Writes() {
		return
	}
	raw, err := json.Marshal(x)
	if err == nil {
		v.mu.Lock()
		_, err = v.file.Write(append(raw, '\n'))
		v.mu.Unlock()
	}
	if err != nil {
		v.a.warn("%s: %v", visitsName, err)
	}
}

func (v *visits) close() error {
	if v.file == nil {
		return nil
	}
	return v.file.Close()
}
