package judicial

import (
	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/probe"
)

var cjNode = probe.Probe{
	ID: "cj.node", Version: "2", Target: court.GithubRepo,
	Title:  "A chief justice turns opinions into final scores",
	Doc:    "Takes the function of the graph's chief node; without one, the class or function that is called chief justice, or a synthesis that reads the judges' scores.",
	Remedy: decide, Effort: 120, Recall: 9500,
	Run: ofChief(chiefNode),
}

func chiefNode(b *bench, _ probe.Args) probe.Finding {
	where1 := "is not a node of the graph"
	if b.chief.wired {
		where1 = "is a node of the graph"
	}
	f := probe.Present(court.AST, places(b.chief.roots), "%s decides, and %s.", b.chiefName(), where1)
	f.Data = map[string]any{"justice.present": true, "justice.at": where(standing(b.chief.roots[0]).Node)}
	return f
}

// standing is where the chief justice stands: of an object that is a node its
// class.
func standing(d *code.Definition) *code.Definition {
	if d.Kind == code.DefMethod && d.Name == "__call__" {
		return d.Parent
	}
	return d
}
