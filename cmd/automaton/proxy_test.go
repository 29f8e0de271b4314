package main

import (
	"bufio"
	"encoding/base64"
	"encoding/pem"
	"io"
	"maps"
	"net"
	"net/http"
	"net/http/cgi"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/automaton-auditor/automaton/internal/store"
)

// proxyHost is in the certificate of httptest.
const proxyHost = "example.com"

const proxyPassword = "pr0xy@pass word"

// gitServer serves the repository of a lab over TLS. It gives the server's address and a file with its certificate.
func gitServer(t *testing.T, l *lab) (address, ca string) {
	t.Helper()
	path, err := exec.Command("git", "--exec-path").Output()
	if err != nil {
		t.Fatal(err)
	}
	backend := &cgi.Handler{
		Path: filepath.Join(strings.TrimSpace(string(path)), "git-http-backend"), InheritEnv: []string{"PATH"}, Stderr: io.Discard,
		Env: []string{"GIT_PROJECT_ROOT=" + l.dir, "GIT_HTTP_EXPORT_ALL=1", "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_COUNT=1",
			"GIT_CONFIG_KEY_0=safe.directory", "GIT_CONFIG_VALUE_0=*"},
	}
	server := httptest.NewTLSServer(backend)
	t.Cleanup(server.Close)
	ca = filepath.Join(l.dir, "ca.pem")
	if err := os.WriteFile(ca, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw}), 0o600); err != nil {
		t.Fatal(err)
	}
	return server.Listener.Addr().String(), ca
}

// connectProxy is an operator's proxy. It wants a password, and leads to the server whatever it is asked for; it tells the
// last target and how often it was asked.
type connectProxy struct {
	address string
	asked   atomic.Int32
	target  atomic.Value
}

// newProxy gives every request the answer, "" to serve it.
func newProxy(t *testing.T, server, answer string) *connectProxy {
	t.Helper()
	listener, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	p := &connectProxy{address: listener.Addr().String()}
	go func() {
		for {
			c, err := listener.Accept()
			if err != nil {
				return
			}
			go p.serve(c, server, answer)
		}
	}()
	return p
}

func (p *connectProxy) serve(c net.Conn, server, answer string) {
	defer func() { _ = c.Close() }()
	in := bufio.NewReader(c)
	req, err := http.ReadRequest(in)
	if err != nil {
		return
	}
	p.asked.Add(1)
	p.target.Store(req.Method + " " + req.Host)
	if answer == "" && req.Header.Get("Proxy-Authorization") != "Basic "+base64.StdEncoding.EncodeToString([]byte("me:"+proxyPassword)) {
		answer = "HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic realm=\"\x1b[31m\"\r\n\r\n"
	}
	if answer != "" {
		_, _ = io.WriteString(c, answer)
		return
	}
	remote, err := net.Dial("tcp", server)
	if err != nil {
		return
	}
	defer func() { _ = remote.Close() }()
	_, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\n\r\n")
	go func() { _, _ = io.Copy(remote, in); _ = remote.Close() }()
	_, _ = io.Copy(c, remote)
}

// behindProxy runs an audit of the lab's repository by its address, with that proxy in the environment.
func behindProxy(t *testing.T, l *lab, ca, proxy string, env ...string) *attempt {
	t.Helper()
	was := l.env
	l.env = append(append(was[:len(was):len(was)], "SSL_CERT_FILE="+ca, "HTTPS_PROXY="+proxy, "NO_PROXY=other.example", "GITHUB_TOKEN="), env...)
	defer func() { l.env = was }()
	const repository = "work" // of every lab
	return l.run(t, "audit", "https://"+proxyHost+"/"+repository+"/.git", "--allow-host", proxyHost, "--pdf", "none", "--out", "out", "--progress", "plain", "--debug", "-f", "json")
}

// The operator's proxy is the way out, is asked by name, and is written down; its password is nowhere.
func TestProxyOfTheOperator(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the program many times")
	}
	l := newLab(t)
	server, ca := gitServer(t, l)
	p := newProxy(t, server, "")
	a := behindProxy(t, l, ca, "http://me:pr0xy%40pass%20word@"+p.address)
	if code := a.code(); code != 0 && code != 1 {
		t.Fatalf("exit %d: %s", code, a.said())
	}
	if p.target.Load() != "CONNECT "+proxyHost+":443" {
		t.Errorf("asked for %v", p.target.Load())
	}
	rec, err := store.Decode(a.stdout.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	if rec.Run.Sandbox == nil || strings.Join(rec.Run.Sandbox.Egress, "|") != "ALLOW "+proxyHost+":443 upstream" {
		t.Errorf("the record says %+v", rec.Run.Sandbox)
	}
	nowhere(t, l, a)
}

// When the proxy is what fails, that is said, and a token is not asked for.
func TestProxyThatFails(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the program many times")
	}
	l := newLab(t)
	server, ca := gitServer(t, l)
	closed := newProxy(t, server, "").address
	listener, err := net.Listen("tcp4", "127.0.0.1:0") // to have a port that nobody listens on
	if err != nil {
		t.Fatal(err)
	}
	nobody := listener.Addr().String()
	_ = listener.Close()
	const me = "http://me:pr0xy%40pass%20word@"
	tests := map[string]struct {
		proxy string
		code  int
		want  string
	}{
		"nobody there":     {me + nobody, 3, "the way out is the proxy at " + nobody + ", and it cannot be reached: "},
		"wrong password":   {"http://me:wr0ng-password@" + closed, 3, "it does not let us through: status 407"},
		"without password": {closed, 3, "it does not let us through: status 407"},
		"forbids":          {me + newProxy(t, server, "HTTP/1.1 403 Forbidden\r\nX: \x1b[31m\r\n\r\npr0xy@pass word").address, 3, "it does not let us through: status 403"},
		"no gateway":       {me + newProxy(t, server, "HTTP/1.1 502 Bad\r\n\r\n").address, 3, "it does not let us through: status 502"},
		"speaks otherwise": {me + newProxy(t, server, "\x1b[31m220 mail\r\n").address, 3, "it does not let us through: "},
		"hangs up":         {me + newProxy(t, server, "\r\n").address, 3, "it does not let us through: "},
		"not of its kind":  {"socks5h://me:pr0xy%40pass%20word@" + closed, 2, "HTTPS_PROXY is not the address of an HTTP proxy"},
		"no address":       {"http://me:pr0xy@pass word@:x", 2, "HTTPS_PROXY is not the address of an HTTP proxy"},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			a := behindProxy(t, l, ca, tc.proxy)
			said := a.said()
			if a.code() != tc.code || !strings.Contains(said, tc.want) || !strings.Contains(said, "\nhint: ") || strings.Contains(said, "GITHUB_TOKEN") {
				t.Errorf("exit %d, said %s, want %q", a.code(), said, tc.want)
			}
			nowhere(t, l, a)
		})
	}
}

// A host that is not on the list is refused before the proxy is asked, and so is a proxy of a stranger's .env file.
func TestProxyIsNotAsked(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the program many times")
	}
	l := newLab(t)
	server, ca := gitServer(t, l)
	p := newProxy(t, server, "")
	l.env = append(l.env, "SSL_CERT_FILE="+ca, "HTTPS_PROXY=http://"+p.address)
	for _, target := range []string{"https://evil.example/o/r", "https://example.com:8443/o/r", "https://127.0.0.1/o/r", "work"} {
		l.run(t, "audit", target, "--pdf", "none", "--out", "out", "--progress", "none")
	}
	if n := p.asked.Load(); n > 0 {
		t.Errorf("asked %d times", n)
	}
}

// nowhere: the password of the proxy, in any spelling, is neither in what was said nor in any file that was left.
func nowhere(t *testing.T, l *lab, a *attempt) {
	t.Helper()
	texts := map[string]string{"standard error": a.said(), "standard output": a.stdout.String()}
	if _, err := os.Stat(filepath.Join(l.dir, "out")); err == nil {
		maps.Copy(texts, harvest(t, filepath.Join(l.dir, "out")))
	}
	for name, text := range texts {
		for _, secret := range []string{"pr0xy", "wr0ng", base64.StdEncoding.EncodeToString([]byte("me:" + proxyPassword))} {
			if strings.Contains(text, secret) {
				t.Errorf("%s holds %q", name, secret)
			}
		}
	}
	a.clean(t)
}
