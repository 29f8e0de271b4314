package docket

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
)

// termsName is the file of a cohort that says what its cases are judged with.
const termsName = "terms.json"

// Publish lets other machines judge a cohort: terms say with what. The generation that it gives grows when they are others
// than before.
func (d *Docket) Publish(ctx context.Context, cohort string, terms []byte) (generation int64, err error) {
	err = d.within(ctx, func(tx *sql.Tx) error {
		err := tx.QueryRowContext(ctx, `update cohort set generation = generation + case when exists
			(select 1 from file where owner = $1 and name = $2 and digest = $3) then 0 else 1 end where id = $1 returning generation`,
			cohort, termsName, Digest(terms)).Scan(&generation)
		if errors.Is(err, sql.ErrNoRows) {
			return ErrUnknown
		}
		if err == nil {
			_, err = d.put(ctx, tx, cohort, termsName, terms)
		}
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("publishing the cohort: %w", err)
	}
	return generation, nil
}

// Published is what Publish was given, and its generation.
func (d *Docket) Published(ctx context.Context, cohort string) (terms []byte, generation int64, err error) {
	err = d.read.QueryRowContext(ctx, `select generation from cohort where id = $1`, cohort).Scan(&generation)
	if errors.Is(err, sql.ErrNoRows) {
		err = ErrUnknown
	}
	if err != nil {
		return nil, 0, fmt.Errorf("reading the cohort: %w", err)
	}
	terms, err = d.File(ctx, cohort, termsName)
	return terms, generation, err
}

// Keep stores what a cohort needs on every machine and gives its digest, under which Blob has it.
func (d *Docket) Keep(ctx context.Context, cohort string, raw []byte) (digest string, err error) {
	digest = Digest(raw)
	err = d.within(ctx, func(tx *sql.Tx) error {
		_, err := d.put(ctx, tx, cohort, "given/"+digest, raw)
		return err
	})
	return digest, err
}

// Asked is how the submission at a place of the roster is opened, as Enrol was told; ErrUnknown when it was not.
func (d *Docket) Asked(ctx context.Context, cohort string, row int64) (asked string, err error) {
	err = d.read.QueryRowContext(ctx, `select asked from submission where cohort = $1 and seq = $2 and listed = 1`, cohort, row).Scan(&asked)
	if errors.Is(err, sql.ErrNoRows) || err == nil && asked == "" {
		err = ErrUnknown
	}
	if err != nil {
		return "", fmt.Errorf("reading row %d of the roster: %w", row, err)
	}
	return asked, nil
}

// At is the submission at a place of the roster, and the digest of the record that stands for it; ErrUnknown when there is none.
func (d *Docket) At(ctx context.Context, cohort string, row int64) (s Submission, record string, err error) {
	err = s.scan(d.read.QueryRowContext(ctx, `select `+columns+`, coalesce(r.record, '') from submission left join run r on r.key = submission.run
		where submission.cohort = $1 and submission.seq = $2 and submission.listed = 1`, cohort, row), &record)
	if errors.Is(err, sql.ErrNoRows) {
		err = ErrUnknown
	}
	if err != nil {
		return s, "", fmt.Errorf("reading row %d of the roster: %w", row, err)
	}
	return s, record, nil
}

// Places are where the open submissions of a cohort stand in the roster: at most n of those behind a place.
func (d *Docket) Places(ctx context.Context, cohort string, after int64, n int) (list []int64, err error) {
	err = d.each(ctx, "looking for open submissions", func(rows *sql.Rows) error {
		var row int64
		err := rows.Scan(&row)
		list = append(list, row)
		return err
	}, `select seq from submission where cohort = $1 and listed = 1 and state in ('pending', 'fetching', 'hearing') and seq > $2 order by seq limit $3`, cohort, after, n)
	return list, err
}

// ClaimAt is Claim for the submission at a place of the roster, if it is pending and may be tried now.
func (d *Docket) ClaimAt(ctx context.Context, cohort string, row int64, holder string, perHost int) (s Submission, ok bool, err error) {
	return d.claim(ctx, cohort, holder, perHost, `submission.seq = $6 and submission.listed = 1 and submission.not_before <= $2 and `+free("submission"), row)
}

// Changed are the listed submissions of a cohort that changed at a time or later, in the order of that.
func (d *Docket) Changed(ctx context.Context, cohort string, since int64) (list []Submission, last int64, err error) {
	err = d.patiently(ctx, func() error { // the server may end in the middle of its answer
		list, last = nil, since
		return d.each(ctx, "looking for what changed", func(rows *sql.Rows) error {
			var s Submission
			err := s.scan(rows, &last)
			list = append(list, s)
			return err
		}, `select `+columns+`, changed from submission where cohort = $1 and listed = 1 and changed >= $2 order by changed, seq`, cohort, since)
	})
	return list, last, err
}
