package tool

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/probe"
)

// otherCode counts the bytes of production code that the Python model does not
// hold, by language. Schemas and descriptions of infrastructure start no
// process; notebooks are not run by the program.
func otherCode(ctx context.Context, s *probe.Scene) (map[string]int, error) {
	files, err := s.Elsewhere(ctx)
	if err != nil {
		return nil, err
	}
	out := map[string]int{}
	for _, f := range files {
		switch lang := f.Language(); lang {
		case "notebook", "sql", "terraform":
		case "":
			out["scripts without an extension"] += len(f.Bytes)
		default:
			out[string(lang)] += len(f.Bytes)
		}
	}
	return out, nil
}

// unseen says why nothing can be said of the product's code: all of it is in
// languages that these probes do not read; "" when there is Python, or no code.
func (v *survey) unseen() string {
	for _, m := range v.p.Modules {
		if m.Scope == code.ScopeProduction && strings.TrimSpace(m.Text()) != "" {
			return ""
		}
	}
	if len(v.others) == 0 {
		return ""
	}
	names := slices.Sorted(maps.Keys(v.others))
	if len(names) > 5 {
		names = append(names[:5], "others")
	}
	return fmt.Sprintf("calls are read in Python; the production code is in %s", strings.Join(names, ", "))
}

// cannotSee is the answer where unseen has a reason.
func cannotSee(why string) []probe.Finding {
	return []probe.Finding{probe.Cannot(court.NoDetector, nil, "%s", why)}
}
