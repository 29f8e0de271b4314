package probe

import (
	"path"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
	"github.com/automaton-auditor/automaton/internal/tables"
)

// Leaks lists the texts that are so surely keys that one may say so: the shape
// of a provider's key with a long random part, a whole private key, a password
// in the address of a public host. Mask hides far more than that; to hide a
// harmless text costs nothing, to call it a leak is an accusation.
func Leaks(text string) []Secret {
	var out []Secret
	for _, s := range keyBlocks(text) {
		if wholeKey(text[s.from:s.to]) {
			s.Line = 1 + strings.Count(text[:s.from], "\n")
			out = append(out, s)
		}
	}
	n := 0
	from := 0
	for line := range strings.Lines(text) {
		n++
		at := from
		from += len(line)
		if !promising(line) || public(text, at, line) {
			continue
		}
		for _, s := range secretsIn(line) {
			if s.Kind != "private_key" && !s.Placeholder && s.sure(line) {
				s.Line = n
				out = append(out, s)
			}
		}
	}
	return out
}

// Counts tells whether a key in this file is a leak at all: not in tests and
// vendored or generated files, whose keys are dummies and checksums, nor in
// examples of a configuration.
func (s Secret) Counts(file string, scope code.Scope) bool {
	base := strings.ToLower(path.Base(file))
	for _, w := range []string{"example", "sample", "template", "dummy", "fixture", "mock"} {
		if strings.Contains(base, w) {
			return false
		}
	}
	return scope != code.ScopeTest && scope != code.ScopeVendor && scope != code.ScopeGenerated
}

// promising is a cheap look for what every key has: a long run with a digit,
// or an address with something before its host.
func promising(line string) bool {
	return run(line, minRun, 1) || strings.Contains(line, "://") && strings.Contains(line, "@")
}

// minRun is the shortest random part of a key, in characters: Google's, AWS'
// and GitLab's have 20 and more, Tavily's and Slack's at least 16.
const minRun = 16

// run tells whether s has at least n letters and digits on end, of which at
// least some are digits and at least one is a letter.
func run(s string, n, digits int) bool {
	length, found, letters := 0, 0, 0
	for i := range len(s) {
		switch c := s[i]; {
		case c >= '0' && c <= '9':
			length, found = length+1, found+1
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z':
			length, letters = length+1, letters+1
		default:
			length, found, letters = 0, 0, 0
		}
		if length >= n && found >= digits && letters > 0 {
			return true
		}
	}
	return false
}

// Keys that a web page shows to everybody, by the documentation of those who
// give them out: the configuration of a Firebase app, whose access is kept by
// rules, and the key that may only search in an index of Algolia. Each stands
// beside names that nothing else has.
var (
	firebaseApp = regexp.MustCompile(`authDomain|messagingSenderId|storageBucket|(?i:firebase_?config)`)
	searchOnly  = regexp.MustCompile(`(?i)\b(?:docsearch|algolia)\b|indexName|search_?only`)
	webKey      = regexp.MustCompile(`(?i)\bapi_?key\b`)
)

// public tells whether a line has such a key. It looks at the text around it.
func public(text string, at int, line string) bool {
	const around = 400 // bytes: such a configuration has some ten short lines
	if !webKey.MatchString(line) {
		return false
	}
	near := text[max(0, at-around):min(len(text), at+len(line)+around)]
	if strings.Contains(line, "AIza") {
		return firebaseApp.MatchString(near)
	}
	return searchOnly.MatchString(near) && strings.Contains(strings.ToLower(near), "appid")
}

var (
	hash    = regexp.MustCompile(`^(?:[0-9a-f]{40}|[0-9a-f]{64}|[0-9a-f]{128})$`)
	ownHost = regexp.MustCompile(`^(?:localhost|127\.|0\.0\.0\.0|\[|[a-z0-9_-]+(?:[:/]|$)|[^/]*\bexample\.|[^/]*\.(?:local|test|invalid|internal))`)
)

// dummyWord is what people write where a password goes; a placeholder has fewer
// than eight different characters already.
var dummyWord = regexp.MustCompile(`(?i)pass|secret|user|admin|token|key|root|123`)

// signedURL is what stands before the public half of a key in a signed address.
var signedURL = regexp.MustCompile(`(?i)(?:AWSAccessKeyId|Credential)=$`)

// sampleToken is how the payload of the token on jwt.io begins.
const sampleToken = "eyJzdWIiOiIxMjM0NTY3ODkwI" //nolint:gosec // the world's best known sample is no secret

// sure tells a key from a text that only has its shape.
func (s Secret) sure(line string) bool {
	value := line[s.from:s.to]
	switch s.Kind {
	case assignment: // as many hexadecimal digits as a digest has are a key only by their name
		return tables.MentionsSecret(s.name) && run(value, 20, 3) && (!hash.MatchString(value) || tables.NamesOwnKey(s.name))
	case "url_password":
		host := strings.ToLower(strings.TrimPrefix(line[s.to:], "@"))
		return strings.ContainsAny(value, "0123456789") && !dummyWord.MatchString(value) && !ownHost.MatchString(host)
	case "jwt":
		return !strings.Contains(value, sampleToken)
	case "aws_key":
		return strings.ContainsAny(value, "234567") && !signedURL.MatchString(line[:s.from])
	}
	return run(value, minRun, 2) && randomLooking(value)
}
