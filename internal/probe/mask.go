package probe

import (
	"cmp"
	"math"
	"slices"
	"strings"

	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
)

// Secret is a key-shaped text in some source.
type Secret struct {
	Kind        string
	Line        int  // 1-based
	Placeholder bool // dummy, example or template: no real key
	from, to    int
}

type secretRule struct {
	kind  string
	hints []string       // in lower case; where none of them stands the rule does not fit
	re    *regexp.Regexp // its first submatch is the secret
}

// edge is where a key may begin: at a word's edge, after an underscore, which
// counts as a letter of the word, or after an escape of a quoted text, whose last
// letter would hide it.
const edge = `(?:\b|_|\\(?:[abefnrtv0]|[0-7]{3}|x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8})|%[0-9a-fA-F]{2})`

func keyRule(kind, shape string, hints ...string) secretRule {
	return secretRule{kind, hints, regexp.MustCompile(edge + "(" + shape + ")")}
}

// secretRules are the shapes of keys that are known by their prefix; sources:
// the providers' documentation. Order decides where two fit. Private keys come
// before all of them: see keyBlocks.
var secretRules = []secretRule{
	keyRule("aws_key", `(?:AKIA|ASIA)[A-Z0-9]{16}\b`, "akia", "asia"),
	keyRule("github_token", `gh[pousr]_[A-Za-z0-9]{36,}\b|github_pat_[A-Za-z0-9_]{22,}\b`, "ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_"),
	keyRule("gitlab_token", `glpat-[A-Za-z0-9_-]{20,}`, "glpat-"),
	keyRule("anthropic_key", `sk-ant-[A-Za-z0-9_-]{16,}`, "sk-ant-"),
	keyRule("openrouter_key", `sk-or-[A-Za-z0-9_-]{16,}`, "sk-or-"),
	keyRule("langsmith_key", `(?:lsv2_[A-Za-z0-9_]{20,}|ls__[A-Za-z0-9]{20,})`, "lsv2_", "ls__"),
	keyRule("openai_key", `sk-(?:proj-|svcacct-)?[A-Za-z0-9_-]{20,}`, "sk-"),
	keyRule("google_key", `AIza[A-Za-z0-9_-]{35}`, "aiza"),
	keyRule("groq_key", `gsk_[A-Za-z0-9]{20,}`, "gsk_"),
	keyRule("hf_token", `hf_[A-Za-z0-9]{20,}`, "hf_"),
	keyRule("tavily_key", `tvly-[A-Za-z0-9_-]{16,}`, "tvly-"),
	keyRule("slack_token", `xox[abprs]-[A-Za-z0-9-]{10,}`, "xox"),
	keyRule("stripe_key", `[sr]k_live_[A-Za-z0-9]{16,}`, "k_live_"),
	keyRule("sendgrid_key", `SG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}`, "sg."),
	keyRule("npm_token", `npm_[A-Za-z0-9]{36}`, "npm_"),
	keyRule("pypi_token", `pypi-[A-Za-z0-9_-]{32,}`, "pypi-"),
	keyRule("jwt", `eyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}`, "eyj"),
	{"url_password", []string{"://"}, regexp.MustCompile(`(?:\b|_)[a-z][a-z0-9+.-]{1,15}://[^\s/:@'"<>{}$]{1,64}:([^\s/@'"<>{}$]{3,128})@`)},
	{"assignment", []string{"key", "secret", "token", "passw", "credential"},
		regexp.MustCompile(`(?i)\b[a-z0-9_.-]{0,40}(?:key|secret|token|passw|credential)[a-z0-9_]{0,20}(?:\\{0,3}["']?\s{0,4}[:=]\s{0,4}\\{0,3}["']?|["']\]\s{0,4}=\s{0,4}["'])([A-Za-z0-9+/_=.~-]{16,256})`)},
}

// Secrets lists the key-shaped texts, without their values, in order.
func Secrets(text string) []Secret {
	out := keyBlocks(text)
	var taken []bool // by byte; made when there is something to take
	take := func(s Secret) bool {
		if taken == nil {
			taken = make([]bool, len(text))
		}
		if slices.Contains(taken[s.from:s.to], true) {
			return false
		}
		for i := s.from; i < s.to; i++ {
			taken[i] = true
		}
		return true
	}
	for _, s := range out {
		take(s)
	}
	low := strings.ToLower(text)
	for _, r := range secretRules {
		if !slices.ContainsFunc(r.hints, func(h string) bool { return strings.Contains(low, h) }) {
			continue
		}
		for _, m := range r.re.FindAllStringSubmatchIndex(text, -1) {
			s := Secret{Kind: r.kind, from: m[2], to: m[3]}
			value := text[s.from:s.to]
			if r.kind == "assignment" {
				if !randomLooking(value) {
					continue
				}
				for s.to < len(text) && valueRune(rune(text[s.to])) { // all of a long one
					s.to++
				}
			}
			s.Placeholder = placeholder(value)
			if take(s) {
				out = append(out, s)
			}
		}
	}
	slices.SortFunc(out, func(a, b Secret) int { return cmp.Compare(a.from, b.from) })
	line, at := 1, 0
	for i := range out {
		line += strings.Count(text[at:out[i].from], "\n")
		at = out[i].from
		out[i].Line = line
	}
	return out
}

func valueRune(c rune) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.ContainsRune("+/_=.~-", c)
}

// Mask replaces every key-shaped text that is no placeholder by its kind. Line
// breaks stay, so that places stay true. Masking again changes nothing. Of a
// part of a file it sees less than of the whole: quotes are masked in place.
func Mask(text string) string { return redact(text, 0, len(text), Secrets(text)) }

// redact is text[from:to] without the secrets, which are given in order and do
// not overlap.
func redact(text string, from, to int, secrets []Secret) string {
	var parts []string
	inParts(text, from, to, secrets, func(part string, _, _ int) { parts = append(parts, part) })
	return strings.Join(parts, "")
}

// inParts hands out text[from:to] in order: what stays as it stands, and what
// stands instead of a secret, each with the bytes it is of.
func inParts(text string, from, to int, secrets []Secret, part func(shown string, from, to int)) {
	at := from
	for _, s := range secrets {
		if s.Placeholder || s.to <= at || s.from >= to {
			continue
		}
		begin, end := max(s.from, at), min(s.to, to)
		if begin > at {
			part(text[at:begin], at, begin)
		}
		part("[redacted:"+s.Kind+"]"+strings.Repeat("\n", strings.Count(text[begin:end], "\n")), begin, end)
		at = end
	}
	if at < to {
		part(text[at:to], at, to)
	}
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
