package probe

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/court"
)

// blank stands in the place of what a model is not shown.
const blank = "…"

// Bare is the content of a piece of evidence as models see it: comments and
// docstrings give way to a mark, so that their words cannot argue, but lines
// and delimiters stay. Bared is the same with string literals and prose hidden
// too, for telling whether words swayed a judge. What holds no mark stands in
// the content as it is. Of a text in a language that is not known, nothing is
// told apart: it is shown as it is, and is prose.
func (s *Scene) Bare(ctx context.Context, e court.Evidence) (shown, bared string, err error) {
	if e.Content == "" {
		return "", "", nil
	}
	if len(e.At) == 0 {
		return "", "", fmt.Errorf("baring %s: it quotes, but has no place", e.ID)
	}
	p, err := s.unmasked(e.At[0])
	if err != nil {
		return "", "", fmt.Errorf("baring %s: %w", e.ID, err)
	}
	if p.Path == "" { // a page or a commit's subject
		return e.Content, prose(e.Content), nil
	}
	text, err := s.quote(ctx, p, "")
	if err == nil && text != e.Content {
		err = fmt.Errorf("the quote does not stand at %s", e.At[0])
	}
	if err != nil {
		return "", "", fmt.Errorf("baring %s: %w", e.ID, err)
	}
	kinds, err := s.kinds(ctx, p, text)
	if err != nil {
		return "", "", fmt.Errorf("baring %s: %w", e.ID, err)
	}
	shown = hidden(text, kinds, func(k code.SegmentKind) bool { return k == code.Comment || k == code.Docs })
	if _, code := (code.File{Path: p.Path}).Language().Lexed(); !code {
		return shown, prose(text), nil
	}
	return shown, hidden(text, kinds, func(k code.SegmentKind) bool { return k != 0 }), nil
}

// prose is a text of which only the lines are left.
func prose(text string) string {
	return hidden(text, slices.Repeat([]code.SegmentKind{code.Docs}, len(text)), func(code.SegmentKind) bool { return true })
}

// hidden puts a mark in the place of what is of some kinds, line by line. White
// space around it stays.
func hidden(text string, kinds []code.SegmentKind, hide func(code.SegmentKind) bool) string {
	var b strings.Builder
	for at := 0; at < len(text); {
		end := at + 1
		for end < len(text) && text[end] != '\n' && text[at] != '\n' && hide(kinds[end]) == hide(kinds[at]) {
			end++
		}
		piece := text[at:end]
		if core := strings.TrimSpace(piece); core != "" && hide(kinds[at]) {
			piece = strings.Replace(piece, core, blank, 1)
		}
		b.WriteString(piece)
		at = end
	}
	return b.String()
}

// kinds says of each byte of a quote of a file what it belongs to; 0 is code.
func (s *Scene) kinds(ctx context.Context, p court.Place, quote string) ([]code.SegmentKind, error) {
	q, err := s.quotable(ctx, p.Path)
	if err != nil {
		return nil, err
	}
	stretches, err := s.stretches(ctx, p.Path, q)
	if err != nil {
		return nil, err
	}
	from, to, secrets := q.secrets(p.Line, quoted(p))
	var masked strings.Builder
	var kinds []code.SegmentKind
	inParts(q.text, from, to, secrets, func(part string, from, to int) {
		masked.WriteString(part)
		if len(part) == to-from && part == q.text[from:to] {
			kinds = append(kinds, spread(stretches, from, to)...)
		} else { // a secret is whatever any of it is
			kinds = append(kinds, slices.Repeat([]code.SegmentKind{gravest(spread(stretches, from, to))}, len(part))...)
		}
	})
	if text := masked.String(); strings.HasPrefix(text, quote) {
		return kinds[:len(quote)], nil
	}
	return veiledKinds(masked.String(), quote, kinds), nil
}

// gravest is what hides most: a comment or docstring before a literal, and that
// before code. Of nothing, it is a comment.
func gravest(kinds []code.SegmentKind) code.SegmentKind {
	for _, k := range []code.SegmentKind{code.Comment, code.Docs, code.Literal, 0} {
		if slices.Contains(kinds, k) {
			return k
		}
	}
	return code.Comment
}

// veiledKinds is for a quote in which secrets of ours were hidden, so that it
// has other bytes than the file: a line that differs counts as a comment as a
// whole.
func veiledKinds(text, quote string, kinds []code.SegmentKind) []code.SegmentKind {
	out := make([]code.SegmentKind, 0, len(quote))
	lines := strings.SplitAfter(text, "\n")
	at := 0
	for i, line := range strings.SplitAfter(quote, "\n") {
		if i < len(lines) && strings.HasPrefix(lines[i], line) {
			out = append(out, kinds[at:at+len(line)]...)
		} else {
			out = append(out, slices.Repeat([]code.SegmentKind{code.Comment}, len(line))...)
		}
		if i < len(lines) {
			at += len(lines[i])
		}
	}
	return out
}

// stretches lists what of a file is not code, once per scene. Python without a
// model is read like any other language.
func (s *Scene) stretches(ctx context.Context, path string, q *quotable) ([]code.Segment, error) {
	lang := code.File{Path: path}.Language()
	var module *code.Module
	if lang == "python" {
		program, err := s.Python(ctx)
		if over := ctx.Err(); over != nil {
			return nil, over
		}
		if err == nil {
			module = program.Module(path)
		}
	}
	return Shared(s, "probe.stretches\x00"+path, func() ([]code.Segment, error) {
		if module != nil && module.Text() == q.text {
			return module.Segments(), nil
		}
		return code.Segments(lang, q.text), nil
	})
}

// spread says of bytes from..to of a file what they belong to. Delimiters are
// code: they show what was there.
func spread(stretches []code.Segment, from, to int) []code.SegmentKind {
	out := make([]code.SegmentKind, to-from)
	i, _ := slices.BinarySearchFunc(stretches, from, func(x code.Segment, at int) int { return x.To - 1 - at })
	for _, x := range stretches[i:] {
		if x.From >= to {
			break
		}
		for k := max(x.From+x.Open, from); k < min(x.To-x.Close, to); k++ {
			out[k-from] = x.Kind
		}
	}
	return out
}
