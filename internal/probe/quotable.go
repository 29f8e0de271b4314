package probe

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/automaton-auditor/automaton/internal/court"
)

// quotable is a file as it is quoted. The private keys of the whole file are
// known, so that no part of one is shown because its ends are elsewhere.
type quotable struct {
	text   string
	starts []int // of the lines
	keys   []Secret
}

// mustBeText fails for what has a zero byte near its beginning.
func (q *quotable) mustBeText(path string) error {
	if strings.IndexByte(q.text[:min(len(q.text), 8000)], 0) >= 0 {
		return fmt.Errorf("%q is not a text", court.Clean(path, 200))
	}
	return nil
}

// quotable reads a file for quoting, once.
func (s *Scene) quotable(ctx context.Context, path string) (*quotable, error) {
	if q, ok := s.quotes.Load(path); ok {
		return q.(*quotable), nil
	}
	f, err := s.Text(ctx, path)
	if err != nil {
		return nil, err
	}
	text, _ := f.Text()
	first, _ := s.quotes.LoadOrStore(path, newQuotable(text))
	return first.(*quotable), nil
}

func newQuotable(text string) *quotable {
	q := &quotable{text: text, starts: []int{0}, keys: keyBlocks(text)}
	for i := range len(text) {
		if text[i] == '\n' {
			q.starts = append(q.starts, i+1)
		}
	}
	return q
}

const (
	// maxQuoted bounds what is masked for one quote, in bytes: masking makes a
	// text shorter, so it is more than a quote holds.
	maxQuoted = 4 * quoteBytes
	// margin is how much around a quote is looked at for keys that reach into
	// it, in bytes; on either side no more than marginLines lines.
	margin      = 4096
	marginLines = 4
)

// masked is the text of lines first..last, which must exist, without secrets.
// Keys are looked for around the lines too, private keys in the whole file.
func (q *quotable) masked(first, last int) string {
	from, to, secrets := q.secrets(first, last)
	return redact(q.text, from, to, secrets)
}

// secrets is what there is to hide in lines first..last, and which bytes these
// are.
func (q *quotable) secrets(first, last int) (from, to int, secrets []Secret) {
	from, to = q.starts[first-1], q.end(last)
	if to > from+maxQuoted {
		for to = from + maxQuoted; !utf8.RuneStart(q.text[to]); to-- {
			continue
		}
	}
	low := max(q.starts[max(first-1-marginLines, 0)], from-margin)
	high := min(q.end(last+marginLines), to+margin)
	secrets = slices.Clone(q.keys)
	for _, x := range secretsIn(q.text[low:high]) {
		x.from, x.to = x.from+low, x.to+low
		if !slices.ContainsFunc(q.keys, func(k Secret) bool { return x.from < k.to && k.from < x.to }) {
			secrets = append(secrets, x)
		}
	}
	slices.SortFunc(secrets, func(a, b Secret) int { return a.from - b.from })
	return from, to, secrets
}

// end is the end of a line, of the last one if there are fewer.
func (q *quotable) end(line int) int {
	if line >= len(q.starts) {
		return len(q.text)
	}
	return q.starts[line] - 1
}
