package repo

import (
	"bufio"
	"cmp"
	"context"
	"crypto/tls"
	"encoding/base64"
	"encoding/pem"
	"io"
	"net"
	"net/http"
	"net/http/cgi"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/automaton-auditor/automaton/internal/attack"
	"github.com/automaton-auditor/automaton/internal/sandbox"
)

// host is a git server over TLS that our proxy reaches through an upstream proxy, as it would from behind a firewall.
// It answers for example.com, which is in the certificate of httptest.
type host struct {
	box    *sandbox.Box
	dir    string
	mu     sync.Mutex
	auth   []string // Authorization headers seen
	secret string   // the header that it wants, "" for none
}

const hostName = "example.com"

func serve(t *testing.T, extra http.Handler) *host {
	t.Helper()
	return serveTo(t, extra, sandbox.Options{Limits: sandbox.Limits{Download: 4 << 20}})
}

// serveTo is serve for a box with options of its own.
func serveTo(t *testing.T, extra http.Handler, o sandbox.Options) *host {
	t.Helper()
	execPath, err := exec.Command("git", "--exec-path").Output()
	if err != nil {
		t.Fatal(err)
	}
	h := &host{dir: t.TempDir()}
	backend := &cgi.Handler{
		Path: filepath.Join(strings.TrimSpace(string(execPath)), "git-http-backend"),
		Env: []string{
			"GIT_PROJECT_ROOT=" + h.dir, "GIT_HTTP_EXPORT_ALL=1", "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_COUNT=2",
			"GIT_CONFIG_KEY_0=safe.directory", "GIT_CONFIG_VALUE_0=*", "GIT_CONFIG_KEY_1=uploadpack.allowAnySHA1InWant", "GIT_CONFIG_VALUE_1=true",
		},
		InheritEnv: []string{"PATH"},
		Stderr:     io.Discard,
	}
	mux := http.NewServeMux()
	mux.Handle("/git/", http.StripPrefix("/git", backend))
	if extra != nil {
		mux.Handle("/extra/", extra)
	}
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h.mu.Lock()
		h.auth = append(h.auth, r.Header.Get("Authorization"))
		want := h.secret
		h.mu.Unlock()
		if want != "" && r.Header.Get("Authorization") != want {
			_, _ = io.Copy(io.Discard, r.Body)
			w.Header().Set("WWW-Authenticate", "Basic realm=\"\x1b[31mgive it\"")
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		mux.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	ca := filepath.Join(t.TempDir(), "ca.pem")
	block := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
	if err := os.WriteFile(ca, block, 0o600); err != nil {
		t.Fatal(err)
	}
	o.AllowHosts, o.CAFile, o.Upstream = []string{hostName}, ca, upstream(t, server.Listener.Addr().String())
	if h.box, err = sandbox.Open(o); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := h.box.Close(); err != nil {
			t.Error(err)
		}
	})
	return h
}

// upstream is an operator's proxy that leads to the server.
func upstream(t *testing.T, server string) *url.URL {
	t.Helper()
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer c.Close()
				in := bufio.NewReader(c)
				if _, err := http.ReadRequest(in); err != nil {
					return
				}
				remote, err := net.Dial("tcp", server)
				if err != nil {
					return
				}
				defer remote.Close()
				_, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\n\r\n")
				go func() { _, _ = io.Copy(remote, in); remote.Close() }()
				_, _ = io.Copy(c, remote)
			}()
		}
	}()
	return &url.URL{Scheme: "http", Host: l.Addr().String()}
}

func (h *host) open(t *testing.T, path string, o Options) (*Repo, error) {
	t.Helper()
	target, err := ParseTarget("https://"+hostName+path, TargetOptions{AllowHosts: []string{hostName}})
	if err != nil {
		t.Fatal(err)
	}
	return Open(context.Background(), h.box, target, o)
}

func TestClone(t *testing.T) {
	m := make1(t, map[string]string{"a.py": "x = 1\n"})
	first := m.git("rev-parse", "HEAD")
	m.git("tag", "v1")
	m.git("checkout", "-q", "-b", "feature/x")
	onBranch := m.commit("branch", map[string]string{"b.py": "y = 1\n"})
	hidden := m.commit("hidden", map[string]string{"c.py": "z = 1\n"})
	m.git("update-ref", "refs/pull/7/head", hidden)
	m.git("reset", "-q", "--hard", onBranch)
	m.git("checkout", "-q", "main")
	head := m.commit("two", map[string]string{"a.py": "x = 2\n"})
	h := serve(t, nil)
	m.git("clone", "-q", "--mirror", ".", filepath.Join(h.dir, "r.git"))
	cases := map[string]string{
		"": head, "main": head, "v1": first, "feature/x": onBranch, first: first, first[:9]: first, onBranch: onBranch, hidden: hidden, "refs/pull/7/head": hidden,
	}
	for rev, want := range cases {
		r, err := h.open(t, "/git/r.git", Options{Revision: rev})
		if err != nil {
			t.Errorf("%q: %v", rev, err)
			continue
		}
		if r.Commit() != want || r.Slug() != "git/r" || r.URL() != "https://"+hostName+"/git/r" {
			t.Errorf("%q: commit %s, slug %s, url %s", rev, r.Commit(), r.Slug(), r.URL())
		}
		if b, err := r.Blob(context.Background(), "a.py"); err != nil || !strings.HasPrefix(string(b), "x = ") {
			t.Errorf("%q: %q, %v", rev, b, err)
		}
		if got := mustHistory(t, r); !got.Complete() || got.Commits[0].ID != first {
			t.Errorf("%q: history %+v", rev, got)
		}
	}
	for _, rev := range []string{"nope", "refs/heads/nope", strings.Repeat("e", 40)} {
		_, err := h.open(t, "/git/r.git", Options{Revision: rev})
		wantCode(t, err, "ref_missing")
	}
	if log := h.box.Report().Egress; !slices.Equal(log, []string{"ALLOW " + hostName + ":443 upstream"}) {
		t.Errorf("egress %q", log)
	}
}

func TestCloneWithToken(t *testing.T) {
	m := make1(t, map[string]string{"a.py": "x = 1\n"})
	h := serve(t, nil)
	m.git("clone", "-q", "--bare", ".", filepath.Join(h.dir, "r.git"))
	const token = "t0ken-of-ours"
	h.secret = "Basic " + base64.StdEncoding.EncodeToString([]byte("x-access-token:"+token))
	if _, err := h.open(t, "/git/r.git", Options{}); err == nil || !strings.Contains(err.Error(), "not found, or private") {
		t.Errorf("without token: %v", err)
	}
	asked := ""
	r, err := h.open(t, "/git/r.git", Options{Token: func(host string) string { asked = host; return token }})
	if err != nil || len(r.Tree()) != 1 || asked != hostName {
		t.Errorf("with token for %q: %v", asked, err)
	}
	_, err = h.open(t, "/git/none.git", Options{Token: func(string) string { return "wrong-" + token }})
	if err == nil || strings.Contains(err.Error(), token) || strings.ContainsRune(err.Error(), 0x1b) {
		t.Errorf("wrong token: %v", err)
	}
}

// What the helper of git that unpacks says is told, and not that it failed.
func TestDamageIsNamed(t *testing.T) {
	for name, want := range map[string]string{"dotgit-tree": "fullPathname", "missing-blob": "stopped in the middle"} {
		for _, a := range attack.Repositories() {
			if a.Name != name {
				continue
			}
			dir := filepath.Join(shared(t), "target")
			if err := cmp.Or(os.Mkdir(dir, 0o755), a.Build(dir, "")); err != nil {
				t.Fatal(err)
			}
			h := serve(t, nil)
			offer(t, h, dir)
			if _, err := h.open(t, "/git/r.git", Options{}); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: error is %v, want %s", name, err, want)
			}
		}
	}
}

func TestEmptyClone(t *testing.T) {
	h := serve(t, nil)
	makeEmpty(t).git("init", "-q", "--bare", filepath.Join(h.dir, "r.git"))
	_, err := h.open(t, "/git/r.git", Options{})
	wantCode(t, err, "git_empty")
}

// A page that is no git, and a server that says no in its own words.
func TestOddServers(t *testing.T) {
	extra := http.NewServeMux()
	extra.HandleFunc("/extra/html/", func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "<html>\x1b[31mlogin</html>") })
	extra.HandleFunc("/extra/err/", func(w http.ResponseWriter, _ *http.Request) {
		advertise(w, "0024ERR \x1b[2J\x1b]0;pwned\x07 type it\n\n\n")
	})
	h := serve(t, extra)
	for name, code := range map[string]string{"html": "git_empty", "err": byGit} {
		_, err := h.open(t, "/extra/"+name+"/r", Options{})
		refused(t, err, code)
	}
}

// A certificate that nobody vouches for ends it.
func TestUnknownCertificate(t *testing.T) {
	server := httptest.NewUnstartedServer(http.NotFoundHandler())
	server.TLS = &tls.Config{MinVersion: tls.VersionTLS12}
	server.StartTLS()
	t.Cleanup(server.Close)
	box, err := sandbox.Open(sandbox.Options{AllowHosts: []string{hostName}, Upstream: upstream(t, server.Listener.Addr().String())})
	if err != nil {
		t.Fatal(err)
	}
	defer box.Close()
	h := &host{box: box}
	if _, err := h.open(t, "/git/r.git", Options{}); err == nil || !strings.Contains(err.Error(), "certificate") {
		t.Errorf("error is %v", err)
	}
}
