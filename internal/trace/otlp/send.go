package otlp

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"sync"
	"time"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	sdk "go.opentelemetry.io/otel/sdk/trace"

	"github.com/automaton-auditor/automaton/internal/safetext"
)

// What a collector may take of us.
const (
	maxAnswer = 64 << 10 // bytes of a body, and of headers
	maxQueued = 1 << 14  // spans that wait; what comes then is counted as lost
	lull      = 2 * time.Second
)

// sender takes spans to one target. It is what the official exporter is, but
// for trouble: that is kept for the end, and never told to the SDK, which would
// print it.
type sender struct {
	target Target
	inner  sdk.SpanExporter
	queue  sdk.SpanProcessor
	life   context.Context
	kill   context.CancelFunc // aborts what is under way

	mu        sync.Mutex
	delivered int
	err       error // the first
}

// newSender sets everything that the official exporter would otherwise read
// from the process's environment: keys of one target must not reach another.
func newSender(t Target) (*sender, error) {
	compression := otlptracehttp.NoCompression
	if t.Gzip {
		compression = otlptracehttp.GzipCompression
	}
	inner, err := otlptracehttp.New(context.Background(),
		otlptracehttp.WithEndpointURL(t.URL), otlptracehttp.WithHeaders(t.Header), otlptracehttp.WithCompression(compression),
		otlptracehttp.WithEncoding(otlptracehttp.EncodingProtobuf), otlptracehttp.WithTLSClientConfig(nil), otlptracehttp.WithHTTPClient(client(t)),
		otlptracehttp.WithMaxResponseSize(maxAnswer),
		otlptracehttp.WithRetry(otlptracehttp.RetryConfig{Enabled: true, InitialInterval: 250 * time.Millisecond, MaxInterval: time.Second, MaxElapsedTime: flushing / 2}))
	if err != nil {
		return nil, fmt.Errorf("preparing to send spans to %s: %w", t.Name, err)
	}
	s := &sender{target: t, inner: inner}
	s.life, s.kill = context.WithCancel(context.Background())
	s.queue = sdk.NewBatchSpanProcessor(s, sdk.WithMaxQueueSize(maxQueued), sdk.WithMaxExportBatchSize(512),
		sdk.WithBatchTimeout(lull), sdk.WithExportTimeout(t.Timeout+flushing))
	return s, nil
}

var errRedirected = errors.New("the server sends elsewhere; nothing follows there")

// client talks to one server: it follows no redirect, as headers with keys
// would go along, and asks for no compressed answers.
func client(t Target) *http.Client {
	return &http.Client{
		Timeout:       t.Timeout,
		CheckRedirect: func(*http.Request, []*http.Request) error { return errRedirected },
		Transport: &http.Transport{Proxy: http.ProxyFromEnvironment, DisableCompression: true, MaxResponseHeaderBytes: maxAnswer,
			ForceAttemptHTTP2: true, TLSHandshakeTimeout: t.Timeout, ResponseHeaderTimeout: t.Timeout, IdleConnTimeout: 30 * time.Second},
	}
}

// ExportSpans sends a batch. It gives no error: it keeps it.
func (s *sender) ExportSpans(ctx context.Context, spans []sdk.ReadOnlySpan) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(s.life, cancel)()
	err := s.inner.ExportSpans(ctx, spans)
	s.mu.Lock()
	defer s.mu.Unlock()
	if err == nil {
		s.delivered += len(spans)
	} else if s.err == nil {
		s.err = err
	}
	return nil
}

// Shutdown ends the official exporter.
func (s *sender) Shutdown(ctx context.Context) error { return s.inner.Shutdown(ctx) }

// close sends what waits until ctx ends, and aborts what is left then.
func (s *sender) close(ctx context.Context) {
	defer s.kill()
	if err := s.queue.Shutdown(ctx); err != nil {
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.err == nil {
			s.err = err
		}
	}
}

// trouble is what went wrong on the way of so many spans, without keys, and
// short whatever the server said.
func (s *sender) trouble(ended int) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	lost := ended - s.delivered
	if lost <= 0 {
		return nil
	}
	why := "too many waited"
	switch {
	case errors.Is(s.err, context.DeadlineExceeded), errors.Is(s.err, context.Canceled):
		why = "no answer in time"
	case errors.Is(s.err, errRedirected):
		why = errRedirected.Error()
	case s.err != nil:
		why = s.err.Error()
	}
	host := s.target.URL
	if u, err := url.Parse(host); err == nil {
		host = u.Host
	}
	why = safetext.Text(safetext.NewVeil(s.target.Secrets()...).Hide(why), 300)
	return fmt.Errorf("sending the trace to %s (%s): %d of %d spans did not arrive: %s", s.target.Name, host, lost, ended, why)
}

// silence keeps the SDK from printing to the process's standard error, which is
// not its own: it would show headers that it cannot read. The zero logger says
// nothing.
func silence[Logger any](set func(Logger)) {
	var nobody Logger
	set(nobody)
	otel.SetErrorHandler(otel.ErrorHandlerFunc(func(error) {}))
}
