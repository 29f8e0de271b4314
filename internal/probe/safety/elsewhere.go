package safety

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/code/syntax"
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
	v.unreadOthers, v.unreadSkipped = map[string]int{}, map[string]int{}
	for _, f := range files {
		if v.more != nil && v.more.p.Module(f.Path) != nil {
			continue
		}
		switch lang := f.Language(); lang {
		case "notebook", "sql", "terraform":
		case "":
			for _, others := range []map[string]int{v.others, v.unreadOthers} {
				others["scripts without an extension"] += len(f.Bytes)
			}
			for _, skipped := range []map[string]int{v.skipped, v.unreadSkipped} {
				skipped["script without an extension"]++
			}
		default:
			v.others[string(lang)] += len(f.Bytes)
			v.skipped[string(lang)+" file"]++
			if x := v.foreignCode.p.File(f.Path); x != nil && x.Parsed {
				continue
			}
			v.unreadOthers[string(lang)] += len(f.Bytes)
			v.unreadSkipped[string(lang)+" file"]++
		}
	}
	all, err := s.Files(ctx)
	for _, f := range all {
		if f.Language() == "notebook" && len(f.Bytes) > 0 && v.p.Layout.Scope(f.Path) != code.ScopeVendor {
			v.skipped["notebook"]++
			v.unreadSkipped["notebook"]++
		}
	}
	return err
}

// notLookedAt ends the rationale of a clean search through all languages that
// are read: what it did not cover.
func (v *survey) notLookedAt() string {
	var out []string
	for _, kind := range slices.Sorted(maps.Keys(v.unreadSkipped)) {
		if n := v.unreadSkipped[kind]; n > 1 {
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
	if v.hasPython() || len(v.others) == 0 {
		return ""
	}
	return fmt.Sprintf("calls are read in Python; the production code is in %s", languages(v.others))
}

// unseenAnywhere is unseen for the probes that read other languages, too.
func (v *survey) unseenAnywhere() string {
	if v.hasPython() || len(v.unreadOthers) == 0 || slices.ContainsFunc(v.foreignCode.p.Files, func(f *syntax.File) bool {
		return f.Parsed && f.Scope == code.ScopeProduction
	}) {
		return ""
	}
	return fmt.Sprintf("calls are read in Python, Go, JavaScript, TypeScript, Java and Rust; the production code is in %s", languages(v.unreadOthers))
}

// hasPython tells whether the product has Python code.
func (v *survey) hasPython() bool {
	return slices.ContainsFunc(v.p.Modules, func(m *code.Module) bool {
		return m.Scope == code.ScopeProduction && strings.TrimSpace(m.Text()) != ""
	})
}

// languages names the languages of a tally.
func languages(others map[string]int) string {
	names := slices.Sorted(maps.Keys(others))
	if len(names) > 5 {
		names = append(names[:5], "others")
	}
	return strings.Join(names, ", ")
}

// cannotSee is the answer where unseen has a reason.
func cannotSee(why string) []probe.Finding {
	return []probe.Finding{probe.Cannot(court.NoDetector, nil, "%s", why)}
}
