package report

import (
	"bytes"
	"strings"
	"testing"

	"github.com/automaton-auditor/automaton/internal/court"
)

// What was supposed stands before the result, and a rule that fires neither before
// nor after is named.
func TestSuppose(t *testing.T) {
	rec := goodRecord()
	for name, tt := range map[string]struct {
		now   *court.Record
		rules []string
		want  string
	}{
		"nothing":     {copyOf(t, rec), nil, "What if: A. B.\nNothing changes.\nCRITERION"},
		"an idle one": {copyOf(t, rec), []string{"orchestration_fraud"}, "Nothing changes. The rule orchestration_fraud does not fire in this case, with or without the change.\n"},
		"thresholds":  {copyOf(t, rec), []string{"thresholds"}, "What if: A. B.\nNothing changes.\nCRITERION"},
		"a change":    {lowered(t, rec), nil, "What if: A. B.\nCRITERION"},
	} {
		c := Compare(rec, tt.now)
		c.Suppose([]string{"A.", "B."}, tt.rules, rec, tt.now)
		var b bytes.Buffer
		if err := WriteComparison(&b, c, TextOptions{Width: 200}); err != nil || !strings.Contains(b.String(), tt.want) {
			t.Errorf("%s: no %q in\n%s", name, tt.want, b.String())
		}
	}
}
