package probe

import (
	"context"
	"maps"
	"slices"

	"github.com/automaton-auditor/automaton/internal/court"
)

// aids are what a probe may turn to beside the submission: what the other
// groups find out, and what was asked for. So a document is held against the
// facts by the probes that establish them, and no group imports another.
type aids struct {
	probes     []Probe
	sections   []Section
	assignment []string
}

// Equip tells the scene which probes may be asked, what fills the fact sheet,
// and the texts of the rubric. It must be done before anything is looked at, as
// what was computed without them is kept.
func (s *Scene) Equip(probes []Probe, sections []Section, assignment []string) {
	s.aids.Store(&aids{probes, sections, assignment})
}

// Assignment is the texts of the rubric; nil when nobody knows them.
func (s *Scene) Assignment() []string {
	if a := s.whole().aids.Load(); a != nil {
		return a.assignment
	}
	return nil
}

// Ask runs a probe of the repository and returns its answer, once per scene and
// question, as a check would have it as evidence: after a look at what was not
// read and at whether a run comes by. Certainty is how sure each finding is.
// Probes of the document cannot be asked: they are those that ask. An Unable says
// that there is nobody to ask, or what kept the probe from looking.
func (s *Scene) Ask(ctx context.Context, a court.Ask) ([]Finding, error) {
	s = s.whole()
	p, ok := s.colleague(a.Probe)
	if !ok {
		return nil, &Unable{Reason: court.NoDetector, Why: "nobody here can be asked about " + a.Probe}
	}
	l, _ := s.shared.LoadOrStore("asked."+a.Key(), new(lazy[[]Finding]))
	return l.(*lazy[[]Finding]).get(ctx, s, a.Key(), func(ctx context.Context) ([]Finding, error) {
		q := question{probe: p, known: true, ask: a, args: Args{Values: a.Args, Scope: "production", Depth: 1}}
		found := slices.Clone(q.run(ctx, s).findings)
		for i, f := range found {
			f = s.wired(ctx, &q, asker{}, s.effective(ctx, &q, asker{}, s.doubted(ctx, q.args, f)))
			f.Certainty, f.searched = f.confidence(p.recall()), false
			found[i] = f
		}
		return found, nil
	})
}

// Acts is what was found in the code after a look at whether a run comes by.
func (s *Scene) Acts(ctx context.Context, f Finding) Finding {
	q := question{probe: Probe{Wired: true}, known: true}
	return s.wired(ctx, &q, asker{}, s.effective(ctx, &q, asker{}, f))
}

func (s *Scene) colleague(id string) (Probe, bool) {
	a := s.whole().aids.Load()
	if a == nil {
		return Probe{}, false
	}
	for _, p := range a.probes {
		if p.ID == id {
			return p, p.Target == court.GithubRepo
		}
	}
	return Probe{}, false
}

// Facts is a sheet of which one section is filled, once per scene. Only groups
// other than the section's own may ask for it. An Unable says that nobody fills
// it, or what kept it from being filled.
func (s *Scene) Facts(ctx context.Context, section string) (*Sheet, error) {
	s = s.whole()
	l, _ := s.shared.LoadOrStore("facts."+section, new(lazy[*Sheet]))
	return l.(*lazy[*Sheet]).get(ctx, s, section, func(ctx context.Context) (*Sheet, error) {
		if a := s.aids.Load(); a != nil {
			for _, sec := range a.sections {
				if sec.Name == section {
					return s.filled(ctx, sec)
				}
			}
		}
		return nil, &Unable{Reason: court.NoDetector, Why: "nobody here knows the facts of " + section}
	})
}

// filled is a sheet with one section. What the section filled before it failed
// is not used: half a section cannot be told from a whole one.
func (s *Scene) filled(ctx context.Context, sec Section) (*Sheet, error) {
	sheet, err := sec.fill(ctx, s, Sheet{Repo: s.Slug(), Commit: s.Commit(), Proof: map[string]Proof{}})
	if err != nil {
		return nil, err
	}
	sheet.Proof = maps.Clone(sheet.Proof)
	s.maskProofs(sheet)
	return sheet, nil
}
