// The test of many machines, as one command: make fleet. A real server of Temporal, a real Postgres, two workers as processes and
// a cohort of made repositories; then each of them is killed in turn, and what came of it must be what one process alone gives.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// serverVariable makes this program a server of Temporal: its value is the port and the file of the database.
const serverVariable = "FLEET_SERVER"

func TestMain(m *testing.M) {
	if at := os.Getenv(serverVariable); at != "" {
		port, file, _ := strings.Cut(at, ":")
		n, err := strconv.Atoi(port)
		if err == nil {
			err = run(n, file, "default")
		}
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// number is what a variable asks for.
func number(variable string, otherwise int) int {
	if n, err := strconv.Atoi(os.Getenv(variable)); err == nil && n > 0 {
		return n
	}
	return otherwise
}

// cases is how many submissions the cohort has.
func cases() int { return number("FLEET_CASES", 40) }

// ground is what all rounds stand on.
type ground struct {
	t         *testing.T
	automaton string
	dir       string
	port      int // of the server; its further ones follow
	pg        *postgres
	roster    string
	want      map[string]string // digests of one process alone, by folder
	code      int               // its exit code
	sequence  int
	models    *models // that judge; nil: the built-in judges do
}

// newGround makes the submissions and has one process judge them alone.
func newGround(t *testing.T, withModels bool) *ground {
	t.Helper()
	self := os.Getenv("AUTOMATON")
	if self == "" {
		t.Skip("AUTOMATON names no program; make fleet does")
	}
	dir, err := os.MkdirTemp("", "fleet")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	if err := os.Chmod(dir, 0o755); err != nil { // Postgres runs as somebody else
		t.Fatal(err)
	}
	g := &ground{t: t, automaton: self, dir: dir, port: freePorts(t)}
	g.pg = startPostgres(t, filepath.Join(dir, "pg"))
	g.roster = makeRoster(t, filepath.Join(dir, "submissions"), cases())
	if withModels {
		g.models = startModels(t, dir)
	}
	load := loadAverage(t)
	began := time.Now()
	alone := g.command(g.judged("batch", g.roster, "--out", filepath.Join(dir, "alone"), "--progress", "none")...)
	alone.Stdout = nil
	g.code = codeOf(alone.Run())
	if g.want = digests(t, filepath.Join(dir, "alone")); len(g.want) < cases()-1 { // one cannot be opened
		t.Fatalf("one process alone judged %d of %d, exit %d", len(g.want), cases(), g.code)
	}
	t.Logf("in process: %d cases in %.1f s, exit %d; load %s to %s", len(g.want), time.Since(began).Seconds(), g.code, load, loadAverage(t))
	return g
}

// loadAverage is how many processes of this machine wanted a processor in the last minute.
func loadAverage(t *testing.T) string {
	t.Helper()
	raw, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		t.Fatal(err)
	}
	load, _, _ := strings.Cut(string(raw), " ")
	return load
}

// judged is a command with who judges.
func (g *ground) judged(args ...string) []string {
	if g.models == nil {
		return args
	}
	return append(args, "--config", g.models.config, "--bench", "local", "--budget-tokens", budget)
}

func (g *ground) command(args ...string) *exec.Cmd {
	c := exec.Command(g.automaton, args...)
	c.Dir = g.dir
	c.Env = append(os.Environ(), "HOME="+filepath.Join(g.dir, "home"), "SOURCE_DATE_EPOCH=1790000000", fmt.Sprintf("TEMPORAL_ADDRESS=127.0.0.1:%d", g.port),
		"GITHUB_TOKEN="+secret, "TMPDIR="+g.temp(), "AUTOMATON_CACHE="+filepath.Join(g.dir, "cache"))
	c.Stderr = os.Stderr
	return c
}

// secret is a token that must be nowhere but in the environment.
const secret = "ghp_0123456789abcdefghijABCDEFGHIJ012345"

// temp is where the programs put what is of one run.
func (g *ground) temp() string {
	dir := filepath.Join(g.dir, "tmp")
	if err := os.MkdirAll(dir, 0o777); err != nil {
		g.t.Fatal(err)
	}
	return dir
}

func codeOf(err error) int {
	if err == nil {
		return 0
	}
	if e, ok := err.(*exec.ExitError); ok {
		return e.ExitCode()
	}
	return -1
}

// digests are those of the records in a cohort's folder.
func digests(t *testing.T, cohort string) map[string]string {
	t.Helper()
	out := map[string]string{}
	list, err := filepath.Glob(filepath.Join(cohort, "cases", "*", "record.json"))
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range list {
		raw, err := os.ReadFile(p)
		var rec struct{ Digest string }
		if err == nil {
			err = json.Unmarshal(raw, &rec)
		}
		if err != nil {
			t.Fatal(err)
		}
		out[filepath.Base(filepath.Dir(p))] = rec.Digest
	}
	return out
}

// round is one cohort from its beginning to its end, with something that goes wrong.
type round struct {
	*ground
	t       *testing.T
	db      string
	server  *exec.Cmd
	file    string // of the server's database
	workers []*exec.Cmd
	cohort  string
	batch   *exec.Cmd
	told    *watcher
	asked   int    // questions before it began
	kills   []know // what was known when something was killed
}

func (g *ground) round(t *testing.T, workers int) *round {
	t.Helper()
	g.sequence++
	r := &round{ground: g, t: t, db: g.pg.database(t, fmt.Sprintf("round%d", g.sequence)), file: filepath.Join(g.dir, fmt.Sprintf("temporal%d.db", g.sequence)),
		cohort: filepath.Join(g.dir, fmt.Sprintf("cohort%d", g.sequence))}
	t.Cleanup(r.end)
	if g.models != nil {
		r.asked = len(g.models.questions())
	}
	r.serve()
	for range workers {
		r.work()
	}
	r.working(workers)
	return r
}

// working waits until so many workers have the database and work: one that is started while Postgres dies ends, and is its operator's to
// start again.
func (r *round) working(n int) {
	r.t.Helper()
	await(r.t, fmt.Sprintf("%d workers to come", n), func() bool {
		list, _ := filepath.Glob(filepath.Join(r.temp(), "automaton-worker-*"))
		return len(list) == n
	})
}

// serve starts the server, and waits until it answers.
func (r *round) serve() {
	r.t.Helper()
	r.server = exec.Command(os.Args[0])
	r.server.Env = append(os.Environ(), fmt.Sprintf("%s=%d:%s", serverVariable, r.port, r.file))
	r.server.Stderr = os.Stderr
	if err := r.server.Start(); err != nil {
		r.t.Fatal(err)
	}
	await(r.t, "the server to answer", func() bool {
		c, err := net.Dial("tcp", fmt.Sprintf("127.0.0.1:%d", r.port))
		if err == nil {
			_ = c.Close()
		}
		return err == nil && describes(r.port)
	})
}

func (r *round) work() {
	r.t.Helper()
	args := []string{"worker", "--store", r.db, "--jobs", "2", "--drain", "1s"}
	if r.models != nil {
		args = append(args, "--config", r.models.config)
	}
	w := r.command(args...)
	if r.models != nil { // as on a machine of its own: what another worker was answered is only in the journal
		r.sequence++
		w.Env = append(w.Env, "AUTOMATON_CACHE="+filepath.Join(r.dir, fmt.Sprintf("cache%d", r.sequence)))
	}
	if err := w.Start(); err != nil {
		r.t.Fatal(err)
	}
	r.workers = append(r.workers, w)
}

// begin hands the cohort out.
func (r *round) begin() {
	r.t.Helper()
	r.batch = r.command(r.judged("batch", r.roster, "--out", r.cohort, "--store", r.db, "--crew", "temporal", "--progress", "plain")...)
	r.told = &watcher{}
	r.batch.Stderr = r.told
	if err := r.batch.Start(); err != nil {
		r.t.Fatal(err)
	}
}

// watcher counts the cases that a batch says have ended.
type watcher struct {
	mu    sync.Mutex
	lines bytes.Buffer
}

func (w *watcher) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.lines.Write(p)
}

func (w *watcher) String() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.lines.String()
}

var counted = regexp.MustCompile(`\(\d+ of \d+`)

func (w *watcher) ended() int { return len(counted.FindAllString(w.String(), -1)) }

// after waits until so many cases have ended.
func (r *round) after(n int) {
	r.t.Helper()
	defer func() {
		if r.t.Failed() {
			r.t.Log(r.told)
		}
	}()
	await(r.t, fmt.Sprintf("%d cases to end", n), func() bool { return r.told.ended() >= n })
}

// patience is how long anything may take.
const patience = 5 * time.Minute

func await(t *testing.T, what string, is func() bool) {
	t.Helper()
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(200 * time.Millisecond) {
		if is() {
			return
		}
	}
	t.Fatalf("waited in vain for %s", what)
}

// finish waits for the batch and checks all that must hold whatever went wrong.
func (r *round) finish() {
	t := r.t
	t.Helper()
	if code := codeOf(r.batch.Wait()); code != r.code {
		t.Errorf("exit %d, alone %d:\n%s", code, r.code, r.told)
	}
	got := digests(t, r.cohort)
	for _, name := range slices.Sorted(maps.Keys(r.want)) {
		if got[name] != r.want[name] {
			t.Errorf("%s: digest %.12s, alone %.12s", name, got[name], r.want[name])
		}
	}
	if open := r.ask(`select count(*) from automaton.submission where state in ('pending', 'fetching', 'hearing')`); open != "0" {
		t.Errorf("%s submissions are open", open)
	}
	if runs := r.ask(`select count(*) from (select submission from automaton.run where state in ('done', 'partial') group by submission having count(*) > 1) x`); runs != "0" {
		t.Errorf("%s submissions have two runs", runs)
	}
	r.histories()
	r.stopWorkers()
	if r.models != nil {
		r.questions()
	}
	r.leftovers()
}

func (r *round) stopWorkers() {
	for _, w := range r.workers {
		_ = w.Process.Signal(syscall.SIGTERM)
	}
	for _, w := range r.workers {
		if code := codeOf(w.Wait()); code != 0 && code != -1 { // -1: it was killed
			r.t.Errorf("a worker ended with %d", code)
		}
	}
	r.workers = nil
}

// leftovers are processes and folders of runs that are over. What was killed is tidied up by who comes next.
func (r *round) leftovers() {
	r.t.Helper()
	r.work()
	w := r.workers[0]
	r.working(1)
	next := r.command("audit", filepath.Join(filepath.Dir(r.roster), "team0"), "--out", filepath.Join(r.dir, "next"), "--progress", "none")
	_ = next.Run()
	_ = w.Process.Signal(syscall.SIGTERM)
	_ = w.Wait()
	r.workers = nil
	await(r.t, "all processes to end", func() bool { return len(processes(r.automaton)) == 0 })
	left, err := filepath.Glob(filepath.Join(r.temp(), "*"))
	if err != nil || len(left) > 0 {
		r.t.Errorf("left behind: %v %v", left, err)
	}
}

// processes are the ids of those that run a program.
func processes(program string) (list []string) {
	exes, _ := filepath.Glob("/proc/[0-9]*/exe")
	for _, exe := range exes {
		if to, err := os.Readlink(exe); err == nil && to == program {
			list = append(list, filepath.Base(filepath.Dir(exe)))
		}
	}
	return list
}

// ask gives what one query gives.
func (r *round) ask(query string) string {
	r.t.Helper()
	out, err := exec.Command("psql", "-X", "-A", "-t", "-d", r.db, "-c", query).CombinedOutput()
	if err != nil {
		r.t.Fatal(err, string(out))
	}
	return strings.TrimSpace(string(out))
}

// end stops what still runs.
func (r *round) end() {
	for _, c := range append(slices.Clone(r.workers), r.batch, r.server) {
		if c != nil && c.Process != nil && c.ProcessState == nil {
			_ = c.Process.Kill()
			_ = c.Wait()
		}
	}
}

// kill ends a process without a warning.
func kill(t *testing.T, c *exec.Cmd) {
	t.Helper()
	if err := c.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = c.Wait() // it was killed
}

// disturbance is something that goes wrong while a cohort is judged.
type disturbance struct {
	name string
	do   func(r *round)
}

func killWorker(r *round) { kill(r.t, r.workers[0]); r.workers = r.workers[1:] }
func killServer(r *round) { kill(r.t, r.server); r.serve() }
func killPostgres(r *round) {
	r.pg.crash(r.t)
	r.pg.start(r.t)
}

// each kills one thing after the other.
func each() []disturbance {
	half := cases() / 3
	return []disturbance{
		{"undisturbed", func(*round) {}},
		{"a worker killed", func(r *round) { r.after(half); killWorker(r) }},
		{"both workers killed", func(r *round) { r.after(half); killWorker(r); killWorker(r); r.work() }},
		{"the server killed", func(r *round) { r.after(half); killServer(r) }},
		{"the postmaster killed", func(r *round) { r.after(half); killPostgres(r) }},
		{"batch killed", func(r *round) { r.after(half); kill(r.t, r.batch); r.begin() }},
		{"a worker told to stop", func(r *round) {
			r.after(half)
			if err := r.workers[0].Process.Signal(syscall.SIGTERM); err != nil {
				r.t.Fatal(err)
			}
			if code := codeOf(r.workers[0].Wait()); code != 0 {
				r.t.Errorf("it ended with %d", code)
			}
			r.workers = r.workers[1:]
		}},
	}
}

// atRandom kills a worker, the server and Postgres, each at a time of its own, in so many rounds. The times are numbers of cases that
// have ended and a rest of up to two seconds, so that a round can be had again on a machine of another pace.
func atRandom(t *testing.T, rounds int) (list []disturbance) {
	t.Helper()
	seed := uint64(number("FLEET_SEED", int(time.Now().Unix())))
	t.Logf("FLEET_SEED=%d has the same kills again", seed)
	chance := rand.New(rand.NewPCG(seed, 0))
	for n := range rounds {
		victims := []disturbance{{"a worker", killWorker}, {"the server", killServer}, {"Postgres", killPostgres}}
		chance.Shuffle(len(victims), func(i, j int) { victims[i], victims[j] = victims[j], victims[i] })
		var ended []int
		var rests []time.Duration
		for range victims {
			ended = append(ended, chance.IntN(max(cases()*4/5, 1)))
			rests = append(rests, time.Duration(chance.IntN(2000))*time.Millisecond)
		}
		slices.Sort(ended)
		list = append(list, disturbance{fmt.Sprintf("round %d", n+1), func(r *round) {
			for i, v := range victims {
				r.after(ended[i])
				time.Sleep(rests[i])
				r.answered()
				r.t.Logf("%s killed after %d of %d cases and %v", v.name, r.told.ended(), cases(), rests[i])
				v.do(r)
			}
		}})
	}
	return list
}

// disturbed judges the cohort once for each disturbance, with two workers.
func (g *ground) disturbed(t *testing.T, list []disturbance) {
	for _, x := range list {
		t.Run(x.name, func(t *testing.T) {
			load := loadAverage(t)
			r := g.round(t, 2)
			began := time.Now()
			r.begin()
			x.do(r)
			r.finish()
			t.Logf("%d cases in %.1f s; load %s to %s", cases(), time.Since(began).Seconds(), load, loadAverage(t))
			if x.name == "undisturbed" {
				r.measure()
			}
		})
	}
}

// FLEET_ROUNDS asks for rounds at random times, in place of one after the other; FLEET_CALM for one round in which nothing is killed.
func TestFleet(t *testing.T) {
	g := newGround(t, false)
	switch rounds := number("FLEET_ROUNDS", 0); {
	case os.Getenv("FLEET_CALM") != "":
		g.disturbed(t, each()[:1])
		return
	case rounds > 0:
		g.disturbed(t, atRandom(t, rounds))
	default:
		g.disturbed(t, each())
	}
	for _, n := range []int{1, 8} {
		t.Run(fmt.Sprintf("%d workers", n), func(t *testing.T) {
			r := g.round(t, n)
			r.begin()
			r.finish()
		})
	}
}

// TestModels has models judge: after every kill, no question is asked again whose answer was in the journal.
func TestModels(t *testing.T) {
	g := newGround(t, true)
	g.disturbed(t, append(each()[:1], atRandom(t, number("FLEET_ROUNDS", 1))...))
}

// measure says what a case costs the databases.
func (r *round) measure() {
	info, err := os.Stat(r.file)
	if err != nil {
		r.t.Fatal(err)
	}
	r.t.Logf("the server's database: %d bytes a case; the cohort's: %s bytes a case; %d bytes of history a case", info.Size()/int64(cases()),
		r.ask(fmt.Sprintf("select pg_database_size(current_database()) / %d", cases())), r.historyBytes()/cases())
}

// postgres is a cluster of our own.
type postgres struct {
	dir, bin string
	port     int
	attr     *syscall.SysProcAttr
	process  *exec.Cmd
}

func startPostgres(t *testing.T, dir string) *postgres {
	t.Helper()
	bins, _ := filepath.Glob("/usr/lib/postgresql/*/bin")
	if len(bins) == 0 {
		t.Skip("no Postgres is installed")
	}
	p := &postgres{dir: dir, bin: bins[len(bins)-1], port: freePorts(t), attr: &syscall.SysProcAttr{}}
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if os.Getuid() == 0 { // it refuses to run as root
		who, err := user.Lookup("postgres")
		if err != nil {
			t.Skip("root may not run Postgres, and there is no user postgres")
		}
		uid, _ := strconv.Atoi(who.Uid)
		gid, _ := strconv.Atoi(who.Gid)
		p.attr.Credential = &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
		if err := os.Chown(dir, uid, gid); err != nil {
			t.Fatal(err)
		}
	}
	if out, err := p.command("initdb", "-D", dir+"/data", "-U", "automaton", "--auth=trust", "--no-sync").CombinedOutput(); err != nil {
		t.Fatal(err, string(out))
	}
	p.start(t)
	t.Cleanup(func() { p.crash(t) })
	return p
}

func (p *postgres) command(name string, args ...string) *exec.Cmd {
	c := exec.Command(filepath.Join(p.bin, name), args...)
	c.Dir, c.SysProcAttr, c.Env = p.dir, p.attr, append(os.Environ(), "LC_ALL=C")
	return c
}

// start starts the postmaster, and waits until it answers.
func (p *postgres) start(t *testing.T) {
	t.Helper()
	_ = os.Remove(filepath.Join(p.dir, "data", "postmaster.pid")) // of one that was killed
	p.process = p.command("postgres", "-D", p.dir+"/data", "-h", "127.0.0.1", "-p", strconv.Itoa(p.port), "-k", p.dir)
	if err := p.process.Start(); err != nil {
		t.Fatal(err)
	}
	await(t, "Postgres to answer", func() bool {
		return p.command("psql", "-X", "-d", p.url("postgres"), "-c", "select 1").Run() == nil
	})
}

// crash kills the postmaster; what it started ends by itself.
func (p *postgres) crash(t *testing.T) {
	t.Helper()
	kill(t, p.process)
	await(t, "the processes of Postgres to end", func() bool {
		mine := 0
		for _, id := range processes(filepath.Join(p.bin, "postgres")) {
			if raw, err := os.ReadFile(filepath.Join("/proc", id, "cwd")); err == nil && strings.HasPrefix(string(raw), p.dir) {
				mine++
			} else if to, err := os.Readlink(filepath.Join("/proc", id, "cwd")); err == nil && strings.HasPrefix(to, p.dir) {
				mine++
			}
		}
		return mine == 0
	})
}

func (p *postgres) url(name string) string {
	return fmt.Sprintf("postgres://automaton@127.0.0.1:%d/%s?sslmode=disable", p.port, name)
}

// database makes one.
func (p *postgres) database(t *testing.T, name string) string {
	t.Helper()
	if out, err := p.command("psql", "-X", "-d", p.url("postgres"), "-c", "create database "+name).CombinedOutput(); err != nil {
		t.Fatal(err, string(out))
	}
	return p.url(name)
}

// nextPort is where the next ports are looked for.
var nextPort = 20000 + os.Getpid()%10000

// freePorts is the first of four ports that nobody has.
func freePorts(t *testing.T) int {
	t.Helper()
	for ; nextPort < 60000; nextPort += 4 {
		free := true
		for n := range 4 {
			l, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", nextPort+n))
			if err != nil {
				free = false
				break
			}
			_ = l.Close()
		}
		if free {
			nextPort += 4
			return nextPort - 4
		}
	}
	t.Fatal("no four ports are free")
	return 0
}
