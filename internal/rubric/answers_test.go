package rubric

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/automaton-auditor/automaton/internal/court"
)

const answered = `{"name":"n","version":"1","dimensions":[
 {"id":"talk","name":"Talk","target_artifact":"manual","levels":[{"id":"much","name":"Much","points":20},{"id":"some","name":"Some","points":12},{"id":"off","name":"No Exchange","points":0},{"id":"little","name":"Little","points":4}]},
 {"id":"taste","name":"Taste","target_artifact":"manual","total":20},
 {"id":"code","name":"Code","target_artifact":"github_repo"}]}`

func TestAnswers(t *testing.T) {
	r := mustLoad(t, answered)
	const u = court.One
	tests := map[string]struct {
		text string
		want []court.Answer
		err  string
	}{
		"in rubric order": {text: `{"taste":{"points":15,"by":"B"},"talk":{"level":"SOME","by":"A","reason":"notes"}}`, want: []court.Answer{
			{Criterion: "talk", Score: 3 * u, Points: 12 * u, Level: "Some", By: "A", Reason: "notes"},
			{Criterion: "taste", Score: 4 * u, Points: 15 * u, By: "B"}}},
		"score":            {text: `{"taste":{"score":2,"by":"B"}}`, want: []court.Answer{{Criterion: "taste", Score: 2 * u, Points: 5 * u, By: "B"}}},
		"excluded":         {text: `{"talk":{"level":"off","by":"B"}}`, want: []court.Answer{{Criterion: "talk", Level: "No Exchange", Excluded: true, By: "B"}}},
		"override":         {text: `{"code":{"score":5,"by":"B"}}`, want: []court.Answer{{Criterion: "code", Score: 5 * u, Points: 5 * u, By: "B", Override: true}}},
		"none":             {text: `{}`},
		"unknown":          {text: `{"tasting":{"score":5,"by":"B"}}`, err: `id-invalid a.json:1:2: the rubric has no criterion "tasting" (/tasting)`},
		"level":            {text: `{"talk":{"level":"lots","by":"B"}}`, err: `level a.json:1:18: answer for "talk": no level is called "lots" (/talk/level)`},
		"two":              {text: `{"talk":{"level":"some","score":1,"by":"B"}}`, err: `type a.json:1:2: answer for "talk": give exactly one of score, points and level (/talk)`},
		"no value":         {text: `{"talk":{"by":"B"}}`, err: `type a.json:1:2: answer for "talk": give exactly one of score, points and level (/talk)`},
		"nobody":           {text: `{"talk":{"score":1}}`, err: `type a.json:1:2: answer for "talk": by whom is missing (/talk)`},
		"points too many":  {text: `{"taste":{"points":21,"by":"B"}}`, err: `scale a.json:1:20: points must be a number from 0 to 20, not 21 (/taste/points)`},
		"no points":        {text: `{"code":{"points":2,"by":"B"}}`, err: `scale a.json:1:10: answer for "code": the criterion has no points; give a score from 1 to 5 (/code/points)`},
		"score of nothing": {text: `{"code":{"score":0,"by":"B"}}`, err: `scale a.json:1:18: score must be a number from 1 to 5, not 0 (/code/score)`},
		"key":              {text: `{"code":{"score":2,"by":"B","when":"now"}}`, err: `type a.json:1:29: answer for "code": unknown key "when" (/code/when)`},
		"a list":           {text: `[]`, err: `type a.json:1:1: the file must be an object of answers by criterion, not a list`},
		"no JSON":          {text: `{`, err: `syntax a.json:1:2: the file ends in the middle of a value`},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			got, err := Answers("a.json", strings.NewReader(tt.text), r)
			if tt.err != "" {
				e, ok := errors.AsType[Errors](err)
				if !ok || len(e) != 1 || e[0].Code+" "+e[0].Error() != tt.err {
					t.Errorf("got %v, want %s", err, tt.err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
