package probe

import (
	"cmp"
	"math"
	"regexp"
	"slices"
	"strings"
)

// Secret is a key-shaped text in some source.
type Secret struct {
	Kind        string
	Line        int  // 1-based
	Placeholder bool // dummy, example or template: no real key
	from, to    int
}

type secretRule struct {
	kind string
	re   *regexp.Regexp
	part int // submatch that is the secret
}

// secretRules are the shapes of keys that are known by their prefix; sources:
// the providers' documentation. Order decides where two fit.
var secretRules = []secretRule{
	{"private_key", regexp.MustCompile(`-----BEGIN [A-Z ]*PRIVATE KEY-----[\w\s+/=:,.\\"'-]*?-----END [A-Z ]*PRIVATE KEY-----`), 0},
	{"private_key", regexp.MustCompile(`-----BEGIN [A-Z ]*PRIVATE KEY-----`), 0},
	{"aws_key", regexp.MustCompile(`\b(?:AKIA|ASIA)[A-Z0-9]{16}\b`), 0},
	{"github_token", regexp.MustCompile(`\bgh[pousr]_[A-Za-z0-9]{36,}\b|\bgithub_pat_[A-Za-z0-9_]{22,}\b`), 0},
	{"gitlab_token", regexp.MustCompile(`\bglpat-[A-Za-z0-9_-]{20,}`), 0},
	{"anthropic_key", regexp.MustCompile(`\bsk-ant-[A-Za-z0-9_-]{16,}`), 0},
	{"openrouter_key", regexp.MustCompile(`\bsk-or-[A-Za-z0-9_-]{16,}`), 0},
	{"langsmith_key", regexp.MustCompile(`\b(?:lsv2_[A-Za-z0-9_]{20,}|ls__[A-Za-z0-9]{20,})`), 0},
	{"openai_key", regexp.MustCompile(`\bsk-(?:proj-|svcacct-)?[A-Za-z0-9_-]{20,}`), 0},
	{"google_key", regexp.MustCompile(`\bAIza[A-Za-z0-9_-]{35}`), 0},
	{"groq_key", regexp.MustCompile(`\bgsk_[A-Za-z0-9]{20,}`), 0},
	{"hf_token", regexp.MustCompile(`\bhf_[A-Za-z0-9]{20,}`), 0},
	{"tavily_key", regexp.MustCompile(`\btvly-[A-Za-z0-9_-]{16,}`), 0},
	{"slack_token", regexp.MustCompile(`\bxox[abprs]-[A-Za-z0-9-]{10,}`), 0},
	{"stripe_key", regexp.MustCompile(`\b[sr]k_live_[A-Za-z0-9]{16,}`), 0},
	{"sendgrid_key", regexp.MustCompile(`\bSG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}`), 0},
	{"npm_token", regexp.MustCompile(`\bnpm_[A-Za-z0-9]{36}`), 0},
	{"pypi_token", regexp.MustCompile(`\bpypi-[A-Za-z0-9_-]{32,}`), 0},
	{"jwt", regexp.MustCompile(`\beyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}`), 0},
	{"url_password", regexp.MustCompile(`\b[a-z][a-z0-9+.-]{1,15}://[^\s/:@'"<>{}$]{1,64}:([^\s/@'"<>{}$]{3,128})@`), 1},
	{"assignment", regexp.MustCompile(`(?i)\b[a-z0-9_.-]{0,40}(?:key|secret|token|passw|credential)[a-z0-9_]{0,20}["']?\s{0,4}[:=]\s{0,4}["']?([A-Za-z0-9+/_=.~-]{16,256})`), 1},
}

// Secrets lists the key-shaped texts, without their values, in order.
func Secrets(text string) []Secret {
	var out []Secret
	taken := func(from, to int) bool {
		for _, s := range out {
			if from < s.to && s.from < to {
				return true
			}
		}
		return false
	}
	for _, r := range secretRules {
		for _, m := range r.re.FindAllStringSubmatchIndex(text, 2000) {
			from, to := m[2*r.part], m[2*r.part+1]
			value := text[from:to]
			if taken(from, to) || (r.kind == "assignment" && !randomLooking(value)) {
				continue
			}
			out = append(out, Secret{Kind: r.kind, Line: 1 + strings.Count(text[:from], "\n"),
				Placeholder: r.kind != "private_key" && placeholder(value), from: from, to: to})
		}
	}
	slices.SortFunc(out, func(a, b Secret) int { return cmp.Compare(a.from, b.from) })
	return out
}

// Mask replaces every key-shaped text that is no placeholder by its kind. Line
// breaks stay, so that places stay true. Masking again changes nothing.
func Mask(text string) string {
	if !suspicious(text) {
		return text
	}
	var b strings.Builder
	at := 0
	for _, s := range Secrets(text) {
		if s.Placeholder {
			continue
		}
		b.WriteString(text[at:s.from])
		b.WriteString("[redacted:" + s.Kind + "]")
		b.WriteString(strings.Repeat("\n", strings.Count(text[s.from:s.to], "\n")))
		at = s.to
	}
	b.WriteString(text[at:])
	return b.String()
}

// suspicious is a cheap first look: without one of these words no rule fits.
func suspicious(text string) bool {
	low := strings.ToLower(text)
	for _, w := range []string{"key", "secret", "token", "passw", "credential", "://", "akia", "asia", "gh", "glpat", "sk-", "sk_", "rk_",
		"aiza", "gsk_", "hf_", "tvly", "ls", "xox", "sg.", "npm_", "pypi-", "eyj"} {
		if strings.Contains(low, w) {
			return true
		}
	}
	return false
}

var placeholderWords = regexp.MustCompile(`(?i)your|xxx|change.?me|example|dummy|test|fake|sample|placeholder|insert|replace|redacted|\.\.\.|<|\$\{|environ|getenv`)

// placeholder tells a dummy from a key: a telling word, or fewer than eight
// different characters.
func placeholder(value string) bool {
	seen := map[rune]bool{}
	for _, r := range value {
		seen[r] = true
	}
	return len(seen) < 8 || placeholderWords.MatchString(value)
}

// randomLooking asks for at least 3.5 bits a character, a digit and a letter:
// a name or a sentence has less.
func randomLooking(value string) bool {
	counts := map[rune]float64{}
	digit, letter := false, false
	for _, r := range value {
		counts[r]++
		digit = digit || r >= '0' && r <= '9'
		letter = letter || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
	}
	bits, n := 0.0, float64(len(value))
	for _, c := range counts {
		bits -= c / n * math.Log2(c/n)
	}
	return digit && letter && bits >= 3.5
}
