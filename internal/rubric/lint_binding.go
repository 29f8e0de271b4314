package rubric

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
)

// lintBinding says what the words of a criterion did not choose: checks that
// come with a name, and parts of its instruction that lead to none.
func lintBinding(c court.Criterion, known Catalogue, add func(code, format string, args ...any)) {
	if id, ok := strings.CutPrefix(c.Binding, "alias:"); ok {
		add("by-alias", "criterion %q is answered by the %d checks of courtroom:%s, because its name is an alias; give it \"checks\" to stop that", c.ID, len(c.Checks), id)
	}
	if c.Binding != "plan" || len(c.Checks) == 0 {
		return
	}
	if list := notAsked(&draft{Criterion: c, known: &known}); len(list) > 0 {
		more := ""
		for i := range list {
			list[i] = strconv.Quote(list[i])
		}
		if n := len(list) - maxNotAsked; n > 0 {
			list, more = list[:maxNotAsked], fmt.Sprintf(" and %d more", n)
		}
		add("not-asked", "no check of %q asks %s%s; give it \"checks\" for that, or judge it yourself", c.ID, strings.Join(list, ", "), more)
	}
}

// maxNotAsked bounds the parts that one finding lists.
const maxNotAsked = 6
