package otlp

import (
	"cmp"
	"compress/gzip"
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	collect "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	common "go.opentelemetry.io/proto/otlp/common/v1"
	spans "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"
)

// collector is a server that reads what arrives by the official types, and
// answers as collectors do.
type collector struct {
	*httptest.Server
	mu      sync.Mutex
	asked   []*http.Request
	batches []*spans.ResourceSpans
	raw     strings.Builder
}

func collecting(t *testing.T) *collector {
	t.Helper()
	c := &collector{}
	c.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var body io.Reader = r.Body
		if r.Header.Get("Content-Encoding") == "gzip" {
			zipped, err := gzip.NewReader(r.Body)
			if err != nil {
				t.Error(err)
				return
			}
			body = zipped
		}
		raw, err := io.ReadAll(body)
		var in collect.ExportTraceServiceRequest
		if err == nil {
			err = proto.Unmarshal(raw, &in)
		}
		if err != nil {
			t.Errorf("reading what arrived: %v", err)
		}
		c.mu.Lock()
		c.asked, c.batches = append(c.asked, r), append(c.batches, in.ResourceSpans...)
		c.raw.Write(raw)
		c.mu.Unlock()
		out, err := proto.Marshal(&collect.ExportTraceServiceResponse{})
		if err != nil {
			t.Error(err)
		}
		w.Header().Set("Content-Type", "application/x-protobuf")
		_, _ = w.Write(out)
	}))
	t.Cleanup(c.Close)
	return c
}

// spans are all that arrived, in the order in which they began.
func (c *collector) spans() []*spans.Span {
	c.mu.Lock()
	defer c.mu.Unlock()
	var out []*spans.Span
	for _, b := range c.batches {
		for _, s := range b.ScopeSpans {
			out = append(out, s.Spans...)
		}
	}
	slices.SortStableFunc(out, func(a, b *spans.Span) int {
		return cmp.Or(cmp.Compare(a.StartTimeUnixNano, b.StartTimeUnixNano), strings.Compare(a.Name, b.Name))
	})
	return out
}

// tree draws the spans below a parent: name, kind, when it began and how long
// it took, attributes.
func (c *collector) tree(from time.Time) string {
	all := c.spans()
	known := map[string]bool{}
	for _, s := range all {
		known[string(s.SpanId)] = true
	}
	var b strings.Builder
	var draw func(parent, indent string)
	draw = func(parent, indent string) {
		for _, s := range all {
			if string(s.ParentSpanId) != parent && (parent != "" || known[string(s.ParentSpanId)]) {
				continue
			}
			began, took := time.Unix(0, int64(s.StartTimeUnixNano)).Sub(from), time.Duration(s.EndTimeUnixNano-s.StartTimeUnixNano)
			fmt.Fprintf(&b, "%s%s %s +%v %v%s\n", indent, s.Name, strings.ToLower(strings.TrimPrefix(s.Kind.String(), "SPAN_KIND_")), began, took, failed(s))
			for _, a := range s.Attributes {
				fmt.Fprintf(&b, "%s  . %s=%s\n", indent, a.Key, value(a.Value))
			}
			for _, e := range s.Events {
				fmt.Fprintf(&b, "%s  ! %s%s\n", indent, e.Name, inline(e.Attributes))
			}
			draw(string(s.SpanId), indent+"  ")
		}
	}
	draw("", "")
	return b.String()
}

func failed(s *spans.Span) string {
	if s.GetStatus().GetCode() == spans.Status_STATUS_CODE_ERROR {
		return " failed"
	}
	return ""
}

func inline(all []*common.KeyValue) string {
	var b strings.Builder
	for _, a := range all {
		b.WriteString(" " + a.Key + "=" + value(a.Value))
	}
	return b.String()
}

func value(v *common.AnyValue) string {
	switch x := v.Value.(type) {
	case *common.AnyValue_StringValue:
		return x.StringValue
	case *common.AnyValue_IntValue:
		return fmt.Sprint(x.IntValue)
	case *common.AnyValue_DoubleValue:
		return fmt.Sprint(x.DoubleValue)
	case *common.AnyValue_BoolValue:
		return fmt.Sprint(x.BoolValue)
	case *common.AnyValue_ArrayValue:
		var all []string
		for _, y := range x.ArrayValue.Values {
			all = append(all, value(y))
		}
		return "[" + strings.Join(all, " ") + "]"
	}
	return fmt.Sprintf("%T", v.Value)
}

// about is what arrived of who sends.
func (c *collector) about() map[string]string {
	c.mu.Lock()
	defer c.mu.Unlock()
	out := map[string]string{}
	for _, b := range c.batches {
		for _, a := range b.Resource.Attributes {
			out[a.Key] = value(a.Value)
		}
	}
	return out
}

func id(raw []byte) string { return hex.EncodeToString(raw) }
