package safety

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/facts"
	"github.com/automaton-auditor/automaton/internal/probe"
)

// otherCode counts the bytes of production code that the Python model does not
// hold, by language, and the files that nobody looks at, by what they are.
// Schemas and descriptions of infrastructure start no process; notebooks of other
// languages are not run by the program.
func (v *survey) otherCode(ctx context.Context, s *probe.Scene) error {
	files, err := s.Elsewhere(ctx)
	if err != nil {
		return err
	}
	v.others, v.unreadOthers, v.skipped = map[string]int{}, map[string]int{}, map[string]int{}
	for _, f := range files {
		if v.more != nil && v.more.p.Module(f.Path) != nil {
			continue
		}
		switch lang := f.Language(); lang {
		case "notebook", "sql", "terraform":
		case "":
			v.others["scripts without an extension"] += len(f.Bytes)
			v.unreadOthers["scripts without an extension"] += len(f.Bytes)
			v.skipped["script without an extension"]++
		default:
			v.others[string(lang)] += len(f.Bytes)
			if x := v.trees.File(f.Path); x == nil || !x.Parsed {
				v.unreadOthers[string(lang)] += len(f.Bytes)
				v.skipped[string(lang)+" file"]++
			}
		}
	}
	all, err := s.Files(ctx)
	for _, f := range all {
		if f.Language() == "notebook" && len(f.Bytes) > 0 && v.p.Module(f.Path) == nil && v.p.Layout.Scope(f.Path) != code.ScopeVendor {
			v.skipped["notebook"]++
		}
	}
	return err
}

// notLookedAt is what a search through all languages that are read does not
// cover.
func (v *survey) notLookedAt() (out []string) {
	for _, kind := range slices.Sorted(maps.Keys(v.skipped)) {
		n := v.skipped[kind]
		if head, rest, more := strings.Cut(kind, " without"); n > 1 && more {
			kind = head + "s without" + rest
		} else if n > 1 {
			kind += "s"
		}
		out = append(out, fmt.Sprintf("%d %s", n, kind))
	}
	return firstFive(out)
}

func firstFive(words []string) []string {
	if len(words) > 5 {
		return append(words[:5], "others")
	}
	return words
}

// seen is how much of the production code was read in all languages, and what
// facts that are not in it rest on.
func seen[T any](v *survey) *facts.Set[T] {
	set := &facts.Set[T]{Coverage: v.coverage(true), Source: court.AST, Unread: v.notLookedAt(),
		Empty: len(v.p.Modules)+len(v.unread)+len(v.trees.Files)+len(v.unreadOthers) == 0}
	some := v.hasPython() || len(v.unreadOthers) == 0
	for _, f := range v.trees.Files {
		if f.Scope != code.ScopeProduction || !f.Parsed {
			continue
		}
		some = true
		if f.Language != "go" {
			set.Source = court.Structure
		}
	}
	if !some {
		set.Blind = facts.Reason{Code: court.NoDetector, Text: "calls are read in Python, Go, JavaScript, TypeScript, Java, Rust and C#; the production code is in " + languages(v.unreadOthers)}
	}
	return set
}

// coverage is how much of the production code was examined, in Python or in all
// languages that are read.
func (v *survey) coverage(wide bool) court.Fixed {
	seen, all := v.p.Examined()
	if n := len(v.p.Modules); n > 0 { // of what could not be read not even the size is known
		all += len(v.unread) * all / n
	}
	others := v.others
	if wide {
		others = v.unreadOthers
		for _, f := range v.trees.Files {
			if f.Scope == code.ScopeProduction && f.Parsed {
				all += f.Bytes
				seen += min(f.Examined, f.Bytes)
			}
		}
	}
	for _, n := range others {
		all += n
	}
	return probe.Ratio(seen, all)
}

// unseen says why nothing can be said of the product's code in Python: all of it
// is in other languages; "" when there is Python, or no code.
func (v *survey) unseen() string {
	if v.hasPython() || len(v.others) == 0 {
		return ""
	}
	return "calls are read in Python; the production code is in " + languages(v.others)
}

// hasPython tells whether the product has Python code.
func (v *survey) hasPython() bool {
	return slices.ContainsFunc(v.p.Modules, func(m *code.Module) bool {
		return m.Scope == code.ScopeProduction && strings.TrimSpace(m.Text()) != ""
	})
}

// languages names the languages of a tally.
func languages(others map[string]int) string {
	return strings.Join(firstFive(slices.Sorted(maps.Keys(others))), ", ")
}
