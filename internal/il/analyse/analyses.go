package analyse

import (
	"sync"

	"github.com/automaton-auditor/automaton/internal/il"
)

// Analyses are what is asked of one program. Each remembers what it found out:
// whoever asks holds the lock.
type Analyses struct {
	sync.Mutex
	Program *il.Program
	Names   *Names
	Outcome *Outcome
}

// Of makes the analyses of a program.
func Of(p *il.Program) *Analyses {
	names := Resolve(p)
	return &Analyses{Program: p, Names: names, Outcome: &Outcome{Names: names}}
}
