package analyse

import "github.com/automaton-auditor/automaton/internal/il"

// Step is a value on the way from a question to an origin, and the instruction that
// reads it there.
type Step struct {
	Function *il.Function
	Operand  il.Operand
	Use      *il.Instr
	Inside   bool // the value is a part of the operand
}

// Steps are the values on the way from the question to here, the question first.
func (o Origin) Steps() []Step { return o.way.list() }

// Last is the last of them.
func (o Origin) Last() Step { return o.way.step }

// After is an origin of what another one is made of, as one of the question that led there.
func (o Origin) After(before Origin) Origin {
	way := before.way
	for _, s := range o.Steps() {
		way = way.then(s)
	}
	o.way, o.Part = way, o.Part || before.Part
	return o
}

type steps struct {
	step   Step
	before *steps
	n      int
}

// then is the way with a step more; there is none before the first one.
func (s *steps) then(next Step) *steps {
	if s == nil {
		return &steps{step: next}
	}
	return &steps{next, s, s.n + 1}
}

func (s *steps) list() []Step {
	if s == nil {
		return nil
	}
	out := make([]Step, s.n+1)
	for ; s != nil; s = s.before {
		out[s.n] = s.step
	}
	return out
}
