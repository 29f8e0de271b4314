package cli

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/rubric"
	"github.com/automaton-auditor/automaton/internal/trial"
)

func TestCriterionNamed(t *testing.T) {
	list := []court.Criterion{{ID: "safe_tools", Name: "Safe Tools"}, {ID: "safe_tools_2", Name: "More of them"}, {ID: "git_history", Name: "Development history"}}
	for word, want := range map[string]string{
		"safe_tools": "safe_tools", "Safe tools": "safe_tools", "SAFE-TOOLS-2": "safe_tools_2", "more of": "safe_tools_2", "git": "git_history", "development": "git_history",
		"tools": "2 criteria have it", "sade": "did you mean safe_tools", "histroy": "did you mean git_history", "zzzzzz": "the record has safe_tools, safe_tools_2, git_history", "_": "the record has safe_tools",
	} {
		id, err := criterionNamed(list, word)
		if f, ok := err.(*failure); ok { //nolint:errorlint // it is what was made
			id = f.Error() + "; " + strings.Join(f.hints, "; ")
		}
		if id != want && !(err != nil && strings.Contains(id, want)) {
			t.Errorf("%q: %q, want %q", word, id, want)
		}
	}
}

// However many criteria a record has, the hint names each.
func TestEveryCriterionIsListed(t *testing.T) {
	w := newWorld(t)
	rec := &court.Record{Rubric: court.Rubric{Criteria: []court.Criterion{}}}
	for i := range 40 {
		rec.Rubric.Criteria = append(rec.Rubric.Criteria, court.Criterion{ID: fmt.Sprintf("a_criterion_of_this_case_%02d", i)})
	}
	_, err := criterionNamed(rec.Rubric.Criteria, "qqqqqq")
	a := w.app()
	a.exit(t.Context(), err)
	if !strings.Contains(w.err.String(), "case_00, ") || !strings.Contains(w.err.String(), "case_39\n") {
		t.Error(w.err.String())
	}
}

// What rubric show prints of the rules is what whatif --set takes.
func TestEverySettingIsTaken(t *testing.T) {
	r, err := rubric.Builtin("courtroom", trial.Catalogue(trial.Probes()))
	if err != nil {
		t.Fatal(err)
	}
	list, err := settingsOf(r.Synthesis)
	if err != nil || len(list) < 15 {
		t.Fatalf("%v: %v", list, err)
	}
	for _, s := range list {
		law, err := rubric.Amend(r.Synthesis, s.rule+"."+s.key+"="+s.value)
		if err != nil || !reflect.DeepEqual(law, r.Synthesis) {
			t.Errorf("%+v: %v\n%+v", s, err, law)
		}
	}
}
