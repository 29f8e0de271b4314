package passage

import (
	"strings"

	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
)

// What a reader of rendered Markdown does not see: comments, link definitions (which serve as comments, too), the inside
// of scripts and styles, and elements that are switched off.
var unseen = regexp.MustCompile(`(?is)<!--.*?(?:-->|\z)|<(?:script|style|template|title|noscript)\b.*?(?:</(?:script|style|template|title|noscript)\s*>|\z)|` +
	`<([a-z][a-z0-9]*)\b[^>]*(?:\bhidden\b|display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0|opacity\s*:\s*0(?:[;"'\s]|\.0))[^>]*>.*?(?:</[a-z][a-z0-9]*\s*>|\z)`)

var linkDefinition = regexp.MustCompile(`^ {0,3}\[[^\]\n]+\]:\s*\S`)

// Visible is a Markdown text without what nobody sees who reads it rendered. Lines keep their numbers. hidden are the
// lines of which something was taken out, as they are in the text. Listings are shown as they are, and stay.
func Visible(text string) (visible string, hidden []Line) {
	text = strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
	before := strings.Split(text, "\n")
	listing := listings(text, len(before))
	var b strings.Builder
	var open []string // lines of prose, until a listing begins
	flush := func() {
		if len(open) > 0 {
			part := unseen.ReplaceAllStringFunc(strings.Join(open, "\n")+"\n", func(s string) string { return strings.Repeat("\n", strings.Count(s, "\n")) })
			b.WriteString(part)
			open = nil
		}
	}
	for i, line := range before {
		switch {
		case listing[i]:
			flush()
			b.WriteString(line + "\n")
		case linkDefinition.MatchString(line):
			open = append(open, "")
		default:
			open = append(open, line)
		}
	}
	flush()
	visible = strings.TrimSuffix(b.String(), "\n")
	after := strings.Split(visible, "\n")
	for i, line := range before {
		if i >= len(after) || after[i] != line {
			hidden = append(hidden, Line{Text: line, Number: i + 1})
		}
	}
	return visible, hidden
}

// listings tells which lines stand in a fence, or are one.
func listings(text string, lines int) []bool {
	in := make([]bool, lines)
	for _, b := range blocks(text) {
		for n := range len(b.Lines) + 2 {
			if at := b.fence - 1 + n; b.fence > 0 && (n <= len(b.Lines) || b.ended) {
				in[at] = true
			}
		}
	}
	return in
}
