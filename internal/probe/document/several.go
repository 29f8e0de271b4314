package document

import (
	"context"
	"errors"

	"github.com/automaton-auditor/automaton/internal/probe"
)

// several says what the answers of each probe about several documents come to:
// what a submission should have is enough in one of them, and what a document
// says of the code must hold in every one.
func several(id string, a probe.Args) probe.Several {
	aspect := a.String("aspect")
	switch {
	case a.String("over") == "readme", id == "img.inventory" && aspect == "source":
		return probe.Once
	case id == "doc.mentions": // terms may be spread over the documents
		return probe.United
	case id == "doc.passages":
		return probe.Turns
	case id == "pdf.integrity":
		if aspect == "" || aspect == "readable" {
			return probe.Apart
		}
		if aspect == "hidden" {
			return probe.Every
		}
		return probe.Enough
	case id == "doc.paths" && (aspect == "named" || aspect == "breadth"), id == "doc.numbers" && aspect == "named", id == "doc.project" && aspect == "named":
		return probe.Enough
	}
	switch id {
	case "doc.terms", "doc.anchored", "doc.reasons", "doc.limits",
		"img.inventory", "img.vision", "diagram.kind", "diagram.parallel", "diagram.graph", "diagram.match", "diagram.caption":
		return probe.Enough
	case "doc.project", "doc.claims", "doc.boilerplate", "doc.paths", "doc.parallel", "doc.symbols", "doc.numbers", "doc.unwired", "doc.fresh", "diagram.contradiction":
		return probe.Every
	}
	return ""
}

// voice is a document with what its explanations are graded by.
type voice struct {
	*reading
	by   grading
	runs []*stretch
}

// voices reads all documents. Those that cannot be read are told by the error of
// the first of them; where none can, there are no voices.
func voices(ctx context.Context, s *probe.Scene) (all []voice, unread *probe.Unable, err error) {
	for _, d := range s.Documents() {
		v, err := voiceOf(ctx, d)
		if u, ok := errors.AsType[*probe.Unable](err); ok {
			if unread == nil {
				unread = u
			}
			continue
		}
		if err != nil {
			return nil, nil, err
		}
		all = append(all, v)
	}
	return all, unread, nil
}

func voiceOf(ctx context.Context, s *probe.Scene) (voice, error) {
	r, err := read(ctx, s)
	if err != nil {
		return voice{}, err
	}
	by, err := graders(ctx, s)
	return voice{reading: r, by: by}, err
}
