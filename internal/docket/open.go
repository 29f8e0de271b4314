package docket

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/gofrs/flock"
	_ "github.com/jackc/pgx/v5/stdlib" // the driver "pgx"
	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"
	_ "modernc.org/sqlite" // the driver "sqlite"

	"github.com/automaton-auditor/automaton/internal/court"
)

// FileName is the name of a cohort's database in its folder.
const FileName = "automaton.db"

// Errors that callers tell from others.
var (
	ErrBusy     = errors.New("another process works on this cohort")
	ErrNetwork  = errors.New("the folder lies on a network file system, where SQLite's locks do not hold")
	ErrPassword = errors.New("the address of the database has a password in it")
	ErrNewer    = errors.New("the database was made by a newer version of this program")
	ErrOlder    = errors.New("the database was made by an older version of this program, and another process works on it")
)

// Docket is an open database. It is safe for concurrent use.
type Docket struct {
	write, read *sql.DB
	path        string       // of the file; empty: a server has the tables
	lock        *flock.Flock // nil: other processes may use it, too
	now         func() time.Time
	ruling      func(*court.Record) (*court.Record, error)
}

//go:embed migrations/*.sql
var migrations embed.FS

// Setup is what a database is opened with.
type Setup struct {
	Now func() time.Time
	// Ruling has the chief justice rule on a record again in which people decided: its verdict and its gate are made anew in a
	// copy.
	Ruling func(*court.Record) (*court.Record, error)
	// Beside leaves a folder to other processes: one may judge the cohort, while others read and decide.
	Beside bool
}

// Open opens the database at a place, and makes or migrates it as needed: a folder, in which SQLite has a file, or the
// URL of a Postgres server. A folder is locked against other processes until Close, unless it is opened beside them; then
// it must be there. The error wraps ErrBusy, ErrNetwork, ErrPassword, ErrNewer, ErrOlder or fs.ErrNotExist where they apply.
func Open(ctx context.Context, place string, s Setup) (*Docket, error) {
	d := &Docket{now: s.Now, ruling: s.Ruling}
	var err error
	if isURL(place) {
		err = d.openServer(ctx, place)
	} else {
		err = d.openFile(ctx, place, s.Beside)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("opening the store: %w", err), d.Close())
	}
	return d, nil
}

// Shared tells whether other processes may work on the same cohorts.
func (d *Docket) Shared() bool { return d.lock == nil }

// OnServer tells whether the database is one that other machines reach.
func (d *Docket) OnServer() bool { return d.path == "" }

func isURL(place string) bool {
	return strings.HasPrefix(place, "postgres://") || strings.HasPrefix(place, "postgresql://")
}

func (d *Docket) openFile(ctx context.Context, folder string, beside bool) error {
	abs, err := filepath.Abs(folder)
	if err != nil {
		return err
	}
	if onNetwork(abs) {
		return ErrNetwork
	}
	path := filepath.Join(abs, FileName)
	if info, err := os.Lstat(path); err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("%q is not a regular file", FileName)
	} else if err != nil && (beside || !errors.Is(err, fs.ErrNotExist)) {
		return err
	}
	d.path = path
	if !beside {
		if d.lock, err = locked(path); err != nil {
			return err
		}
	}
	if f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600); err != nil { // SQLite would make it readable to all
		return err
	} else if err := f.Close(); err != nil {
		return err
	}
	const settings = "?_pragma=busy_timeout(10000)&_pragma=journal_mode(WAL)&_pragma=synchronous(FULL)"
	at := (&url.URL{Scheme: "file", Path: path}).String() + settings
	if d.write, err = sql.Open("sqlite", at+"&_txlock=immediate"); err != nil {
		return err
	}
	d.write.SetMaxOpenConns(1)
	if d.read, err = sql.Open("sqlite", at+"&_pragma=query_only(1)"); err != nil {
		return err
	}
	d.read.SetMaxOpenConns(readers)
	return d.migrate(ctx, goose.DialectSQLite3, path)
}

// locked takes the lock of a file; ErrBusy when another process has it.
func locked(path string) (*flock.Flock, error) {
	l := flock.New(path+".lock", flock.SetPermissions(0o600))
	held, err := l.TryLock()
	switch {
	case err != nil:
		return nil, err
	case !held:
		return nil, ErrBusy
	}
	return l, nil
}

// Hold keeps other processes from working on the cohorts of a folder until let is called, for who opened the database beside them;
// ErrBusy when one works there. A server needs no hold.
func (d *Docket) Hold() (let func() error, err error) {
	if d.path == "" {
		return func() error { return nil }, nil
	}
	l, err := locked(d.path)
	if err != nil {
		return nil, err
	}
	return l.Unlock, nil
}

// readers is how many may read an SQLite file at once.
const readers = 4

// statementTime is what one statement may take on a server.
const statementTime = "30000" // ms

func (d *Docket) openServer(ctx context.Context, place string) error {
	u, err := url.Parse(place)
	if err != nil {
		return errors.New("the address of the database is not a URL") // the parser's error would repeat a password
	}
	if _, ok := u.User.Password(); ok || u.Query().Has("password") {
		return ErrPassword
	}
	q := u.Query()
	q.Set("statement_timeout", statementTime)
	q.Set("search_path", "automaton")
	u.RawQuery = q.Encode()
	if d.write, err = sql.Open("pgx", u.String()); err != nil {
		return err
	}
	d.read = d.write
	const schema = `create schema if not exists automaton`
	if _, err := d.write.ExecContext(ctx, schema); err != nil { // of two processes that make it at once, one is told that it is there
		if _, err := d.write.ExecContext(ctx, schema); err != nil {
			return err
		}
	}
	return d.migrate(ctx, goose.DialectPostgres, "")
}

// migrate brings the tables to this program's version. On a server one process does it at a time, and of a file who has its
// lock.
func (d *Docket) migrate(ctx context.Context, dialect goose.Dialect, path string) (err error) {
	files, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return err
	}
	options := []goose.ProviderOption{goose.WithDisableGlobalRegistry(true)}
	if dialect == goose.DialectPostgres {
		locker, err := lock.NewPostgresSessionLocker()
		if err != nil {
			return err
		}
		options = append(options, goose.WithSessionLocker(locker))
	}
	p, err := goose.NewProvider(dialect, d.write, files, options...)
	if err != nil {
		return fmt.Errorf("reading migrations: %w", err)
	}
	has, newest, err := p.GetVersions(ctx)
	switch {
	case err != nil:
		return fmt.Errorf("reading the version of the tables: %w", err)
	case has > newest:
		return ErrNewer
	case has == newest:
		return nil
	}
	if path != "" && d.lock == nil {
		l, err := locked(path)
		if errors.Is(err, ErrBusy) {
			return ErrOlder
		} else if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, l.Unlock()) }()
	}
	if path != "" && has > 0 {
		if err := d.keepBefore(ctx, fmt.Sprintf("%s.before-%d", path, newest)); err != nil {
			return fmt.Errorf("keeping the tables as they were: %w", err)
		}
	}
	if _, err := p.Up(ctx); err != nil {
		return fmt.Errorf("migrating the tables: %w", err)
	}
	return nil
}

// keepBefore writes the database as it is into a file, unless that is there from an attempt before.
func (d *Docket) keepBefore(ctx context.Context, path string) error {
	if _, err := os.Lstat(path); err == nil || !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	part := path + ".part"
	if err := os.WriteFile(part, nil, 0o600); err != nil { // SQLite would make it readable to all
		return err
	}
	if _, err := d.write.ExecContext(ctx, `vacuum into $1`, part); err != nil {
		return errors.Join(err, os.Remove(part))
	}
	return os.Rename(part, path)
}

// Close gives the database back.
func (d *Docket) Close() error {
	var errs []error
	if d.read != nil && d.read != d.write {
		errs = append(errs, d.read.Close())
	}
	if d.write != nil {
		errs = append(errs, d.write.Close())
	}
	if d.lock != nil {
		errs = append(errs, d.lock.Unlock())
	}
	return errors.Join(errs...)
}

// within runs f in one transaction, which is undone when f fails. While the server is away it is tried again.
func (d *Docket) within(ctx context.Context, f func(*sql.Tx) error) error {
	return d.patiently(ctx, func() error { return d.once(ctx, f) })
}

func (d *Docket) once(ctx context.Context, f func(*sql.Tx) error) error {
	tx, err := d.write.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	if err := f(tx); err != nil {
		return errors.Join(err, tx.Rollback())
	}
	return tx.Commit()
}

// stamp is a time as the tables hold it: UTC, in milliseconds; 0: none.
func stamp(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMilli()
}

func moment(ms int64) time.Time {
	if ms == 0 {
		return time.Time{}
	}
	return time.UnixMilli(ms).UTC()
}
