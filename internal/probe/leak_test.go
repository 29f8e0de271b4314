package probe

import (
	"strings"
	"testing"

	"github.com/automaton-auditor/automaton/internal/code"
)

// Keys are put together here, so that no scanner finds one in this file.
const (
	random32 = "a9F3kQ7zLm2XcV8bN4tR" + "6yHw1sDe5GjP"
	random16 = "Zq4nT8vB2" + "kW7xR5m"
)

func TestLeaks(t *testing.T) {
	key := "-----BEGIN RSA PRIVATE" + " KEY-----\n" + strings.Repeat("MIIEow9xK3vQ7zLm2XcV8bN4tR6yHw1sDe5GjPa9F3kQ7zLm2XcV8bN4tR6yHw1s\n", 3) + "-----END RSA PRIVATE" + " KEY-----\n"
	tests := map[string]struct {
		text, kind string
		line       int
	}{
		"provider's key":      {"# settings\nK = \"sk-proj-" + random32 + "\"", "openai_key", 2},
		"assignment":          {"api_key: " + random32, "assignment", 1},
		"json":                {`{"client_secret": "` + random32 + `"}`, "assignment", 1},
		"address":             {"DB = postgres://app:Vx9-mR2_qL@db.company.io/x", "url_password", 1},
		"private key":         {"a\n" + key, "private_key", 2},
		"cloud key":           {"AKIA" + "IOSFODNN7QRSTUV2", "aws_key", 1},
		"search key":          {"tvly-dev-" + random16 + random16, "tavily_key", 1},
		"session token":       {"eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI0MjQyNDIifQ." + random32, "jwt", 1},
		"web app's key":       {`{apiKey: "AI` + `za` + random32 + `QZk",` + "\n" + ` authDomain: "orchard.example",`, "", 0},
		"same key alone":      {`apiKey = "AI` + `za` + random32 + `QZk"`, "google_key", 1},
		"key to search":       {"algolia: {\n appId: 'ABC123',\n apiKey: '" + random32 + "',\n indexName: 'pears' }", "", 0},
		"placeholder":         {"OPENAI_API_KEY=sk-your-key-goes-here-1234567890abcdef", "", 0},
		"documented key":      {"AKIA" + "IOSFODNN7EXAMPLE", "", 0},
		"name with digits":    {`cache_key = "git_forensics_v2_2024_run_17"`, "", 0},
		"style class":         {`<div class="sk-toggleable__label-arrow-1">`, "", 0},
		"commit":              {"access_token_revision = 'd41d8cd98f00b204e9800998ecf8427e01234567'", "", 0},
		"key of a dictionary": {"key = '" + random32 + "'", "", 0},
		"own machine":         {"postgres://app:Vx9-mR2_qL@localhost:5432/x", "", 0},
		"service name":        {"redis://app:Vx9-mR2_qL@redis:6379", "", 0},
		"weak dummy":          {"https://user:password1@github.com/a/b", "", 0},
		"header alone":        {`if "-----BEGIN RSA PRIVATE` + ` KEY-----" in text:`, "", 0},
		"empty body":          {"-----BEGIN RSA PRIVATE" + " KEY-----\n...\n-----END RSA PRIVATE" + " KEY-----", "", 0},
		"sample token":        {"eyJhbGciOiJIUzI1NiJ9." + sampleToken + "9.SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c", "", 0},
		"signed address":      {"![x](https://files.company.io/a.png?AWSAccessKeyId=AKIA" + "IOSFODNN7QRSTUV2&Expires=1)", "", 0},
		"pattern":             {`re.compile(r"sk-[A-Za-z0-9]{20,}")`, "", 0},
		"from environment":    {`api_key = os.environ["OPENAI_API_KEY_2024_PRODUCTION1"]`, "", 0},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			got := Leaks(tc.text)
			if tc.kind == "" {
				if len(got) > 0 {
					t.Errorf("%q is taken for a leak: %+v", tc.text, got)
				}
				return
			}
			if len(got) != 1 || got[0].Kind != tc.kind || got[0].Line != tc.line {
				t.Errorf("got %+v, want one %s in line %d", got, tc.kind, tc.line)
			}
		})
	}
}

func TestLeakCounts(t *testing.T) {
	tests := map[string]struct {
		path  string
		scope code.Scope
		want  bool
	}{
		"program":       {"src/a.py", code.ScopeProduction, true},
		"configuration": {".env", code.ScopeConfig, true},
		"document":      {"README.md", code.ScopeDocs, true},
		"example":       {".env.example", code.ScopeConfig, false},
		"template":      {"conf/env.template", code.ScopeOther, false},
		"test":          {"tests/test_mask.py", code.ScopeTest, false},
		"vendored":      {"node_modules/a/x.js", code.ScopeVendor, false},
		"lock file":     {"uv.lock", code.ScopeGenerated, false},
	}
	for name, tc := range tests {
		if got := (Secret{}).Counts(tc.path, tc.scope); got != tc.want {
			t.Errorf("%s: %v, want %v", name, got, tc.want)
		}
	}
}

func FuzzLeaks(f *testing.F) {
	for _, s := range []string{"sk-" + random32, "a\nhttps://u:p@h\n", "-----BEGIN PRIVATE KEY-----", "api_key=" + random32} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, s := range Leaks(text) {
			if s.Line < 1 || s.Line > 1+strings.Count(text, "\n") {
				t.Errorf("line %d of %q", s.Line, text)
			}
		}
	})
}
