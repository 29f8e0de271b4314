package tables

import (
	"slices"
	"strings"
	"unicode"
)

// NamesLogin tells by the end of a name, as what comes last says what a thing
// is and password_length is a length, what opens a door where a login stands; elsewhere a token of
// a text has such a name, too.
func NamesLogin(name string) bool {
	return ends(name, "password", "secret", "key", "own key", "token", "credential", "any token")
}

// NamesUnguessable tells what nobody may guess.
func NamesUnguessable(name string) bool {
	return ends(name, "password", "secret", "key", "own key", "token", "unguessable")
}

// NamesOwnKey tells what a program signs or encrypts with.
func NamesOwnKey(name string) bool { return ends(name, "own key") }

// MentionsSecret tells whether the name of a secret stands anywhere in a text.
func MentionsSecret(text string) bool {
	return mentions(text, "password", "secret", "key", "own key", "token", "credential")
}

// MentionsPassword is MentionsSecret for passwords alone.
func MentionsPassword(text string) bool { return mentions(text, "password") }

// MentionsPrivate tells whether a text names what is nobody else's business.
func MentionsPrivate(text string) bool {
	return MentionsSecret(text) || mentions(text, "any token", "unguessable", "private setting")
}

// Stems are the parts of words by which what may be a secret is hidden.
func Stems() []string { return Of(secret).Names("any", "stem") }

func ends(name string, kinds ...string) bool {
	name = "_" + strings.TrimRight(words(name), "_")
	return slices.ContainsFunc(Of(secret).Names("any", kinds...), func(n string) bool { return Match(name, "*_"+n) })
}

// mentions takes a name with "*" before it for a part of a word, too.
func mentions(text string, kinds ...string) bool {
	text = "_" + words(text) + "_"
	return slices.ContainsFunc(Of(secret).Names("any", kinds...), func(n string) bool {
		if part, ok := strings.CutPrefix(n, "*"); ok {
			return strings.Contains(text, part)
		}
		return strings.Contains(text, "_"+n+"_")
	})
}

// words are the words of a name in small letters with "_" between them, however
// its language writes them: apiKey, API-Key and api.key are api_key.
func words(name string) string {
	var b strings.Builder
	runes := []rune(name)
	for i, c := range runes {
		if !unicode.IsLetter(c) && !unicode.IsDigit(c) {
			b.WriteByte('_')
			continue
		}
		if i > 0 && unicode.IsUpper(c) && (unicode.IsLower(runes[i-1]) || unicode.IsDigit(runes[i-1]) ||
			unicode.IsUpper(runes[i-1]) && i+1 < len(runes) && unicode.IsLower(runes[i+1])) {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(c))
	}
	return b.String()
}
