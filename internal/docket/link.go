package docket

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"
)

// Link lets whoever has its token look at one submission. Only the digest of the token is kept.
type Link struct {
	Hash       string // SHA-256 of the token, in hexadecimal digits
	Submission string
	By         string
	Made       time.Time
	Until      time.Time
	Revoked    time.Time // zero: it is not
}

// Open tells whether the link still leads somewhere.
func (l Link) Open(now time.Time) bool { return l.Revoked.IsZero() && now.Before(l.Until) }

const linkColumns = `hash, submission, author, made, until, revoked`

func (l *Link) scan(row interface{ Scan(...any) error }) error {
	var made, until, revoked int64
	err := row.Scan(&l.Hash, &l.Submission, &l.By, &made, &until, &revoked)
	l.Made, l.Until, l.Revoked = moment(made), moment(until), moment(revoked)
	return err
}

// AddLink keeps a link.
func (d *Docket) AddLink(ctx context.Context, cohort string, l Link) error {
	if _, err := d.write.ExecContext(ctx, `insert into link (cohort, hash, submission, author, made, until, revoked) values ($1, $2, $3, $4, $5, $6, 0)`,
		cohort, l.Hash, l.Submission, l.By, stamp(d.now()), stamp(l.Until)); err != nil {
		return fmt.Errorf("keeping a link: %w", err)
	}
	return nil
}

// Link finds the link of a token's digest; ok is false when there is none.
func (d *Docket) Link(ctx context.Context, cohort, hash string) (l Link, ok bool, err error) {
	err = l.scan(d.read.QueryRowContext(ctx, `select `+linkColumns+` from link where cohort = $1 and hash = $2`, cohort, hash))
	if errors.Is(err, sql.ErrNoRows) {
		return l, false, nil
	}
	if err != nil {
		return l, false, fmt.Errorf("looking for a link: %w", err)
	}
	return l, true, nil
}

// Links are the links to a submission, the newest first.
func (d *Docket) Links(ctx context.Context, cohort, submission string) (list []Link, err error) {
	err = d.each(ctx, "listing links", func(rows *sql.Rows) error {
		var l Link
		err := l.scan(rows)
		list = append(list, l)
		return err
	}, `select `+linkColumns+` from link where cohort = $1 and submission = $2 order by made desc, hash`, cohort, submission)
	return list, err
}

// Revoke ends the links to a submission.
func (d *Docket) Revoke(ctx context.Context, cohort, submission string) error {
	if _, err := d.write.ExecContext(ctx, `update link set revoked = $3 where cohort = $1 and submission = $2 and revoked = 0`, cohort, submission, stamp(d.now())); err != nil {
		return fmt.Errorf("ending links: %w", err)
	}
	return nil
}
