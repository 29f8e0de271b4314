package rubric

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/automaton-auditor/automaton/internal/court"
)

// unaskedOf are the words that a criterion's checks say nobody looks for.
func unaskedOf(c court.Criterion) []string {
	var out []string
	for _, ch := range c.Checks {
		if Unasked(ch) {
			out = append(out, ch.Asks[0].Args["words"].(string))
		}
	}
	return out
}

// What a planned criterion asks and no check looks for stands among its checks,
// so that it is in doubt; what is not asked for does not.
func TestWhatNothingLooksForIsSaid(t *testing.T) {
	tests := map[string]struct {
		criterion string
		want      []string
	}{
		"all is asked":     {`"forensic_instruction":"There is a license. Tests, and CI."`, nil},
		"nothing is asked": {`"forensic_instruction":"Boats are painted and moored."`, nil}, // no check at all: insufficient
		"a second thing":   {`"forensic_instruction":"It has a license and painted boats."`, []string{"painted boats"}},
		"a list":           {`"forensic_instruction":"Clean sails, clarity, a license."`, []string{"Clean sails", "clarity"}},
		"orders":           {`"forensic_instruction":"Verify whether this project does include a license; check the repository."`, nil},
		"an example":       {`"forensic_instruction":"There is a license (e.g. one of the kind of harbours)."`, nil},
		"success, too":     {`"forensic_instruction":"There is a license.","success_pattern":"Boats are painted."`, []string{"Boats are painted"}},
		"not failure":      {`"forensic_instruction":"There is a license.","failure_pattern":"Boats are rusty."`, nil},
		"the best level":   {`"forensic_instruction":"There is a license.","scoring_criteria":{"5":"Boats shine.","3":"Boats swim.","1":"Boats sink."}`, []string{"Boats shine"}},
		"a name":           {`"forensic_instruction":"There is a license, and ` + "`" + `paint_boats` + "`" + ` paints hulls."`, nil},
		"own checks":       {`"forensic_instruction":"There is a license and painted boats.","checks":["repo.license"]`, nil},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			text := strings.Replace(tt.criterion, `"checks":["repo.license"]`, `"checks":[{"probe":"repo.license"}]`, 1)
			c := mustLoad(t, one(`"id":"a","name":"A","target_artifact":"all",`+text)).Criteria[0]
			if diff := cmp.Diff(tt.want, unaskedOf(c)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestWhatNothingLooksForIsBounded(t *testing.T) {
	boats := "There is a license. Painted " + strings.Join([]string{"sails", "masts", "hulls", "decks", "cables", "anchors", "rudders", "cabins"}, ". Painted ") + "."
	c := mustLoad(t, one(`"id":"a","name":"A","target_artifact":"all","forensic_instruction":"`+boats+`"`)).Criteria[0]
	if n := len(unaskedOf(c)); n != maxUnasked {
		t.Errorf("%d parts, want %d", n, maxUnasked)
	}
}
