package probe

import (
	"context"

	"github.com/automaton-auditor/automaton/internal/court"
)

// Probe is one question that a detective can answer.
type Probe struct {
	ID      string // "proc.shell"
	Version string // "1"; changes when answers may change
	Target  court.Artifact
	Title   string // what it asks, a short sentence that states what holds
	Doc     string // how it looks and what it cannot see
	Remedy  string // what would put a failure right, in the imperative
	Effort  int    // of the remedy, minutes; a guess of ours for people
	Args    []Arg
	OneOf   []string    // arguments of which a check has to give one at least
	Generic bool        // has no direction of its own: polarity decides what is good
	Reads   Reads       // the sides of the submission that it looks at
	Wired   bool        // what it finds counts only where a run of the program may come
	Recall  court.Fixed // share of what is there that it finds; 0 means 0.95
	// Several says what its answers about several documents come to; nil: it
	// looks at no document, or sees to that itself.
	Several func(a Args) Several
	Run     func(ctx context.Context, s *Scene, a Args) ([]Finding, error)
}

// Of runs a probe that reads one thing of the scene and judges it.
func Of[T any](read func(context.Context, *Scene) (T, error), judge func(T) Finding) func(context.Context, *Scene, Args) ([]Finding, error) {
	return func(ctx context.Context, s *Scene, _ Args) ([]Finding, error) {
		x, err := read(ctx, s)
		if err != nil {
			return nil, err
		}
		return []Finding{judge(x)}, nil
	}
}

// Name is the id with its version.
func (p Probe) Name() string { return p.ID + "/" + p.Version }

// defaultRecall is assumed of a structural probe until it is measured.
const defaultRecall = 9500

func (p Probe) recall() court.Fixed {
	if p.Recall == 0 {
		return defaultRecall
	}
	return p.Recall
}

// Arg describes one argument of a probe.
type Arg struct {
	Name    string
	Type    string   // string, int, bool, strings
	Allowed []string // of a string; empty: anything
	Default any

	Required bool   // without it there is nothing to look for
	Form     string // of a string: glob (see Glob), pattern (RE2), query (of tree-sitter); a rubric whose text cannot be read is refused
	Doc      string
}

// Args is what a check asks with.
type Args struct {
	Values map[string]any
	Scope  string // production, tests, all
	Depth  int    // 1, or 2 in a second hearing: look further
	Avoid  bool   // what a generic probe is asked for is a fault
}

// String is a string argument, "" when it is not given.
func (a Args) String(name string) string {
	s, _ := a.Values[name].(string)
	return s
}

// Int is a number argument, or def when it is not given.
func (a Args) Int(name string, def int) int {
	switch v := a.Values[name].(type) {
	case int:
		return v
	case float64:
		return int(v)
	}
	return def
}

// Strings is a list argument; a single string is a list of one.
func (a Args) Strings(name string) []string {
	switch v := a.Values[name].(type) {
	case string:
		return []string{v}
	case []string:
		return v
	case []any:
		var out []string
		for _, x := range v {
			if s, ok := x.(string); ok {
				out = append(out, s)
			}
		}
		return out
	}
	return nil
}
