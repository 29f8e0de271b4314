package provider

import (
	"bytes"
	"context"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/automaton-auditor/automaton/internal/llm"
	"github.com/automaton-auditor/automaton/internal/safetext"
)

// Bounds of a response, whatever the server sends.
const (
	maxBody   = 1 << 20
	maxHeader = 64 << 10
	maxNested = 64
	maxSaid   = 160 // characters of what a server says of an error
	maxError  = 16 << 10
)

// wire is the way to a server. The SDKs call it in the place of an HTTP
// client; what it hands them is a whole, small body of valid JSON, and
// everything else is one of our errors, without keys.
type wire struct {
	client *http.Client
	veil   *safetext.Veil
}

func newWire(key string, proxy func(*http.Request) (*url.URL, error)) *wire {
	return &wire{
		veil: safetext.NewVeil(key),
		client: &http.Client{
			Transport: &http.Transport{
				Proxy:                  proxy,
				DialContext:            (&net.Dialer{Timeout: 20 * time.Second}).DialContext,
				TLSHandshakeTimeout:    20 * time.Second,
				MaxResponseHeaderBytes: maxHeader,
				DisableCompression:     true, // nothing is asked for that grows when it is read
				ForceAttemptHTTP2:      true,
				MaxIdleConnsPerHost:    4,
				IdleConnTimeout:        90 * time.Second,
			},
			// a redirect would take the key along: it is an answer like any other, and no good one
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
	}
}

// Do sends a request, bare of what the SDKs tell about this machine.
func (w *wire) Do(req *http.Request) (*http.Response, error) {
	for name := range req.Header {
		if strings.HasPrefix(name, "X-Stainless-") {
			req.Header.Del(name)
		}
	}
	req.Header.Set("User-Agent", "automaton")
	req.Header.Set("Accept", "application/json")
	res, err := w.client.Do(req) //nolint:gosec // G704: the address is the one the user configured, and no redirect is followed
	if err != nil {
		return nil, w.unsent(req.Context(), err)
	}
	defer res.Body.Close() //nolint:errcheck // what matters of it was read
	if res.StatusCode != http.StatusOK {
		return nil, w.refusal(res)
	}
	body, err := w.body(req.Context(), res)
	if err == nil {
		err = w.shape(res, body)
	}
	if err != nil {
		return nil, err
	}
	res.Body = io.NopCloser(bytes.NewReader(body))
	return res, nil
}

// unsent is a request that got no response.
func (w *wire) unsent(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	e := &llm.Error{Kind: llm.KindTransient, What: "no connection", Detail: w.clean(bare(err)), Billed: sent(err)}
	if _, ok := errors.AsType[*x509.UnknownAuthorityError](err); ok || isCertificate(err) {
		e.Kind, e.What = llm.KindPermanent, "certificate refused"
	}
	if strings.Contains(err.Error(), "server response headers exceeded") { // net/http has no other sign of it
		e.Kind, e.What, e.Detail, e.Billed = llm.KindPermanent, "header too large", fmt.Sprintf("over %d bytes", maxHeader), true
	}
	return e
}

func isCertificate(err error) bool {
	_, invalid := errors.AsType[x509.CertificateInvalidError](err)
	_, unknown := errors.AsType[x509.UnknownAuthorityError](err)
	_, host := errors.AsType[x509.HostnameError](err)
	return invalid || unknown || host
}

// sent tells whether the server may have had the request: all but failures to
// reach it at all.
func sent(err error) bool {
	op, ok := errors.AsType[*net.OpError](err)
	return !ok || op.Op != "dial"
}

// bare is an error without the method and address that net/http puts before it.
func bare(err error) string {
	if u, ok := errors.AsType[*url.Error](err); ok {
		return u.Err.Error()
	}
	return err.Error()
}

// body is the whole body of a 200.
func (w *wire) body(ctx context.Context, res *http.Response) ([]byte, error) {
	kind, _, _ := mime.ParseMediaType(res.Header.Get("Content-Type"))
	switch enc := res.Header.Get("Content-Encoding"); {
	case enc != "" && enc != "identity":
		return nil, lost("compressed answer", w.clean(enc)+" was not asked for")
	case res.ContentLength > maxBody:
		return nil, lost("answer too large", fmt.Sprintf("%d bytes, over %d", res.ContentLength, maxBody))
	case kind != "application/json" && res.ContentLength != 0:
		return nil, lost("not JSON", "the server sent "+w.clean(fmt.Sprintf("%q", kind)))
	}
	size := res.ContentLength
	if size < 0 {
		size = maxBody + 1
	}
	buf := bytes.NewBuffer(make([]byte, 0, size+bytes.MinRead)) // once: it need not grow
	_, err := buf.ReadFrom(io.LimitReader(res.Body, maxBody+1))
	raw := buf.Bytes()
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		return nil, &llm.Error{Kind: llm.KindTransient, What: "answer broke off", Detail: w.clean(err.Error()), Billed: true}
	case len(raw) > maxBody:
		return nil, lost("answer too large", fmt.Sprintf("over %d bytes", maxBody))
	case len(bytes.TrimSpace(raw)) == 0:
		return nil, &llm.Error{Kind: llm.KindTransient, What: "empty answer", Billed: true}
	case safetext.Nesting(raw, maxNested) > maxNested:
		return nil, lost("answer nests too deep", "")
	case !json.Valid(raw):
		return nil, &llm.Error{Kind: llm.KindTransient, What: "answer broke off", Detail: "its JSON is not whole", Billed: true}
	}
	return raw, nil
}

func lost(what, detail string) *llm.Error {
	return &llm.Error{Kind: llm.KindPermanent, What: what, Detail: detail, Billed: true}
}
