package tables

import (
	"slices"
	"strings"
	"unicode"
)

// Kinds of names that mean a secret only in some places, so that whoever asks
// says whether they count.
const (
	Credential     = "credential"
	AnyToken       = "any token"       // a login where a login stands; a token of a text has the name, too
	Unguessable    = "unguessable"     // what nobody may guess, but no login
	PrivateSetting = "private setting" // where something private is
)

// kinds are those that mean a secret everywhere, and further ones.
func kinds(further []string) []string {
	return slices.Concat([]string{"password", "secret", "key", "own key", "token"}, further)
}

// NamesSecret tells whether a name ends as those of secrets do: what comes last
// says what a thing is, and password_length is a length.
func NamesSecret(name string, further ...string) bool { return ends(name, kinds(further)) }

// NamesOwnKey tells what a program signs or encrypts with.
func NamesOwnKey(name string) bool { return ends(name, []string{"own key"}) }

// MentionsSecret tells whether the name of a secret stands anywhere in a text.
func MentionsSecret(text string, further ...string) bool { return mentions(text, kinds(further)) }

// MentionsPassword is MentionsSecret for passwords alone.
func MentionsPassword(text string) bool { return mentions(text, []string{"password"}) }

func ends(name string, kinds []string) bool {
	name = "_" + strings.TrimRight(words(name), "_")
	return slices.ContainsFunc(Of(Secret).Names("any", kinds...), func(n string) bool { return Match(name, "*_"+n) })
}

// mentions takes a name with "*" before it for a part of a word, too.
func mentions(text string, kinds []string) bool {
	text = "_" + words(text) + "_"
	return slices.ContainsFunc(Of(Secret).Names("any", kinds...), func(n string) bool {
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
