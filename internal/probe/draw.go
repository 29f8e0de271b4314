package probe

import (
	"context"
	"errors"
	"maps"

	"github.com/automaton-auditor/automaton/internal/court"
)

// Draw fills a sheet. Sections that could not be filled leave a fault; what one
// filled before it failed or panicked stays. One that the end of ctx cuts short
// leaves nothing.
func Draw(ctx context.Context, s *Scene, sections []Section) (*Sheet, []court.Fault) {
	sheet := &Sheet{Repo: s.Slug(), Commit: s.Commit(), Proof: map[string]Proof{}}
	for _, t := range []*Typed{&sheet.State.AgentState, &sheet.State.EvidencesReducer, &sheet.State.OpinionsReducer} {
		t.Name = new("") // the schema asks for it even where nothing is known
	}
	var faults []court.Fault
	for _, sec := range sections {
		next, err := sec.fill(ctx, s, *sheet)
		if next != nil {
			sheet = next
		}
		if err == nil {
			continue
		}
		if stopped(err) {
			err = errTooLong
		}
		why := s.mask(err.Error())
		sheet.Proof[sec.Name] = Proof{Text: court.Clean(why, 300)}
		if _, ok := errors.AsType[*Unable](err); !ok {
			faults = append(faults, court.Fault{Stage: "facts", Subject: sec.Name, Reason: court.Clean(why, 500)})
		}
	}
	s.maskProofs(sheet)
	return sheet, faults
}

// maskProofs hides secrets in the texts; places are masked where evidence is
// made of them.
func (s *Scene) maskProofs(sheet *Sheet) {
	for k, v := range sheet.Proof {
		v.Text = s.mask(v.Text)
		sheet.Proof[k] = v
	}
}

// fill lets a section work on a copy of the sheet, which is nil where ctx ended:
// a section that was left behind may still write.
func (sec Section) fill(ctx context.Context, s *Scene, sheet Sheet) (*Sheet, error) {
	sheet.Proof = maps.Clone(sheet.Proof)
	var filled *Sheet
	err := s.inStep(ctx, func(ctx context.Context, s *Scene) func() error {
		err := sec.guarded(ctx, s, &sheet)
		return func() error {
			filled = &sheet
			return err
		}
	})
	return filled, err
}

// guarded makes an error of a panic.
func (sec Section) guarded(ctx context.Context, s *Scene, sheet *Sheet) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = panicked(p)
		}
	}()
	return sec.Fill(ctx, s, sheet)
}
