package safety

import (
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/facts"
	"github.com/automaton-auditor/automaton/internal/probe"
)

var cloneSandbox = probe.Probe{
	ID: "clone.sandbox", Version: "2", Target: court.GithubRepo,
	Title:  "The clone goes into a temporary folder",
	Doc:    "Follows the target of the clone, and the folder that the process runs in, back to TemporaryDirectory or mkdtemp, through variables, callers, attributes, state keys and context managers. A fixed name below the system's temporary folder counts half.",
	Remedy: "Clone into a folder made by tempfile.TemporaryDirectory.", Effort: 20,
	Run: asksClone(func(x *lowered, _ *site) probe.Finding { return sandboxed(x) }),
}

// sandboxed weighs where the sites that count clone to.
func sandboxed(x *lowered) probe.Finding {
	var good, bad []*site
	halves, open := 0, 0
	for _, s := range x.counted() {
		switch x.aim(s).kind {
		case aimTemp:
			good = append(good, s)
		case aimUnknown:
			open++
		case aimSystem:
			halves++
			bad = append(bad, s)
		default:
			bad = append(bad, s)
		}
	}
	total := len(good) + len(bad)
	switch {
	case total == 0 || open > 0 && len(bad) == 0 && len(good) == 0:
		return probe.Cannot(court.Dynamic, places(x.clones().sites[0].at), "The folder that %s clones into could not be followed.", where(x.clones().sites[0]))
	case len(bad) == 0:
		a := x.aim(good[0])
		f := probe.Present(court.AST, facts.Sorted(append(places(good[0].at), shownAt(a.temp[0].Function, a.temp[0].At.Span))), "%s clones into a folder made by %s.", where(good[0]), court.Clean(last(a.temp[0].At.Kind), 40))
		if a.mixed {
			f.Rationale += " Another way of the code clones elsewhere."
		}
		return f
	}
	share := probe.Ratio(2*len(good)+halves, 2*total)
	return probe.Partly(share, court.AST, sitePlaces(bad), "%s clones %s.", where(bad[0]), goesTo(x.aim(bad[0]).kind)).
		Do("Let %s clone into a temporary folder: with tempfile.TemporaryDirectory() as folder.", where(bad[0]))
}

// goesTo says in words where a clone goes.
func goesTo(k aimKind) string {
	switch k {
	case aimTemp:
		return "into a temporary folder"
	case aimSystem:
		return "to a name of its own below the system's temporary folder"
	case aimLive:
		return "into the working folder"
	case aimFixed:
		return "to a path that is written in the code"
	case aimGiven:
		return "to a path that its caller chooses"
	default:
		return "to a place that could not be followed"
	}
}

// sitePlaces are the places of sites.
func sitePlaces(sites []*site) []court.Place {
	var out []court.Place
	for _, s := range sites {
		out = append(out, places(s.at)...)
	}
	return out
}
