package passage

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"
)

// builder collects passages and keeps the headings that are open above them.
type builder struct {
	found  []Passage
	levels []int    // of the open headings, growing
	titles []string // of the open headings
	seen   map[string]int
}

func newBuilder() *builder { return &builder{seen: map[string]int{}} }

// add ends a passage. A passage without text is dropped.
func (b *builder) add(p Passage) {
	if strings.TrimSpace(p.Text) == "" {
		return
	}
	if p.Kind == Heading {
		b.close(p.Level, p.Text)
	}
	p.Section = append([]string(nil), b.titles...)
	if len(p.Lines) > 0 {
		p.Page = p.Lines[0].Page
		p.Box = around(p.Lines, p.Page)
	}
	p.ID = b.id(p)
	b.found = append(b.found, p)
	if p.Kind == Heading {
		b.levels = append(b.levels, p.Level)
		b.titles = append(b.titles, p.Text)
	}
}

// close ends the sections at and below a level, but for those of the same level that the title says it is a part of.
func (b *builder) close(level int, title string) {
	for n := len(b.levels); n > 0 && b.levels[n-1] >= level; n-- {
		if b.levels[n-1] == level && isPart(title, b.titles[n-1]) {
			return
		}
		b.levels, b.titles = b.levels[:n-1], b.titles[:n-1]
	}
}

// id is the digest of what a passage says and where. The second of two equal ones counts as such, so that an earlier
// passage keeps its id when later ones change.
func (b *builder) id(p Passage) string {
	what := strings.Join([]string{string(p.Kind), strings.Join(p.Section, "\x1f"), strconv.Itoa(p.Page), p.Text}, "\x1e")
	b.seen[what]++
	sum := sha256.Sum256([]byte(what + "\x1e" + strconv.Itoa(b.seen[what])))
	return hex.EncodeToString(sum[:8])
}

func around(lines []Line, page int) Box {
	var box Box
	for _, l := range lines {
		switch {
		case l.Page != page || l.Box == Box{}:
		case box == Box{}:
			box = l.Box
		default:
			box = Box{min(box.X0, l.Box.X0), min(box.Y0, l.Box.Y0), max(box.X1, l.Box.X1), max(box.Y1, l.Box.Y1)}
		}
	}
	return box
}

// verbatim keeps lines as they are, for listings and tables.
func verbatim(lines []Line) string {
	texts := make([]string, len(lines))
	for i, l := range lines {
		texts[i] = strings.TrimRight(l.Text, " \t\r")
	}
	return strings.Join(texts, "\n")
}
