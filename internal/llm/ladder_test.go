package llm

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
)

func TestLadder(t *testing.T) {
	all := []Mode{Schema, Tool, Object, Text}
	twice := []Mode{Schema, Schema, Tool, Tool, Object, Object, Text, Text}
	refuse := func(modes ...Mode) func(int, Prompt) (Reply, error) {
		return func(_ int, p Prompt) (Reply, error) {
			switch {
			case slices.Contains(modes, p.Answer.Mode):
				return Reply{}, status(400)
			case p.Answer.Mode == Tool:
				return Reply{Args: []byte(goodJSON), Stop: Done}, nil
			case p.Answer.Mode == Text:
				return says("Sure!\n```json\n" + goodJSON + "\n```")
			}
			return says(goodJSON)
		}
	}
	script := func(texts ...string) func(int, Prompt) (Reply, error) {
		return func(n int, p Prompt) (Reply, error) {
			if n <= len(texts) {
				return says(texts[n-1])
			}
			return refuse()(n, p)
		}
	}
	for name, tt := range map[string]struct {
		do     func(int, Prompt) (Reply, error)
		first  []Mode // requests of the first question
		second []Mode // and of the second
		why    string // of the first; empty: answered
	}{
		"all modes":         {refuse(), []Mode{Schema}, []Mode{Schema}, ""},
		"repaired":          {script(badJSON), []Mode{Schema, Schema}, []Mode{Schema}, ""},
		"fenced, strict":    {script("```json\n"+goodJSON+"\n```", goodJSON), []Mode{Schema, Schema}, []Mode{Schema}, ""},
		"no schema":         {refuse(Schema), []Mode{Schema, Tool}, []Mode{Tool}, ""},
		"no schema, tools":  {refuse(Schema, Tool), []Mode{Schema, Tool, Object}, []Mode{Object}, ""},
		"old server":        {refuse(Schema, Tool, Object), all, []Mode{Text}, ""},
		"schema is ignored": {script("four", "four"), []Mode{Schema, Schema, Tool}, []Mode{Tool}, ""},
		"two objects":       {script(goodJSON + goodJSON), []Mode{Schema, Schema}, []Mode{Schema}, ""},
		"never valid":       {func(int, Prompt) (Reply, error) { return says(badJSON) }, twice, []Mode{Schema, Schema}, "no valid answer: score must be 1 to 5"},
		"all refused":       {refuse(all...), all, []Mode{Text}, "http"},
		"mixed, then never": {func(_ int, p Prompt) (Reply, error) {
			if p.Answer.Mode == Schema {
				return Reply{}, status(422)
			}
			return says("no")
		}, []Mode{Schema, Tool, Tool, Object, Object, Text, Text}, []Mode{Tool, Tool}, "no valid answer: no JSON object in the answer"},
		"refused": {func(int, Prompt) (Reply, error) { return Reply{Text: "I \x1bwon't", Stop: Refused}, nil }, []Mode{Schema}, []Mode{Schema}, `refused: I \u{1b}won't`},
		"cut once": {func(n int, p Prompt) (Reply, error) {
			if n == 1 {
				return Reply{Text: `{"sc`, Stop: Truncated}, nil
			}
			return says(goodJSON)
		}, []Mode{Schema, Schema}, []Mode{Schema}, ""},
		"cut twice": {func(int, Prompt) (Reply, error) { return Reply{Text: `{"sc`, Stop: Truncated}, nil }, []Mode{Schema, Schema}, []Mode{Schema, Schema}, "cut off"},
		"401":       {func(int, Prompt) (Reply, error) { return Reply{}, status(401) }, []Mode{Schema}, []Mode{Schema}, "http"},
	} {
		t.Run(name, func(t *testing.T) {
			m := &model{do: tt.do}
			l := ladder(t, open(t, options(newTime())), endpoint(), m)
			got, err := l.Ask(t.Context(), ask("one"), score)
			if Why(err) != tt.why {
				t.Errorf("%q, want %q", Why(err), tt.why)
			}
			if err == nil && (string(got.JSON) != goodJSON || got.Asked != len(tt.first)) {
				t.Errorf("%s after %d requests", got.JSON, got.Asked)
			}
			if modes := m.modes(); !slices.Equal(modes, tt.first) {
				t.Errorf("first question: %v, want %v", modes, tt.first)
			}
			n := m.count()
			_, _ = l.Ask(t.Context(), ask("two"), score)
			if modes := m.modes()[n:]; !slices.Equal(modes, tt.second) {
				t.Errorf("second question: %v, want %v", modes, tt.second)
			}
		})
	}
}

// What a model is told when it has to mend an answer, and with how much room it
// is asked again.
func TestRepair(t *testing.T) {
	m := &model{do: func(n int, _ Prompt) (Reply, error) {
		if n == 1 {
			return says(badJSON)
		}
		return says(goodJSON)
	}}
	l := ladder(t, open(t, options(newTime())), endpoint(), m)
	if _, err := l.Ask(t.Context(), ask("one"), score); err != nil {
		t.Fatal(err)
	}
	turns := m.seen[1].Messages
	if len(turns) != 3 || turns[1].Role != Assistant || turns[1].Text != badJSON || !strings.Contains(turns[2].Text, "score must be 1 to 5") {
		t.Errorf("%+v", turns)
	}
	if len(m.seen[0].Messages) != 1 {
		t.Error("the first prompt was changed")
	}

	room := []int{}
	cut := &model{}
	cut.do = func(_ int, p Prompt) (Reply, error) {
		room = append(room, p.MaxTokens)
		return Reply{Stop: Truncated}, nil
	}
	l = ladder(t, open(t, options(newTime())), endpoint(), cut)
	for _, tokens := range []int{0, 1000, 5000, 8192, 9000} {
		p := ask("one")
		p.MaxTokens = tokens
		_, _ = l.Ask(t.Context(), p, score)
	}
	if want := []int{2048, 4096, 1000, 2000, 5000, 8192, 8192, 9000}; !slices.Equal(room, want) {
		t.Errorf("asked with room for %v, want %v", room, want)
	}
}

// Thirty first questions at once find out together: one walks down, the others
// wait for what it learns.
func TestLadderTogether(t *testing.T) {
	m := &model{do: func(_ int, p Prompt) (Reply, error) {
		if p.Answer.Mode < Object {
			return Reply{}, status(400)
		}
		return says(goodJSON)
	}}
	l := ladder(t, open(t, options(newTime())), endpoint(), m)
	var wg sync.WaitGroup
	for i := range 30 {
		wg.Go(func() {
			if _, err := l.Ask(t.Context(), ask(fmt.Sprint(i)), score); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if n := m.count(); n != 32 {
		t.Errorf("%d requests, want 2 refused and 30 answered", n)
	}

	// who waits for a scout leaves when its own time is up
	stopped, stop := context.WithCancel(t.Context())
	inside, release := make(chan struct{}), make(chan struct{})
	slow := &model{do: func(int, Prompt) (Reply, error) {
		close(inside)
		<-release
		return says(goodJSON)
	}}
	l = ladder(t, open(t, options(newTime())), endpoint(), slow)
	wg.Go(func() { _, _ = l.Ask(t.Context(), ask("scout"), score) })
	<-inside
	stop()
	if _, err := l.Ask(stopped, ask("waits"), score); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	close(release)
	wg.Wait()
}

// A rung that fails for a reason of its own is not left: the next question
// finds out.
func TestLadderScoutFails(t *testing.T) {
	m := &model{do: func(n int, p Prompt) (Reply, error) {
		switch {
		case n == 1:
			return Reply{}, status(403)
		case p.Answer.Mode == Schema:
			return Reply{}, status(400)
		case n == 3:
			return Reply{}, status(403)
		}
		return Reply{Args: []byte(goodJSON), Stop: Done}, nil
	}}
	l := ladder(t, open(t, options(newTime())), endpoint(), m)
	for range 3 {
		_, _ = l.Ask(t.Context(), ask("x"), score)
	}
	if want := []Mode{Schema, Schema, Tool, Tool}; !slices.Equal(m.modes(), want) {
		t.Errorf("%v, want %v", m.modes(), want)
	}
}

func TestObject(t *testing.T) {
	for text, want := range map[string]string{
		"Sure: {\"a\":{\"b\":1}} and {\"c\":2}": `{"a":{"b":1}}`,
		"a {set} of {\"a\":1}":                  `{"a":1}`,
		"none":                                  "",
		"{\"a\":1":                              "",
		strings.Repeat("{", 1<<20):              "",
	} {
		got, err := object(text)
		if string(got) != want || (err == nil) != (want != "") {
			t.Errorf("%.40q: %q, %v", text, got, err)
		}
	}
}
