package main

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// modelsVariable makes the tests of cmd/automaton a server of models, which writes a line for each question that it is asked.
const modelsVariable = "AUTOMATON_MODELS"

// budget is how many tokens a cohort may take: more than it does, so that no seat is lost.
const budget = "100000000"

// tokens are those of one answer.
const tokens = 120

// models is a server that judges, and what it was asked.
type models struct {
	config string // file with its profile, local

	mu    sync.Mutex
	asked []string
}

func startModels(t *testing.T, dir string) *models {
	t.Helper()
	program := os.Getenv("MODELS")
	if program == "" {
		t.Skip("MODELS names no server of models; make fleet does")
	}
	m := &models{config: filepath.Join(dir, "models.yaml")}
	c := exec.Command(program)
	c.Env = append(os.Environ(), modelsVariable+"=1")
	c.Stderr = os.Stderr
	out, err := c.StdoutPipe()
	if err == nil {
		err = c.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	if !lines.Scan() {
		t.Fatal("the server of models said nothing")
	}
	profile := fmt.Sprintf("profiles:\n  local: {provider: compatible, base_url: %q, model: three-1}\n", lines.Text())
	if err := os.WriteFile(m.config, []byte(profile), 0o600); err != nil {
		t.Fatal(err)
	}
	heard := make(chan struct{})
	go func() {
		defer close(heard)
		for lines.Scan() {
			m.mu.Lock()
			m.asked = append(m.asked, lines.Text())
			m.mu.Unlock()
		}
	}()
	t.Cleanup(func() { kill(t, c); <-heard })
	return m
}

// questions are the digests of what was asked so far.
func (m *models) questions() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return append([]string(nil), m.asked...)
}

// know is which answers stood in the journals when so many questions had been asked.
type know struct {
	asked   int
	answers map[string]bool
}

// answered notes what is known before something is killed. The answer to a question has the question's digest in it.
func (r *round) answered() {
	r.t.Helper()
	if r.models == nil {
		return
	}
	k := know{answers: map[string]bool{}}
	await(r.t, "a case whose judges are asked, or the end of the class", func() bool { // the journal of one that has ended is gone
		out, err := exec.Command("psql", "-X", "-A", "-t", "-d", r.db, "-c", `select (regexp_matches(convert_from(outcome, 'UTF8'), 'question [0-9a-f]{64}', 'g'))[1] from automaton.journal`).Output()
		if err != nil { // there are no tables yet
			return false
		}
		for line := range strings.Lines(string(out)) {
			k.answers[strings.TrimPrefix(strings.TrimSpace(line), "question ")] = true
		}
		return len(k.answers) > 0 || r.told.ended() == cases()
	})
	k.asked = len(r.models.questions())
	r.kills = append(r.kills, k)
}

// questions checks what models were asked and what it cost.
func (r *round) questions() {
	t := r.t
	t.Helper()
	all := r.models.questions()[r.asked:]
	times := map[string]int{}
	for _, q := range all {
		times[q]++
	}
	known := 0
	for _, k := range r.kills {
		known += len(k.answers)
		for _, q := range r.models.questions()[k.asked:] {
			if k.answers[q] {
				t.Errorf("question %.12s was asked after its answer stood in a journal", q)
			}
		}
	}
	answers := len(times) * tokens
	paid, lent := r.ask(`select paid_tokens from automaton.purse`), r.ask(`select shared_tokens from automaton.purse`)
	held := r.ask(`select coalesce(sum(tokens), 0) from automaton.share`)
	if lent != held {
		t.Errorf("the purse has lent %s tokens, and workers hold %s", lent, held)
	}
	var sum, out int
	if _, err := fmt.Sscan(paid, &sum); err != nil {
		t.Fatal(err)
	}
	if _, err := fmt.Sscan(lent, &out); err != nil {
		t.Fatal(err)
	}
	switch {
	case len(r.kills) == 0 && (sum != answers || out != 0 || len(all) != len(times)):
		t.Errorf("%d tokens are paid and %d lent for %d questions, asked %d times", sum, out, len(times), len(all))
	case sum+out < answers:
		t.Errorf("%d tokens are paid and %d lent for %d questions", sum, out, len(times))
	}
	t.Logf("%d questions asked %d times; %d answers stood in journals when something was killed; %d tokens paid, %d lent to who is gone, %d answered", len(times), len(all), known, sum, out, len(all)*tokens)
}
