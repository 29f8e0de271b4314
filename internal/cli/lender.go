package cli

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/automaton-auditor/automaton/internal/docket"
	"github.com/automaton-auditor/automaton/internal/llm"
)

// lender takes shares of a cohort's budget, from which the models of this process are paid.
type lender struct {
	docket *docket.Docket
	cohort string
	holder string // name of this process

	mu     sync.Mutex
	shares []share
	rest   context.CancelFunc // ends the renewing of shares; nil: there are none
}

// share is what was lent.
type share struct {
	id   string
	most docket.Money
}

// callsAShare is how many calls that cost the most a share pays for. Of the last of a budget, fewer.
const callsAShare = 8

// lend takes a share.
func (l *lender) lend(ctx context.Context, most llm.Bill) (llm.Bill, error) {
	var err error
	for n := callsAShare; n > 0; n /= 2 {
		m := docket.Money{Cost: llm.USD(n) * most.Cost, Tokens: int64(n) * (most.In + most.Out)}
		var id string
		if id, err = l.docket.Take(ctx, l.cohort, l.holder, m); err == nil {
			l.keep(share{id, m})
			return llm.Bill{Cost: m.Cost, In: m.Tokens}, nil
		}
		if !errors.Is(err, docket.ErrSpent) {
			break
		}
	}
	return llm.Bill{}, err
}

// keep renews the shares until they are settled.
func (l *lender) keep(s share) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.shares = append(l.shares, s)
	if l.rest != nil {
		return
	}
	var ctx context.Context
	ctx, l.rest = context.WithCancel(context.Background())
	go func() {
		t := time.NewTicker(docket.RenewShareEvery)
		defer t.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-t.C:
				_ = l.docket.HoldShares(ctx, l.cohort, l.holder) // a share that is lost counts as paid
			}
		}
	}()
}

// settle books what was paid, and gives the rest back, unless models are being asked.
func (l *lender) settle(run *llm.Run) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.rest == nil {
		return
	}
	bill, ok := run.GiveBack()
	if !ok {
		return
	}
	l.rest()
	l.rest = nil
	left := docket.Money{Cost: bill.Cost, Tokens: bill.In + bill.Out}
	for _, s := range l.shares {
		paid := docket.Money{Cost: min(left.Cost, s.most.Cost), Tokens: min(left.Tokens, s.most.Tokens)}
		left.Cost, left.Tokens = left.Cost-paid.Cost, left.Tokens-paid.Tokens
		_ = l.docket.Settle(context.Background(), l.cohort, s.id, paid) // a share that is not settled counts as paid
	}
	l.shares = nil
}
