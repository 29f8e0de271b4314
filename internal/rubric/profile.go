package rubric

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"

	"github.com/automaton-auditor/automaton/internal/agentgraph"
)

// profileJSON is what the programs that the rubric courtroom is about call the
// parts of their graphs.
//
//go:embed profile/courtroom.json
var profileJSON []byte

// Profile decodes the profile that belongs to the built-in rubric courtroom.
func Profile() (*agentgraph.Profile, error) {
	p := &agentgraph.Profile{}
	d := json.NewDecoder(bytes.NewReader(profileJSON))
	d.DisallowUnknownFields()
	if err := d.Decode(p); err != nil {
		return nil, fmt.Errorf("reading the profile of courtroom: %w", err)
	}
	return p, nil
}
