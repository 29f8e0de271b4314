package trial

import (
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/verdict"
)

// Replay hears the chief justice again on what a record holds: rubric,
// hearings, opinions and evidence. Neither probes nor bench are needed. It
// gives nil for a mistrial.
func Replay(rec *court.Record) (*court.Verdict, error) {
	if rec.Verdict == nil {
		return nil, nil
	}
	s := court.State{Case: rec.Case, Rubric: rec.Rubric, Hearings: rec.Hearings, Opinions: rec.Opinions, Faults: rec.Faults}
	p := papersOf(s)
	p.Exhibits, p.Edition = rec.Evidences, rec.Origin.Law
	v, err := verdict.Decide(p)
	if err != nil {
		return nil, err
	}
	return &v, nil
}
