package flow

import (
	"context"

	"github.com/automaton-auditor/automaton/internal/agentgraph"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/facts"
	"github.com/automaton-auditor/automaton/internal/probe"
)

var stateModels = probe.Probe{
	ID: "state.models", Version: "1", Target: court.GithubRepo,
	Title:  "Evidence and opinions are typed models",
	Doc:    "Looks for a class with at least three of the fields of an evidence item, or of an opinion, under their usual other names too, and what it is made of by its transitive bases. Pydantic counts in full, a TypedDict or dataclass 0.6.",
	Remedy: "Declare it as a pydantic model with typed, bounded fields.", Effort: 30,
	Args: []probe.Arg{{Name: "model", Type: "string", Allowed: []string{"evidence", "opinion"}, Default: "evidence", Doc: "which model"}},
	Run: func(ctx context.Context, s *probe.Scene, a probe.Args) ([]probe.Finding, error) {
		r, err := read(ctx, s)
		if err != nil {
			return nil, err
		}
		m := r.model(a.String("model"))
		if m == nil {
			return []probe.Finding{probe.Missing(probe.Ratio(r.program.Examined()), court.AST, "No production class has the fields of an %s.", a.String("model")).Do("%s", toModel(a.String("model")))}, nil
		}
		where := facts.At(m.At)
		switch m.Kind {
		case agentgraph.KindBaseModel:
			return []probe.Finding{probe.Present(court.AST, where, "%s is a pydantic model with %d fields.", court.Clean(m.Name, 60), len(m.Fields))}, nil
		case agentgraph.KindTypedDict, agentgraph.KindDataclass:
			return []probe.Finding{probe.Partly(6000, court.AST, where, "%s is a %s, which checks nothing at run time.", court.Clean(m.Name, 60), m.Kind).Do("Make it a pydantic model: class %s(BaseModel).", court.Clean(m.Name, 60))}, nil
		case agentgraph.KindUnknown:
			return []probe.Finding{probe.Cannot(court.Dynamic, where, "A base of %s could not be resolved.", court.Clean(m.Name, 60))}, nil
		default:
			return []probe.Finding{probe.Against(court.AST, where, "%s is a plain class without typed validation.", court.Clean(m.Name, 60)).Do("Make it a pydantic model: class %s(BaseModel).", court.Clean(m.Name, 60))}, nil
		}
	},
}

// toModel asks for a model that is not there.
func toModel(which string) string {
	if which == "opinion" {
		return "Declare a pydantic model of an opinion: class JudicialOpinion(BaseModel), with judge, criterion_id, score, argument and cited_evidence."
	}
	return "Declare a pydantic model of the evidence: class Evidence(BaseModel), with goal, found, content, location, rationale and confidence."
}

func (r *reading) model(which string) *agentgraph.Model {
	if which == "opinion" {
		return r.Review
	}
	return r.Material
}
