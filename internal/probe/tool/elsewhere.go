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
// hold, by language, and the files that are not looked at, by what they are.
// Schemas and descriptions of infrastructure start no process; notebooks are
// not run by the program.
func (v *survey) otherCode(ctx context.Context, s *probe.Scene) error {
	files, err := s.Elsewhere(ctx)
	if err != nil {
		return err
	}
	v.others, v.skipped = map[string]int{}, map[string]int{}
	for _, f := range files {
		if v.more != nil && v.more.p.Module(f.Path) != nil {
			continue
		}
		switch lang := f.Language(); lang {
		case "notebook", "sql", "terraform":
		case "":
			v.others["scripts without an extension"] += len(f.Bytes)
			v.skipped["script without an extension"]++
		default:
			v.others[string(lang)] += len(f.Bytes)
			v.skipped[string(lang)+" file"]++
		}
	}
	all, err := s.Files(ctx)
	for _, f := range all {
		if f.Language() == "notebook" && len(f.Bytes) > 0 && v.p.Layout.Scope(f.Path) != code.ScopeVendor {
			v.skipped["notebook"]++
		}
	}
	return err
}

// notLookedAt ends the rationale of a clean search: what it did not cover.
func (v *survey) notLookedAt() string {
	var out []string
	for _, kind := range slices.Sorted(maps.Keys(v.skipped)) {
		if n := v.skipped[kind]; n > 1 {
			out = append(out, fmt.Sprintf("%d %s", n, plural(kind)))
		} else {
			out = append(out, "1 "+kind)
		}
	}
	switch {
	case len(out) == 0:
		return ""
	case len(out) > 5:
		out = append(out[:5], "others")
	}
	return "; not looked at: " + strings.Join(out, ", ")
}

// plural is the plural of a kind of file.
func plural(kind string) string {
	head, rest, more := strings.Cut(kind, " without")
	if more {
		return head + "s without" + rest
	}
	return kind + "s"
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
