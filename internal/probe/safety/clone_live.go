package safety

import (
	"path"
	"slices"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/probe"
)

var cloneLive = probe.Probe{
	ID: "clone.live", Version: "2", Target: court.GithubRepo,
	Title:  "The clone never lands in the working folder",
	Doc:    "Looks for clones without a target, into \".\", into a relative path that is written down, and for os.chdir into the clone without a way back. Where the target could not be followed the answer is unknown.",
	Remedy: "Give the clone an absolute target in a temporary folder and never change the working folder.", Effort: 15,
	Run: asksClone(func(x *lowered, _ *site) probe.Finding {
		v := x.survey
		var live []code.Node
		open := false
		for _, s := range x.counted() {
			a := x.aim(s)
			switch {
			case a.kind == aimLive, a.kind == aimFixed && relative(a):
				live = append(live, s.at)
			case a.kind == aimUnknown, a.kind == aimGiven:
				open = true
			}
			live = append(live, x.enters(s, a)...)
		}
		switch {
		case len(live) > 0:
			return probe.Against(court.AST, places(live...), "The clone or the program itself ends up in the working folder or in a folder relative to it.").
				Do("Give the clone at %s an absolute target in a temporary folder, and remove os.chdir.", at(places(live...)))
		case open:
			return probe.Cannot(court.Dynamic, places(x.clones().sites[0].at), "The folder that %s clones into could not be followed.", where(x.clones().sites[0]))
		}
		return probe.Clean(v.coverage(false), court.AST, "No clone goes into the working folder, and the program enters none.")
	}),
}

// relative tells a fixed target that is not an absolute path.
func relative(a aim) bool {
	for _, o := range a.makes {
		if text, ok := literal(o); ok && path.IsAbs(text) {
			return false
		}
	}
	return true
}

// enters finds calls that change the working folder to the clone and never
// back.
func (x *lowered) enters(s *site, a aim) []code.Node {
	v := x.survey
	if s.home == nil {
		return nil
	}
	made := x.madeBy(a)
	var in []code.Node
	for _, c := range v.p.CallsIn(s.home) {
		if !c.Callee.Matches("os.chdir") || !v.production(c.Node) {
			continue
		}
		to, ok := x.valueAt(c.Arg("path", 0))
		clone := ok && slices.ContainsFunc(made, func(f folder) bool { return x.isMade(to, f) })
		switch {
		case clone:
			in = append(in, c.Node)
		case len(in) > 0:
			return nil // back
		}
	}
	return in
}
