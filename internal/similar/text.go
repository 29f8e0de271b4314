package similar

import (
	"context"
	"fmt"
	"strings"
	"unicode"

	"github.com/automaton-auditor/automaton/internal/likeness"
	"github.com/automaton-auditor/automaton/internal/passage"
	"github.com/automaton-auditor/automaton/internal/probe"
)

// text prints the documents. What the assignment says, and what is cited, is nobody's own.
func (p *Prints) text(ctx context.Context, scene *probe.Scene) error {
	given := map[uint64]bool{}
	every := likeness.Grain{Gram: likeness.Text.Gram, Window: 1}
	for _, t := range scene.Assignment() {
		for _, m := range every.Winnow(words(t, 0, nil)) {
			given[m.Hash] = true
		}
	}
	marks := 0
	return papers(ctx, scene, func(title string, paragraphs []string) {
		var tokens []likeness.Token
		for i, t := range paragraphs {
			tokens = words(t, i+1, tokens)
		}
		f := likeness.File{Path: title}
		for _, m := range likeness.Text.Winnow(tokens) {
			if marks < mostMarks && !given[m.Hash] {
				f.Marks, marks = append(f.Marks, m), marks+1
			}
		}
		if len(f.Marks) > 0 {
			p.Text.Files = append(p.Text.Files, f)
		}
	})
}

// papers hands out the documents of a submission, paragraph by paragraph, without what they cite.
func papers(ctx context.Context, scene *probe.Scene, each func(title string, paragraphs []string)) error {
	for i, s := range scene.Documents() {
		r, err := s.Passages(ctx)
		if err = unable(err); err != nil {
			return err
		}
		if r == nil {
			continue
		}
		var list []string
		for _, x := range r.Passages {
			if !cited(x) {
				list = append(list, x.Text)
			}
		}
		each(fmt.Sprintf("document %d", i+1), list)
	}
	return nil
}

// cited tells a passage of the list of references.
func cited(x passage.Passage) bool {
	for _, s := range x.Section {
		switch strings.Trim(strings.ToLower(s), " 0123456789.:") {
		case "references", "bibliography", "works cited", "literature", "sources":
			return true
		}
	}
	return false
}

// words appends the words of a text in lower case. Where a script has no blanks between words, each sign is one.
func words(text string, line int, out []likeness.Token) []likeness.Token {
	from := -1
	end := func(to int) {
		if from >= 0 {
			out = append(out, likeness.Token{Sum: likeness.Sum(strings.ToLower(text[from:to])), Line: line})
		}
		from = -1
	}
	for i, r := range text {
		switch {
		case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Khmer, unicode.Lao, unicode.Myanmar):
			end(i)
			out = append(out, likeness.Token{Sum: likeness.Sum(string(r)), Line: line})
		case unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r):
			if from < 0 {
				from = i
			}
		default:
			end(i)
		}
	}
	end(len(text))
	return out
}
