package rubric

import (
	"slices"
	"testing"

	"github.com/automaton-auditor/automaton/internal/agentgraph"
	"github.com/automaton-auditor/automaton/internal/facts"
)

// The facts ask for the layers by the names that the profile gives them.
func TestProfileNamesTheLayersOfTheFacts(t *testing.T) {
	p, err := Profile()
	if err != nil {
		t.Fatal(err)
	}
	got, want := []agentgraph.Role{p.Workers, p.Reviewers, p.Decider}, []agentgraph.Role{facts.Detective, facts.Judge, facts.Chief}
	if !slices.Equal(got, want) {
		t.Errorf("layers: got %v, want %v", got, want)
	}
	said := map[agentgraph.Role]bool{}
	for _, v := range p.Roles {
		said[v.Role] = true
	}
	for _, role := range append(want, agentgraph.RoleHandler, agentgraph.RoleAggregator) {
		if !said[role] {
			t.Errorf("no words name a %s", role)
		}
	}
}
