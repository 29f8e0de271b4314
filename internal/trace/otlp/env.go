package otlp

import (
	"encoding/base64"
	"errors"
	"fmt"
	"net"
	"net/url"
	"strconv"
	"strings"
	"time"

	"golang.org/x/net/http/httpguts"
)

// Target is one place that spans go to.
type Target struct {
	Name    string // otlp, langsmith, langfuse, phoenix
	URL     string
	Header  map[string]string // with the keys; sent to URL and nowhere else
	Gzip    bool
	Timeout time.Duration // of one request
}

// patience is how long a request may take unless the environment says
// otherwise, as the specification of OTLP exporters has it.
const patience = 10 * time.Second

// Targets lists the places that the environment asks for, by the variables that
// OpenTelemetry, LangSmith, Langfuse and Phoenix document. None means that
// nothing leaves. The error says which of them cannot be used and why; the
// others are good.
func Targets(getenv func(string) string) ([]Target, error) {
	e := environment{getenv}
	if e.on("OTEL_SDK_DISABLED") {
		return nil, nil
	}
	var out []Target
	var wrong []error
	for _, ask := range []func() (*Target, error){e.otlp, e.langsmith, e.langfuse, e.phoenix} {
		t, err := ask()
		if err == nil && t != nil {
			err = t.check()
		}
		switch {
		case err != nil:
			wrong = append(wrong, fmt.Errorf("reading environment: %w", err))
		case t != nil:
			out = append(out, *t)
		}
	}
	return out, errors.Join(wrong...)
}

// Content tells whether the environment wants content in traces, by the variable
// that OpenTelemetry has for it.
func Content(getenv func(string) string) bool {
	e := environment{getenv}
	switch strings.ToUpper(e.first("OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT")) {
	case "SPAN_ONLY", "SPAN_AND_EVENT":
		return true
	}
	return e.on("OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT")
}

// Secrets are the keys that the target is sent, in each form that a server
// could echo.
func (t Target) Secrets() []string {
	var out []string
	for k, v := range t.Header {
		if harmless[strings.ToLower(k)] {
			continue
		}
		out = append(out, v)
		scheme, key, ok := strings.Cut(v, " ")
		if !ok {
			continue
		}
		out = append(out, key)
		if raw, err := base64.StdEncoding.DecodeString(key); err == nil && scheme == "Basic" {
			user, password, _ := strings.Cut(string(raw), ":")
			out = append(out, user, password)
		}
	}
	return out
}

// check says why spans cannot be sent there. Addresses are not quoted: they may
// hold a password.
func (t Target) check() error {
	u, err := url.Parse(t.URL)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" {
		return fmt.Errorf("the endpoint of %s is not an http:// or https:// address", t.Name)
	}
	if u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return fmt.Errorf("the endpoint of %s must have no user, query or fragment", t.Name)
	}
	for k, v := range t.Header {
		if !httpguts.ValidHeaderFieldName(k) || !httpguts.ValidHeaderFieldValue(v) {
			return fmt.Errorf("a header for %s cannot be sent", t.Name)
		}
	}
	if u.Scheme == "http" && t.secret() && !loopback(u.Hostname()) {
		return fmt.Errorf("a key for %s would leave in the clear: %s must be https", t.Name, u.Host)
	}
	return nil
}

// secret tells whether a header may hold a key.
func (t Target) secret() bool {
	for k := range t.Header {
		if !harmless[strings.ToLower(k)] {
			return true
		}
	}
	return false
}

// harmless are the headers of ours that hold no key.
var harmless = map[string]bool{"langsmith-project": true, "x-tenant-id": true, "x-langfuse-ingestion-version": true}

func loopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || strings.HasSuffix(host, ".localhost") || ip != nil && ip.IsLoopback()
}

// environment reads variables by the rules of those who named them.
type environment struct{ getenv func(string) string }

// first is the first of the variables that is set.
func (e environment) first(keys ...string) string {
	for _, k := range keys {
		if v := strings.TrimSpace(e.getenv(k)); v != "" {
			return v
		}
	}
	return ""
}

// on tells whether the first of the variables that is set says yes.
func (e environment) on(keys ...string) bool {
	switch strings.ToLower(e.first(keys...)) {
	case "1", "true", "yes", "on":
		return true
	}
	return false
}

func (e environment) off(key string) bool { return e.first(key) != "" && !e.on(key) }

// otlp is the collector that the variables of OpenTelemetry name. Those of
// traces alone win over those of all signals.
func (e environment) otlp() (*Target, error) {
	endpoint := e.first("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")
	if base := e.first("OTEL_EXPORTER_OTLP_ENDPOINT"); endpoint == "" && base != "" {
		endpoint = join(base, "/v1/traces")
	}
	if endpoint == "" || e.first("OTEL_TRACES_EXPORTER") == "none" {
		return nil, nil
	}
	if p := e.first("OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", "OTEL_EXPORTER_OTLP_PROTOCOL"); p != "" && p != "http/protobuf" {
		return nil, fmt.Errorf("OTEL_EXPORTER_OTLP_PROTOCOL: %q is not spoken here: give http/protobuf, and an endpoint that takes it", p)
	}
	header, err := pairs(e.first("OTEL_EXPORTER_OTLP_TRACES_HEADERS", "OTEL_EXPORTER_OTLP_HEADERS"))
	if err != nil {
		return nil, fmt.Errorf("OTEL_EXPORTER_OTLP_HEADERS: %w", err)
	}
	t := &Target{Name: "otlp", URL: endpoint, Header: header, Timeout: patience}
	if v := e.first("OTEL_EXPORTER_OTLP_TRACES_TIMEOUT", "OTEL_EXPORTER_OTLP_TIMEOUT"); v != "" {
		ms, err := strconv.Atoi(v)
		if err != nil || ms <= 0 || ms > int(time.Hour/time.Millisecond) {
			return nil, fmt.Errorf("OTEL_EXPORTER_OTLP_TIMEOUT: %q is not a number of milliseconds", v)
		}
		t.Timeout = time.Duration(ms) * time.Millisecond
	}
	switch v := e.first("OTEL_EXPORTER_OTLP_TRACES_COMPRESSION", "OTEL_EXPORTER_OTLP_COMPRESSION"); v {
	case "gzip":
		t.Gzip = true
	case "", "none":
	default:
		return nil, fmt.Errorf("OTEL_EXPORTER_OTLP_COMPRESSION: unknown value %q (have gzip, none)", v)
	}
	return t, nil
}

// langsmith is on when there is a key and tracing is asked for: many have the
// key in their environment.
func (e environment) langsmith() (*Target, error) {
	key := e.first("LANGSMITH_API_KEY", "LANGCHAIN_API_KEY")
	if key == "" || !e.on("LANGSMITH_TRACING", "LANGSMITH_TRACING_V2", "LANGCHAIN_TRACING_V2") {
		return nil, nil
	}
	base := e.first("LANGSMITH_ENDPOINT", "LANGCHAIN_ENDPOINT")
	if base == "" {
		base = "https://api.smith.langchain.com"
	}
	t := &Target{Name: "langsmith", URL: join(base, "/otel", "/v1/traces"), Header: map[string]string{"x-api-key": key}, Timeout: patience}
	if p := e.first("LANGSMITH_PROJECT", "LANGCHAIN_PROJECT"); p != "" {
		t.Header["Langsmith-Project"] = p
	}
	if w := e.first("LANGSMITH_WORKSPACE_ID"); w != "" {
		t.Header["X-Tenant-Id"] = w
	}
	return t, nil
}

// langfuse is on when both of its keys are there.
func (e environment) langfuse() (*Target, error) {
	public, secret := e.first("LANGFUSE_PUBLIC_KEY"), e.first("LANGFUSE_SECRET_KEY")
	if public == "" || secret == "" || e.off("LANGFUSE_TRACING_ENABLED") {
		return nil, nil
	}
	base := e.first("LANGFUSE_BASE_URL", "LANGFUSE_HOST")
	if base == "" {
		base = "https://cloud.langfuse.com"
	}
	return &Target{Name: "langfuse", URL: join(base, "/api/public/otel", "/v1/traces"), Timeout: patience, Header: map[string]string{
		"Authorization":                "Basic " + base64.StdEncoding.EncodeToString([]byte(public+":"+secret)),
		"x-langfuse-ingestion-version": "4",
	}}, nil
}

// phoenix is on when its collector is named; most have it on their own machine,
// without a key.
func (e environment) phoenix() (*Target, error) {
	base := e.first("PHOENIX_COLLECTOR_ENDPOINT")
	if base == "" {
		return nil, nil
	}
	t := &Target{Name: "phoenix", URL: join(base, "/v1/traces"), Header: map[string]string{}, Timeout: patience}
	if k := e.first("PHOENIX_API_KEY"); k != "" {
		t.Header["Authorization"] = "Bearer " + k
	}
	return t, nil
}

// resource is what the environment says about the service that sends spans.
func (e environment) resource(version string) map[string]string {
	out, err := pairs(e.first("OTEL_RESOURCE_ATTRIBUTES"))
	if err != nil { // the specification: all of it is discarded
		out = map[string]string{}
	}
	if p := e.first("PHOENIX_PROJECT_NAME"); p != "" {
		out[inferenceProject] = p
	}
	if out[serviceName] == "" {
		out[serviceName] = "automaton"
	}
	if n := e.first("OTEL_SERVICE_NAME"); n != "" {
		out[serviceName] = n
	}
	if out[serviceVersion] == "" {
		out[serviceVersion] = version
	}
	return out
}

// join puts the parts of a path behind an address that may end in some of them.
func join(base string, parts ...string) string {
	base = strings.TrimRight(base, "/")
	for i := range parts {
		if head := strings.Join(parts[:len(parts)-i], ""); strings.HasSuffix(base, head) {
			return base + strings.Join(parts[len(parts)-i:], "")
		}
	}
	return base + strings.Join(parts, "")
}

// pairs reads k1=v1,k2=v2 with percent-encoded values. Values are never quoted:
// they may be keys.
func pairs(s string) (map[string]string, error) {
	out := map[string]string{}
	for i, pair := range strings.Split(s, ",") {
		if strings.TrimSpace(pair) == "" {
			continue
		}
		k, v, ok := strings.Cut(pair, "=")
		k, v = strings.TrimSpace(k), strings.TrimSpace(v)
		if !ok || k == "" {
			return nil, fmt.Errorf("entry %d is not KEY=VALUE", i+1)
		}
		if u, err := url.PathUnescape(v); err == nil { // a bare % is a %
			v = u
		}
		out[k] = v
	}
	return out, nil
}
