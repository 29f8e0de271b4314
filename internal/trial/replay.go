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

// Ruling rules on a record again in which something is otherwise that no judge has to hear: what people decided. Verdict and
// gate are those of the copy that it gives.
func Ruling(rec *court.Record) (*court.Record, error) {
	v, err := Replay(rec)
	if err != nil || v == nil {
		return rec, err
	}
	out := *rec
	out.Verdict = v
	if rec.Gate != nil {
		g := verdict.Gate(*v, verdict.Bar{Bars: rec.Gate.Bars, FailOn: rec.Gate.FailOn})
		out.Gate = &g
	}
	return &out, nil
}
