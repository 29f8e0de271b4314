package sandbox

import (
	"bufio"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// names is a name server that answers what the test wants.
type names map[string][]string

func (n names) LookupNetIP(_ context.Context, _, host string) ([]netip.Addr, error) {
	var out []netip.Addr
	for _, s := range n[host] {
		out = append(out, netip.MustParseAddr(s))
	}
	if out == nil {
		return nil, errors.New("no such host")
	}
	return out, nil
}

// testGate is a gate whose dials end in server, and are counted.
func testGate(t *testing.T, server string, n names) (*gate, *atomic.Int32, *[]string) {
	t.Helper()
	var dials atomic.Int32
	rec := newRecord()
	var tripped atomic.Value
	g := &gate{
		hosts: []string{"github.com"}, token: "t0ken", quota: 1 << 20, resolver: n, note: rec.note,
		trip: func(err error) { tripped.Store(err) },
		dialer: func(ctx context.Context, network, _ string) (net.Conn, error) {
			dials.Add(1)
			return (&net.Dialer{}).DialContext(ctx, network, server)
		},
	}
	return g, &dials, &rec.egress
}

// connectThrough sends one request to the gate and returns the status and the connection behind it.
func connectThrough(t *testing.T, g *gate, request string) (int, *bufio.Reader, net.Conn) {
	t.Helper()
	ours, theirs := net.Pipe()
	t.Cleanup(func() { ours.Close() })
	go g.handle(context.Background(), theirs)
	if _, err := io.WriteString(ours, request); err != nil {
		t.Fatal(err)
	}
	in := bufio.NewReader(ours)
	resp, err := http.ReadResponse(in, &http.Request{Method: http.MethodConnect})
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, in, ours
}

func connectRequest(target, token string) string {
	cred := base64.StdEncoding.EncodeToString([]byte(proxyUser + ":" + token))
	return fmt.Sprintf("CONNECT %s HTTP/1.1\r\nHost: %s\r\nProxy-Authorization: Basic %s\r\n\r\n", target, target, cred)
}

// echoServer answers every line with itself.
func echoServer(t *testing.T) string {
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
				_, _ = io.Copy(c, c)
			}()
		}
	}()
	return l.Addr().String()
}

func TestGatePolicy(t *testing.T) {
	const public, private = "140.82.121.4", "127.0.0.1"
	cases := map[string]struct {
		request string
		answer  []string
		status  int
		dials   int32
	}{
		"allowed":         {connectRequest("github.com:443", "t0ken"), []string{public}, 200, 1},
		"upper case":      {connectRequest("GitHub.com:443", "t0ken"), []string{public}, 200, 1},
		"private skipped": {connectRequest("github.com:443", "t0ken"), []string{private, public}, 200, 1},
		"rebinding":       {connectRequest("github.com:443", "t0ken"), []string{private, "::ffff:127.0.0.1", "64:ff9b::7f00:1", "169.254.169.254"}, 403, 0},
		"unknown":         {connectRequest("github.com:443", "t0ken"), nil, 403, 0},
		"other host":      {connectRequest("evil.example:443", "t0ken"), []string{public}, 403, 0},
		"suffix":          {connectRequest("github.com.evil.example:443", "t0ken"), []string{public}, 403, 0},
		"trailing dot":    {connectRequest("github.com.:443", "t0ken"), []string{public}, 403, 0},
		"other port":      {connectRequest("github.com:22", "t0ken"), []string{public}, 403, 0},
		"no port":         {connectRequest("github.com", "t0ken"), []string{public}, 403, 0},
		"address":         {connectRequest("127.0.0.1:443", "t0ken"), []string{public}, 403, 0},
		"wrong token":     {connectRequest("github.com:443", "guess"), []string{public}, 407, 0},
		"plain request":   {strings.Replace(connectRequest("github.com:443", "t0ken"), "CONNECT github.com:443", "GET http://github.com/", 1), []string{public}, 403, 0},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			g, dials, _ := testGate(t, echoServer(t), names{"github.com": c.answer})
			status, in, conn := connectThrough(t, g, c.request)
			if status != c.status || dials.Load() != c.dials {
				t.Errorf("status %d after %d dials, want %d after %d", status, dials.Load(), c.status, c.dials)
			}
			if status != 200 {
				return
			}
			if _, err := io.WriteString(conn, "hello\n"); err != nil {
				t.Fatal(err)
			}
			if line, err := in.ReadString('\n'); line != "hello\n" {
				t.Errorf("got %q, %v", line, err)
			}
		})
	}
}

// rebinder is a name server whose second answer is another one.
type rebinder struct{ asked int }

func (r *rebinder) LookupNetIP(context.Context, string, string) ([]netip.Addr, error) {
	if r.asked++; r.asked > 1 {
		return []netip.Addr{netip.MustParseAddr("127.0.0.1")}, nil
	}
	return []netip.Addr{netip.MustParseAddr("10.0.0.1"), netip.MustParseAddr("::ffff:140.82.121.4"), netip.MustParseAddr("140.82.121.5")}, nil
}

// What is dialled is the address that was checked, and the name is asked for once.
func TestD08DialsWhatWasChecked(t *testing.T) {
	g, _, log := testGate(t, "", nil)
	names := &rebinder{}
	var dialled []string
	server := echoServer(t)
	g.resolver, g.dialer = names, func(ctx context.Context, network, address string) (net.Conn, error) {
		if dialled = append(dialled, address); len(dialled) == 1 {
			return nil, errors.New("unreachable")
		}
		return (&net.Dialer{}).DialContext(ctx, network, server)
	}
	status, _, _ := connectThrough(t, g, connectRequest("github.com:443", "t0ken"))
	if status != http.StatusOK || names.asked != 1 || !slices.Equal(dialled, []string{"140.82.121.4:443", "140.82.121.5:443"}) {
		t.Errorf("status %d, asked %d times, dialled %q, log %q", status, names.asked, dialled, *log)
	}
}

func TestGateQuotaAndLog(t *testing.T) {
	g, _, log := testGate(t, echoServer(t), names{"github.com": {"140.82.121.4"}})
	g.quota = 100
	tripped := make(chan error, 1)
	g.trip = func(err error) { tripped <- err }
	_, _, conn := connectThrough(t, g, connectRequest("github.com:443", "t0ken"))
	if _, err := io.WriteString(conn, strings.Repeat("x", 101)); err != nil {
		t.Fatal(err)
	}
	if refusal, ok := errors.AsType[*Refusal](<-tripped); !ok || refusal.Code != "limit_download" {
		t.Errorf("tripped with %v", refusal)
	}
	connectThrough(t, g, connectRequest("evil.example:443", "t0ken"))
	want := []string{"ALLOW github.com:443", "DENY evil.example:443 host is not on the list"}
	if got := *log; !slices.Equal(got, want) {
		t.Errorf("log is %q, want %q", got, want)
	}
}

func TestGateUpstream(t *testing.T) {
	server := echoServer(t)
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	asked := make(chan *http.Request, 1)
	go func() {
		c, err := l.Accept()
		if err != nil {
			return
		}
		defer c.Close()
		in := bufio.NewReader(c)
		req, err := http.ReadRequest(in)
		if err != nil {
			return
		}
		asked <- req
		remote, err := net.Dial("tcp", server)
		if err != nil {
			return
		}
		defer remote.Close()
		_, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\n\r\n")
		go func() { _, _ = io.Copy(remote, in) }()
		_, _ = io.Copy(c, remote)
	}()
	g, _, log := testGate(t, l.Addr().String(), nil)
	g.upstream = &url.URL{Scheme: "http", Host: l.Addr().String(), User: url.UserPassword("me", "pass")}
	status, in, conn := connectThrough(t, g, connectRequest("github.com:443", "t0ken"))
	if status != 200 {
		t.Fatalf("status %d", status)
	}
	if _, err := io.WriteString(conn, "hello\n"); err != nil {
		t.Fatal(err)
	}
	if line, err := in.ReadString('\n'); line != "hello\n" {
		t.Errorf("got %q, %v", line, err)
	}
	req := <-asked
	if user, pass, _ := parseProxyAuth(req); req.Host != "github.com:443" || user != "me" || pass != "pass" {
		t.Errorf("upstream was asked for %q by %q %q", req.Host, user, pass)
	}
	if !slices.Equal(*log, []string{"ALLOW github.com:443 upstream"}) {
		t.Errorf("log is %q", *log)
	}
}

func parseProxyAuth(r *http.Request) (user, pass string, ok bool) {
	r.Header.Set("Authorization", r.Header.Get("Proxy-Authorization"))
	return r.BasicAuth()
}

func TestNetworkIsForListedHosts(t *testing.T) {
	b := open(t, Options{AllowHosts: []string{"git.example.org"}})
	_, err := b.Run(context.Background(), Command{Args: []string{"version"}, Hosts: []string{"evil.example"}})
	if refusal, ok := errors.AsType[*Refusal](err); !ok || refusal.Code != "url_host" {
		t.Errorf("error is %v, want url_host", err)
	}
	if _, err := b.Run(context.Background(), Command{Args: []string{"version"}, Hosts: []string{"git.example.org"}}); err != nil {
		t.Errorf("listed host: %v", err)
	}
}

// The child reaches the proxy, the proxy refuses the private address, and the token header is not in the process list.
func TestChildReachesProxyOnly(t *testing.T) {
	inEachMode(t, func(t *testing.T, r rung) {
		b := forced(t, Options{Resolver: names{"github.com": {"127.0.0.1"}}}, r)
		_, err := b.Run(context.Background(), Command{
			Args: []string{"ls-remote", "https://github.com/o/r"}, Hosts: []string{"github.com"}, Auth: "Authorization: Basic c2VjcmV0",
		})
		if err == nil || strings.Contains(err.Error(), "c2VjcmV0") {
			t.Errorf("error is %v", err)
		}
		want := []string{"DENY github.com:443 address 127.0.0.1 is not public"}
		if got := b.Report().Egress; !slices.Equal(got, want) {
			t.Errorf("log is %q, want %q (%v)", got, want, err)
		}
	})
}

// A file is fetched over the way out that children have, and from nowhere else.
func TestFetch(t *testing.T) {
	s := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/report.pdf":
			_, _ = io.WriteString(w, "%PDF")
		case "/moved":
			http.Redirect(w, r, "https://github.com/report.pdf", http.StatusFound)
		case "/away":
			http.Redirect(w, r, "https://elsewhere.example/report.pdf", http.StatusFound)
		case "/plain":
			http.Redirect(w, r, "http://github.com/report.pdf", http.StatusFound)
		case "/round":
			http.Redirect(w, r, "/round", http.StatusFound)
		case "/slow":
			w.Header().Set("Retry-After", "90")
			w.WriteHeader(http.StatusTooManyRequests)
		case "/busy":
			w.WriteHeader(http.StatusServiceUnavailable)
		default:
			http.NotFound(w, r)
		}
	}))
	defer s.Close()
	roots := x509.NewCertPool()
	cert := selfSigned(t, "github.com")
	roots.AddCert(cert.Leaf)
	s.TLS.Certificates = []tls.Certificate{cert}
	public := names{"github.com": {"140.82.121.4"}}
	for address, want := range map[string]string{
		"https://github.com/report.pdf":          "",
		"https://github.com/moved":               "",
		"https://github.com:443/report.pdf":      "",
		"https://github.com/away":                "url_host",
		"https://github.com/plain":               "url_scheme",
		"https://github.com/round":               "remote_away",
		"https://github.com/busy":                "remote_busy",
		"https://github.com/slow":                "remote_slow",
		"https://github.com/missing":             "remote_private",
		"https://u:secret@github.com/report.pdf": "url_userinfo",
		"https://github.com:8443/report.pdf":     "url_port",
		"http://github.com/report.pdf":           "url_scheme",
		"https://elsewhere.example/report.pdf":   "url_host",
	} {
		g, _, _ := testGate(t, s.Listener.Addr().String(), public)
		u, err := url.Parse(address)
		if err != nil {
			t.Fatal(err)
		}
		raw, err := g.fetch(t.Context(), u, 10, roots)
		r, refused := errors.AsType[*Refusal](err)
		switch {
		case want == "" && (err != nil || string(raw) != "%PDF"):
			t.Errorf("%s: %q, %v", address, raw, err)
		case want != "" && (!refused || r.Code != want || strings.Contains(err.Error(), "secret")):
			t.Errorf("%s: %v, want %s", address, err, want)
		case want == "remote_slow" && r.After != 90*time.Second:
			t.Errorf("%s: asked to wait 90 s, read as %v", address, r.After)
		}
	}
	g, dials, _ := testGate(t, s.Listener.Addr().String(), names{"github.com": {"127.0.0.1"}})
	if _, err := g.fetch(t.Context(), &url.URL{Scheme: "https", Host: "github.com", Path: "/report.pdf"}, 10, roots); err == nil || dials.Load() > 0 {
		t.Error("a private address was dialled", err)
	}
	g, _, _ = testGate(t, s.Listener.Addr().String(), public)
	if _, err := g.fetch(t.Context(), &url.URL{Scheme: "https", Host: "github.com", Path: "/report.pdf"}, 3, roots); err == nil || !strings.Contains(err.Error(), "limit_download") {
		t.Error("a file that is too large:", err)
	}
}

// selfSigned is a certificate for a host that vouches for itself.
func selfSigned(t *testing.T, host string) tls.Certificate {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	sheet := &x509.Certificate{SerialNumber: big.NewInt(1), DNSNames: []string{host}, NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour), IsCA: true, BasicConstraintsValid: true}
	der, err := x509.CreateCertificate(rand.Reader, sheet, sheet, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	leaf, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key, Leaf: leaf}
}
