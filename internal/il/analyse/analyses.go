package analyse

import (
	"cmp"
	"math"
	"slices"
	"sync"

	"github.com/automaton-auditor/automaton/internal/il"
)

// Analyses are what is asked of one program. Each computes what it is asked for,
// and remembers what it found out: the one who asks holds the lock.
type Analyses struct {
	sync.Mutex
	Program *il.Program
	Names   *Names
	Values  *Values
	Outcome *Outcome

	written map[string]map[il.Span][]Site // by path: what was lowered from a stretch of text
	bodies  map[string]map[il.Span]*il.Function
	stands  map[*il.Function][]il.Standing
	around  map[string][]*il.Function // by path: the innermost function around each line

	failures []Failure
	sets     map[string]bool // see setKeys
	deciding map[junction][]*il.Block
	defined  map[*il.Function]*il.Instr
	defining map[*il.Function]bool // what they define is in defined
}

// Of makes the analyses of a program.
func Of(p *il.Program) *Analyses {
	names := Resolve(p)
	values := &Values{Names: names}
	a := &Analyses{Program: p, Names: names, Values: values, Outcome: &Outcome{Names: names, Dead: values.Dead},
		stands: map[*il.Function][]il.Standing{}, around: map[string][]*il.Function{}, deciding: map[junction][]*il.Block{},
		defined: map[*il.Function]*il.Instr{}, defining: map[*il.Function]bool{}}
	a.Outcome.Failures = a.Failures
	return a
}

// Flow is a Flow without an end to follow values to, that leaves out blocks which
// no run enters.
func (a *Analyses) Flow() *Flow { return &Flow{Names: a.Names, Dead: a.Values.Dead} }

// Reach is ReachFrom without blocks that no run enters.
func (a *Analyses) Reach(entries ...*il.Function) *Reach {
	return ReachFrom(a.Names, a.Values.Dead, entries...)
}

// Written are the instructions that were lowered from exactly a stretch of a file,
// in the order of the program.
func (a *Analyses) Written(path string, from, to int) []Site {
	a.index(path)
	return a.written[path][il.Span{From: uint32(from), To: uint32(to)}]
}

// CallAt is the call that exactly a stretch of a file writes; false where none was lowered.
func (a *Analyses) CallAt(path string, from, to int) (Site, bool) {
	for _, s := range a.Written(path, from, to) {
		if s.Call && s.At.Mode != il.Decorate {
			return s, true
		}
	}
	return Site{}, false
}

// Defined is the function, or the body of the class, that exactly a stretch of a
// file defines, with its decorators; nil where none was lowered.
func (a *Analyses) Defined(path string, from, to int) *il.Function {
	a.index(path)
	return a.bodies[path][il.Span{From: uint32(from), To: uint32(to)}]
}

// At is the innermost function around a line of a file, and its last instruction that begins
// no later than that; nil where none is known.
func (a *Analyses) At(path string, line int) (f *il.Function, at *il.Instr) {
	top := a.Names.Top(path)
	if top == nil {
		return nil, nil
	}
	around, known := a.around[path]
	if !known {
		around = make([]*il.Function, len(top.Module.Lines)+2)
		for g := range top.Module.All() {
			p := g.Place(g.Span)
			for i := p.Line; i <= p.EndLine; i++ {
				if f := around[i]; f == nil || f == top || within(f.Span, g.Span) {
					around[i] = g
				}
			}
		}
		a.around[path] = around
	}
	if line >= 0 && line < len(around) {
		f = around[line]
	}
	if f == nil {
		return nil, nil
	}
	if line < len(f.Module.Lines) {
		return f, a.Before(f, f.Module.Lines[line])
	}
	return f, a.Before(f, math.MaxUint32)
}

// Standing are the instructions of a function that its text writes, by where they begin: those
// that begin no earlier than a place.
func (a *Analyses) Standing(f *il.Function, place uint32) []il.Standing {
	out, known := a.stands[f]
	if !known {
		out = f.Standing()
		a.stands[f] = out
	}
	i, _ := slices.BinarySearchFunc(out, place, func(s il.Standing, place uint32) int { return cmp.Compare(s.At.Span.From, place) })
	return out[i:]
}

// Before is the last instruction of a function that begins before a place of its file.
func (a *Analyses) Before(f *il.Function, place uint32) *il.Instr {
	all := a.Standing(f, 0)
	i := len(all) - len(a.Standing(f, place))
	if i == 0 {
		return nil
	}
	return a.Standing(f, all[i-1].At.Span.From)[0].At
}

// index looks through a file once.
func (a *Analyses) index(path string) {
	if a.written[path] != nil {
		return
	}
	if a.written == nil {
		a.written, a.bodies = map[string]map[il.Span][]Site{}, map[string]map[il.Span]*il.Function{}
	}
	written, bodies := map[il.Span][]Site{}, map[il.Span]*il.Function{}
	a.written[path], a.bodies[path] = written, bodies
	for _, m := range a.Program.Modules {
		if m.Path != path {
			continue
		}
		for f := range m.All() {
			if f.Kind != il.Top {
				bodies[f.Span] = f
			}
			for _, in := range f.Instructions() {
				written[in.Span] = append(written[in.Span], Site{Function: f, At: in, Call: in.Op == il.Call})
			}
		}
	}
}
