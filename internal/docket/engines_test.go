package docket

import (
	"context"
	"database/sql"
	"fmt"
	"net"
	"net/url"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// server is the URL of a Postgres that this test started; empty: none is installed.
var server string

func TestMain(m *testing.M) {
	stop := startServer()
	code := m.Run()
	stop()
	os.Exit(code)
}

// startServer starts the machine's Postgres on a folder of its own. What keeps it from that is said by the tests that
// would use it.
func startServer() (stop func()) {
	nothing := func() {}
	bins, _ := filepath.Glob("/usr/lib/postgresql/*/bin")
	if len(bins) == 0 {
		return nothing
	}
	bin := bins[len(bins)-1]
	dir, err := os.MkdirTemp("", "docket")
	if err != nil {
		return nothing
	}
	stop = func() { _ = os.RemoveAll(dir) }
	attr := &syscall.SysProcAttr{Setpgid: true}
	if os.Getuid() == 0 { // Postgres refuses to run as root
		who, err := user.Lookup("postgres")
		if err != nil {
			return stop
		}
		uid, _ := strconv.Atoi(who.Uid)
		gid, _ := strconv.Atoi(who.Gid)
		attr.Credential = &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
		if os.Chown(dir, uid, gid) != nil {
			return stop
		}
	}
	run := func(name string, args ...string) *exec.Cmd {
		c := exec.Command(filepath.Join(bin, name), args...)
		c.Dir, c.SysProcAttr, c.Env = dir, attr, append(os.Environ(), "LC_ALL=C")
		return c
	}
	if run("initdb", "-D", dir+"/data", "-U", "automaton", "--auth=trust", "--no-sync").Run() != nil {
		return stop
	}
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return stop
	}
	port := free.Addr().(*net.TCPAddr).Port
	_ = free.Close()
	ctl := func(what string) error {
		return run("pg_ctl", "-D", dir+"/data", "-w", "-l", dir+"/log", "-m", "immediate",
			"-o", fmt.Sprintf("-h 127.0.0.1 -p %d -k %s -F", port, dir), what).Run()
	}
	if ctl("start") != nil {
		return stop
	}
	server = (&url.URL{Scheme: "postgres", User: url.User("automaton"), Host: fmt.Sprintf("127.0.0.1:%d", port), Path: "postgres", RawQuery: "sslmode=disable"}).String()
	return func() { _ = ctl("stop"); _ = os.RemoveAll(dir) }
}

// clock is moved by the tests.
type clock struct{ ms atomic.Int64 }

func newClock() *clock                { c := &clock{}; c.ms.Store(1_790_000_000_000); return c }
func (c *clock) now() time.Time       { return time.UnixMilli(c.ms.Load()) }
func (c *clock) pass(d time.Duration) { c.ms.Add(d.Milliseconds()) }

// databases counts those that tests made on the server.
var databases atomic.Int64

// onBoth runs a test on an empty database of each engine.
func onBoth(t *testing.T, f func(t *testing.T, d *Docket, c *clock)) {
	t.Helper()
	t.Run("sqlite", func(t *testing.T) {
		c := newClock()
		f(t, opened(t, t.TempDir(), c), c)
	})
	t.Run("postgres", func(t *testing.T) {
		c := newClock()
		f(t, opened(t, emptyServer(t), c), c)
	})
}

// emptyServer is the URL of a new database on the server.
func emptyServer(t *testing.T) string {
	t.Helper()
	if server == "" {
		t.Skip("no Postgres is installed here that could be started")
	}
	db, err := sql.Open("pgx", server)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	name := fmt.Sprintf("test%d", databases.Add(1))
	if _, err := db.Exec("create database " + name); err != nil {
		t.Fatal(err)
	}
	u, _ := url.Parse(server)
	u.Path = name
	return u.String()
}

func opened(t *testing.T, place string, c *clock) *Docket {
	t.Helper()
	d, err := Open(context.Background(), place, Setup{Now: c.now, Ruling: again})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	})
	return d
}
