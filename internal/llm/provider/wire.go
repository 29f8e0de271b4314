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
	"strconv"
	"strings"
	"time"

	"github.com/automaton-auditor/automaton/internal/llm"
	"github.com/automaton-auditor/automaton/internal/plain"
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
	veil   *plain.Veil
}

func newWire(key string, proxy func(*http.Request) (*url.URL, error)) *wire {
	return &wire{
		veil: plain.NewVeil(key),
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
	case !json.Valid(raw):
		return nil, &llm.Error{Kind: llm.KindTransient, What: "answer broke off", Detail: "its JSON is not whole", Billed: true}
	case nested(raw) > maxNested:
		return nil, lost("answer nests too deep", "")
	}
	return raw, nil
}

func lost(what, detail string) *llm.Error {
	return &llm.Error{Kind: llm.KindPermanent, What: what, Detail: detail, Billed: true}
}

func nested(raw []byte) int {
	dec := json.NewDecoder(bytes.NewReader(raw))
	deep, most := 0, 0
	for {
		t, err := dec.Token()
		if err != nil || most > maxNested {
			return most
		}
		switch t {
		case json.Delim('{'), json.Delim('['):
			deep++
			most = max(most, deep)
		case json.Delim('}'), json.Delim(']'):
			deep--
		}
	}
}

// refusal is a response that is no answer.
func (w *wire) refusal(res *http.Response) error {
	e := &llm.Error{Kind: llm.KindPermanent, What: fmt.Sprintf("http %d", res.StatusCode), Status: res.StatusCode}
	if res.StatusCode >= 300 && res.StatusCode < 400 {
		e.What, e.Detail = "redirect refused", fmt.Sprintf("http %d", res.StatusCode)
		return e
	}
	code, said := w.said(res)
	e.Detail = said
	switch {
	case res.StatusCode == 429 && code == "insufficient_quota":
		e.What = "quota used up" // waiting does not fill it
	case res.StatusCode == 408, res.StatusCode == 409, res.StatusCode == 429, res.StatusCode >= 500:
		e.Kind, e.Wait = llm.KindTransient, waiting(res.Header)
	}
	return e
}

// said is the code and the message of an error in either dialect.
func (w *wire) said(res *http.Response) (code, message string) {
	if enc := res.Header.Get("Content-Encoding"); enc != "" && enc != "identity" {
		return "", ""
	}
	raw, _ := io.ReadAll(io.LimitReader(res.Body, maxError)) // what came of it is enough
	var body struct {
		Error struct {
			Code    any    `json:"code"`
			Type    string `json:"type"`
			Message string `json:"message"`
		} `json:"error"`
	}
	switch {
	case json.Unmarshal(raw, &body) == nil && body.Error.Message != "":
	case json.Valid(raw):
		return "", w.clean(string(raw)) // servers that write errors in a way of their own
	default:
		return "", "" // a page, or the error of something in between: nothing to quote
	}
	code, _ = body.Error.Code.(string)
	return code, w.clean(body.Error.Message)
}

// clean makes what a server says fit for an error: without keys, on one line.
func (w *wire) clean(s string) string { return plain.Text(w.veil.Hide(s), maxSaid) }

// waiting is how long a server asks to be left alone: in seconds, or until a
// date by its own clock. 0: it does not say.
func waiting(h http.Header) time.Duration {
	const most = 1 << 31 // seconds: more is as good as for ever
	after := strings.TrimSpace(h.Get("Retry-After"))
	if n, err := strconv.ParseFloat(after, 64); err == nil {
		if n > 0 {
			return time.Duration(min(n, most) * float64(time.Second))
		}
		return 0
	}
	until, err := http.ParseTime(after)
	if err != nil {
		return 0
	}
	now, err := http.ParseTime(h.Get("Date"))
	if err != nil {
		return 0 // against our own clock, it means nothing
	}
	return max(until.Sub(now), 0)
}
