package probe

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
)

// Document is a document after the first of a case.
type Document struct {
	Path  string // in the tree, or the name of a file from elsewhere; no two have one name
	Bytes []byte
}

// HasPDF tells whether there is a document to look at.
func (s *Scene) HasPDF() bool { return s.o.PDF != nil && s.reads.Has(Papers) }

// PDFPath names the document; "" when there is none.
func (s *Scene) PDFPath() string { return s.o.PDFPath }

// PDFChoice says why the document was taken out of several, and which others
// there are; "" when there was no choice.
func (s *Scene) PDFChoice() string { return s.o.PDFChoice }

// PDFDigest is the SHA-256 of the document in hex; "" when there is none.
func (s *Scene) PDFDigest() string { return s.digest }

// withDocuments gives each further document a scene of its own: it is read,
// cut and cited there and nowhere else, so that no page can be taken for one of
// another document. What is known of the repository is shared.
func (s *Scene) withDocuments(further []Document) {
	for _, d := range further {
		o := s.o
		o.PDF, o.PDFPath, o.PDFChoice, o.Further = d.Bytes, d.Path, "", nil
		sum := sha256.Sum256(d.Bytes)
		s.further = append(s.further, &common{o: o, digest: hex.EncodeToString(sum[:]), root: s.common, entries: s.entries})
	}
}

// Documents are the scenes of the case's documents, each of which sees one of
// them and the same repository; where there are no several, s alone.
func (s *Scene) Documents() []*Scene {
	if len(s.further) == 0 || s.sole {
		return []*Scene{s}
	}
	all := []*Scene{{common: s.common, step: s.step, sole: true, reads: s.reads}}
	for _, d := range s.further {
		all = append(all, &Scene{common: d, step: s.step, reads: s.reads})
	}
	return all
}

// whole is the scene of the case, for what does not depend on the document.
func (s *Scene) whole() *Scene {
	if s.root == nil {
		return s
	}
	return &Scene{common: s.root, step: s.step, reads: s.reads}
}

// in is the scene of the document that a place stands in.
func (s *Scene) in(p court.Place) (*Scene, error) {
	docs := s.Documents()
	if p.Digest == "" && len(docs) > 1 {
		return nil, errors.New("it does not say in which of several documents it stands")
	}
	for _, d := range docs {
		if p.Digest == "" || p.Digest == d.digest {
			return d, nil
		}
	}
	return nil, errors.New("it stands in another document")
}

// Named gives a place in a document the document's name, where the case has
// several.
func (s *Scene) Named(p court.Place) court.Place {
	if p.Path != "" || p.Digest == "" || len(s.whole().further) == 0 {
		return p
	}
	if d, err := s.whole().in(p); err == nil {
		p.Document = court.Clean(s.mask(d.PDFPath()), 200)
	}
	return p
}

// DocumentNames are the names of all documents of the case.
func (s *Scene) DocumentNames() []string {
	whole := s.whole()
	names := []string{whole.o.PDFPath}
	for _, d := range whole.further {
		names = append(names, d.o.PDFPath)
	}
	return names
}

// DocumentsDigest is the SHA-256 of all documents, with commas between; "" when
// there is none.
func (s *Scene) DocumentsDigest() string {
	var all []string
	for _, d := range s.Documents() {
		all = append(all, d.digest)
	}
	return strings.Join(all, ",")
}

// Several says what the answers of a probe to each of several documents come to.
type Several string

// The ways.
const (
	// Once: the answer does not depend on the document.
	Once Several = "once"
	// United: the probe itself looks at all documents.
	United Several = "united"
	// Enough: what is asked for must stand in one of them; the best answer stands,
	// and nothing is missing unless it is missing in all.
	Enough Several = "enough"
	// Every: what is asked must hold of each; what speaks against one of them
	// stands, and then what speaks for others does not outweigh it.
	Every Several = "every"
	// Apart: each answer is about its own document, and all stand.
	Apart Several = "apart"
	// Turns: each lists what it has; they take turns, up to the argument limit.
	Turns Several = "turns"
)

// look runs the probe: once, or on each of several documents.
func (q *question) look(ctx context.Context, s *Scene) ([]Finding, error) {
	docs := s.Documents()
	if len(docs) == 1 || q.probe.Several == nil {
		return q.probe.Run(ctx, s, q.args)
	}
	way := q.probe.Several(q.args)
	if way == Once || way == United {
		return q.probe.Run(ctx, s, q.args)
	}
	var all [][]Finding
	for _, d := range docs {
		found, err := q.probe.Run(ctx, d, q.args)
		if u, ok := errors.AsType[*Unable](err); ok {
			found = append(found, u.finding())
		} else if err != nil {
			return nil, err
		}
		for i := range found {
			found[i] = d.signed(found[i])
		}
		all = append(all, found)
	}
	switch way {
	case Enough:
		return enough(all), nil
	case Every:
		return every(all), nil
	case Turns:
		return turns(all, q.args.Int("limit", 5)), nil
	default:
		return slices.Concat(all...), nil
	}
}

// signed is a finding that says which of several documents it is about.
func (s *Scene) signed(f Finding) Finding {
	name := court.Clean(s.PDFPath(), 120)
	if !strings.HasPrefix(f.Rationale, name) {
		f.Rationale = name + ": " + f.Rationale
	}
	f.Places = slices.Clone(f.Places)
	for i := range f.Places {
		if p := &f.Places[i]; p.Page > 0 && p.Digest == "" {
			p.Digest = s.digest
		}
	}
	if len(f.Places) == 0 && f.located() {
		f.Places = []court.Place{{Digest: s.digest}}
	}
	return f
}

// worth is how much an answer gives for what is asked.
func (f Finding) worth() court.Fixed {
	switch f.Outcome {
	case court.Present:
		return court.One
	case court.Partial:
		return f.Share
	default:
		return 0
	}
}

// enough keeps the best answer. Where none has anything, what could not be told
// of one document stands, as it may be there; what is not a document at all has
// nothing to tell, unless all are.
func enough(all [][]Finding) []Finding {
	best, most := -1, court.Fixed(0)
	for i, found := range all {
		for _, f := range found {
			if w := f.worth(); w > most {
				best, most = i, w
			}
		}
	}
	if best >= 0 {
		return all[best]
	}
	flat := slices.Concat(all...)
	for _, stands := range []func(Finding) bool{
		func(f Finding) bool { return f.Outcome == court.Unknown && !f.Reason.Nothing() },
		func(f Finding) bool { return f.Outcome == court.Violation },
		func(f Finding) bool { return f.Outcome == court.Absent },
	} {
		if kept := slices.DeleteFunc(slices.Clone(flat), func(f Finding) bool { return !stands(f) }); len(kept) > 0 {
			return kept
		}
	}
	return flat
}

// every keeps what speaks against a document, with what could not be told of
// others; where nothing does, all that was found.
func every(all [][]Finding) []Finding {
	flat := slices.Concat(all...)
	against := func(f Finding) bool {
		return f.Outcome == court.Violation || f.Outcome == court.Partial || f.Outcome == court.Absent
	}
	if !slices.ContainsFunc(flat, against) {
		return flat
	}
	return slices.DeleteFunc(flat, func(f Finding) bool { return f.Outcome == court.Present })
}

// turns takes one passage of each document, then the next of each, up to a
// limit; where there is none in any, it says so of each.
func turns(all [][]Finding, limit int) []Finding {
	var out []Finding
	for i := 0; ; i++ {
		more := false
		for _, found := range all {
			if i >= len(found) {
				continue
			}
			more = true
			if found[i].Outcome == court.Present && len(out) < limit {
				out = append(out, found[i])
			}
		}
		if !more {
			break
		}
	}
	if len(out) == 0 {
		return enough(all)
	}
	return out
}
