package analyse

import (
	"cmp"
	"slices"

	"github.com/automaton-auditor/automaton/internal/il"
)

// Gap is something of a program that was not lowered: a construct that no lowering
// knows, a function beyond a bound, or a file that was not read. What is asked
// about it has the answer Unknown.
type Gap struct {
	Language string
	Kind     string // the construct, or why a function or file has no body
	Places   []il.Place
}

// Gaps lists what was not lowered, the most frequent first.
func Gaps(p *il.Program) (out []Gap) {
	index := map[[2]string]int{}
	add := func(m *il.Module, kind string, at il.Place) {
		key := [2]string{m.Language, kind}
		i, ok := index[key]
		if !ok {
			i = len(out)
			index[key], out = i, append(out, Gap{Language: m.Language, Kind: kind})
		}
		out[i].Places = append(out[i].Places, at)
	}
	for f := range p.All() {
		if f.Lost != "" {
			add(f.Module, f.Lost, f.Place(f.Span))
		}
		for _, in := range f.Instructions() {
			if in.Op == il.Unknown {
				add(f.Module, in.Kind, f.Place(in.Span))
			}
		}
	}
	for _, m := range p.Modules {
		if m.Damaged && m.Top.Lost == "" {
			add(m, "a part of the file could not be parsed", m.Place(il.Span{}))
		}
	}
	slices.SortFunc(out, func(a, b Gap) int {
		return cmp.Or(cmp.Compare(len(b.Places), len(a.Places)), cmp.Compare(a.Language, b.Language), cmp.Compare(a.Kind, b.Kind))
	})
	return out
}
