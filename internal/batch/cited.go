package batch

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/docket"
	"github.com/automaton-auditor/automaton/internal/probe"
)

// citedName is what a run keeps for whoever follows a citation: of where a submission lies nothing is asked later.
const citedName = "cited"

// Text is a file that a record cites, or a page of a document of the case, as it was read. Secrets in it are masked.
type Text struct {
	Path   string   `json:"path,omitempty"`
	Page   int      `json:"page,omitempty"`
	Digest string   `json:"digest,omitempty"` // of the document
	First  int      `json:"first"`            // number of the first line
	Lines  []string `json:"lines"`
	Cut    bool     `json:"cut,omitempty"` // there is more of it
}

// Bounds of what is kept of one submission.
const (
	mostCited     = 4 << 20 // bytes of all texts
	mostTextLines = 3000    // of one text
	mostTextLine  = 400     // runes of a line
	linesBefore   = 200     // before the first citation of a text with more lines
)

// Has tells whether a place stands in the text.
func (t Text) Has(p court.Place) bool {
	if p.Path != "" {
		return t.Path == p.Path && t.Digest == p.Digest
	}
	return t.Path == "" && t.Page == p.Page && (p.Digest == "" || t.Digest == p.Digest)
}

// cite takes the texts that a record cites: its files, and all pages of its documents. What there is no room for is left out.
func cite(ctx context.Context, scene *probe.Scene, rec *court.Record) ([]byte, error) {
	var list []Text
	room := mostCited
	keep := func(t Text, lines []string) {
		from := 0
		if len(lines) > mostTextLines {
			from, t.Cut = min(max(0, t.First-1-linesBefore), len(lines)-mostTextLines), true
		}
		t.First = from + 1
		size := 0
		for _, l := range lines[from:min(len(lines), from+mostTextLines)] {
			l = court.Clean(strings.ReplaceAll(strings.TrimRight(l, " \t\r"), "\t", "    "), mostTextLine)
			size += len(l) + 1
			t.Lines = append(t.Lines, l)
		}
		if size <= room {
			list, room = append(list, t), room-size
		}
	}
	for _, p := range cited(rec) {
		if lines, err := scene.Lines(ctx, p); err == nil { // else it is no text
			keep(Text{Path: p.Path, Digest: p.Digest, First: p.Line}, lines)
		}
	}
	for _, d := range scene.Documents() {
		if !d.HasPDF() || d.Written() {
			continue
		}
		pages, err := d.Pages(ctx)
		if err != nil { // it cannot be read, and the record says so
			continue
		}
		for _, n := range slices.Sorted(maps.Keys(pages)) {
			keep(Text{Page: n, Digest: d.PDFDigest(), First: 1}, pages[n])
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return json.Marshal(list)
}

// cited are the files that a record names, each with the first of its places, by their paths.
func cited(rec *court.Record) []court.Place {
	at := map[string]court.Place{}
	for _, p := range rec.Places() {
		key := p.Path + "\x00" + p.Digest
		if old, ok := at[key]; p.Path != "" && (!ok || p.Line > 0 && p.Line < old.Line) {
			at[key] = court.Place{Path: p.Path, Digest: p.Digest, Line: max(p.Line, 1)}
		}
	}
	var list []court.Place
	for _, key := range slices.Sorted(maps.Keys(at)) {
		list = append(list, at[key])
	}
	return list
}

// Cited are the texts that a run kept; none of a run that kept none.
func (c *Cohort) Cited(ctx context.Context, d *docket.Docket, run string) (list []Text, err error) {
	raw, err := d.File(ctx, run, citedName)
	switch {
	case errors.Is(err, docket.ErrUnknown):
		return nil, nil
	case err != nil:
		return nil, err
	case len(raw) > 4*mostCited:
		return nil, errors.New("reading what a record cites: it is too large to be ours")
	}
	if err := json.Unmarshal(raw, &list); err != nil {
		return nil, fmt.Errorf("reading what a record cites: %w", err)
	}
	return list, nil
}
