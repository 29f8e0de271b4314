package il

import (
	"fmt"
	"strconv"
	"strings"
)

// String is the function as a listing, for tests and for people.
func (f *Function) String() string {
	var w strings.Builder
	w.WriteString("function " + f.Name)
	for _, p := range f.Params {
		w.WriteString(" " + p.Spread + f.Show(Operand{Local, p.Var}))
	}
	if f.Lost != "" {
		w.WriteString(" lost: " + f.Lost)
	}
	w.WriteByte('\n')
	for _, b := range f.Blocks {
		fmt.Fprintf(&w, "b%d:\n", b.ID)
		for _, in := range b.Instrs {
			w.WriteString("  " + f.Listing(in))
			if in.Op.Ends() {
				for _, s := range b.Succs {
					fmt.Fprintf(&w, " b%d", s.ID)
				}
			}
			w.WriteByte('\n')
		}
	}
	return w.String()
}

var modeNames = [modeCount]string{"", "await ", "spawn ", "defer ", "new ", "decorate "}

// Listing is one instruction on one line.
func (f *Function) Listing(in *Instr) string {
	var w strings.Builder
	if in.Dst != NoDst {
		w.WriteString(f.Show(Operand{Local, in.Dst}) + " = ")
	}
	w.WriteString(modeNames[in.Mode] + in.Op.String())
	if in.Kind != "" {
		w.WriteString(" " + in.Kind)
	}
	for k, a := range in.Args {
		at := k
		if in.Op == Call {
			at--
		}
		name := ""
		if at >= 0 && at < len(in.Names) && in.Names[at] != "" {
			name = in.Names[at] + "="
		}
		w.WriteString(" " + name + f.Show(a))
	}
	if in.Op == Import {
		w.WriteString(" " + strings.Join(in.Names, " "))
	}
	if in.Ref != nil {
		w.WriteString(" " + in.Ref.Name)
	}
	if in.Op == Assume {
		fmt.Fprintf(&w, " by (%s) is %t", f.Listing(in.Cond), in.Truth)
	}
	return w.String()
}

// Show is an operand as a listing writes it.
func (f *Function) Show(o Operand) string {
	switch o.Kind {
	case Local:
		if int(o.ID) < len(f.Versions) {
			return fmt.Sprintf("%s#%d", f.Versions[o.ID].Var, o.ID)
		}
		return fmt.Sprintf("variable %d", o.ID)
	case Constant:
		return f.Module.Consts[o.ID].String()
	case Free:
		return "@" + f.Module.Words[o.ID]
	case Undef:
		return "unbound " + f.Vars[o.ID]
	default:
		return "?"
	}
}

// String is the constant as a listing writes it.
func (c Const) String() string {
	switch c.Type {
	case StrConst:
		return strconv.Quote(c.Text)
	case BoolConst:
		return strconv.FormatBool(c.Num != 0)
	case NoneConst:
		return "none"
	default:
		return c.Text
	}
}
