package probe

import (
	"slices"

	"github.com/automaton-auditor/automaton/internal/court"
)

// Reads are the sides of a submission that are costly to read. The files of the
// commit are read for every probe.
type Reads uint8

// The sides.
const (
	Everything Reads = 0
	Files      Reads = 1 << iota // nothing but the files
	Code                         // programs, parsed
	Past                         // the commits
	Papers                       // the PDF, its pages and figures
)

// Reads are what the checks of the brief read. A criterion that is about the
// document has it read though no check asks for it: what it says is shown beside the
// evidence. What a document says of the rest is compared with all of it.
func (b Assignment) Reads(probes []Probe) Reads {
	known := byID(probes)
	all := Files
	for _, c := range b.Criteria {
		if slices.Contains(c.Artifacts, court.PDFReport) || slices.Contains(c.Artifacts, court.PDFImages) {
			return Everything
		}
		for _, ch := range c.Checks {
			for _, a := range ch.Asks {
				p, ok := known[a.Probe]
				switch {
				case !ok:
				case p.Reads == Everything, p.Reads&Papers != 0:
					return Everything
				default:
					all |= p.Reads
				}
			}
		}
	}
	return all
}

// Has tells whether a side is among them.
func (r Reads) Has(side Reads) bool { return r == Everything || r&side != 0 }

// Left says why a side is not read; "" when it is.
func (r Reads) Left(side Reads) string {
	if r.Has(side) {
		return ""
	}
	return court.NotAsked
}

// For is the scene of a run that reads some sides only. The others are closed,
// but for code, which is parsed when a probe asks for it all the same. A model that
// investigates looks at the same sides, so that one that finds nothing changes nothing.
func (s *Scene) For(r Reads) *Scene {
	return &Scene{common: s.common, step: s.step, sole: s.sole, reads: r}
}

// Reads are the sides that the run reads.
func (s *Scene) Reads() Reads { return s.reads }

// Seen are the sides that were read so far.
func (s *Scene) Seen() Reads {
	whole := s.whole()
	out := Files
	for side, done := range map[Reads]bool{
		Code: whole.program.ready() || whole.others.ready(), Past: whole.history.ready(), Papers: s.doc.ready()} {
		if done {
			out |= side
		}
	}
	return out
}
