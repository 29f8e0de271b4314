package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/llm/llmtest"
	"github.com/automaton-auditor/automaton/internal/store"
)

// gavel counts what judges were asked, by seat and criterion, and calls a
// function when it has answered so many.
type gavel struct {
	mu       sync.Mutex
	asked    map[string]int
	answered int
	at       int
	then     func()
}

func (g *gavel) judge(r llmtest.Request) llmtest.Answer {
	who, criterion, _ := read(r.Messages[0].Text)
	g.mu.Lock()
	defer g.mu.Unlock()
	g.asked[who+" "+criterion]++
	if g.answered++; g.answered == g.at {
		g.then()
	}
	return judge(r)
}

// answersBeforeKill is late enough that some opinions are in the journal however slow the machine is: few are asked for at once.
const answersBeforeKill = 24

// A run that is killed while models are asked goes on with those that had not
// answered: what is in the journal or in the cache is not asked and not paid
// again.
func TestKilledWhileModelsAreAsked(t *testing.T) {
	if testing.Short() {
		t.Skip("hears a case three times")
	}
	t.Parallel()
	d := newDesk(t)
	g := &gavel{asked: map[string]int{}}
	server := llmtest.New(t, llmtest.Script{Answer: g.judge})
	config := fmt.Sprintf("profiles:\n  three: {provider: compatible, base_url: %q, model: three-1}\n", server.URL)
	if err := os.WriteFile(filepath.Join(d.dir, "automaton.yaml"), []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	args := []string{"--bench", "three"}
	if whole := d.start(t, "whole", "--bench", "three", "--no-cache"); whole.end() != 0 {
		t.Fatal(whole)
	}
	_, want := d.record(t, "whole")
	if len(g.asked) != 30 || g.answered != 30 {
		t.Fatalf("%d of 30 seats were asked, %d times", len(g.asked), g.answered)
	}

	g.answered, g.at = 0, answersBeforeKill
	killed := d.start(t, "killed", args...)
	g.then = func() { killed.signal(syscall.SIGKILL) }
	if killed.end() != -1 {
		t.Fatalf("it ended before it was killed: %s", killed)
	}
	heard := d.opinions(t, "killed")
	if len(heard) == 0 || len(heard) > answersBeforeKill {
		t.Fatalf("%d opinions are in the journal after %d answers", len(heard), answersBeforeKill)
	}
	kept := d.answers(t)
	if kept < len(heard) || kept > answersBeforeKill {
		t.Fatalf("%d answers are kept, and %d opinions are in the journal", kept, len(heard))
	}
	g.mu.Lock()
	g.asked = map[string]int{}
	g.mu.Unlock()
	again := d.start(t, "killed", args...)
	if again.end() != 0 {
		t.Fatal(again)
	}
	if _, got := d.record(t, "killed"); got != want {
		t.Error("another record than without the kill")
	}
	if len(g.asked) != 30-kept {
		t.Errorf("%d of 30 seats were asked after the kill, and %d answers were kept", len(g.asked), kept)
	}
	for _, o := range heard {
		if n := g.asked[string(o.Judge)+" "+o.Criterion]; n > 0 {
			t.Errorf("%s was asked %d times more though its opinion was in the journal", o.Key(), n)
		}
	}
	t.Logf("killed after %d answers, %d of them kept, with %d opinions in the journal; %d asked by the second run", answersBeforeKill, kept, len(heard), len(g.asked))
}

// answers counts what the cache holds of models' answers.
func (d *desk) answers(t *testing.T) (n int) {
	t.Helper()
	err := filepath.WalkDir(filepath.Join(d.dir, "cache", "models"), func(_ string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() && cacheKey.MatchString(e.Name()) {
			n++
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// cacheKey is the name of a kept answer: a digest.
var cacheKey = regexp.MustCompile(`^[0-9a-f]{64}$`)

// opinions are those that the journal of an unfinished run holds.
func (d *desk) opinions(t *testing.T, out string) (list []court.Opinion) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(d.dir, out, ".automaton-work-*.build", store.JournalName))
	if err != nil || len(files) != 1 {
		t.Fatalf("%d journals: %v", len(files), err)
	}
	raw, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(raw)) {
		_, payload, _ := strings.Cut(line, "{")
		var r struct {
			Outcome struct {
				Patch struct{ Opinions []court.Opinion }
			}
		}
		if err := json.Unmarshal([]byte("{"+payload), &r); err == nil {
			list = append(list, r.Outcome.Patch.Opinions...)
		} else if syntax := (*json.SyntaxError)(nil); !errors.As(err, &syntax) {
			continue // the head, or what the kill tore
		}
	}
	return list
}
