package otlp

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestTargets(t *testing.T) {
	type env = map[string]string
	student := env{"LANGCHAIN_TRACING_V2": "true", "LANGCHAIN_API_KEY": "k", "LANGCHAIN_PROJECT": "p"}
	with := func(more env) env {
		all := maps.Clone(student)
		maps.Copy(all, more)
		return all
	}
	at := func(name, url string, header env) []Target {
		return []Target{{Name: name, URL: url, Header: header, Timeout: patience}}
	}
	smith := at("langsmith", "https://api.smith.langchain.com/otel/v1/traces", env{"x-api-key": "k", "Langsmith-Project": "p"})
	fuse := env{"Authorization": "Basic YTpi", "x-langfuse-ingestion-version": "4"}
	for name, tc := range map[string]struct {
		env   env
		want  []Target
		wrong string
	}{
		"nothing":          {},
		"key, not asked":   {env: env{"LANGCHAIN_API_KEY": "k"}},
		"asked, no key":    {env: env{"LANGCHAIN_TRACING_V2": "true"}},
		"student":          {env: student, want: smith},
		"blanks":           {env: env{"LANGCHAIN_TRACING_V2": " True ", "LANGCHAIN_API_KEY": " k\n", "LANGCHAIN_PROJECT": "p "}, want: smith},
		"new names win":    {env: with(env{"LANGSMITH_API_KEY": "n", "LANGSMITH_PROJECT": "q", "LANGSMITH_ENDPOINT": "https://eu.api.smith.langchain.com/"}), want: at("langsmith", "https://eu.api.smith.langchain.com/otel/v1/traces", env{"x-api-key": "n", "Langsmith-Project": "q"})},
		"new name says no": {env: with(env{"LANGSMITH_TRACING": "false"})},
		"workspace, own":   {env: with(env{"LANGSMITH_WORKSPACE_ID": "w", "LANGCHAIN_ENDPOINT": "https://a.example/api/v1/otel"}), want: at("langsmith", "https://a.example/api/v1/otel/v1/traces", env{"x-api-key": "k", "Langsmith-Project": "p", "X-Tenant-Id": "w"})},
		"switched off":     {env: with(env{"OTEL_SDK_DISABLED": "true", "PHOENIX_COLLECTOR_ENDPOINT": "http://localhost:6006"})},
		"langfuse":         {env: env{"LANGFUSE_PUBLIC_KEY": "a", "LANGFUSE_SECRET_KEY": "b", "LANGFUSE_HOST": "http://localhost:3000"}, want: at("langfuse", "http://localhost:3000/api/public/otel/v1/traces", fuse)},
		"langfuse cloud":   {env: env{"LANGFUSE_PUBLIC_KEY": "a", "LANGFUSE_SECRET_KEY": "b"}, want: at("langfuse", "https://cloud.langfuse.com/api/public/otel/v1/traces", fuse)},
		"langfuse, by url": {env: env{"LANGFUSE_PUBLIC_KEY": "a", "LANGFUSE_SECRET_KEY": "b", "LANGFUSE_HOST": "https://no", "LANGFUSE_BASE_URL": "https://us.cloud.langfuse.com/api/public/otel"}, want: at("langfuse", "https://us.cloud.langfuse.com/api/public/otel/v1/traces", fuse)},
		"one key of two":   {env: env{"LANGFUSE_PUBLIC_KEY": "a"}},
		"langfuse off":     {env: env{"LANGFUSE_PUBLIC_KEY": "a", "LANGFUSE_SECRET_KEY": "b", "LANGFUSE_TRACING_ENABLED": "False"}},
		"phoenix":          {env: env{"PHOENIX_COLLECTOR_ENDPOINT": "http://localhost:6006/v1/traces"}, want: at("phoenix", "http://localhost:6006/v1/traces", env{})},
		"phoenix, key":     {env: env{"PHOENIX_COLLECTOR_ENDPOINT": "https://app.phoenix.arize.com/s/me", "PHOENIX_API_KEY": "k"}, want: at("phoenix", "https://app.phoenix.arize.com/s/me/v1/traces", env{"Authorization": "Bearer k"})},
		"otlp":             {env: env{"OTEL_EXPORTER_OTLP_ENDPOINT": "http://localhost:4318/", "OTEL_EXPORTER_OTLP_HEADERS": "a=1, b=x%20y=,c=50%,"}, want: at("otlp", "http://localhost:4318/v1/traces", env{"a": "1", "b": "x y=", "c": "50%"})},
		"otlp for traces":  {env: env{"OTEL_EXPORTER_OTLP_ENDPOINT": "http://a", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "http://b/x", "OTEL_EXPORTER_OTLP_PROTOCOL": "http/protobuf"}, want: at("otlp", "http://b/x", env{})},
		"otlp, all of it": {env: env{"OTEL_EXPORTER_OTLP_ENDPOINT": "https://a", "OTEL_EXPORTER_OTLP_TIMEOUT": "2500", "OTEL_EXPORTER_OTLP_COMPRESSION": "gzip", "OTEL_EXPORTER_OTLP_TRACES_HEADERS": "k=v", "OTEL_EXPORTER_OTLP_HEADERS": "no=no"},
			want: []Target{{Name: "otlp", URL: "https://a/v1/traces", Header: env{"k": "v"}, Gzip: true, Timeout: 2500 * time.Millisecond}}},
		"otlp, none":       {env: env{"OTEL_EXPORTER_OTLP_ENDPOINT": "https://a", "OTEL_TRACES_EXPORTER": "none"}},
		"grpc":             {env: with(env{"OTEL_EXPORTER_OTLP_ENDPOINT": "http://localhost:4317", "OTEL_EXPORTER_OTLP_PROTOCOL": "grpc"}), want: smith, wrong: `reading environment: OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" is not spoken here`},
		"bad timeout":      {env: env{"OTEL_EXPORTER_OTLP_ENDPOINT": "https://a", "OTEL_EXPORTER_OTLP_TIMEOUT": "soon"}, wrong: `OTEL_EXPORTER_OTLP_TIMEOUT: "soon" is not a number of milliseconds`},
		"bad compression":  {env: env{"OTEL_EXPORTER_OTLP_ENDPOINT": "https://a", "OTEL_EXPORTER_OTLP_COMPRESSION": "zstd"}, wrong: `unknown value "zstd" (have gzip, none)`},
		"bad headers":      {env: env{"OTEL_EXPORTER_OTLP_ENDPOINT": "https://a", "OTEL_EXPORTER_OTLP_HEADERS": "a=1,Bearer hidden"}, wrong: "OTEL_EXPORTER_OTLP_HEADERS: entry 2 is not KEY=VALUE"},
		"no scheme":        {env: env{"OTEL_EXPORTER_OTLP_ENDPOINT": "hidden:4318"}, wrong: "the endpoint of otlp is not an http:// or https:// address"},
		"password":         {env: env{"OTEL_EXPORTER_OTLP_ENDPOINT": "https://me:hidden@a"}, wrong: "the endpoint of otlp must have no user, query or fragment"},
		"bad header":       {env: env{"OTEL_EXPORTER_OTLP_ENDPOINT": "https://a", "OTEL_EXPORTER_OTLP_HEADERS": "a=hidden%0Ab"}, wrong: "a header for otlp cannot be sent"},
		"key in the clear": {env: env{"PHOENIX_COLLECTOR_ENDPOINT": "http://phoenix.example:6006", "PHOENIX_API_KEY": "hidden"}, wrong: "a key for phoenix would leave in the clear: phoenix.example:6006 must be https"},
		"no key":           {env: env{"PHOENIX_COLLECTOR_ENDPOINT": "http://phoenix.example:6006"}, want: at("phoenix", "http://phoenix.example:6006/v1/traces", env{})},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := Targets(func(k string) string { return tc.env[k] })
			if d := cmp.Diff(tc.want, got); d != "" {
				t.Error(d)
			}
			switch {
			case (err != nil) != (tc.wrong != ""), err != nil && !strings.Contains(err.Error(), tc.wrong):
				t.Errorf("error %v, want %q", err, tc.wrong)
			case err != nil && strings.Contains(err.Error(), "hidden"):
				t.Errorf("error %v shows what it must not", err)
			}
		})
	}
}

func TestSecrets(t *testing.T) {
	got := []string{}
	for _, h := range []map[string]string{{"x-api-key": "k1", "Langsmith-Project": "automaton"}, {"Authorization": "Bearer k2"}, {"Authorization": "Basic YTpi"}} {
		got = append(got, Target{Header: h}.Secrets()...)
	}
	slices.Sort(got)
	if d := cmp.Diff([]string{"Basic YTpi", "Bearer k2", "YTpi", "a", "b", "k1", "k2"}, got); d != "" {
		t.Error(d)
	}
}

func TestContent(t *testing.T) {
	for value, want := range map[string]bool{"": false, "false": false, "NO_CONTENT": false, "EVENT_ONLY": false, "true": true, "True": true, "SPAN_ONLY": true, "span_and_event": true} {
		if got := Content(func(string) string { return value }); got != want {
			t.Errorf("%q: %t", value, got)
		}
	}
}
