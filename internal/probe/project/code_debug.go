package project

import (
	"context"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/court"
	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
	"github.com/automaton-auditor/automaton/internal/probe"
)

func codeDebug() probe.Probe {
	return probe.Probe{
		ID: "code.debug", Version: "1", Target: court.GithubRepo,
		Title:  "No call of a debugger is left in the code",
		Doc:    "Looks in production code, comments and strings left out, for what stops a program or prints its insides while it is being written: debugger, breakpoint(), pdb.set_trace(), binding.pry, byebug, dbg!, var_dump, printStackTrace() (Sonar's rule S1148) and their like. Prints that a program makes on purpose are not told from others and do not count. Other languages are not looked at.",
		Remedy: "Delete what was left from debugging.",
		Effort: 5, Recall: 9500,
		Run: func(ctx context.Context, s *probe.Scene, a probe.Args) ([]probe.Finding, error) {
			all, err := sources(ctx, s, a.Scope)
			if err != nil {
				return nil, err
			}
			return []probe.Finding{debugged(all)}, ctx.Err()
		},
	}
}

// debuggers are what is written to look at a running program, by language.
var debuggers = map[code.Language]*regexp.Regexp{
	"python":     regexp.MustCompile(`(?m)^\s*(?:import i?pdb;\s*)?(?:i?pdb|pudb)\.set_trace\s*\(|^\s*breakpoint\s*\(\s*\)`),
	"javascript": regexp.MustCompile(`(?m)^\s*debugger\s*;?\s*$`),
	"typescript": regexp.MustCompile(`(?m)^\s*debugger\s*;?\s*$`),
	"ruby":       regexp.MustCompile(`(?m)^\s*(?:binding\.(?:pry|irb|b)|byebug|debugger)\s*$`),
	"rust":       regexp.MustCompile(`\bdbg!\s*\(`),
	"php":        regexp.MustCompile(`(?m)^\s*(?:var_dump|dd|dump|print_r)\s*\(`),
	"go":         regexp.MustCompile(`\b(?:spew\.Dump|runtime\.Breakpoint)\s*\(`),
	"java":       regexp.MustCompile(`\.printStackTrace\s*\(\s*\)`),
	"kotlin":     regexp.MustCompile(`\.printStackTrace\s*\(\s*\)`),
	"c#":         regexp.MustCompile(`\bDebugger\.(?:Break|Launch)\s*\(`),
	"elixir":     regexp.MustCompile(`\b(?:IEx\.pry|IO\.inspect\s*\()`),
}

// testsFrom is where the unit tests of a file of Rust begin: its end when it has
// none.
func testsFrom(text string) int {
	if m := unitTests.FindStringIndex(text); m != nil {
		return m[0]
	}
	return len(text)
}

func debugged(all []divided) probe.Finding {
	var at []court.Place
	known, bad := 0, 0
	for _, d := range all {
		re := debuggers[d.file.lang]
		if re == nil {
			continue
		}
		known++
		text := d.code()
		if d.file.lang == "rust" {
			text = text[:testsFrom(text)]
		}
		found := re.FindAllStringIndex(text, 50)
		for _, m := range found {
			at = append(at, d.file.place(lineOf(text, m[1]-1)))
		}
		if len(found) > 0 {
			bad++
		}
	}
	switch {
	case known == 0 && len(all) > 0:
		return probe.Cannot(court.NoDetector, nil, "The audit does not know the calls of debuggers in these languages.")
	case known == 0:
		return probe.Nothing(court.One, court.Structure, "There is no file of code.")
	case len(at) == 0:
		return probe.Clean(probe.Ratio(known, max(len(all), 1)), court.Structure, "%s have no call of a debugger.", court.Count(known, "file"))
	}
	return probe.Partly(probe.Ratio(known-bad, known), court.Structure, at, "%s in %s: a debugger is called or a stack trace printed.", court.Count(len(at), "place"), court.Count(bad, "file")).DoAt(at, "Delete the calls at %s, or log what they print.")
}
