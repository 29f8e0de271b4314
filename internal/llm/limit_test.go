package llm

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"
)

// held is a server that holds every request until it is let go.
func held() (*model, chan struct{}, chan struct{}) {
	came, let := make(chan struct{}, 100), make(chan struct{})
	return &model{do: func(int, Prompt) (Reply, error) {
		came <- struct{}{}
		<-let
		return says(goodJSON)
	}}, came, let
}

// Four at once to an endpoint, whatever the model; two for a minute after a 429.
func TestAtOnce(t *testing.T) {
	for _, pressed := range []bool{false, true} {
		clock := newTime()
		m, came, let := held()
		r := open(t, options(clock))
		var models []Model
		for i := range 2 {
			e := endpoint()
			e.Model = fmt.Sprint("m", i)
			l, err := r.Around(e, m)
			if err != nil {
				t.Fatal(err)
			}
			models = append(models, l)
		}
		want := atOnce
		if pressed {
			r.gates[endpoint().BaseURL].pressed()
			want = atOnce / 2
		}
		var wg sync.WaitGroup
		for i := range 30 {
			wg.Go(func() { _, _ = models[i%2].Complete(t.Context(), ask("x")) })
		}
		for range want {
			<-came
		}
		for n := range 30 {
			let <- struct{}{}
			if n < 30-want {
				<-came
			}
		}
		wg.Wait()
		if m.most != want {
			t.Errorf("%d at once, want %d", m.most, want)
		}
		clock.now = clock.now.Add(slowFor)
		if got := r.gates[endpoint().BaseURL].most(); got != atOnce {
			t.Errorf("a minute later %d at once", got)
		}
	}
}

// A 429 is what presses, also one that a second try heals.
func TestPressed(t *testing.T) {
	clock := newTime()
	m := &model{do: func(n int, _ Prompt) (Reply, error) {
		if n == 1 {
			return Reply{}, status(429)
		}
		return says(goodJSON)
	}}
	r := open(t, options(clock))
	l, err := r.Around(endpoint(), m)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := l.Complete(t.Context(), ask("x")); err != nil {
		t.Fatal(err)
	}
	if got := r.gates[endpoint().BaseURL].most(); got != atOnce/2 {
		t.Errorf("%d at once", got)
	}
}

// Who leaves the queue leaves no hole in it.
func TestQueue(t *testing.T) {
	m, came, let := held()
	r := open(t, options(newTime()))
	l, err := r.Around(endpoint(), m)
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for range atOnce {
		wg.Go(func() { _, _ = l.Complete(t.Context(), ask("x")) })
		<-came
	}
	ctx, stop := context.WithCancel(t.Context())
	gone := make(chan error)
	for range 3 {
		go func() { _, err := l.Complete(ctx, ask("x")); gone <- err }()
	}
	stop()
	for range 3 {
		if err := <-gone; !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	}
	wg.Go(func() { _, _ = l.Complete(t.Context(), ask("x")) })
	for range atOnce {
		let <- struct{}{}
	}
	<-came
	let <- struct{}{}
	wg.Wait()
	if g := r.gates[endpoint().BaseURL]; g.running != 0 || len(g.waiting) != 0 {
		t.Errorf("%d running, %d waiting", g.running, len(g.waiting))
	}
}

// Requests and tokens a minute.
func TestPace(t *testing.T) {
	for name, tt := range map[string]struct {
		rpm, tpm, tokens int
		want             []time.Duration // when each of five goes
	}{
		"none":         {0, 0, 100, []time.Duration{0, 0, 0, 0, 0}},
		"two a minute": {2, 0, 100, []time.Duration{0, 0, time.Minute, time.Minute, 2 * time.Minute}},
		"tokens":       {0, 250, 100, []time.Duration{0, 0, time.Minute, time.Minute, 2 * time.Minute}},
		"too large":    {0, 50, 100, []time.Duration{0, time.Minute, 2 * time.Minute, 3 * time.Minute, 4 * time.Minute}},
	} {
		t.Run(name, func(t *testing.T) {
			clock := newTime()
			begun := clock.now
			g := &gate{clock: clock.clock(), rpm: tt.rpm, tpm: tt.tpm}
			var got []time.Duration
			for range 5 {
				if err := g.pace(t.Context(), tt.tokens); err != nil {
					t.Fatal(err)
				}
				got = append(got, clock.now.Sub(begun))
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("%v, want %v", got, tt.want)
			}
		})
	}
	clock := newTime()
	clock.now = time.Now()
	g := &gate{clock: clock.clock(), rpm: 1}
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	_ = g.pace(ctx, 1)
	if err := g.pace(ctx, 1); Why(err) != "out of time: the rate limit of the profile leaves no room before the deadline" {
		t.Error(err)
	}
}
