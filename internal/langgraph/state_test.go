package langgraph

import (
	"fmt"
	"strings"
	"testing"

	"github.com/automaton-auditor/automaton/internal/agentgraph"
)

// TestStates reads state types, models, reducers and writers.
func TestStates(t *testing.T) { fixtures(t, "states", states) }

// states writes the state, the models and the writers of a reading.
func states(r *agentgraph.Reading) string {
	var b strings.Builder
	if s := r.State; s == nil {
		b.WriteString("no state\n")
	} else {
		fmt.Fprintf(&b, "state %q %s %s:%d%s\n", s.Kind, s.Name, s.At.Path, s.At.Line, flags("open", s.Open))
		for i := range s.Fields {
			f := &s.Fields[i]
			fmt.Fprintf(&b, "  %s: %s | %q", f.Name, f.Type, f.Reducer.Kind)
			if f.Reducer.Kind == agentgraph.ReducerCustom {
				fmt.Fprintf(&b, " %s merges %s", f.Reducer.Name, f.Reducer.Merges)
			}
			fmt.Fprintf(&b, " %s:%d%s\n", f.At.Path, f.At.Line, flags("evidences", f == s.Material, "opinions", f == s.Reviews))
		}
	}
	for _, m := range []struct {
		name string
		m    *agentgraph.Model
	}{{"evidence", r.Material}, {"opinion", r.Review}} {
		if m.m == nil {
			fmt.Fprintf(&b, "no %s model\n", m.name)
			continue
		}
		fmt.Fprintf(&b, "%s model %q %s %s:%d, %d fields\n", m.name, m.m.Kind, m.m.Name, m.m.At.Path, m.m.At.Line, len(m.m.Fields))
	}
	if r.Main != nil {
		for _, w := range r.Main.Writes {
			fmt.Fprintf(&b, "%s writes %s%s at %s:%d\n", w.Node, w.Key, flags("everything", w.Whole), w.At.Path, w.At.Line)
		}
		for _, n := range r.Main.Nodes {
			if n.Opaque {
				fmt.Fprintf(&b, "%s is opaque\n", n.Name)
			}
		}
	}
	return b.String()
}
