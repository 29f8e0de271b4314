package llm

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"slices"
	"sync"
	"time"
)

// Options are what all models of a run share.
type Options struct {
	Clock        Clock
	Random       func(n int64) int64 // in [0, n): the jitter of waits
	Budget       USD                 // 0: no limit
	BudgetTokens int64               // 0: no limit
	// Lend gives more of a budget that others spend from, too: enough for a call that costs the most, and better for some more. The
	// error says that there is none. nil: the budget is this run's alone.
	Lend         func(ctx context.Context, most Bill) (Bill, error)
	Cache        string       // a folder; empty: no cache
	Cassette     string       // a file; empty: none
	CassetteMode CassetteMode // of the cassette; empty: Replay
	Tell         func(Call)   // called for each request, from several goroutines; nil: nobody listens
}

// Endpoint is one model at one server.
type Endpoint struct {
	Provider string
	Model    string
	BaseURL  string
	Modes    []Mode // that its dialect has, strongest first; nil: all
	RPM, TPM int    // requests and tokens a minute; 0: no limit
	Local    bool   // it costs nothing: it runs on our own machine
	Price    *Price // nil: the table's
}

func (e Endpoint) host() string {
	u, err := url.Parse(e.BaseURL)
	if err != nil {
		return ""
	}
	return u.Host
}

// price is nil when nobody knows it, as it is after the last day of one.
func (e Endpoint) price(now time.Time) *Price {
	switch {
	case e.Price != nil:
		return e.Price
	case e.Local:
		return &Price{}
	}
	l, _ := Known().Find(e.Provider, e.Model)
	if l.Price != nil && l.Price.Until != "" && now.UTC().Format(time.DateOnly) > l.Price.Until {
		return nil
	}
	return l.Price
}

// Run is what the models of one run share: budget, cache, cassette, and what
// was learned about each endpoint.
type Run struct {
	opts  Options
	purse *purse
	again *allowance
	shelf *shelf
	tape  *tape

	mu       sync.Mutex
	gates    map[string]*gate
	breakers map[string]*breaker
	rungs    map[string]*rung
}

// Open prepares a run. Close ends it.
func Open(o Options) (*Run, error) {
	if o.Clock.Now == nil || o.Random == nil {
		return nil, errors.New("opening models: clock and randomness have to be handed in")
	}
	r := &Run{
		opts: o, purse: &purse{cap: o.Budget, tokens: o.BudgetTokens}, again: &allowance{},
		gates: map[string]*gate{}, breakers: map[string]*breaker{}, rungs: map[string]*rung{},
	}
	if o.Lend != nil {
		r.purse = &purse{lend: o.Lend}
	}
	var err error
	if o.Cassette != "" {
		if !slices.Contains([]CassetteMode{"", Replay, Record, Extend}, o.CassetteMode) {
			return nil, fmt.Errorf("unknown cassette mode %q (have %s, %s, %s)", o.CassetteMode, Replay, Record, Extend)
		}
		if r.tape, err = openTape(filepath.Clean(o.Cassette), cmp.Or(o.CassetteMode, Replay)); err != nil {
			return nil, err
		}
	}
	if o.Cache != "" {
		if r.shelf, err = openShelf(o.Cache, o.Clock.Now); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// Replays tells whether the run is answered from a cassette alone. Then models
// need no adapter, and nothing reaches the network.
func (r *Run) Replays() bool { return r.tape != nil && r.tape.mode == Replay }

// Around puts the layers around an adapter, in the one order that there is:
// trace, cassette, cache, budget, limit, retry. Outside a replay, a budget in
// dollars refuses a model whose price nobody knows.
func (r *Run) Around(e Endpoint, adapter Model) (Model, error) {
	price := e.price(r.opts.Clock.Now())
	m := adapter
	if !r.Replays() {
		if adapter == nil {
			return nil, fmt.Errorf("opening %s:%s: there is no adapter", e.Provider, e.Model)
		}
		if r.opts.Budget > 0 && price == nil {
			return nil, &unpriced{e.Provider, e.Model}
		}
		g, b := r.lane(e)
		m = &retry{next: m, clock: r.opts.Clock, random: r.opts.Random, breaker: b, gate: g, again: r.again}
		m = &limit{next: m, gate: g}
		m = &budget{next: m, purse: r.purse, price: price}
		if r.shelf != nil {
			m = &cache{next: m, shelf: r.shelf, provider: e.Provider}
		}
	}
	if r.tape != nil {
		m = &cassette{next: m, tape: r.tape, provider: e.Provider}
	}
	if r.opts.Tell != nil {
		m = &traced{next: m, clock: r.opts.Clock, tell: r.opts.Tell, endpoint: e, price: price}
	}
	return m, nil
}

// Ladder puts the layers around an adapter and asks through them. Ladders of
// one model at one endpoint know what the others learned.
func (r *Run) Ladder(e Endpoint, adapter Model) (*Ladder, error) {
	m, err := r.Around(e, adapter)
	if err != nil {
		return nil, err
	}
	modes := e.Modes
	if len(modes) == 0 {
		modes = []Mode{Schema, Tool, Object, Text}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	key := e.BaseURL + " " + e.Model
	if r.rungs[key] == nil {
		r.rungs[key] = newRung(len(modes))
	}
	return &Ladder{model: m, name: e.Model, modes: modes, rung: r.rungs[key]}, nil
}

// lane is what all models of an endpoint pass through.
func (r *Run) lane(e Endpoint) (*gate, *breaker) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.gates[e.BaseURL] == nil {
		r.gates[e.BaseURL] = &gate{clock: r.opts.Clock, rpm: e.RPM, tpm: e.TPM}
		r.breakers[e.BaseURL] = &breaker{clock: r.opts.Clock}
	}
	return r.gates[e.BaseURL], r.breakers[e.BaseURL]
}

// Missed is the first prompt that the cassette did not have; nil when it had
// all. A run that missed one has no result: its answers are not to be had.
func (r *Run) Missed() error {
	if r.tape == nil {
		return nil
	}
	r.tape.mu.Lock()
	defer r.tape.mu.Unlock()
	return r.tape.missed
}

// Close leaves the cassette in order.
func (r *Run) Close() error {
	if r.tape == nil {
		return nil
	}
	return r.tape.close()
}

// unpriced says that a budget in dollars cannot be kept with a model.
type unpriced struct{ provider, model string }

func (u *unpriced) Error() string {
	return fmt.Sprintf("the price of %s:%s is not known, so a budget in dollars cannot be kept", u.provider, u.model)
}

// Hint says what to do instead.
func (u *unpriced) Hint() string {
	return "give --budget-tokens instead of --budget, or a model that the table of models lists"
}

// Estimate is what a set of prompts costs at worst, each answered at once: the
// figure for a dry run and for the line before the first call.
func (e Endpoint) Estimate(now time.Time, prompts []Prompt) Bill {
	var sum Bill
	price := e.price(now)
	for _, p := range prompts {
		sum = sum.plus(worstBill(p, price), 1)
	}
	return sum
}
