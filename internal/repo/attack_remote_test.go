package repo

import (
	"compress/gzip"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/automaton-auditor/automaton/internal/sandbox"
)

// advertise begins the answer of a git server with what follows the name of the service.
func advertise(w http.ResponseWriter, text string) {
	w.Header().Set("Content-Type", "application/x-git-upload-pack-advertisement")
	_, _ = io.WriteString(w, "001e# service=git-upload-pack\n0000"+text) // the client may be gone
}

// refused looks at an error of a fetch: code names the limit or refusal, byGit is git's own.
func refused(t *testing.T, err error, code string) {
	t.Helper()
	if err == nil {
		t.Error("it was read")
		return
	}
	clean(t, err.Error())
	if code != byGit {
		wantCode(t, err, code)
	} else if _, ours := errors.AsType[*sandbox.Refusal](err); ours {
		t.Errorf("error is %v, want git's", err)
	}
}

// answers is a name server that says the same of every host, and counts how often it was asked.
type answers struct {
	addrs []string
	asked atomic.Int32
}

func (a *answers) LookupNetIP(context.Context, string, string) ([]netip.Addr, error) {
	a.asked.Add(1)
	var out []netip.Addr
	for _, s := range a.addrs {
		out = append(out, netip.MustParseAddr(s))
	}
	return out, nil
}

// A listed host whose name leads to this machine or its network: nothing is connected to. Where this process may, a server
// waits at the port, so that a connection would be seen.
func TestD08Rebind(t *testing.T) {
	var met atomic.Int32
	for _, at := range []string{"127.0.0.1:443", "[::1]:443"} {
		l, err := net.Listen("tcp", at)
		if err != nil {
			continue // not ours to take
		}
		defer l.Close()
		go func() {
			for {
				c, err := l.Accept()
				if err != nil {
					return
				}
				met.Add(1)
				_ = c.Close() // nothing is said to it
			}
		}()
	}
	for _, list := range [][]string{
		{"127.0.0.1"}, {"127.99.0.1"}, {"0.0.0.0"}, {"::1"}, {"::"}, {"::ffff:127.0.0.1"}, {"::ffff:10.0.0.1"}, {"::ffff:100.64.0.1"}, {"::ffff:0.1.2.3"}, {"64:ff9b::7f00:1"}, {"64:ff9b:1::7f00:1"}, {"2002:7f00:1::"},
		{"169.254.169.254"}, {"fe80::1"}, {"fd00:ec2::254"}, {"10.0.0.1"}, {"172.16.0.1"}, {"192.168.1.1"}, {"100.64.0.1"}, {"224.0.0.1"}, {"255.255.255.255"},
		{"127.0.0.1", "::1", "169.254.169.254"},
	} {
		names := &answers{addrs: list}
		box, err := sandbox.Open(sandbox.Options{TempDir: runDirs(t), AllowHosts: []string{hostName}, Resolver: names})
		if err != nil {
			t.Fatal(err)
		}
		h := &host{box: box}
		_, err = h.open(t, "/o/r", Options{})
		refused(t, err, "remote_away")
		log := box.Report().Egress
		if len(log) != 1 || !strings.HasPrefix(log[0], "DENY "+hostName+":443 address ") || !strings.HasSuffix(log[0], " is not public") || names.asked.Load() == 0 {
			t.Errorf("%v: egress %q after %d questions, %v", list, log, names.asked.Load(), err)
		}
		if err := box.Close(); err != nil {
			t.Error(err)
		}
	}
	if n := met.Load(); n > 0 {
		t.Errorf("%d connections were made", n)
	}
}

// A redirect to anywhere else ends at the proxy; on the same host it is followed.
func TestD09Redirect(t *testing.T) {
	var met atomic.Int32
	inside := httptest.NewTLSServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { met.Add(1) }))
	defer inside.Close()
	plainInside := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { met.Add(1) }))
	defer plainInside.Close()
	to := map[string]string{
		"loopback": inside.URL + "/o/r", "plain": plainInside.URL + "/o/r", "metadata": "http://169.254.169.254/latest/meta-data", "elsewhere": "https://evil.example/o/r",
		"port": "https://" + hostName + ":8443/git/r.git", "scheme": "file:///etc/passwd", "ext": "ext::sh -c touch% X", "git": "git://" + hostName + "/r", "proxy": "https://127.0.0.1:3128/x",
		"plain-same": "http://" + hostName + "/git/r.git", "itself": "https://" + hostName + "/extra/itself/r",
	}
	extra := http.NewServeMux()
	for name, where := range to {
		extra.HandleFunc("/extra/"+name+"/", func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, where+"/info/refs?service=git-upload-pack", http.StatusFound)
		})
	}
	extra.HandleFunc("/extra/moved/", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, strings.Replace(r.URL.String(), "/extra/moved/r", "/git/r.git", 1), http.StatusMovedPermanently)
	})
	// the first answer is good, and the pack is promised elsewhere
	extra.HandleFunc("/extra/late/r/info/refs", func(w http.ResponseWriter, r *http.Request) {
		id := strings.Repeat("1", 40)
		line := id + " HEAD\x00 side-band-64k symref=HEAD:refs/heads/main\n"
		main := id + " refs/heads/main\n"
		advertise(w, fmt.Sprintf("%04x%s%04x%s0000", len(line)+4, line, len(main)+4, main))
	})
	extra.HandleFunc("/extra/late/r/git-upload-pack", func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		http.Redirect(w, r, inside.URL+"/o/r/git-upload-pack", http.StatusTemporaryRedirect)
	})
	to["late"] = inside.URL
	m := make1(t, map[string]string{"a.py": "x = 1\n"})
	h := serveTo(t, extra, sandbox.Options{TempDir: runDirs(t)})
	m.git("clone", "-q", "--bare", ".", filepath.Join(h.dir, "r.git"))
	for name := range to {
		_, err := h.open(t, "/extra/"+name+"/r", Options{})
		want := byGit
		if slices.Contains([]string{"loopback", "elsewhere", "port", "proxy"}, name) { // git asks the proxy, which refuses
			want = "remote_away"
		}
		refused(t, err, want)
	}
	r, err := h.open(t, "/extra/moved/r", Options{})
	if err != nil {
		t.Fatal(err)
	}
	wantFile(t, r, "a.py", "x = 1\n")
	if met.Load() > 0 {
		t.Error("a server behind a redirect was reached")
	}
	log := h.box.Report().Egress
	for _, line := range log {
		if strings.HasPrefix(line, "ALLOW") && line != "ALLOW "+hostName+":443 upstream" {
			t.Errorf("egress %q", line)
		}
	}
	if !slices.Contains(log, "DENY evil.example:443 host is not on the list") {
		t.Errorf("egress %q", log)
	}
}

// Servers that take for ever: the wall clock ends them.
func TestD10SlowServer(t *testing.T) {
	drip := func(w http.ResponseWriter, r *http.Request, every time.Duration) {
		tick := time.NewTicker(every)
		defer tick.Stop()
		for {
			select {
			case <-r.Context().Done():
				return
			case <-tick.C:
				_, _ = io.WriteString(w, "a")
				_ = http.NewResponseController(w).Flush() // it may be gone
			}
		}
	}
	extra := http.NewServeMux()
	extra.HandleFunc("/extra/headers/", func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	extra.HandleFunc("/extra/hang/", func(w http.ResponseWriter, r *http.Request) {
		advertise(w, "")
		_ = http.NewResponseController(w).Flush() // it may be gone
		<-r.Context().Done()
	})
	extra.HandleFunc("/extra/two/", func(w http.ResponseWriter, r *http.Request) {
		advertise(w, "00ff")
		drip(w, r, time.Second/2)
	})
	// every half second something for the connection, nothing for git
	extra.HandleFunc("/extra/blank/", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/x-git-upload-pack-advertisement")
		drip(w, r, time.Second/2)
	})
	h := serveTo(t, extra, sandbox.Options{TempDir: runDirs(t), Limits: sandbox.Limits{Wall: 3 * time.Second}})
	t.Run("all", func(t *testing.T) {
		for _, name := range []string{"headers", "hang", "two", "blank"} {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				_, err := h.open(t, "/extra/"+name+"/r", Options{})
				refused(t, err, "limit_wall")
			})
		}
	})
}

// A server that takes the connection and never says a word of TLS.
func TestD10SilentServer(t *testing.T) {
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	box, err := sandbox.Open(sandbox.Options{TempDir: runDirs(t), AllowHosts: []string{hostName}, Upstream: upstream(t, l.Addr().String()), Limits: sandbox.Limits{Wall: 2 * time.Second}})
	if err != nil {
		t.Fatal(err)
	}
	defer box.Close()
	h := &host{box: box}
	_, err = h.open(t, "/o/r", Options{})
	refused(t, err, "limit_wall")
}

// Advertisements without an end, and a small one that is large: the download or the memory is bounded.
func TestD11EndlessRefs(t *testing.T) {
	line := strings.Repeat("a", 40) + " refs/heads/" + strings.Repeat("b", 200) + "\n"
	packet := fmt.Sprintf("%04x%s", len(line)+4, line)
	extra := http.NewServeMux()
	extra.HandleFunc("/extra/refs/", func(w http.ResponseWriter, _ *http.Request) {
		advertise(w, "")
		for err := error(nil); err == nil; {
			_, err = io.WriteString(w, packet)
		}
	})
	extra.HandleFunc("/extra/noise/", func(w http.ResponseWriter, _ *http.Request) {
		advertise(w, "")
		_, _ = io.Copy(w, rand.Reader) // until the client is gone
	})
	extra.HandleFunc("/extra/header/", func(w http.ResponseWriter, _ *http.Request) {
		conn, out, err := http.NewResponseController(w).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		defer conn.Close()
		_, err = out.WriteString("HTTP/1.1 200 OK\r\n")
		for err == nil {
			_, err = out.WriteString("X-More: " + line[:200] + "\r\n")
		}
	})
	extra.HandleFunc("/extra/packed/", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		w.Header().Set("Content-Type", "application/x-git-upload-pack-advertisement")
		z := gzip.NewWriter(w)
		_, err := io.WriteString(z, "001e# service=git-upload-pack\n0000")
		for err == nil {
			_, err = io.WriteString(z, strings.Repeat(packet, 1000))
		}
	})
	h := serveTo(t, extra, sandbox.Options{TempDir: runDirs(t), Limits: sandbox.Limits{Download: 4 << 20, Memory: 300 << 20}})
	for name, code := range map[string]string{"refs": "limit_download", "noise": "limit_download", "header": byGit, "packed": "limit_memory"} {
		t.Run(name, func(t *testing.T) {
			if name == "packed" && testing.Short() {
				t.Skip("unpacks until memory ends")
			}
			_, err := h.open(t, "/extra/"+name+"/r", Options{})
			if r, ours := errors.AsType[*sandbox.Refusal](err); name == "header" && ours && r.Code == "limit_download" {
				return // the bytes were counted before git had read as many headers as it takes
			}
			refused(t, err, code)
		})
	}
}
