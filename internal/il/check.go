package il

import (
	"errors"
	"fmt"
)

// Complete finishes the functions that a lowering made, after it has checked that every
// instruction holds what its Op says and names only what there is: analyses rely on it.
func (m *Module) Complete() error {
	for f := range m.All() {
		if err := f.check(); err != nil {
			return fmt.Errorf("completing %s: %w", m.Path, err)
		}
		f.Finish()
	}
	return nil
}

var errForm = errors.New("not of the form that analyses need")

func (f *Function) check() error {
	if len(f.Blocks) == 0 && f.Lost == "" && f.Kind != Declared {
		return errForm
	}
	for _, b := range f.Blocks {
		if len(b.Instrs) == 0 {
			return errForm
		}
		for i, in := range b.Instrs {
			if in.Op.Ends() != (i == len(b.Instrs)-1) || !in.wellFormed(b) || !f.names(in) {
				return fmt.Errorf("%s, at %d: %w", in.Op, in.Span.From, errForm)
			}
		}
	}
	return nil
}

// names tells whether what an instruction reads and binds is there.
func (f *Function) names(in *Instr) bool {
	if in.Dst < NoDst || int(in.Dst) >= len(f.Vars) {
		return false
	}
	for _, a := range in.Args {
		there := 1 // an opaque one has no number
		switch a.Kind {
		case Constant:
			there = len(f.Module.Consts)
		case Free:
			there = len(f.Module.Words)
		case Local:
			there = len(f.Vars)
		}
		if a.ID < 0 || int(a.ID) >= there {
			return false
		}
	}
	return true
}

// wellFormed tells whether an instruction of a lowering holds what its Op says.
func (in *Instr) wellFormed(b *Block) bool {
	n, binds := len(in.Args), in.Dst != NoDst
	switch in.Op {
	case Unknown, Make:
		return binds && len(in.Names) <= n
	case Bind:
		return binds && n >= 1 && (in.Kind != "" || n == 1)
	case Call:
		return binds && n >= 1 && len(in.Names) == n-1
	case Get:
		return binds && n == 2
	case Set:
		return n == 3
	case Import:
		return binds && n == 0 && (len(in.Names) == 1 || len(in.Names) == 2)
	case Define:
		return binds && in.Ref != nil && len(in.Names) == n
	case Delete:
		return binds && n == 0
	case Catch:
		return binds
	case Yield:
		return binds && n == 1
	case Jump:
		return !binds && n == 0
	case Branch:
		return !binds && len(b.Succs) == 2 && (n == 2 || n == 1 && in.Kind == "true")
	case Loop:
		return !binds && n == 1 && len(b.Succs) == 2
	case Return:
		return !binds && n == 1 && len(b.Succs) == 0
	case Raise:
		return !binds && n == 1
	case Exit:
		return !binds && len(b.Succs) == 0
	default:
		return false // Phi and Assume are made by Finish
	}
}
