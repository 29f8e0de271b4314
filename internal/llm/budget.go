package llm

import (
	"context"
	"errors"
	"fmt"
	"sync"
)

// purse is what a run may spend, and has spent, on all models together.
type purse struct {
	cap    USD                                                // 0: no limit; with lend: what was lent
	tokens int64                                              // 0: no limit; with lend: what was lent
	lend   func(ctx context.Context, most Bill) (Bill, error) // nil: nobody lends

	mu   sync.Mutex
	held Bill // reserved for what is under way
	paid Bill

	borrowing sync.Mutex
	back      Bill // what was paid when something was given back last
}

// Bill is what calls cost, or would cost at worst.
type Bill struct {
	Calls   int
	In, Out int64 // tokens
	Cost    USD
	Unknown bool // some calls went to a model whose price nobody knows
}

func (b Bill) plus(c Bill, sign int) Bill {
	return Bill{
		Calls: b.Calls + sign*c.Calls, In: b.In + int64(sign)*c.In, Out: b.Out + int64(sign)*c.Out,
		Cost: b.Cost + USD(sign)*c.Cost, Unknown: b.Unknown || c.Unknown,
	}
}

// budget reserves the worst case of a call before it is made, so that the cap
// is never passed, however many calls are made at once.
type budget struct {
	next  Model
	purse *purse
	price *Price // nil: nobody knows
}

func (b *budget) Complete(ctx context.Context, p Prompt) (Reply, error) {
	most := worstBill(p, b.price)
	if b.purse.capped() && b.price != nil && b.price.UpTo > 0 && most.In > int64(b.price.UpTo) {
		return Reply{}, &Error{Kind: KindPermanent, What: "prompt too long", Detail: fmt.Sprintf("the price of %s is known up to %d tokens", p.Model, b.price.UpTo)}
	}
	h := &hold{purse: b.purse, most: most}
	if err := h.take(ctx); err != nil {
		return Reply{}, err
	}
	reply, err := b.next.Complete(context.WithValue(ctx, holdKey{}, h), p)
	if err == nil {
		h.pay(billOf(reply.Usage, b.price))
		return reply, nil
	}
	if e, ok := errors.AsType[*Error](err); ok && !e.Billed {
		h.pay(Bill{Calls: 1})
	} else {
		h.pay(most) // it may have been answered, and nobody can tell
	}
	return reply, err
}

// capped tells whether money is limited, be it by what is lent. The cap of who borrows changes and is not looked at.
func (p *purse) capped() bool { return p.lend != nil || p.cap > 0 }

// hold is what a call has reserved. A try that may have been billed is paid for
// at its worst, and the next one reserves anew.
type hold struct {
	purse *purse
	most  Bill
	holds bool
}

type holdKey struct{}

func (h *hold) take(ctx context.Context) error {
	err := h.reserve()
	if err == nil || h.purse.lend == nil {
		return err
	}
	h.purse.borrowing.Lock()
	defer h.purse.borrowing.Unlock()
	if err := h.reserve(); err == nil { // another call borrowed meanwhile
		return nil
	}
	more, err := h.purse.lend(ctx, h.most)
	if err != nil {
		return &Error{Kind: KindPermanent, What: "budget spent", Detail: fmt.Sprintf("the next call may cost %s, and that much is not left", h.most.Cost)}
	}
	h.purse.mu.Lock()
	h.purse.cap, h.purse.tokens = h.purse.cap+more.Cost, h.purse.tokens+more.In+more.Out
	h.purse.mu.Unlock()
	return h.reserve()
}

// reserve takes the worst case of a call out of what is left.
func (h *hold) reserve() error {
	h.purse.mu.Lock()
	defer h.purse.mu.Unlock()
	all := h.purse.paid.plus(h.purse.held, 1).plus(h.most, 1)
	switch {
	case h.purse.capped() && all.Cost > h.purse.cap:
		gone := h.purse.paid.Cost + h.purse.held.Cost
		return &Error{Kind: KindPermanent, What: "budget spent", Detail: fmt.Sprintf("the next call may cost %s, and of %s, %s are spent or reserved", h.most.Cost, h.purse.cap, gone)}
	case (h.purse.tokens > 0 || h.purse.lend != nil) && all.In+all.Out > h.purse.tokens:
		gone := all.In + all.Out - h.most.In - h.most.Out
		return &Error{Kind: KindPermanent, What: "budget spent", Detail: fmt.Sprintf("the next call may take %d tokens, and of %d, %d are spent or reserved", h.most.In+h.most.Out, h.purse.tokens, gone)}
	}
	h.purse.held, h.holds = h.purse.held.plus(h.most, 1), true
	return nil
}

// pay settles what was reserved, if anything is.
func (h *hold) pay(b Bill) {
	h.purse.mu.Lock()
	defer h.purse.mu.Unlock()
	if !h.holds {
		return
	}
	h.purse.held, h.holds = h.purse.held.plus(h.most, -1), false
	h.purse.paid = h.purse.paid.plus(b, 1)
}

// spendAgain pays for a try that may have been billed, and reserves another.
func spendAgain(ctx context.Context, last error) error {
	h, ok := ctx.Value(holdKey{}).(*hold)
	e, ours := errors.AsType[*Error](last)
	if !ok || !ours || !e.Billed {
		return nil
	}
	h.pay(h.most)
	return h.take(ctx)
}

// GiveBack ends what was lent, unless calls are under way, and gives what was paid since it was done last.
func (r *Run) GiveBack() (paid Bill, ok bool) {
	if !r.purse.borrowing.TryLock() {
		return Bill{}, false
	}
	defer r.purse.borrowing.Unlock()
	r.purse.mu.Lock()
	defer r.purse.mu.Unlock()
	if r.purse.held.Calls > 0 {
		return Bill{}, false
	}
	all := r.purse.paid
	paid = all.plus(r.purse.back, -1)
	r.purse.back, r.purse.cap, r.purse.tokens = all, all.Cost, all.In+all.Out
	return paid, true
}
