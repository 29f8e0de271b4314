package docket

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/automaton-auditor/automaton/internal/llm"
)

// Money is what models may cost, or have cost. As a limit, 0 is none.
type Money struct {
	Cost   llm.USD
	Tokens int64
}

// ErrSpent says that a cohort may not spend any more on models.
var ErrSpent = errors.New("the budget of the cohort is spent")

// shareTime is how long a share is held; it is renewed four times in that time.
const shareTime = 2 * time.Minute

// RenewShareEvery is how often a share is to be renewed.
const RenewShareEvery = shareTime / 4

// Allow says what a cohort may spend on models over all its machines. What was paid stays.
func (d *Docket) Allow(ctx context.Context, cohort string, most Money) error {
	err := d.within(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `insert into purse (cohort, cap, cap_tokens, shared, shared_tokens, paid, paid_tokens) values ($1, $2, $3, 0, 0, 0, 0)
			on conflict (cohort) do update set cap = excluded.cap, cap_tokens = excluded.cap_tokens`, cohort, int64(most.Cost), most.Tokens)
		return err
	})
	if err != nil {
		return fmt.Errorf("setting the budget: %w", err)
	}
	return nil
}

// Take lends a share of the cohort's budget to a process, which pays from it and settles it. ErrSpent when that much is not left. Shares whose
// holders are gone are booked as paid: nobody can tell what was billed.
func (d *Docket) Take(ctx context.Context, cohort, holder string, m Money) (share string, err error) {
	share = rand.Text()
	spent := false
	err = d.within(ctx, func(tx *sql.Tx) error {
		spent = false
		now := d.now()
		// The row of the purse is locked first, so that two processes do not book one share twice.
		if _, err := tx.ExecContext(ctx, `update purse set cap = cap where cohort = $1`, cohort); err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, `update purse set
				shared = shared - (select coalesce(sum(cost), 0) from share where cohort = $1 and until < $2),
				shared_tokens = shared_tokens - (select coalesce(sum(tokens), 0) from share where cohort = $1 and until < $2),
				paid = paid + (select coalesce(sum(cost), 0) from share where cohort = $1 and until < $2),
				paid_tokens = paid_tokens + (select coalesce(sum(tokens), 0) from share where cohort = $1 and until < $2)
			where cohort = $1`, cohort, stamp(now)); err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, `delete from share where cohort = $1 and until < $2`, cohort, stamp(now)); err != nil {
			return err
		}
		err := changeIn(ctx, tx, `update purse set shared = shared + $2, shared_tokens = shared_tokens + $3
			where cohort = $1 and (cap = 0 or paid + shared + $2 <= cap) and (cap_tokens = 0 or paid_tokens + shared_tokens + $3 <= cap_tokens)`,
			cohort, int64(m.Cost), m.Tokens)
		if errors.Is(err, ErrLost) {
			spent = true
			return nil // what was booked stays
		}
		if err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, `insert into share (id, cohort, holder, cost, tokens, until) values ($1, $2, $3, $4, $5, $6)`,
			share, cohort, holder, int64(m.Cost), m.Tokens, stamp(now.Add(shareTime)))
		return err
	})
	if err == nil && spent {
		err = ErrSpent
	}
	if err != nil {
		return "", fmt.Errorf("taking a share of the budget: %w", err)
	}
	return share, nil
}

// HoldShares keeps the shares of a process.
func (d *Docket) HoldShares(ctx context.Context, cohort, holder string) error {
	err := d.within(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `update share set until = $3 where cohort = $1 and holder = $2`, cohort, holder, stamp(d.now().Add(shareTime)))
		return err
	})
	if err != nil {
		return fmt.Errorf("keeping shares of the budget: %w", err)
	}
	return nil
}

// Settle books what was paid from a share, and gives the rest back. A share that was booked as paid stays so.
func (d *Docket) Settle(ctx context.Context, cohort, share string, paid Money) error {
	err := d.within(ctx, func(tx *sql.Tx) error {
		var m Money
		err := tx.QueryRowContext(ctx, `delete from share where id = $1 returning cost, tokens`, share).Scan((*int64)(&m.Cost), &m.Tokens)
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		if err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, `update purse set shared = shared - $2, shared_tokens = shared_tokens - $3, paid = paid + $4, paid_tokens = paid_tokens + $5
			where cohort = $1`, cohort, int64(m.Cost), m.Tokens, int64(paid.Cost), paid.Tokens)
		return err
	})
	if err != nil {
		return fmt.Errorf("settling a share of the budget: %w", err)
	}
	return nil
}

// Spent is what a cohort's models have cost, shares that are held not counted, and what is held.
func (d *Docket) Spent(ctx context.Context, cohort string) (paid, held Money, err error) {
	err = d.read.QueryRowContext(ctx, `select paid, paid_tokens, shared, shared_tokens from purse where cohort = $1`, cohort).
		Scan((*int64)(&paid.Cost), &paid.Tokens, (*int64)(&held.Cost), &held.Tokens)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return paid, held, fmt.Errorf("reading the budget: %w", err)
	}
	return paid, held, nil
}
