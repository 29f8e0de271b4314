package probe

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/schema"
)

func factsSchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	raw, err := schema.File("facts-v1.json")
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("facts-v1.json", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("facts-v1.json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// A sheet of which nothing is known and one with every kind of value fit the
// published schema, and a key more or less does not.
func TestSheetFitsItsSchema(t *testing.T) {
	s := factsSchema(t)
	empty := &Sheet{Repo: "a/b", Commit: "9f2c41d07be35a0e6c1a8d2f4b6e9c7a1d3f5b80"}
	for _, n := range []*Typed{&empty.State.AgentState, &empty.State.EvidencesReducer, &empty.State.OpinionsReducer} {
		n.Name = new("")
	}
	full := *empty
	full.Git = GitFacts{new(3), new(false), new(false), new(false), new(true)}
	full.Graph.Edges, full.Graph.Nodes = [][2]string{{"START", "a"}}, []string{"a"}
	full.Graph.Conditional = []Conditional{{From: "a", To: []string{"END"}, At: Spot{court.Place{Path: "g.py", Line: 3}}}}
	full.Judges.StructuredOutput = Typed{Kind: new("json_parse"), At: &Spot{court.Place{Path: "j.py", Line: 9}}}
	for name, sheet := range map[string]*Sheet{"empty": empty, "full": &full} {
		raw, err := sheet.JSON()
		if err != nil {
			t.Fatal(err)
		}
		doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Validate(doc); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		var tree map[string]any
		if err := json.Unmarshal(raw, &tree); err != nil {
			t.Fatal(err)
		}
		tree["more"] = true
		if s.Validate(tree) == nil {
			t.Errorf("%s: an unknown key passes", name)
		}
		delete(tree, "more")
		delete(tree, "git")
		if s.Validate(tree) == nil {
			t.Errorf("%s: a missing section passes", name)
		}
	}
}
