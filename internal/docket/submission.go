package docket

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"
)

// State is where a submission stands.
type State string

// The states of a submission. Fetching and Hearing are held by a lease.
const (
	Pending   State = "pending"
	Fetching  State = "fetching"
	Hearing   State = "hearing"
	Done      State = "done"
	Partial   State = "partial"
	Failed    State = "failed"
	Cancelled State = "cancelled"
)

// Class says why a submission failed, and so whether it is tried again.
type Class string

// The classes. Only Transient and Busy are tried again by themselves.
const (
	Transient Class = "transient" // the network, for now
	Busy      Class = "busy"      // the host asks for fewer requests: nothing is fetched from it while one of its submissions waits for that
	Refused   Class = "refused"   // the address, the archive or the revision cannot be used
	Limited   Class = "limit"     // too large, or too long
	Private   Class = "private"   // not there, or not for us
	Died      Class = "died"      // three attempts ended with their process
	Bug       Class = "bug"       // a defect of this program
	Mistried  Class = "mistrial"  // nothing could be examined
	Unasked   Class = "unasked"   // models were to be replayed, and an answer of theirs is not there
)

// mostAttempts is how often a submission is taken up before it is given up.
const mostAttempts = 3

// Submission is one row of the roster. ID is the student's; nothing else of the person is kept.
type Submission struct {
	ID      string
	Seq     int64  // place in the roster
	Folder  string // its name as a folder: no two are alike
	Host    string // that it is fetched from; empty: this machine
	Request string // digest of all that was asked: another one is another case
	Spec    string // digest of where it is and which commit is asked for: while it is the same, the commit that was pinned counts
	State   State
	Class   Class
	Reason  string
	Attempt int
	Again   time.Time // before that it is not tried again; zero: at once
	Pinned  string    // commit, once it is known
	Run     string    // key of the run that stands or is at work
	Listed  bool      // it is in the newest roster
	Asked   string    // for Enrol: how other machines open it, as JSON; empty: they do not
}

// columns are those of a Submission, in the order in which scan reads them.
const columns = `submission.id, submission.seq, submission.folder, submission.host, submission.request, submission.spec, submission.state, submission.class,
	submission.reason, submission.attempt, submission.not_before, submission.pinned, submission.run, submission.listed`

// scan reads the columns of a submission, and more behind them.
func (s *Submission) scan(row interface{ Scan(...any) error }, more ...any) error {
	var again int64
	err := row.Scan(append([]any{&s.ID, &s.Seq, &s.Folder, &s.Host, &s.Request, &s.Spec, &s.State, &s.Class, &s.Reason, &s.Attempt, &again, &s.Pinned, &s.Run, &s.Listed}, more...)...)
	s.Again = moment(again)
	return err
}

// Enrol makes the roster of a cohort what it is given: rows are added, those whose request changed are pending again,
// and rows that are missing are kept and not listed any more. A commit that was pinned stays while the same one is asked for.
func (d *Docket) Enrol(ctx context.Context, cohort string, roster []Submission) error {
	return d.admit(ctx, cohort, roster, true)
}

// Admit is Enrol for some rows of a roster, or for none of them: the others stay as they are. Those that were there have the
// commit taken that they have now. The error wraps ErrConflict when one of them is being worked at.
func (d *Docket) Admit(ctx context.Context, cohort string, rows ...Submission) error {
	return d.admit(ctx, cohort, rows, false)
}

func (d *Docket) admit(ctx context.Context, cohort string, roster []Submission, whole bool) error {
	stays := 0 // what was pinned
	if whole {
		stays = 1
	}
	err := d.within(ctx, func(tx *sql.Tx) error {
		if whole {
			if _, err := tx.ExecContext(ctx, `update submission set listed = 0 where cohort = $1`, cohort); err != nil {
				return err
			}
		}
		for _, s := range roster {
			done, err := tx.ExecContext(ctx, `insert into submission (cohort, id, seq, listed, folder, host, request, spec, state, reason, class, attempt,
				not_before, pinned, run, leased_by, leased_until, changed, asked) values ($1, $2, $3, 1, $4, $5, $6, $7, 'pending', '', '', 0, 0, '', '', '', 0, $8, $9)
				on conflict (cohort, id) do update set seq = excluded.seq, listed = 1, host = excluded.host, request = excluded.request, spec = excluded.spec,
					asked = excluded.asked, changed = excluded.changed,
					state = case when submission.request = excluded.request then submission.state else 'pending' end,
					attempt = case when submission.request = excluded.request then submission.attempt else 0 end,
					not_before = case when submission.request = excluded.request then submission.not_before else 0 end,
					pinned = case when $10 = 1 and (submission.request = excluded.request or submission.spec = excluded.spec) then submission.pinned else '' end,
					run = case when submission.request = excluded.request then submission.run else '' end,
					reason = case when submission.request = excluded.request then submission.reason else '' end,
					class = case when submission.request = excluded.request then submission.class else '' end
				where $10 = 1 or submission.state not in ('fetching', 'hearing')`,
				cohort, s.ID, s.Seq, s.Folder, s.Host, s.Request, s.Spec, stamp(d.now()), s.Asked, stays)
			if err != nil {
				return fmt.Errorf("row %d: %w", s.Seq, err)
			}
			if n, err := done.RowsAffected(); err != nil || n == 0 {
				return errors.Join(err, ErrConflict)
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("writing the roster: %w", err)
	}
	return nil
}

// Lease is the hold of a process on the submission that it works at.
type Lease struct {
	Cohort, ID string
	Holder     string // name of the process
}

// leaseTime is how long a lease lasts; it is renewed four times in that time.
const leaseTime = 40 * time.Second

// RenewEvery is how often a lease is to be renewed.
const RenewEvery = leaseTime / 4

// Claim takes the next pending submission in the order of the roster, those that were tried before last. It passes over hosts that
// asked to wait, and those from which perHost submissions are being fetched by all who use this database; 0: any number may be.
// ok is false when there is none for now.
func (d *Docket) Claim(ctx context.Context, cohort, holder string, perHost int) (s Submission, ok bool, err error) {
	return d.claim(ctx, cohort, holder, perHost, `submission.id = (select pending.id from submission pending where pending.cohort = $1 and pending.state = 'pending'
			and pending.listed = 1 and pending.not_before <= $2 and `+free("pending")+`
			order by case when pending.attempt > 0 then 1 else 0 end, pending.seq limit 1)`)
}

// free is the condition that the host of a submission may be asked for it. What is being fetched is what is in that state, and the hold
// on it counts as the hold on the host.
func free(row string) string {
	return strings.ReplaceAll(`(ROW.host = '' or (not exists (select 1 from submission slow where slow.host = ROW.host and slow.class = 'busy' and slow.state = 'pending' and slow.not_before > $2)
			and ($5 = 0 or (select count(*) from submission other where other.host = ROW.host and other.state = 'fetching' and other.leased_until > $2) < $5)))`, "ROW", row)
}

// claim takes a pending submission. The state is asked outside of which, too: on a server two may have found the same row. And there all
// claims are made one after the other, as two would find the same place at a host.
func (d *Docket) claim(ctx context.Context, cohort, holder string, perHost int, which string, args ...any) (s Submission, ok bool, err error) {
	err = d.within(ctx, func(tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, `insert into meta (key, value) values ('claims', '') on conflict (key) do update set value = excluded.value`); err != nil {
			return err
		}
		now := d.now()
		return s.scan(tx.QueryRowContext(ctx, `update submission set state = 'fetching', attempt = attempt + 1, leased_by = $3, leased_until = $4, changed = $2
			where submission.cohort = $1 and submission.state = 'pending' and `+which+` returning `+columns,
			append([]any{cohort, stamp(now), holder, stamp(now.Add(leaseTime)), int64(perHost)}, args...)...))
	})
	if errors.Is(err, sql.ErrNoRows) {
		return Submission{}, false, nil
	}
	if err != nil {
		return Submission{}, false, fmt.Errorf("claiming a submission: %w", err)
	}
	return s, true, nil
}

// ErrLost says that a submission is not held any more: it was cancelled, or another process took it over.
var ErrLost = errors.New("the submission is not held any more")

// Renew keeps the hold; ErrLost when it is gone.
func (d *Docket) Renew(ctx context.Context, l Lease) error {
	return d.change(ctx, "renewing the hold", `update submission set leased_until = $4 where cohort = $1 and id = $2 and leased_by = $3
		and state in ('fetching', 'hearing')`, l.Cohort, l.ID, l.Holder, stamp(d.now().Add(leaseTime)))
}

// Pin says which commit a submission has, and begins its run. When a run of that key has ended, the submission has
// ended with it, and before is its state.
func (d *Docket) Pin(ctx context.Context, l Lease, r Run) (before State, err error) {
	err = d.within(ctx, func(tx *sql.Tx) error {
		var state State
		err := tx.QueryRowContext(ctx, `select state from run where key = $1`, r.Key).Scan(&state)
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			return err
		}
		if err == nil && (state == Done || state == Partial) {
			before = state
		} else if err := r.begin(ctx, tx, l, stamp(d.now())); err != nil {
			return err
		}
		to := Hearing
		if before != "" {
			to = before
			if err := d.standAgain(ctx, tx, l, r.Key); err != nil {
				return err
			}
		}
		return changeIn(ctx, tx, `update submission set state = $4, pinned = case when $5 = '' then pinned else $5 end, run = $6, changed = $7, class = '', reason = '' where cohort = $1 and id = $2 and leased_by = $3 and state = 'fetching'`,
			l.Cohort, l.ID, l.Holder, to, r.Commit, r.Key, stamp(d.now()))
	})
	if err != nil {
		return "", fmt.Errorf("pinning a submission: %w", err)
	}
	return before, nil
}

// standAgain makes a run that ended before the one that counts again.
func (d *Docket) standAgain(ctx context.Context, tx *sql.Tx, l Lease, run string) error {
	rec, err := d.recordOf(ctx, run)
	if err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, stands, run); err != nil {
		return err
	}
	return d.settle(ctx, tx, l.Cohort, l.ID, run, rec)
}

// Fail ends the attempt at a submission. One that may succeed later is pending again, not before the time that is
// given, while it has attempts left.
func (d *Docket) Fail(ctx context.Context, l Lease, class Class, reason string, again time.Time) error {
	return d.change(ctx, "writing a failure", `update submission set
			state = case when $4 in ('transient', 'busy') and attempt < $5 then 'pending' else 'failed' end,
			class = $4, reason = $6, not_before = $7, leased_by = '', leased_until = 0, changed = $8
		where cohort = $1 and id = $2 and leased_by = $3 and state in ('fetching', 'hearing')`,
		l.Cohort, l.ID, l.Holder, class, mostAttempts, reason, stamp(again), stamp(d.now()))
}

// Release gives a submission back as it was, its attempt included: the program is being stopped.
func (d *Docket) Release(ctx context.Context, l Lease) error {
	return d.change(ctx, "giving a submission back", `update submission set state = 'pending', attempt = attempt - 1, leased_by = '', leased_until = 0, changed = $4
		where cohort = $1 and id = $2 and leased_by = $3 and state in ('fetching', 'hearing')`, l.Cohort, l.ID, l.Holder, stamp(d.now()))
}

// Expire takes submissions from processes that did not renew their hold. One whose last attempt it was has failed.
func (d *Docket) Expire(ctx context.Context, cohort string) error {
	_, err := d.write.ExecContext(ctx, `update submission set
			state = case when attempt < $3 then 'pending' else 'failed' end,
			class = case when attempt < $3 then class else 'died' end,
			reason = case when attempt < $3 then reason else $4 end,
			leased_by = '', leased_until = 0, changed = $2
		where cohort = $1 and state in ('fetching', 'hearing') and leased_until < $2`, cohort, stamp(d.now()), mostAttempts,
		fmt.Sprintf("the program ended %d times while it judged this submission", mostAttempts))
	if err != nil {
		return fmt.Errorf("taking over what was left: %w", err)
	}
	return nil
}

// Orphan takes back every submission that is at work: no other process can be there, as the folder is locked.
func (d *Docket) Orphan(ctx context.Context, cohort string) error {
	if _, err := d.write.ExecContext(ctx, `update submission set leased_until = 0 where cohort = $1 and state in ('fetching', 'hearing')`, cohort); err != nil {
		return fmt.Errorf("taking over what was left: %w", err)
	}
	return d.Expire(ctx, cohort)
}

// Reopen makes submissions of the given states pending again, with all attempts. forget has the remote asked for its commit
// again.
func (d *Docket) Reopen(ctx context.Context, cohort string, forget bool, list ...State) error {
	args := []any{cohort}
	var in []string
	for _, s := range list {
		args = append(args, s)
		in = append(in, fmt.Sprintf("$%d", len(args)))
	}
	err := d.within(ctx, func(tx *sql.Tx) error {
		return d.reopen(ctx, tx, forget, `state in (`+strings.Join(in, ", ")+`)`, args...)
	})
	if err != nil {
		return fmt.Errorf("opening submissions again: %w", err)
	}
	return nil
}

// Again makes the submissions of the given ids pending again, unless they are open. forget has the commits taken that they have
// now.
func (d *Docket) Again(ctx context.Context, cohort string, forget bool, ids ...string) error {
	err := d.within(ctx, func(tx *sql.Tx) error {
		for _, id := range ids {
			if err := d.reopen(ctx, tx, forget, `id = $2 and state in ('done', 'partial', 'failed', 'cancelled')`, cohort, id); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("opening submissions again: %w", err)
	}
	return nil
}

// reopen opens listed submissions of a cohort, which is the first argument. A run that ended is judged again, from its journal
// where it has one.
func (d *Docket) reopen(ctx context.Context, tx *sql.Tx, forget bool, which string, args ...any) error {
	where := ` where cohort = $1 and listed = 1 and ` + which
	if _, err := tx.ExecContext(ctx, `update run set state = 'open' where key in (select run from submission`+where+`)`, args...); err != nil {
		return err
	}
	pinned := ""
	if forget {
		pinned = ", pinned = ''"
	}
	_, err := tx.ExecContext(ctx, `update submission set state = 'pending', attempt = 0, not_before = 0, reason = '', class = '', changed = `+
		fmt.Sprintf("$%d", len(args)+1)+pinned+where, append(args, stamp(d.now()))...)
	return err
}

// Cancel ends what is open; journals stay.
func (d *Docket) Cancel(ctx context.Context, cohort string) error {
	_, err := d.write.ExecContext(ctx, `update submission set state = 'cancelled', leased_by = '', leased_until = 0, changed = $2
		where cohort = $1 and state in ('pending', 'fetching', 'hearing')`, cohort, stamp(d.now()))
	if err != nil {
		return fmt.Errorf("cancelling a cohort: %w", err)
	}
	return nil
}

// change runs a statement that must meet one row; ErrLost when it meets none.
func (d *Docket) change(ctx context.Context, doing, statement string, args ...any) error {
	if err := d.within(ctx, func(tx *sql.Tx) error { return changeIn(ctx, tx, statement, args...) }); err != nil {
		return fmt.Errorf("%s: %w", doing, err)
	}
	return nil
}

func changeIn(ctx context.Context, tx *sql.Tx, statement string, args ...any) error {
	done, err := tx.ExecContext(ctx, statement, args...)
	if err != nil {
		return err
	}
	if n, err := done.RowsAffected(); err != nil || n == 0 {
		return errors.Join(err, ErrLost)
	}
	return nil
}

// Submission is one submission; ok is false when there is none of that id.
func (d *Docket) Submission(ctx context.Context, cohort, id string) (s Submission, ok bool, err error) {
	err = s.scan(d.read.QueryRowContext(ctx, `select `+columns+` from submission where cohort = $1 and id = $2`, cohort, id))
	if errors.Is(err, sql.ErrNoRows) {
		return Submission{}, false, nil
	}
	if err != nil {
		return Submission{}, false, fmt.Errorf("reading a submission: %w", err)
	}
	return s, true, nil
}

// Opens is when the earliest waiting submission may be claimed, and how many are open in all.
func (d *Docket) Opens(ctx context.Context, cohort string) (at time.Time, open int, err error) {
	var first sql.NullInt64
	err = d.patiently(ctx, func() error {
		return d.read.QueryRowContext(ctx, `select min(case when state = 'pending' then not_before end), count(*) from submission
			where cohort = $1 and listed = 1 and state in ('pending', 'fetching', 'hearing')`, cohort).Scan(&first, &open)
	})
	if err != nil {
		return time.Time{}, 0, fmt.Errorf("looking for open submissions: %w", err)
	}
	return moment(first.Int64), open, nil
}
