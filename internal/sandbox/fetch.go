package sandbox

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"time"

	"github.com/automaton-auditor/automaton/internal/safetext"
)

// A file is fetched with as much patience as a repository's first answer, and through as many redirects as a browser's
// download takes.
const (
	fetchTimeout = 2 * time.Minute
	mostHops     = 5
)

// Fetch gets the file at an https address, of at most so many bytes, over the same way out as children have: hosts that are
// listed, addresses that are public and were checked, no user, no password, no token, at most 5 redirects between listed
// hosts. The error is a *Refusal: url_…, remote_…, limit_download.
func (b *Box) Fetch(ctx context.Context, address string, most int64) ([]byte, error) {
	u, err := url.Parse(address)
	if err != nil {
		return nil, Refuse("url_scheme", "the address of a file is https://HOST/PATH") // the parser's error would repeat a password
	}
	ctx, trip := context.WithCancelCause(ctx)
	defer trip(nil)
	g, err := b.gate(Command{Hosts: []string{u.Hostname()}}, Limits{Download: most + 1<<20}, trip)
	if err != nil {
		return nil, err
	}
	if g == nil {
		return nil, Refuse("url_host", "the address names no host")
	}
	g.hosts = append(DefaultHosts(), b.options.AllowHosts...)
	return g.fetch(ctx, u, most, nil)
}

// fetch gets a file through the gate. Without certificates the system's count.
func (g *gate) fetch(ctx context.Context, u *url.URL, most int64, roots *x509.CertPool) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, fetchTimeout)
	defer cancel()
	transport := &http.Transport{DisableKeepAlives: true, DialContext: func(ctx context.Context, _, target string) (net.Conn, error) {
		conn, err := g.reach(ctx, target)
		if err != nil {
			g.note("DENY " + target + " " + err.Error())
		}
		return conn, err
	}}
	if roots != nil {
		transport.TLSClientConfig = &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12}
	}
	client := &http.Client{Transport: transport, CheckRedirect: func(req *http.Request, via []*http.Request) error {
		if len(via) > mostHops {
			return Refuse("remote_away", "the server redirects more than %d times", mostHops)
		}
		return g.allowed(req.URL)
	}}
	if err := g.allowed(u); err != nil {
		return nil, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return nil, Refuse("url_scheme", "the address of a file is https://HOST/PATH")
	}
	resp, err := client.Do(req)
	if err != nil {
		return nil, fetchError(ctx, err)
	}
	defer func() { _ = resp.Body.Close() }() // only read
	switch s := resp.StatusCode; {
	case s == http.StatusOK:
	case s == http.StatusUnauthorized, s == http.StatusForbidden, s == http.StatusNotFound:
		return nil, Refuse("remote_private", "the server answers %d: the file is not there, or private", s)
	case s == http.StatusTooManyRequests:
		slow := Refuse("remote_slow", "the host asks for fewer requests")
		slow.After = asked(resp.Header.Get("Retry-After"))
		return nil, slow
	default:
		return nil, Refuse("remote_busy", "the server answers %d", s)
	}
	raw, err := io.ReadAll(io.LimitReader(resp.Body, most+1))
	switch {
	case err != nil:
		return nil, fetchError(ctx, err)
	case int64(len(raw)) > most:
		return nil, Refuse("limit_download", "the file has more than %d bytes", most)
	}
	return raw, nil
}

// mostAsked bounds what a host may have us wait.
const mostAsked = time.Hour

// asked is how long a Retry-After has us wait. One that is a date is passed over.
func asked(header string) time.Duration {
	seconds, err := strconv.Atoi(header)
	if err != nil || seconds < 0 {
		return 0
	}
	return time.Duration(min(seconds, int(mostAsked/time.Second))) * time.Second
}

// allowed says whether a file may be fetched from an address.
func (g *gate) allowed(u *url.URL) error {
	switch {
	case u.Scheme != "https":
		return Refuse("url_scheme", "the address of a file is https://HOST/PATH")
	case u.User != nil:
		return Refuse("url_userinfo", "the address holds a user or password")
	case u.Port() != "" && u.Port() != httpsPort:
		return Refuse("url_port", "the port is not 443")
	case !slices.Contains(g.hosts, u.Hostname()):
		return Refuse("url_host", "host %q is not on the list", u.Hostname())
	}
	return nil
}

// fetchError is a *Refusal that says why nothing came.
func fetchError(ctx context.Context, err error) error {
	if r, ok := errors.AsType[*Refusal](context.Cause(ctx)); ok {
		return r
	}
	if r, ok := errors.AsType[*Refusal](err); ok {
		return r
	}
	if wrong, ok := errors.AsType[*url.Error](err); ok { // its text has the address, with what it may hold
		err = wrong.Err
	}
	return Refuse("remote_away", "the host does not give the file: %s", safetext.Text(fmt.Sprint(err), 200))
}
