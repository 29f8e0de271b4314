package docket

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"
)

// However many take shares at once, no more is lent than there is.
func TestPurse(t *testing.T) {
	onBoth(t, func(t *testing.T, d *Docket, _ *clock) {
		ctx := context.Background()
		if err := d.Allow(ctx, "c", Money{Cost: 1000}); err != nil {
			t.Fatal(err)
		}
		var wait sync.WaitGroup
		var mu sync.Mutex
		var shares []string
		for range 300 {
			wait.Go(func() {
				share, err := d.Take(ctx, "c", "w", Money{Cost: 7, Tokens: 3})
				mu.Lock()
				defer mu.Unlock()
				if err == nil {
					shares = append(shares, share)
				} else if !errors.Is(err, ErrSpent) {
					t.Error(err)
				}
			})
		}
		wait.Wait()
		if len(shares) != 142 { // 142 times 7 is 994
			t.Fatalf("%d shares of 7 were lent of 1000", len(shares))
		}
		for _, s := range shares {
			wait.Go(func() {
				if err := errors.Join(d.Settle(ctx, "c", s, Money{Cost: 2, Tokens: 1}), d.Settle(ctx, "c", s, Money{Cost: 2})); err != nil {
					t.Error(err)
				}
			})
		}
		wait.Wait()
		paid, held, err := d.Spent(ctx, "c")
		if err != nil || paid != (Money{Cost: 284, Tokens: 142}) || held != (Money{}) {
			t.Errorf("paid %v, held %v, %v", paid, held, err)
		}
	})
}

// A share whose holder is gone counts as paid; one that is renewed does not.
func TestPurseOfTheGone(t *testing.T) {
	onBoth(t, func(t *testing.T, d *Docket, c *clock) {
		ctx := context.Background()
		if err := d.Allow(ctx, "c", Money{Tokens: 100}); err != nil {
			t.Fatal(err)
		}
		gone, err := d.Take(ctx, "c", "gone", Money{Tokens: 40})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := d.Take(ctx, "c", "here", Money{Tokens: 30}); err != nil {
			t.Fatal(err)
		}
		c.pass(shareTime / 2)
		if err := d.HoldShares(ctx, "c", "here"); err != nil {
			t.Fatal(err)
		}
		c.pass(shareTime/2 + time.Second)
		if _, err := d.Take(ctx, "c", "here", Money{Tokens: 31}); !errors.Is(err, ErrSpent) {
			t.Errorf("31 of the 30 that are left: %v", err)
		}
		if err := d.Settle(ctx, "c", gone, Money{Tokens: 1}); err != nil { // it came back: nothing is given back a second time
			t.Fatal(err)
		}
		paid, held, err := d.Spent(ctx, "c")
		if err != nil || paid.Tokens != 40 || held.Tokens != 30 {
			t.Errorf("paid %v, held %v, %v", paid, held, err)
		}
		if _, err := d.Take(ctx, "c", "here", Money{Tokens: 30}); err != nil {
			t.Error(err)
		}
	})
}
