package llm

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/safetext"
)

// miss is the error for a prompt that a cassette does not have: it names who
// asked, and what differs from the recorded prompt that is nearest.
func (t *tape) miss(who string, a asked) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	err := fmt.Errorf("%w: %s", errMiss, t.nearest(who, a))
	if t.missed == nil {
		t.missed = err
	}
	return err
}

func (t *tape) nearest(who string, a asked) string {
	who = safetext.Text(who, maxShown)
	if who == "" {
		who = "a prompt"
	}
	best, least := track{}, -1
	for _, key := range slices.Sorted(maps.Keys(t.tracks)) {
		k := t.tracks[key]
		n := len(differs(a, k.Prompt))
		if k.For != who {
			n += 100 // another question with other parts is no neighbour of this one
		}
		if least < 0 || n < least {
			best, least = k, n
		}
	}
	if least < 0 {
		return who + ": the cassette is empty"
	}
	parts := differs(a, best.Prompt)
	if len(parts) == 0 {
		return who + ": a turn of a conversation that was not recorded"
	}
	of := ""
	if best.For != who {
		of = " (nearest: " + safetext.Text(best.For, maxShown) + ")"
	}
	return fmt.Sprintf("%s%s: what changed: %s", who, of, join(parts))
}

// differs names the parts in which a prompt is not the recorded one.
func differs(a, b asked) (parts []string) {
	note := func(same bool, part string) {
		if !same {
			parts = append(parts, part)
		}
	}
	note(a.Provider == b.Provider, fmt.Sprintf("provider %s, was %s", safetext.Text(a.Provider, 40), safetext.Text(b.Provider, 40)))
	note(a.Model == b.Model, fmt.Sprintf("model %s, was %s", safetext.Text(a.Model, 60), safetext.Text(b.Model, 60)))
	note(a.System == b.System, "system text, "+place(a.System, b.System))
	note(len(a.Messages) == len(b.Messages), fmt.Sprintf("%d messages, was %d", len(a.Messages), len(b.Messages)))
	for i := range min(len(a.Messages), len(b.Messages)) {
		m, n := a.Messages[i], b.Messages[i]
		note(m.Role == n.Role && m.Text == n.Text, fmt.Sprintf("message %d, %s", i+1, place(m.Text, n.Text)))
		note(slices.Equal(m.Images, n.Images), fmt.Sprintf("pictures of message %d", i+1))
	}
	note(a.Name == b.Name && a.Doc == b.Doc && string(a.Schema) == string(b.Schema), "schema of the answer")
	same := a.MaxTokens == b.MaxTokens && a.CacheKey == b.CacheKey && (a.Temperature == nil) == (b.Temperature == nil) &&
		(a.Temperature == nil || *a.Temperature == *b.Temperature)
	note(same, "settings")
	note(a.Sample == b.Sample, fmt.Sprintf("sample %d, was %d", a.Sample, b.Sample))
	return parts
}

// place says where two texts part, with a few words of each.
func place(a, b string) string {
	i := 0
	for i < min(len(a), len(b)) && a[i] == b[i] {
		i++
	}
	show := func(s string) string {
		if i >= len(s) {
			return "its end"
		}
		return "«" + safetext.Text(s[i:min(i+32, len(s))], 40) + "»"
	}
	return fmt.Sprintf("at byte %d: %s, was %s", i, show(a), show(b))
}

func join(parts []string) string {
	const most = 3
	more := ""
	if len(parts) > most {
		more = fmt.Sprintf(", and %d more", len(parts)-most)
		parts = parts[:most]
	}
	return strings.Join(parts, "; ") + more
}
