package analyse

import (
	"sync"

	"github.com/automaton-auditor/automaton/internal/il"
)

// Analyses are what is asked of one program. Each computes what it is asked for,
// and remembers what it found out: whoever asks holds the lock.
type Analyses struct {
	sync.Mutex
	Program *il.Program
	Names   *Names
	Values  *Values
	Outcome *Outcome
}

// Of makes the analyses of a program.
func Of(p *il.Program) *Analyses {
	names := Resolve(p)
	values := &Values{Names: names}
	return &Analyses{Program: p, Names: names, Values: values, Outcome: &Outcome{Names: names, Dead: values.Dead}}
}

// Flow is a Flow without an end to follow values to, that leaves out blocks which
// no run enters.
func (a *Analyses) Flow() *Flow { return &Flow{Names: a.Names, Dead: a.Values.Dead} }

// Reach is ReachFrom without blocks that no run enters.
func (a *Analyses) Reach(entries ...*il.Function) *Reach {
	return ReachFrom(a.Names, a.Values.Dead, entries...)
}
