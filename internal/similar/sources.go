package similar

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
	"github.com/automaton-auditor/automaton/internal/probe"
)

// Sources are the texts that prints are of, by the names in them, line by line. Secrets and addresses of mail are masked.
type Sources map[string][]string

// Bounds of the sources of one submission.
const (
	mostSource = 16 << 20 // bytes
	mostLine   = 300      // runes of a line
	mostParts  = 2000     // runes of a paragraph
)

// TakeSources takes the texts of a submission that prints are taken of, as bytes for Sources. What there is no room for
// is left out, and shown by its place alone.
func TakeSources(ctx context.Context, scene *probe.Scene) ([]byte, error) {
	out := Sources{}
	room := mostSource
	keep := func(name string, lines []string, most int) {
		size := 0
		for i, l := range lines {
			lines[i] = court.Clean(strings.ReplaceAll(strings.TrimRight(l, " \t\r"), "\t", "    "), most)
			size += len(lines[i])
		}
		if size <= room {
			out[name] = lines
			room -= size
		}
	}
	if scene.HasRepo() {
		files, err := read(ctx, scene)
		if err != nil {
			return nil, err
		}
		for _, f := range files {
			keep(name(f.path), strings.Split(masked(f.text()), "\n"), mostLine)
		}
	}
	err := papers(ctx, scene, func(title string, paragraphs []string) {
		for i, p := range paragraphs {
			paragraphs[i] = masked(p)
		}
		keep(title, paragraphs, mostParts)
	})
	if err != nil {
		return nil, err
	}
	return json.Marshal(out)
}

var address = regexp.MustCompile(`[A-Za-z0-9._%+-]+@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*\.[A-Za-z]{2,}`)

// masked is a text without what nobody else needs to see. Its lines stay where they are.
func masked(text string) string { return address.ReplaceAllString(probe.Mask(text), "[mail]") }

// ReadSources reads what TakeSources wrote.
func ReadSources(raw []byte) (Sources, error) {
	var s Sources
	if len(raw) > 4*mostSource {
		return nil, fmt.Errorf("reading sources: %w", errDamaged)
	}
	if err := json.Unmarshal(raw, &s); err != nil {
		return nil, fmt.Errorf("reading sources: %w", err)
	}
	return s, nil
}
