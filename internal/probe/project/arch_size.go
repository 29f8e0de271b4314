package project

import (
	"context"
	"fmt"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/il/intree"
	"github.com/automaton-auditor/automaton/internal/probe"
	"github.com/automaton-auditor/automaton/internal/safetext"
)

// Bounds of the size of functions and files: a design choice.
const (
	longFunction = 100               // lines
	longFile     = 800               // lines
	mostInOne    = court.Fixed(5000) // of the code's lines, where there are enough for it to matter
	enoughLines  = 1000              // lines of code from which one file should not hold most
	enoughFiles  = 3                 // files with code
)

func archSize() probe.Probe {
	return probe.Probe{
		ID: "arch.size", Version: "1", Target: court.GithubRepo,
		Title: "Files and functions are of bounded size",
		Doc: "Counts production files over 800 lines in every language and Python functions over 100 lines; a file that holds more than half of at least 1,000 lines in three files or more counts as too long, too. " +
			"The share is the smaller of the two of files and functions. Tables without a function, and functions of other languages, are not counted.",
		Remedy: "Split the longest files and functions by what their parts are for.",
		Effort: 90, Recall: 9500,
		Run: func(ctx context.Context, s *probe.Scene, _ probe.Args) ([]probe.Finding, error) {
			inv, err := files(ctx, s)
			if err != nil {
				return nil, err
			}
			p, err := s.Joined(ctx)
			if err != nil {
				return nil, err
			}
			return []probe.Finding{sizes(inv, p)}, nil
		},
	}
}

// sizes measures files and functions.
func sizes(inv *inventory, p *intree.Program) probe.Finding {
	var long, wide []court.Place
	all, functions, total, most := 0, 0, 0, 0
	var largest file
	for _, f := range inv.files {
		if f.scope != code.ScopeProduction || !f.lang.Code() || f.lang == "sql" || f.blank() {
			continue
		}
		m := p.Module(f.path)
		n := code.File{Path: f.path, Bytes: []byte(f.text)}.Lines()
		if m != nil && m.Parsed && n > longFile && !hasFunction(m) {
			continue
		}
		all++
		total += n
		if n > most {
			largest, most = f, n
		}
		if n > longFile {
			long = append(long, court.Place{Path: f.path})
		}
		if m == nil {
			continue
		}
		for _, d := range m.Definitions() {
			if !d.IsFunction() || d.Kind == code.DefLambda {
				continue
			}
			functions++
			if d.Node.EndLine()-d.Line()+1 > longFunction {
				wide = append(wide, f.place(d.Line()))
			}
		}
	}
	if all == 0 {
		return probe.Nothing(court.One, court.Structure, "There is no code whose size could be measured.")
	}
	heavy := most <= longFile && total >= enoughLines && all >= enoughFiles && probe.Ratio(most, total) > mostInOne
	if heavy {
		long = append(long, court.Place{Path: largest.path})
	}
	what := fmt.Sprintf("%s %s more than %d lines, or most of the code.", safetext.Capital(court.Of(len(long), all, "file")), court.Agree(len(long), all, "has", "have"), longFile)
	if functions > 0 {
		what += fmt.Sprintf(" %s in Python %s more than %d lines.", safetext.Capital(court.Of(len(wide), functions, "function")), court.Agree(len(wide), functions, "has", "have"), longFunction)
	}
	what += fmt.Sprintf(" The largest file, %s, has %d lines, %d %% of all.", shown(largest.path), most, int(probe.Ratio(most, total))/100)
	share := min(probe.Ratio(all-len(long), all), probe.Ratio(functions-len(wide), functions))
	at := append(long, wide...)
	if len(at) == 0 {
		at = []court.Place{{Path: largest.path}}
	}
	return probe.Partly(share, court.Structure, at, "%s", what).DoAt(at, "Split these by what their parts are for: %s.")
}

func hasFunction(m *code.Module) bool {
	for _, d := range m.Definitions() {
		if d.IsFunction() {
			return true
		}
	}
	return false
}
