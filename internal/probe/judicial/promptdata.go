package judicial

import (
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/il"
	"github.com/automaton-auditor/automaton/internal/il/analyse"
)

// loaders are the last names of calls that read data.
var loaders = []string{"load", "loads", "safe_load", "read_text", "read", "open"}

// filledFromData reports whether a prompt of the judges has a hole for what is looked up,
// by a key that the judge's call gives, in data that is read from a file: what that data
// says of each judge was not seen.
func (b *bench) filledFromData() bool {
	for f, in := range b.live(b.judges) {
		var text strings.Builder
		for _, o := range in.Args {
			part, _ := f.Str(o)
			text.WriteString(part + " ")
		}
		if in.Op != il.Make || in.Kind != "text" || len(strings.Fields(text.String())) < minPrompt {
			continue
		}
		for _, o := range in.Args {
			keyed, read := false, false
			w := &analyse.Origins{Names: b.il.Names, Through: func(*il.Function, *il.Instr) bool { return true }}
			w.Seen = func(f *il.Function, o il.Operand) {
				if def := f.Def(o); def != nil {
					key := f.Root(keyOf(def))
					keyed = keyed || key.Kind == il.Local && f.Versions[key.ID].Param >= 0
					read = read || def.Op == il.Call && slices.Contains(loaders, lastName(def))
				}
			}
			w.Of(f, o, in)
			if keyed && read {
				return true
			}
		}
	}
	return false
}
