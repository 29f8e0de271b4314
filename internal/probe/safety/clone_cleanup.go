package safety

import (
	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/probe"
	"github.com/automaton-auditor/automaton/internal/safetext"
)

var cloneCleanup = probe.Probe{
	ID: "clone.cleanup", Version: "3", Target: court.GithubRepo,
	Title:  "The folder of the clone is always removed",
	Doc:    "Looks for a context manager around the use, a finally clause, removal on every failing path together with removal at the end, atexit, or a TemporaryDirectory object that lives as long as the folder. Removal only on success or only on failure counts half.",
	Remedy: "Use the temporary folder in a with statement that spans the clone and all work on it: with tempfile.TemporaryDirectory() as folder.", Effort: 20,
	Run: asksClone(func(x *lowered, _ *site) probe.Finding {
		done, half := 0, 0
		var worst *removal
		var at []code.Node
		for _, s := range x.counted() {
			r := x.removal(s)
			switch {
			case r.complete == yes:
				done++
				if worst == nil {
					at = append(at, r.proof...)
				}
				continue
			case r.complete == unsure:
				return probe.Cannot(court.Dynamic, places(append(r.proof, s.at)...), "%s", safetext.Sentence(r.why))
			case r.some:
				half++
			}
			if worst == nil {
				worst, at = &r, append(r.proof, s.at)
			}
		}
		total := len(x.counted())
		if worst == nil {
			return probe.Present(court.AST, places(at...), "The folder of the clone is removed on success and on failure.")
		}
		share := probe.Ratio(2*done+half, 2*total)
		if done > 0 {
			return probe.Partly(share, court.AST, places(at...), "The folder is always removed for %s. Elsewhere, %s.", court.Of(done, total, "clone"), worst.why)
		}
		return probe.Partly(share, court.AST, places(at...), "%s", safetext.Sentence(worst.why))
	}),
}
