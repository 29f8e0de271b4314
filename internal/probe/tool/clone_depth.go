package tool

import (
	"strconv"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/probe"
)

var cloneDepth = probe.Probe{
	ID: "clone.depth", Version: "1", Target: court.GithubRepo,
	Title:  "The clone keeps enough history to judge it",
	Doc:    "Looks at the depth of the clone when the program reads the history of commits. Fewer than 50 commits are too few; without a depth everything is kept.",
	Remedy: "Clone without --depth, or with at least 50", Effort: 5,
	Run: asksClone(func(v *survey, _ *site) probe.Finding {
		reads := v.readsHistory()
		if !reads.Valid() {
			return probe.Clean(v.coverage(), court.AST, "the program does not read the history of commits")
		}
		for _, s := range v.counted() {
			n := v.depth(s)
			switch depth, known := v.number(n); {
			case !n.Valid():
			case !known:
				return probe.Cannot(court.Dynamic, places(s.at), "the depth of the clone in %s could not be told", where(s))
			case depth > 0 && depth < 50:
				return probe.Against(court.AST, places(s.at, reads), "the clone in %s has a depth of %d, and the history is read afterwards", where(s), depth)
			}
		}
		return probe.Clean(v.coverage(), court.AST, "the clone keeps the history that is read")
	}),
}

// depth is the expression that limits the history of a clone, zero without one.
func (v *survey) depth(s *site) code.Node {
	if s.how != bySubprocess {
		return s.call.Arg("depth", -1)
	}
	for i, w := range s.cmd.args {
		if w.text == "--depth" && i+1 < len(s.cmd.args) {
			if next := s.cmd.args[i+1]; next.node.Valid() {
				return next.node
			}
			return s.at
		}
		if strings.HasPrefix(w.text, "--depth=") {
			if w.node.Valid() {
				return w.node
			}
			return s.at
		}
	}
	return code.Node{}
}

// number reads a depth: a number, its text, or an option that ends with it.
func (v *survey) number(n code.Node) (int, bool) {
	choices := v.p.Eval(n).Choices()
	if c := v.p.Call(n); c != nil && c.Callee.Matches("builtins.str") {
		choices = v.p.Eval(c.Arg("", 0)).Choices()
	}
	smallest, known := 0, false
	for _, c := range choices {
		got := 0
		switch c.Kind {
		case code.ValueInt:
			got = int(c.Int)
		case code.ValueString:
			text, ok := c.Str()
			if i := strings.Index(text, "--depth"); i >= 0 {
				text = strings.Trim(strings.TrimLeft(text[i+len("--depth"):], "= "), " ")
				text, _, _ = strings.Cut(text, " ")
			}
			value, err := strconv.Atoi(text)
			if !ok && err != nil || err != nil {
				return 0, false
			}
			got = value
		case code.ValueNone:
			continue
		default:
			return 0, false
		}
		if !known || got < smallest {
			smallest, known = got, true
		}
	}
	return smallest, known || len(choices) > 0 && choices[0].Kind == code.ValueNone
}

// readsHistory finds where the program reads commits.
func (v *survey) readsHistory() code.Node {
	for _, x := range v.processes {
		if !v.production(x.call.Node) {
			continue
		}
		for _, o := range v.p.Origins(x.command) {
			for _, n := range o.Path {
				if !writesCommand(v, n) {
					continue
				}
				for _, words := range v.commands(n) {
					for i, w := range words {
						if i > 0 && i < 6 && w.known && isOneOf(w.text, "log", "rev-list", "shortlog") {
							return n
						}
					}
				}
			}
		}
	}
	for _, c := range v.p.Calls("*.iter_commits", "git.Repo().iter_commits", "git.Repo.clone_from().iter_commits", "git.Repo().git.log", "git.Repo().git.rev_list",
		"pygit2.*walk", "dulwich.porcelain.log", "dulwich.repo.Repo().get_walker", "pydriller.Repository") {
		if v.production(c.Node) && c.Callee.Def == nil {
			return c.Node
		}
	}
	return code.Node{}
}
