package llmtest

import (
	"compress/gzip"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Fault is a way in which a server fails.
type Fault = func(http.ResponseWriter, *http.Request)

// Status answers with a status and a documented error body.
func Status(code int, message string) Fault {
	return func(w http.ResponseWriter, req *http.Request) {
		kind := map[int]string{401: "authentication_error", 403: "permission_error", 404: "not_found_error", 429: "rate_limit_error", 529: "overloaded_error"}[code]
		if kind == "" {
			kind = "api_error"
		}
		(&problem{code, kind, "", message}).write(w, strings.HasSuffix(req.URL.Path, "/v1/messages"))
	}
}

// Quota is a 429 that no waiting heals.
func Quota(w http.ResponseWriter, _ *http.Request) {
	(&problem{429, "insufficient_quota", "insufficient_quota", "You exceeded your current quota, please check your plan and billing details."}).write(w, false)
}

// RetryAfter answers 429 and asks to wait for so many seconds.
func RetryAfter(seconds int) Fault {
	return func(w http.ResponseWriter, req *http.Request) {
		w.Header().Set("Retry-After", strconv.Itoa(seconds))
		Status(429, "Rate limit reached")(w, req)
	}
}

// RetryUntil answers 429 and asks to wait until a date, by a clock that is off.
func RetryUntil(now time.Time, wait time.Duration) Fault {
	return func(w http.ResponseWriter, req *http.Request) {
		w.Header().Set("Date", now.UTC().Format(http.TimeFormat))
		w.Header().Set("Retry-After", now.Add(wait).UTC().Format(http.TimeFormat))
		Status(429, "Rate limit reached")(w, req)
	}
}

// Hang never answers. It ends with the request, or the server.
func Hang(_ http.ResponseWriter, req *http.Request) { <-req.Context().Done() }

// Drip begins an answer, sends a byte whenever tick says so, and never ends.
func Drip(tick <-chan time.Time) Fault {
	return func(w http.ResponseWriter, req *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusOK)
		for {
			_, err := io.WriteString(w, " ")
			if f, ok := w.(http.Flusher); ok {
				f.Flush()
			}
			select {
			case <-tick:
			case <-req.Context().Done():
				return
			}
			if err != nil {
				return
			}
		}
	}
}

// Reset closes the connection before any answer.
func Reset(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }

// Cut promises a longer body than it sends.
func Cut(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", "4096")
	_, _ = io.WriteString(w, `{"choices":[{"mess`)
	panic(http.ErrAbortHandler)
}

// Half sends a whole body that is half of an envelope.
func Half(w http.ResponseWriter, _ *http.Request) { raw(w, `{"id":"x","choices":[{"index":0,"mess`) }

// Nothing is a 200 without a body.
func Nothing(w http.ResponseWriter, _ *http.Request) { raw(w, "") }

// Other is a 200 with JSON of another shape.
func Other(w http.ResponseWriter, _ *http.Request) {
	raw(w, `{"choices":"none","content":7,"usage":[]}`)
}

// Deep is a 200 whose JSON nests 100,000 deep.
func Deep(w http.ResponseWriter, _ *http.Request) {
	raw(w, `{"choices":`+strings.Repeat("[", 100_000)+strings.Repeat("]", 100_000)+`}`)
}

func raw(w http.ResponseWriter, body string) {
	w.Header().Set("Content-Type", "application/json")
	_, _ = io.WriteString(w, body)
}

// HTML is a page with a 200, as a proxy or a login in between sends it.
func HTML(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_, _ = io.WriteString(w, "<!DOCTYPE html><title>Sign in</title>")
}

// Redirect sends the client elsewhere.
func Redirect(to string) Fault {
	return func(w http.ResponseWriter, req *http.Request) {
		http.Redirect(w, req, to, http.StatusTemporaryRedirect)
	}
}

// Bomb is a small compressed body that is a gigabyte of blanks.
func Bomb(w http.ResponseWriter, req *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Encoding", "gzip")
	w.WriteHeader(http.StatusOK)
	if f, ok := w.(http.Flusher); ok {
		f.Flush() // what comes takes a while to make
	}
	z := gzip.NewWriter(w)
	defer z.Close() //nolint:errcheck // the client hangs up
	blanks(z, req)
}

// Endless is a body of a gigabyte whose length nobody was told.
func Endless(w http.ResponseWriter, req *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	blanks(w, req)
}

// Huge is a body of a gigabyte that says so.
func Huge(w http.ResponseWriter, req *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", strconv.Itoa(1<<30))
	blanks(w, req)
}

func blanks(w io.Writer, req *http.Request) {
	block := []byte(strings.Repeat(" ", 64<<10))
	for range 1 << 30 / len(block) {
		if _, err := w.Write(block); err != nil || req.Context().Err() != nil {
			return
		}
	}
}

// Header answers with ten megabytes of header.
func Header(w http.ResponseWriter, _ *http.Request) {
	for i := range 10 {
		w.Header().Set(fmt.Sprintf("X-Filler-%d", i), strings.Repeat("x", 1<<20))
	}
	raw(w, "{}")
}
