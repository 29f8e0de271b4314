package provider

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/automaton-auditor/automaton/internal/llm"
	"github.com/automaton-auditor/automaton/internal/safetext"
)

// shape says whether a 200 is what one dialect or the other documents. Some
// servers write errors into a 200: those count as what they say they are.
func (w *wire) shape(res *http.Response, body []byte) error {
	var peek struct {
		Error   json.RawMessage   `json:"error"`
		Choices []json.RawMessage `json:"choices"`
		Content []json.RawMessage `json:"content"`
	}
	err := json.Unmarshal(body, &peek)
	if err == nil && (peek.Choices != nil || peek.Content != nil) {
		return nil
	}
	var inner struct {
		Code int `json:"code"`
	}
	if json.Unmarshal(peek.Error, &inner) == nil && inner.Code >= 400 && inner.Code < 600 {
		return w.judge(inner.Code, res.Header, body)
	}
	if _, said := w.said(body); len(peek.Error) > 0 && said != "" {
		return lost("an error instead of an answer", said)
	}
	return lost("not the wire format", "the answer has another shape than is documented")
}

// refusal is a response that is not an answer.
func (w *wire) refusal(res *http.Response) error {
	if res.StatusCode >= 300 && res.StatusCode < 400 {
		return &llm.Error{Kind: llm.KindPermanent, What: "redirect refused", Detail: fmt.Sprintf("http %d", res.StatusCode), Status: res.StatusCode}
	}
	var raw []byte
	if enc := res.Header.Get("Content-Encoding"); enc == "" || enc == "identity" {
		raw, _ = io.ReadAll(io.LimitReader(res.Body, maxError)) // what came of it is enough
	}
	return w.judge(res.StatusCode, res.Header, raw)
}

// judge sorts an error by its status and code.
func (w *wire) judge(status int, h http.Header, raw []byte) error {
	e := &llm.Error{Kind: llm.KindPermanent, What: fmt.Sprintf("http %d", status), Status: status}
	code, said := w.said(raw)
	e.Detail = said
	switch {
	case status == 400 && (code == "json_validate_failed" || code == "tool_use_failed"):
		e.Kind, e.What, e.Billed = llm.KindFormat, "no valid answer", true // the server threw away what its model said
	case status == 429 && code == "insufficient_quota":
		e.What = "quota used up" // waiting does not fill it
	case status == 408, status == 409, status == 429, status >= 500:
		e.Kind, e.Wait = llm.KindTransient, waiting(h)
	}
	return e
}

// said is the code and the message of an error in either dialect.
func (w *wire) said(raw []byte) (code, message string) {
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
func (w *wire) clean(s string) string { return safetext.Text(w.veil.Hide(s), maxSaid) }

// veiled is a reply without the key, which a server may echo wherever it likes.
func (w *wire) veiled(r llm.Reply) llm.Reply {
	r.Text, r.Model = w.veil.Hide(r.Text), w.clean(r.Model)
	if len(r.Args) > 0 {
		r.Args = json.RawMessage(w.veil.Hide(string(r.Args)))
	}
	return r
}

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
