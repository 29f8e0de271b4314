package facts

import (
	"testing"

	"github.com/automaton-auditor/automaton/internal/code"
)

// What production code imports runs with it, but is asked about by nobody who
// asks what production code has.
func TestScope(t *testing.T) {
	for name, c := range map[string]struct {
		fact     Fact[int]
		in, runs string // the scopes in which it is
		class    string
	}{
		"production":            {Fact[int]{Scope: code.ScopeProduction}, "production all", "production all", "production"},
		"a test":                {Fact[int]{Scope: code.ScopeTest}, "tests all", "tests all", "test"},
		"a test that ships":     {Fact[int]{Scope: code.ScopeTest, Ships: true}, "tests all", "production tests all", "production"},
		"generated, not read":   {Fact[int]{Scope: code.ScopeGenerated}, "all", "all", "generated"},
		"generated and shipped": {Fact[int]{Scope: code.ScopeGenerated, Borrowed: true}, "", "production all", "production"},
	} {
		in, runs := "", ""
		for _, scope := range []string{"production", "tests", "all"} {
			if c.fact.In(scope) {
				in += " " + scope
			}
			if c.fact.Runs(scope) {
				runs += " " + scope
			}
		}
		if in != pad(c.in) || runs != pad(c.runs) || c.fact.Class() != c.class {
			t.Errorf("%s: in%s, runs%s, class %s; want%s,%s, %s", name, in, runs, c.fact.Class(), pad(c.in), pad(c.runs), c.class)
		}
	}
}

func pad(s string) string {
	if s == "" {
		return ""
	}
	return " " + s
}
