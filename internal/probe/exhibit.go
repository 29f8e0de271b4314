package probe

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/repo"
	"github.com/automaton-auditor/automaton/internal/safetext"
)

// evidence ties a finding to a check, and says what was wrong with the finding.
// What is located needs a place, and a place that cannot be read makes it
// unknown: nothing is claimed that cannot be shown.
func (s *Scene) evidence(ctx context.Context, b Assignment, q *question, by asker, f Finding) (court.Evidence, []error) {
	var wrong []error
	lost := func(err error) {
		wrong = append(wrong, err)
		f = Cannot(court.Unverified, nil, "%s But its place could not be read again.", safetext.Sentence(f.Rationale))
	}
	places, more := s.places(f.Places)
	if t := q.probe.Target; len(places) == 0 && f.located() && s.HasPDF() && (t == court.PDFReport || t == court.PDFImages) {
		places = []court.Place{{Digest: s.PDFDigest()}} // it is said of the document as a whole, which may have no page
	}
	f.Places = places
	content, err := s.shown(ctx, f)
	if err != nil {
		content, more = "", 0
		lost(fmt.Errorf("quoting: %w", err))
	}
	if f = turned(f, q.probe, by.check.Polarity); len(f.Places) == 0 && f.located() {
		lost(fmt.Errorf("quoting: %s without a place", f.Outcome))
	}
	e := court.Evidence{Criterion: by.criterion, Check: by.check.ID, Ask: by.ask, Probe: q.ask.Probe, Detective: b.Detective,
		Goal: by.check.Text, Outcome: f.Outcome, Reason: f.Reason, Content: content, At: f.Places, More: more,
		Rationale: s.mask(f.Rationale), Confidence: f.confidence(q.probe.recall()), Source: f.Source, Share: f.Share, Coverage: f.Coverage,
		Remedy: s.mask(f.Remedy), Effort: f.Effort, Round: max(b.Round, 1)}
	s.exposeAll(e.At) // a copy: see places
	if q.known {
		e.Probe = q.probe.Name()
		if e.Remedy == "" && f.Outcome != court.Unknown {
			e.Remedy = remedyOf(q.probe, by.check)
		}
		if e.Remedy != "" && e.Effort == 0 {
			e.Effort = q.probe.Effort
		}
	}
	if f.Security != nil {
		flaw := *f.Security
		e.Security = &flaw
	}
	if f.Data != nil {
		raw, err := json.Marshal(f.Data)
		if err != nil {
			wrong = append(wrong, fmt.Errorf("encoding data: %w", err))
		} else {
			e.Data = []byte(s.o.Veil.Hide(string(maskJSON(raw))))
		}
	}
	e.Withheld = e.Reason.Withheld()
	return e.Sealed(), wrong
}

// remedyOf is what would put a check right. A probe without direction only
// knows that something is looked for; what, and whether it is wanted, the check
// says.
func remedyOf(p Probe, c court.Check) string {
	text := strings.TrimSuffix(c.Text, ".")
	switch {
	case !p.Generic || text == "" || text == p.Title || p.Remedy == "":
		return p.Remedy
	case c.Polarity == court.Avoid:
		return fmt.Sprintf("Remove or change what was found, until this holds: %q.", text+".")
	default:
		return fmt.Sprintf("%s What is asked for: %q.", safetext.Sentence(p.Remedy), text+".")
	}
}

// mask hides what is shaped like a key, and the secrets of the one who audits.
func (s *Scene) mask(text string) string { return s.o.Veil.Hide(Mask(text)) }

// located tells what was seen somewhere from what came of a search.
func (f Finding) located() bool {
	switch f.Outcome {
	case court.Violation, court.Partial:
		return true
	case court.Present:
		return !f.searched || f.Security != nil
	default:
		return f.Security != nil
	}
}

// shown is what stands at the first place. All others must exist too.
func (s *Scene) shown(ctx context.Context, f Finding) (string, error) {
	for _, p := range f.Places {
		if err := s.exists(ctx, p); err != nil {
			return "", err
		}
	}
	if len(f.Places) == 0 {
		return "", nil
	}
	return s.quote(ctx, f.Places[0], f.Quote)
}

// turned gives the finding of a probe without direction the direction of its
// check.
func turned(f Finding, p Probe, polarity court.Polarity) Finding {
	if !p.Generic || polarity != court.Avoid {
		return f
	}
	switch f.Outcome {
	case court.Present, court.Partial:
		f.Outcome, f.Share = court.Violation, 0
	case court.Absent:
		f.Outcome, f.searched = court.Present, true
		if f.empty {
			f.Outcome, f.searched = court.NotApplicable, false
		}
	default: // what is unknown stays so, and a violation has a direction already
	}
	return f
}

// places completes places with their blobs and keeps the first fifty.
func (s *Scene) places(in []court.Place) (out []court.Place, more int) {
	for _, p := range in[:min(len(in), maxPlaces)] {
		if e, ok := s.entries[p.Path]; ok && p.Path != "" && !ofWritten(p) {
			p.Blob = e.OID
			if p.Line > 0 && p.EndLine < p.Line {
				p.EndLine = p.Line
			}
			if e.Kind == repo.Submodule {
				p.Line, p.EndLine = 0, 0
			}
		}
		out = append(out, s.Named(p))
	}
	return out, len(in) - len(out)
}

// united sorts evidence and keeps one account of each thing. Two things with
// one id, which somebody must have made, are told apart and reported: the id is
// what all else is united by, and one of them would vanish.
func united(list []court.Evidence) ([]court.Evidence, []court.Fault) {
	slices.SortStableFunc(list, court.Evidence.Compare)
	var out []court.Evidence
	var faults []court.Fault
	at := map[string]int{}
	for _, e := range list {
		i, known := at[e.ID]
		for known && !same(out[i], e) {
			faults = append(faults, court.Fault{Stage: "probe", Subject: e.ID, Reason: "two different pieces of evidence have this id"})
			e.Rationale += " Another piece of evidence has the same id."
			e = e.Sealed()
			i, known = at[e.ID]
		}
		if !known {
			at[e.ID] = len(out)
			out = append(out, e)
		}
	}
	slices.SortFunc(out, court.Evidence.Compare)
	return out, faults
}

// same compares two pieces of evidence but for when they were looked for.
func same(a, b court.Evidence) bool {
	a.Round, b.Round = 0, 0
	return court.Digest(a) == court.Digest(b)
}

// Located completes places for the record: with their blobs, their paths as a
// record shows them.
func (s *Scene) Located(in ...court.Place) []court.Place {
	out, _ := s.places(in)
	s.exposeAll(out)
	return out
}
