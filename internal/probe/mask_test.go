package probe_test

import (
	"strings"
	"testing"

	"github.com/automaton-auditor/automaton/internal/probe"
)

// Keys of these tests are made up; they are joined here so that no scanner
// takes this file for a leak.
var keys = map[string]string{
	"aws_key":        "AKIA" + "Q3ZL7VXW2NPB5RTD",
	"github_token":   "ghp_" + "a8Kd02LmQz71PxWe94RtYu56IoNb3Vc8Sj1F",
	"gitlab_token":   "glpat-" + "Zx81Qw-29Er_73Ty64Ui",
	"openai_key":     "sk-proj-" + "Zk3mQ9xV7bT2wLp8RcY5dN1s",
	"anthropic_key":  "sk-ant-" + "api03-Qw81Zx29Er73Ty64Ui",
	"openrouter_key": "sk-or-" + "v1-9f8e7d6c5b4a39281706",
	"google_key":     "AIza" + "SyD3kQ9xV7bT2wLp8RcY5dN1sQw81Zx29Er",
	"groq_key":       "gsk_" + "Qw81Zx29Er73Ty64UiOp50As",
	"hf_token":       "hf_" + "QwZxErTyUiOpAsDfGhJkLmNb12",
	"langsmith_key":  "lsv2_" + "pt_9f8e7d6c5b4a39281706",
	"slack_token":    "xoxb-" + "8172635419-QwZxErTy",
	"url_password":   "https://bot:" + "Qw81Zx29Er73" + "@example.org/x.git",
	"jwt":            "eyJhbGciOiJIUzI1NiJ9" + ".eyJzdWIiOiI4MTcyNjM1In0" + ".Qw81Zx29Er73Ty64UiOp",
	"assignment":     `db_password = "` + "Qw81Zx29Er73Ty64UiOp" + `"`,
}

func TestMask(t *testing.T) {
	for kind, key := range keys {
		text := "first line\nbefore " + key + " after\nlast line"
		got := probe.Mask(text)
		if !strings.Contains(got, "[redacted:"+kind+"]") {
			t.Errorf("%s: %q", kind, got)
		}
		if strings.Count(got, "\n") != 2 || !strings.HasPrefix(got, "first line\nbefore ") || !strings.HasSuffix(got, " after\nlast line") {
			t.Errorf("%s: more than the key is gone: %q", kind, got)
		}
		if probe.Mask(got) != got {
			t.Errorf("%s: masking twice differs", kind)
		}
		if name := probe.Mask("src/old_" + key + ".py"); strings.Contains(name, key) {
			t.Errorf("%s: behind an underscore: %q", kind, name)
		}
	}
	block := "-----BEGIN RSA PRIVATE KEY-----\nabc\ndef\n-----END RSA PRIVATE KEY-----\nrest"
	if got := probe.Mask(block); strings.Contains(got, "abc") || strings.Count(got, "\n") != 4 || !strings.HasSuffix(got, "\nrest") {
		t.Errorf("private key: %q", got)
	}
}

func TestMaskLeavesTheRest(t *testing.T) {
	for _, text := range []string{
		`OPENAI_API_KEY=your-api-key-goes-here-please`,
		`key = os.environ["OPENAI_API_KEY"]`,
		`token = get_token_from_settings(name)`,
		`api_key: str = Field(default="sk-xxxxxxxxxxxxxxxxxxxxxxxx")`,
		`SECRET_KEY = "change-me-before-production-1"`,
		`secret_santa_key_names = "alpha beta gamma"`,
		`https://example.org:8080/path@2`,
		`class TokenBucketRateLimiter2:`,
	} {
		if got := probe.Mask(text); got != text {
			t.Errorf("%q became %q", text, got)
		}
	}
}

func FuzzMask(f *testing.F) {
	for _, k := range keys {
		f.Add("x = '" + k + "'\n")
	}
	f.Add("-----BEGIN PRIVATE KEY-----")
	f.Fuzz(func(t *testing.T, s string) {
		got := probe.Mask(s)
		if strings.Count(got, "\n") != strings.Count(s, "\n") {
			t.Errorf("%q has other lines than %q", got, s)
		}
	})
}
