package sandbox

import (
	"bufio"
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"math"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/automaton-auditor/automaton/internal/safetext"
)

const (
	httpsPort      = "443"
	connectTimeout = 10 * time.Second
	idleTimeout    = 30 * time.Second
	maxRequestHead = 16 << 10
)

// gate is the only way out of one child: a CONNECT proxy in this process. It resolves, checks and
// dials itself, so that no second answer of a name server counts, and stops at a quota.
type gate struct {
	hosts    []string
	token    string // the child's password: other local users must not use the port
	quota    int64
	used     atomic.Int64
	resolver Resolver
	upstream *url.URL
	dialer   func(ctx context.Context, network, address string) (net.Conn, error)
	note     func(line string)
	trip     context.CancelCauseFunc
}

// gate makes the proxy for a command that wants the network; nil when it does not.
func (b *Box) gate(c Command, limits Limits, trip context.CancelCauseFunc) (*gate, error) {
	if len(c.Hosts) == 0 {
		return nil, nil
	}
	listed := append(DefaultHosts(), b.options.AllowHosts...)
	for _, h := range c.Hosts {
		if !slices.Contains(listed, h) {
			return nil, Refuse("url_host", "host %q is not on the list", h)
		}
	}
	var token [16]byte
	if _, err := rand.Read(token[:]); err != nil {
		return nil, fmt.Errorf("making proxy token: %w", err)
	}
	g := &gate{
		hosts: c.Hosts, token: hex.EncodeToString(token[:]), quota: limits.Download, resolver: b.options.Resolver,
		upstream: b.options.Upstream, dialer: (&net.Dialer{}).DialContext, note: b.record.note, trip: trip,
	}
	if g.resolver == nil {
		g.resolver = net.DefaultResolver
	}
	return g, nil
}

const proxyUser = "automaton"

// settings tell git of the proxy and of the header for the first host. They go by environment only.
func (g *gate) settings(port int, c Command) [][2]string {
	out := [][2]string{
		{"protocol.https.allow", "always"},
		{"http.proxy", fmt.Sprintf("http://%s:%s@127.0.0.1:%d", proxyUser, g.token, port)},
		{"http.proxyAuthMethod", "basic"},
	}
	if c.Auth != "" {
		out = append(out, [2]string{"http.https://" + c.Hosts[0] + "/.extraHeader", c.Auth})
	}
	return out
}

// serve answers until ctx ends, and then closes every connection.
func (g *gate) serve(ctx context.Context, l net.Listener) {
	defer context.AfterFunc(ctx, func() { _ = l.Close() })() // closed already when the child's end came first
	for {
		conn, err := l.Accept()
		if err != nil {
			return
		}
		go g.handle(ctx, conn)
	}
}

// handle serves one connection of the child. Errors of writing to it are the child's loss.
func (g *gate) handle(ctx context.Context, child net.Conn) {
	defer func() { _ = child.Close() }()
	defer context.AfterFunc(ctx, func() { _ = child.Close() })()
	head := time.AfterFunc(connectTimeout, func() { _ = child.Close() })
	limited := &io.LimitedReader{R: child, N: maxRequestHead}
	in := bufio.NewReader(limited)
	req, err := http.ReadRequest(in)
	if err != nil || !head.Stop() {
		return
	}
	limited.N = math.MaxInt64
	if !g.knows(req) {
		_, _ = io.WriteString(child, "HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic realm=\"automaton\"\r\n"+noBody)
		return
	}
	remote, err := g.connect(ctx, req)
	if err != nil {
		g.note("DENY " + req.Host + " " + err.Error())
		_, _ = io.WriteString(child, "HTTP/1.1 403 Forbidden\r\n"+noBody)
		return
	}
	defer func() { _ = remote.Close() }()
	defer context.AfterFunc(ctx, func() { _ = remote.Close() })()
	if _, err := io.WriteString(child, "HTTP/1.1 200 Connection established\r\n\r\n"); err != nil {
		return
	}
	g.tunnel(child, in, remote)
}

const noBody = "Content-Length: 0\r\nConnection: close\r\n\r\n"

func (g *gate) knows(req *http.Request) bool {
	want := "Basic " + base64.StdEncoding.EncodeToString([]byte(proxyUser+":"+g.token))
	return subtle.ConstantTimeCompare([]byte(req.Header.Get("Proxy-Authorization")), []byte(want)) == 1
}

// connect checks where the child wants to go and goes there.
func (g *gate) connect(ctx context.Context, req *http.Request) (net.Conn, error) {
	if req.Method != http.MethodConnect {
		return nil, errors.New("only CONNECT is served")
	}
	return g.reach(ctx, req.Host)
}

// reach checks a host and its port, and goes there.
func (g *gate) reach(ctx context.Context, target string) (net.Conn, error) {
	host, port, err := net.SplitHostPort(target)
	if err != nil {
		return nil, errors.New("no host and port")
	}
	host = strings.ToLower(host)
	if !slices.Contains(g.hosts, host) {
		return nil, errors.New("host is not on the list")
	}
	if port != httpsPort {
		return nil, errors.New("port is not 443")
	}
	ctx, cancel := context.WithTimeout(ctx, connectTimeout)
	defer cancel()
	if g.upstream != nil {
		conn, err := g.throughUpstream(ctx, host)
		if err != nil { // without it there is no way out: the child need not try again
			g.trip(Refuse("upstream_proxy", "the way out is the proxy at %s, and %s", safetext.Text(upstreamAddress(g.upstream), 200), safetext.Text(err.Error(), 200)))
			return nil, fmt.Errorf("upstream: %w", err)
		}
		g.note("ALLOW " + host + ":" + httpsPort + " upstream")
		return conn, nil
	}
	conn, err := g.dialPublic(ctx, host)
	if err == nil {
		g.note("ALLOW " + host + ":" + httpsPort)
	}
	return conn, err
}

// dialPublic resolves and dials the checked address, not the name.
func (g *gate) dialPublic(ctx context.Context, host string) (net.Conn, error) {
	addrs, err := g.resolver.LookupNetIP(ctx, "ip", host)
	if err != nil {
		return nil, fmt.Errorf("resolving: %w", err)
	}
	last := errors.New("no address")
	for _, a := range addrs {
		if !publicAddr(a) {
			last = fmt.Errorf("address %s is not public", a)
			continue
		}
		conn, err := g.dialer(ctx, "tcp", net.JoinHostPort(a.Unmap().String(), httpsPort))
		if err == nil {
			return conn, nil
		}
		last = err
	}
	return nil, last
}

// tunnel copies both ways until one side ends, is silent for long, or the quota is used up.
func (g *gate) tunnel(child net.Conn, fromChild io.Reader, remote net.Conn) {
	idle := time.AfterFunc(idleTimeout, func() { _ = child.Close(); _ = remote.Close() })
	defer idle.Stop()
	var up sync.WaitGroup
	up.Go(func() {
		g.pump(remote, fromChild, idle, false)
		_ = remote.Close()
	})
	g.pump(child, remote, idle, true)
	_ = child.Close()
	up.Wait()
}

func (g *gate) pump(dst io.Writer, src io.Reader, idle *time.Timer, count bool) {
	buf := make([]byte, 64<<10)
	for {
		n, err := src.Read(buf)
		idle.Reset(idleTimeout)
		if count && g.used.Add(int64(n)) > g.quota {
			g.trip(Refuse("limit_download", "more than %d bytes from the network", g.quota))
			return
		}
		if n > 0 {
			if _, err := dst.Write(buf[:n]); err != nil {
				return
			}
		}
		if err != nil {
			return
		}
	}
}
