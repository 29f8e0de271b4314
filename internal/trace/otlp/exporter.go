package otlp

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/sdk/resource"
	sdk "go.opentelemetry.io/otel/sdk/trace"

	"github.com/automaton-auditor/automaton/internal/trace"
)

// flushing is how long the end of a run may wait for collectors.
const flushing = 5 * time.Second

// Options say what is told, and to whom.
type Options struct {
	Targets []Target
	Getenv  func(string) string // for TRACEPARENT, OTEL_SERVICE_NAME and the like
	Version string              // of the program
	Content bool                // what models are asked and answer leaves, too
	Redact  bool                // the case's id is hashed
	Hide    func(string) string // takes our own secrets out of whatever leaves; nil: there are none
}

// Exporter makes spans of events. Event is safe for concurrent use.
type Exporter struct {
	senders  []*sender
	provider *sdk.TracerProvider
	flushing time.Duration

	mu   sync.Mutex
	tree tree
	odd  error // an event that could not be told
}

// New makes an exporter for the targets. Nothing is sent before there is an
// event.
func New(o Options) (*Exporter, error) {
	silence(otel.SetLogger)
	env := environment{o.Getenv}
	var about []attribute.KeyValue
	named := env.resource(o.Version)
	for _, k := range slices.Sorted(maps.Keys(named)) {
		about = append(about, attribute.String(k, named[k]))
	}
	x := &Exporter{flushing: flushing}
	options := []sdk.TracerProviderOption{sdk.WithResource(resource.NewWithAttributes(schemaURL, about...)),
		sdk.WithSampler(sdk.ParentBased(sdk.AlwaysSample())), sdk.WithRawSpanLimits(limits())}
	for _, t := range o.Targets {
		s, err := newSender(t)
		if err != nil {
			return nil, errors.Join(err, x.Close(context.Background()))
		}
		x.senders = append(x.senders, s)
		options = append(options, sdk.WithSpanProcessor(s.queue))
	}
	x.provider = sdk.NewTracerProvider(options...)
	x.tree = tree{tracer: tracer(x.provider, o.Version), parent: parent(env), content: o.Content, redact: o.Redact, hide: o.Hide}
	if o.Hide == nil {
		x.tree.hide = func(s string) string { return s }
	}
	return x, nil
}

// limits bound a span, whatever an event holds.
func limits() sdk.SpanLimits {
	return sdk.SpanLimits{AttributeValueLengthLimit: 64 << 10, AttributeCountLimit: 64, EventCountLimit: 512, LinkCountLimit: 0,
		AttributePerEventCountLimit: 16, AttributePerLinkCountLimit: 0}
}

// parent is the span that this run is a part of, as the one who started it says.
func parent(e environment) context.Context {
	return propagation.TraceContext{}.Extract(context.Background(),
		propagation.MapCarrier{"traceparent": e.first("TRACEPARENT"), "tracestate": e.first("TRACESTATE")})
}

// Event is a sink for trace.NewLog. It waits for nobody and gives no error:
// what cannot be told is told at the end.
func (x *Exporter) Event(e trace.Event) error {
	at, err := time.Parse("2006-01-02T15:04:05.000Z", e.At)
	x.mu.Lock()
	defer x.mu.Unlock()
	if err != nil {
		x.odd = fmt.Errorf("telling event %d to collectors: its time cannot be read", e.Seq)
		return nil
	}
	x.tree.grow(e, at)
	return nil
}

// Close ends what is open and sends what waits, for at most five seconds. The
// error says what did not arrive: it is a warning, and no more.
func (x *Exporter) Close(ctx context.Context) error {
	x.mu.Lock()
	x.tree.fell()
	ended, wrong := x.tree.ended, []error{x.odd}
	x.mu.Unlock()
	ctx, cancel := context.WithTimeout(ctx, x.flushing)
	defer cancel()
	var wg sync.WaitGroup
	for _, s := range x.senders {
		wg.Go(func() { s.close(ctx) })
	}
	wg.Wait()
	for _, s := range x.senders {
		wrong = append(wrong, s.trouble(ended))
	}
	return errors.Join(wrong...)
}
