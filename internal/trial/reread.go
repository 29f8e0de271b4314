package trial

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/probe"
	"github.com/automaton-auditor/automaton/internal/report"
	"github.com/automaton-auditor/automaton/internal/store"
)

// Reread reads every quote of a record again in the submission itself: each
// must stand at its lines in the blob of the recorded commit, or on its page of
// the very document. Quotes of a document that is not at hand are counted.
func Reread(ctx context.Context, o *Opened, rec *court.Record) store.Line {
	const check = "source"
	if o.Case.Commit != rec.Case.Commit {
		return store.Line{Check: check, Result: store.No, Text: fmt.Sprintf("the repository is at %s", court.Clean(o.Case.Commit, 64))}
	}
	atHand := atHand(o.Case, rec.Case)
	var bad []string
	read, away := 0, 0
	for _, c := range rec.Rubric.Criteria {
		for _, x := range rec.Evidences[c.ID] {
			switch {
			case len(x.At) == 0 || x.Struck != "":
			case slices.ContainsFunc(x.At, func(p court.Place) bool { return p.Digest != "" && !atHand[p.Digest] }):
				away++
			default:
				read++
				if err := probe.Verify(ctx, o.Scene, x.Evidence); err != nil {
					bad = append(bad, court.Clean(fmt.Sprintf("%s: %v", x.Label, err), 200))
				}
			}
		}
	}
	if ctx.Err() != nil {
		return store.Line{Check: check, Result: store.Skipped, Text: "it was stopped"}
	}
	if len(bad) > 0 {
		slices.Sort(bad)
		text := strings.Join(bad[:min(5, len(bad))], "; ")
		if more := len(bad) - 5; more > 0 {
			text += fmt.Sprintf("; and %d more", more)
		}
		return store.Line{Check: check, Result: store.No, Text: text}
	}
	text := fmt.Sprintf("%d quotes stand where they were found", read)
	if away > 0 {
		text += fmt.Sprintf("; %d of a document that is not at hand (--pdf FILE)", away)
	}
	return store.Line{Check: check, Result: store.OK, Text: text}
}

// atHand are the documents of a record, by digest, that were opened again.
func atHand(opened, recorded court.Case) map[string]bool {
	has, out := map[string]bool{}, map[string]bool{}
	for _, d := range documentsOf(opened) {
		has[d.SHA256] = true
	}
	for _, d := range documentsOf(recorded) {
		out[d.SHA256] = has[d.SHA256]
	}
	return out
}

// documentsOf are the documents of a case.
func documentsOf(c court.Case) []court.PDF {
	if c.PDF == nil {
		return nil
	}
	return append([]court.PDF{*c.PDF}, c.Further...)
}

// Rendered holds the bytes of a record.json or a report.html against what the
// record in them renders: a page must show what its record says, and nothing may
// hide in either. Those of another tool are not judged.
func Rendered(rec *court.Record, raw []byte, tool string) store.Line {
	const check = "file"
	name := "json"
	if bytes.HasPrefix(bytes.TrimSpace(raw), []byte("<")) {
		name = "html"
	}
	var again bytes.Buffer
	for _, f := range report.Formats {
		if f.Name != name {
			continue
		}
		if err := Render(&again, f, rec); err != nil {
			return store.Line{Check: check, Result: store.No, Text: court.Clean(err.Error(), 200)}
		}
	}
	switch {
	case bytes.Equal(raw, again.Bytes()):
		return store.Line{Check: check, Result: store.OK, Text: "byte for byte what the record gives"}
	case rec.Origin.Tool != tool:
		return store.Line{Check: check, Result: store.Skipped, Text: fmt.Sprintf("written by %s, this is %s", court.Clean(rec.Origin.Tool, 80), tool)}
	}
	at := 0
	for at < min(len(raw), again.Len()) && raw[at] == again.Bytes()[at] {
		at++
	}
	return store.Line{Check: check, Result: store.No, Text: fmt.Sprintf("from byte %d on it is not what the record gives; automaton report writes it anew", at)}
}
