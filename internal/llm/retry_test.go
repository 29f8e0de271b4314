package llm

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// down is a server that never answers.
func down() *model {
	return &model{do: func(int, Prompt) (Reply, error) {
		return Reply{}, &Error{Kind: KindTransient, What: "no connection", Detail: "connection refused"}
	}}
}

// 200 questions to an endpoint that is dead cost 8 requests, one after the
// other or all at once.
func TestDeadEndpoint(t *testing.T) {
	for _, together := range []bool{false, true} {
		m := down()
		r := open(t, options(newTime()))
		l := ladder(t, r, endpoint(), m)
		inner, err := r.Around(endpoint(), m)
		if err != nil {
			t.Fatal(err)
		}
		var wg sync.WaitGroup
		var mu sync.Mutex
		reasons := map[string]int{}
		for i := range 200 {
			one := func() {
				var err error
				if i%2 == 0 { // with and without a ladder in front
					_, err = l.Ask(t.Context(), ask(fmt.Sprint(i)), score)
				} else {
					_, err = inner.Complete(t.Context(), ask(fmt.Sprint(i)))
				}
				mu.Lock()
				defer mu.Unlock()
				reasons[Why(err)]++
			}
			if together {
				wg.Go(one)
			} else {
				one()
			}
		}
		wg.Wait()
		if n := m.count(); n != 8 {
			t.Errorf("together %v: %d requests, want 8", together, n)
		}
		dead := "endpoint does not answer: 8 failures in a row, the last: no connection: connection refused"
		if reasons[""] > 0 || reasons[dead] < 190 || len(reasons) != 2 {
			t.Errorf("together %v: %v", together, reasons)
		}
	}
}

// After half a minute one request tries; what it finds decides for all.
func TestHalfOpen(t *testing.T) {
	clock := newTime()
	m := down()
	l, err := open(t, options(clock)).Around(endpoint(), m)
	if err != nil {
		t.Fatal(err)
	}
	call := func() string { _, err := l.Complete(t.Context(), ask("x")); return Why(err) }
	for range 5 {
		call()
	}
	clock.now = clock.now.Add(restFor)
	if call(); m.count() != 9 {
		t.Errorf("%d requests, want one more than 8", m.count())
	}
	if call(); m.count() != 9 {
		t.Errorf("%d requests: it is dead again", m.count())
	}
	clock.now = clock.now.Add(restFor)
	m.do = func(int, Prompt) (Reply, error) { return says(goodJSON) }
	for range 3 {
		if why := call(); why != "" {
			t.Error(why)
		}
	}
	if m.count() != 12 {
		t.Errorf("%d requests, want 12", m.count())
	}
}

// How often what is tried again, and how long that waits.
func TestRetry(t *testing.T) {
	transient := func(status int, wait time.Duration) error {
		return &Error{Kind: KindTransient, What: "http", Status: status, Wait: wait}
	}
	for name, tt := range map[string]struct {
		errs  []error // then a good answer
		slept []time.Duration
		tries int
		why   string
	}{
		"at once":       {nil, nil, 1, ""},
		"third try":     {[]error{transient(500, 0), transient(0, 0)}, []time.Duration{500 * time.Millisecond, time.Second}, 3, ""},
		"never":         {[]error{transient(500, 0), transient(500, 0), transient(500, 0), transient(500, 0)}, []time.Duration{500 * time.Millisecond, time.Second, 2 * time.Second}, 4, "http"},
		"as asked":      {[]error{transient(429, time.Minute)}, []time.Duration{time.Minute}, 2, ""},
		"asks too much": {[]error{transient(503, time.Minute+1)}, nil, 1, "http: the server asks to wait 1m0.000000001s, over 1m0s"},
		"permanent":     {[]error{status(401)}, nil, 1, "http"},
		"of others":     {[]error{errors.New("broken")}, nil, 1, "broken"},
	} {
		t.Run(name, func(t *testing.T) {
			clock := newTime()
			m := &model{do: func(n int, _ Prompt) (Reply, error) {
				if n <= len(tt.errs) {
					return Reply{}, tt.errs[n-1]
				}
				return says(goodJSON)
			}}
			var calls []Call
			o := options(clock)
			o.Tell = func(c Call) { calls = append(calls, c) }
			l, err := open(t, o).Around(endpoint(), m)
			if err != nil {
				t.Fatal(err)
			}
			_, err = l.Complete(t.Context(), ask("x"))
			if Why(err) != tt.why || m.count() != tt.tries || !slices.Equal(clock.slept, tt.slept) {
				t.Errorf("%q after %d tries, slept %v", Why(err), m.count(), clock.slept)
			}
			if len(calls) != 1 || calls[0].Tries != tt.tries {
				t.Errorf("%+v", calls)
			}
		})
	}
}

// A quarter of a wait is left to chance, and a wait never goes beyond 8 s.
func TestJitter(t *testing.T) {
	r := &retry{clock: newTime().clock(), random: func(n int64) int64 { return n - 1 }, again: &allowance{}}
	for try, want := range map[int]time.Duration{1: 375*time.Millisecond + 1, 2: 750*time.Millisecond + 1, 3: 1500*time.Millisecond + 1} {
		if got, _ := r.wait(t.Context(), status(500), try); got != want {
			t.Errorf("try %d waits %s, want %s", try, got, want)
		}
	}
	if got := min(firstWait<<9, longWait); got != 8*time.Second {
		t.Error(got)
	}
}

// A wait that the deadline cuts off is not begun, and the real reason is told.
func TestDeadline(t *testing.T) {
	clock := newTime()
	m := &model{do: func(int, Prompt) (Reply, error) {
		return Reply{}, &Error{Kind: KindTransient, What: "http 503", Status: 503, Wait: 30 * time.Second}
	}}
	l, err := open(t, options(clock)).Around(endpoint(), m)
	if err != nil {
		t.Fatal(err)
	}
	clock.now = time.Now()
	ctx, cancel := context.WithDeadline(t.Context(), clock.now.Add(20*time.Second))
	defer cancel()
	if _, err := l.Complete(ctx, ask("x")); Why(err) != "http 503" || len(clock.slept) != 0 || m.count() != 1 {
		t.Errorf("%v after %d tries, slept %v", err, m.count(), clock.slept)
	}
}

// A run tries again 10 times, and once for every five requests.
func TestRetryAllowance(t *testing.T) {
	m := &model{do: func(n int, _ Prompt) (Reply, error) {
		if n%2 == 1 {
			return Reply{}, &Error{Kind: KindTransient, What: "http 429", Status: 429}
		}
		return says(goodJSON)
	}}
	l, err := open(t, options(newTime())).Around(endpoint(), m)
	if err != nil {
		t.Fatal(err)
	}
	answered := 0
	for range 100 {
		if _, err := l.Complete(t.Context(), ask("x")); err == nil {
			answered++
		} else {
			m.seen = append(m.seen, Prompt{}) // the next one is turned away first, too
		}
	}
	if answered != 30 {
		t.Errorf("%d answered after a second try, want 10 + 100/5", answered)
	}
}

// A try that takes too long is over; one whose whole run ends is not tried
// again.
func TestTimeout(t *testing.T) {
	clock := newTime()
	o := options(clock)
	var bounds []time.Duration
	o.Clock.Bound = func(ctx context.Context, d time.Duration) (context.Context, context.CancelFunc) {
		bounds = append(bounds, d)
		inner, cancel := context.WithCancel(ctx)
		cancel()
		return inner, cancel
	}
	m := &model{do: func(int, Prompt) (Reply, error) { return Reply{}, context.Canceled }}
	l, err := open(t, o).Around(endpoint(), m)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := l.Complete(t.Context(), ask("x")); Why(err) != "timeout: no whole answer within 2m0s" || len(bounds) != 4 || bounds[0] != 2*time.Minute {
		t.Errorf("%v, %v", err, bounds)
	}
	ctx, stop := context.WithCancelCause(t.Context())
	stop(errors.New("ctrl-c"))
	n := m.count()
	if _, err := l.Complete(ctx, ask("x")); err == nil || err.Error() != "ctrl-c" || m.count() > n+1 {
		t.Errorf("%v after %d tries", err, m.count()-n)
	}
}

func TestWhy(t *testing.T) {
	for want, err := range map[string]error{
		"":                                   nil,
		"stopped":                            fmt.Errorf("asking: %w", context.Canceled),
		"out of time":                        context.DeadlineExceeded,
		"cut off":                            fmt.Errorf("judge: %w", &Error{Kind: KindPermanent, What: "cut off"}),
		`http 401: a\u{1b}b\nc`:              &Error{What: "http 401", Detail: "a\x1bb\nc"},
		"x" + strings.Repeat("y", 158) + "…": errors.New("x" + strings.Repeat("y", 500)),
	} {
		if got := Why(err); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
