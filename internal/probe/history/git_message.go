package history

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/automaton-auditor/automaton/internal/court"
	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
	"github.com/automaton-auditor/automaton/internal/probe"
	"github.com/automaton-auditor/automaton/internal/safetext"
)

const (
	messageWords = 2
	messageRunes = 10
)

func gitMessage() probe.Probe {
	return probe.Probe{
		ID: "git.message", Version: "1", Target: court.GithubRepo,
		Title:  "Commit messages say what changed",
		Doc:    "Takes the share of subjects with at least two words and ten characters that are not only filler words (update, fix, changes, final) and not a repetition. Whether a subject tells the truth about its commit is not asked. Merges and reverts are left out.",
		Remedy: "From now on, write in each subject what the commit changes.",
		Effort: 10, Recall: court.One,
		Run: probe.Of(read, messages),
	}
}

func messages(p *past) probe.Finding {
	said := map[string]bool{}
	var weak, good []int
	for _, i := range p.Own {
		subject := strings.Join(strings.Fields(p.Commits[i].Subject), " ")
		if strings.HasPrefix(subject, "Merge ") || strings.HasPrefix(subject, "Revert ") {
			continue
		}
		key := strings.ToLower(subject)
		if said[key] || !telling(subject) {
			weak = append(weak, i)
		} else {
			good = append(good, i)
		}
		said[key] = true
	}
	all := len(weak) + len(good)
	if all == 0 {
		return probe.Nothing(court.One, court.Git, "The history has only merges and reverts, whose subjects git writes.")
	}
	at := weak
	if len(weak) == 0 {
		at = good[len(good)-1:]
	}
	others := ""
	switch {
	case len(good) == 0:
		others = court.Agree(all, all, " The subject is short, a filler word or a repetition.", " They are short, filler words or repetitions.")
	case len(weak) == 1:
		others = " The other is short, a filler word or a repetition."
	case len(weak) > 1:
		others = " The others are short, filler words or repetitions."
	}
	f := probe.Partly(probe.Ratio(len(good), all), court.Git, p.places(at), "%s %s what changed.%s", safetext.Capital(court.Of(len(good), all, "subject")), court.Agree(len(good), all, "says", "say"), others)
	f.Data = map[string]any{"subjects": all, "telling": len(good)}
	return f
}

var upload = regexp.MustCompile(`(?i)^(?:update|create|rename) \S+$|^add files via upload$`)

// filler tells a word that says nothing about what changed.
func filler(word string) bool {
	switch word {
	case "update", "updates", "updated", "updating", "fix", "fixes", "fixed", "fixing", "wip", "change", "changes", "changed",
		"final", "finally", "test", "tests", "testing", "commit", "commits", "save", "saved", "stuff", "misc", "minor", "small",
		"some", "more", "again", "new", "the", "a", "my", "all", "and", "done", "ok", "push", "code", "file", "files",
		"temp", "tmp", "first", "last", "second", "version", "system", "project", "repo", "repository", "app", "application", "program", "codebase":
		return true
	}
	return false
}

// telling tells whether a subject says anything. Scripts without spaces count
// each letter as a word.
func telling(subject string) bool {
	if utf8.RuneCountInString(subject) < messageRunes && !dense(subject) || upload.MatchString(subject) {
		return false
	}
	words, own := 0, 0
	for _, w := range strings.FieldsFunc(strings.ToLower(subject), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' && r != '.' }) {
		words++
		if dense(w) {
			words += utf8.RuneCountInString(w) - 1
		}
		if !filler(strings.Trim(w, "._0123456789")) && strings.ContainsFunc(w, unicode.IsLetter) {
			own++
		}
	}
	return words >= messageWords && own > 0
}

// dense tells a text in a script that needs few characters.
func dense(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool {
		return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai)
	})
}
