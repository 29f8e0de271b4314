package llm

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

// priced is a run with a budget around a model that costs 1 and 10 dollars a
// million tokens.
func priced(t *testing.T, o Options, m Model) (*Run, Model) {
	t.Helper()
	r := open(t, o)
	inner := &retry{next: m, clock: o.Clock, random: o.Random, breaker: &breaker{clock: o.Clock}, gate: &gate{clock: o.Clock}, again: r.again}
	return r, &budget{next: inner, purse: r.purse, price: &Price{In: dollar, Cached: dollar / 10, Write: dollar * 5 / 4, Out: 10 * dollar}}
}

// However many ask at once, the cap is never passed: not by what is paid, and
// not by what is paid and under way.
func TestBudgetTogether(t *testing.T) {
	o := options(newTime())
	o.Budget = 100_000 // ten cents
	var most atomic.Int64
	var r *Run
	m := &model{do: func(int, Prompt) (Reply, error) {
		r.purse.mu.Lock()
		defer r.purse.mu.Unlock()
		now := int64(r.purse.held.Cost + r.purse.paid.Cost)
		for {
			old := most.Load()
			if now <= old || most.CompareAndSwap(old, now) {
				break
			}
		}
		return Reply{Text: goodJSON, Stop: Done, Usage: Usage{In: 700, Out: 900}}, nil
	}}
	r, b := priced(t, o, m)
	var wg sync.WaitGroup
	var answered, spent atomic.Int64
	for i := range 30 {
		wg.Go(func() {
			_, err := b.Complete(t.Context(), ask(fmt.Sprint(i)))
			switch {
			case err == nil:
				answered.Add(1)
			case strings.HasPrefix(Why(err), "budget spent: the next call may cost $0.01, and of $0.10, "):
				spent.Add(1)
			default:
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if most.Load() > int64(o.Budget) || r.Spent().Cost > o.Budget {
		t.Errorf("reserved up to %s and paid %s of %s", USD(most.Load()), r.Spent().Cost, o.Budget)
	}
	// each pays 700 + 9,000 millionths
	if want := answered.Load() * 9700; int64(r.Spent().Cost) != want || answered.Load() < 5 || spent.Load() == 0 {
		t.Errorf("%d answered, %d not, %d paid", answered.Load(), spent.Load(), r.Spent().Cost)
	}
	if r.purse.held != (Bill{}) {
		t.Errorf("still held: %+v", r.purse.held)
	}
}

func TestBudgetTokens(t *testing.T) {
	o := options(newTime())
	o.BudgetTokens = 5000
	r, b := priced(t, o, &model{do: func(int, Prompt) (Reply, error) { return says(goodJSON) }})
	n := 0
	for ; n < 100; n++ {
		if _, err := b.Complete(t.Context(), ask("x")); err != nil {
			if !strings.HasPrefix(Why(err), "budget spent: the next call may take") {
				t.Error(err)
			}
			break
		}
	}
	spent := r.Spent()
	if tokens := spent.In + spent.Out; n < 8 || tokens > 5000 || tokens != int64(330*n) {
		t.Errorf("%d calls, %d tokens", n, tokens)
	}
}

// A try that failed after the server may have answered it is paid for at its
// worst; one that was turned away costs nothing.
func TestBudgetOfFailures(t *testing.T) {
	most := worstBill(ask("x"), &Price{In: dollar, Write: dollar * 5 / 4, Out: 10 * dollar}).Cost
	lost := func(billed bool) error { return &Error{Kind: KindTransient, What: "lost", Billed: billed} }
	for name, tt := range map[string]struct {
		errs  []error
		cap   USD
		paid  USD
		calls int
		why   string
	}{
		"turned away":       {[]error{lost(false), lost(false)}, dollar, 600, 3, ""},
		"broke off":         {[]error{lost(true), lost(true)}, dollar, 2*most + 600, 3, ""},
		"broke off for all": {[]error{lost(true), lost(true), lost(true), lost(true)}, dollar, 4 * most, 4, "lost"},
		"no room for two":   {[]error{lost(true)}, most + most/2, most, 1, "budget spent"},
		"never reached":     {[]error{lost(false), lost(false), lost(false), lost(false)}, dollar, 0, 4, "lost"},
		"asks too much":     {[]error{&Error{Kind: KindTransient, What: "http 503", Wait: 2 * mostWait, Billed: true}}, dollar, most, 1, "http 503"},
	} {
		t.Run(name, func(t *testing.T) {
			o := options(newTime())
			o.Budget = tt.cap
			m := &model{do: func(n int, _ Prompt) (Reply, error) {
				if n <= len(tt.errs) {
					return Reply{}, tt.errs[n-1]
				}
				return says(goodJSON)
			}}
			r, b := priced(t, o, m)
			_, err := b.Complete(t.Context(), ask("x"))
			if got := r.Spent().Cost; !strings.HasPrefix(Why(err), tt.why) || (err == nil) != (tt.why == "") || got != tt.paid || m.count() != tt.calls {
				t.Errorf("%v, paid %d (want %d) after %d tries", err, got, tt.paid, m.count())
			}
			if r.purse.held.Cost != 0 {
				t.Errorf("held %+v", r.purse.held)
			}
		})
	}
}

// What tokens cost, with what the server kept and began to keep.
func TestBill(t *testing.T) {
	p := &Price{In: 2 * dollar, Cached: dollar / 5, Write: dollar * 5 / 2, Out: 10 * dollar}
	got := billOf(Usage{In: 1000, Cached: 600, Written: 100, Out: 50}, p)
	if want := USD(300*2 + 600/5 + 250 + 500); got.Cost != want || got.In != 1000 || got.Out != 50 {
		t.Errorf("%+v, want %d", got, want)
	}
	if got := billOf(Usage{In: 1, Out: 1}, &Price{In: 1, Out: 1}).Cost; got != 2 {
		t.Errorf("%d: parts of a millionth are rounded up", got)
	}
	if got := billOf(Usage{In: 5}, nil); !got.Unknown || got.Cost != 0 {
		t.Errorf("%+v", got)
	}
}

// A prompt counts as a token for every three bytes of all that is sent, and a
// picture as a large one.
func TestWorst(t *testing.T) {
	p := ask("x")
	in, out := worst(p)
	p.Messages[0].Text += strings.Repeat("y", 3000)
	if more, _ := worst(p); more != in+1000 {
		t.Errorf("%d more for 3,000 bytes", more-in)
	}
	p.Messages[0].Images = make([]Image, 2)
	if more, _ := worst(p); more != in+1000+2*mostPicture {
		t.Errorf("%d more with two pictures that cannot be read", more-in)
	}
	p.Messages[0].Images = nil
	p = ask("x")
	p.Answer.Mode = Text // the schema stands in the text, too
	if more, _ := worst(p); more <= in {
		t.Errorf("%d with the schema in the text, %d without", more, in)
	}
	if p.MaxTokens = 0; out != 1000 {
		t.Error(out)
	}
	if _, out := worst(p); out != defaultTokens {
		t.Error(out)
	}
}

// A picture counts by its size, and never for less than what providers were
// measured to count.
func TestImageTokens(t *testing.T) {
	for _, tt := range []struct{ width, height, published int }{
		{256, 256, 1090}, {512, 512, 1090}, {1024, 1024, 1446}, {1920, 1080, 2768}, {2560, 1440, 4320}, {3840, 2160, 9792}, {4032, 3024, 14364},
	} {
		head := binary.BigEndian.AppendUint32([]byte("IHDR"), uint32(tt.width))
		head = append(binary.BigEndian.AppendUint32(head, uint32(tt.height)), 8, 0, 0, 0, 0)
		data := append([]byte("\x89PNG\r\n\x1a\n\x00\x00\x00\x0d"), head...)
		data = binary.BigEndian.AppendUint32(data, crc32.ChecksumIEEE(head))
		got := imageTokens(Image{MIME: "image/png", Data: data})
		if got < tt.published || got > 2*max(tt.published, leastPicture) {
			t.Errorf("%d x %d: %d tokens, published %d", tt.width, tt.height, got, tt.published)
		}
	}
	if got := imageTokens(Image{Data: []byte("GIF89a")}); got != mostPicture {
		t.Error(got)
	}
}

// Outside a replay, a budget in dollars needs a price.
func TestUnpriced(t *testing.T) {
	o := options(newTime())
	o.Budget = dollar
	r := open(t, o)
	e := endpoint()
	e.Local = false
	_, err := r.Around(e, always(goodJSON))
	hint, ok := err.(interface{ Hint() string })
	if err == nil || !ok || err.Error() != "the price of compatible:m is not known, so a budget in dollars cannot be kept" || !strings.Contains(hint.Hint(), "--budget-tokens") {
		t.Error(err)
	}
	e.Local = true
	if _, err := r.Around(e, always(goodJSON)); err != nil {
		t.Error(err)
	}
	if _, err := r.Around(e, nil); err == nil {
		t.Error("there is no adapter")
	}
}

func TestUSD(t *testing.T) {
	for in, want := range map[string]string{"5": "$5.00", "$1.50": "$1.50", "0.25": "$0.25", "0.000001": "$0.000001", "0.0095": "$0.0095", "0.015": "$0.02", "0": "$0.00", "999999999": "$999999999.00"} {
		var u USD
		if err := u.UnmarshalText([]byte(in)); err != nil || u.String() != want {
			t.Errorf("%s: %s, %v", in, u, err)
		}
	}
	for _, in := range []string{"", "$", "-1", "1.", ".5", "1e3", "1,5", "1.0000001", "1234567890", "NaN", "$$1"} {
		var u USD
		if err := u.UnmarshalText([]byte(in)); err == nil {
			t.Errorf("%q was read as %s", in, u)
		}
	}
	if s := (-150 * dollar / 100).String(); s != "-$1.50" {
		t.Error(s)
	}
}

// Spent is what the run has paid so far.
func (r *Run) Spent() Bill {
	r.purse.mu.Lock()
	defer r.purse.mu.Unlock()
	return r.purse.paid
}

// Two runs that spend from one budget never reserve more than it has together, and what they give back is there for others.
func TestBudgetLent(t *testing.T) {
	const all = 100_000 // ten cents
	var mu sync.Mutex
	left := USD(all)
	lend := func(_ context.Context, most Bill) (Bill, error) {
		mu.Lock()
		defer mu.Unlock()
		if left < 2*most.Cost {
			return Bill{}, errors.New("spent")
		}
		left -= 2 * most.Cost
		return Bill{Cost: 2 * most.Cost, In: 2 * (most.In + most.Out)}, nil
	}
	var runs [2]*Run
	var wg sync.WaitGroup
	var answered, spent atomic.Int64
	for n := range runs {
		o := options(newTime())
		o.Budget, o.Lend = all, lend
		r, b := priced(t, o, &model{do: func(int, Prompt) (Reply, error) {
			return Reply{Text: goodJSON, Stop: Done, Usage: Usage{In: 700, Out: 900}}, nil
		}})
		runs[n] = r
		for i := range 20 {
			wg.Go(func() {
				_, err := b.Complete(t.Context(), ask(fmt.Sprint(n, i)))
				if err == nil {
					answered.Add(1)
				} else if strings.HasPrefix(Why(err), "budget spent") {
					spent.Add(1)
				} else {
					t.Error(err)
				}
			})
		}
	}
	wg.Wait()
	var paid USD
	for _, r := range runs {
		bill, ok := r.GiveBack()
		if again, _ := r.GiveBack(); !ok || again != (Bill{}) {
			t.Errorf("given back %v and %v", bill, again)
		}
		paid += bill.Cost
	}
	if answered.Load() == 0 || spent.Load() == 0 || answered.Load()+spent.Load() != 40 || paid > all-left {
		t.Errorf("%d answered, %d not, %s paid of the %s that was lent", answered.Load(), spent.Load(), paid, all-left)
	}
}
