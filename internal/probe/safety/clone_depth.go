package safety

import (
	"strconv"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/court"
	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
	"github.com/automaton-auditor/automaton/internal/probe"
)

var cloneDepth = probe.Probe{
	ID: "clone.depth", Version: "1", Target: court.GithubRepo,
	Title:  "The clone keeps enough history to judge it",
	Doc:    "Looks at the depth of the clone when the program reads the history of commits. Fewer than 50 commits are too few; without a depth everything is kept.",
	Remedy: "Clone without --depth, or with at least 50.", Effort: 5,
	Run: asksClone(func(x *lowered, _ *site) probe.Finding {
		v := x.survey
		reads := v.readsHistory()
		if !reads.Valid() {
			return probe.Nothing(v.coverage(false), court.AST, "The program does not read the history of commits.")
		}
		var shallow []*site
		for _, s := range v.counted() {
			switch v.shallow(s) {
			case yes:
				shallow = append(shallow, s)
			case unsure:
				return probe.Cannot(court.Dynamic, places(s.at), "The depth of the clone in %s could not be determined.", where(s))
			case no:
			}
		}
		switch {
		case len(shallow) > 0 && len(shallow) < len(v.counted()):
			return probe.Cannot(court.Dynamic, sitePlaces(shallow), "Some clones are shallow and some are not. The code does not show whose history it reads.")
		case len(shallow) > 0:
			return probe.Against(court.AST, append(sitePlaces(shallow), place(reads)), "The clone in %s keeps fewer than %d commits, and the code reads the history afterwards.", where(shallow[0]), enoughHistory).
				Do("Remove --depth from the clone in %s, or set it to %d or more.", where(shallow[0]), enoughHistory)
		}
		return probe.Clean(v.coverage(false), court.AST, "The clone keeps the history that is read.")
	}),
}

// depth is what may limit the history of a clone; nothing without a limit.
func (v *survey) depth(s *site) []code.Value {
	if s.how != bySubprocess {
		n := s.call.Arg("depth", -1)
		if !n.Valid() {
			return nil
		}
		return v.p.Eval(n).Choices()
	}
	for i, w := range s.cmd.args {
		switch {
		case w.text == "--depth" && i+1 < len(s.cmd.args):
			return v.wordValues(s.cmd.args[i+1])
		case strings.HasPrefix(w.text, "--depth="):
			return v.wordValues(w)
		}
	}
	return nil
}

// wordValues are what a word of a command may be.
func (v *survey) wordValues(w word) []code.Value {
	if w.known || !w.node.Valid() {
		return []code.Value{{Kind: code.ValueString, Text: w.text}}
	}
	n := w.node
	if c := v.p.Call(n); c != nil && c.Callee.Matches("builtins.str") {
		n = c.Arg("", 0)
	}
	return v.p.Eval(n).Choices()
}

// enoughHistory is the least depth that leaves something to judge.
const enoughHistory = 50

// shallow tells whether a clone keeps too few commits, by every way of the
// code.
func (v *survey) shallow(s *site) tri {
	few, enough := false, false
	for _, c := range v.depth(s) {
		depth, ok := number(c)
		switch {
		case !ok:
			return unsure
		case depth > 0 && depth < enoughHistory:
			few = true
		default:
			enough = true
		}
	}
	switch {
	case few && enough:
		return unsure
	case few:
		return yes
	}
	return no
}

var depthOption = regexp.MustCompile(`^(?:.*--depth[ =])?(\d{1,9})(?: .*)?$`)

// number reads a depth: a number, its text, or the option in a command; 0 for
// None.
func number(c code.Value) (int, bool) {
	switch c.Kind {
	case code.ValueInt:
		return int(min(c.Int, 1<<30)), true
	case code.ValueNone:
		return 0, true
	case code.ValueString:
		if m := depthOption.FindStringSubmatch(c.Pattern()); m != nil {
			n, err := strconv.Atoi(m[1])
			return n, err == nil
		}
	default:
	}
	return 0, false
}

// readsHistory finds where the program reads commits.
func (v *survey) readsHistory() code.Node {
	for _, x := range v.processes {
		if !v.production(x.call.Node) {
			continue
		}
		for _, o := range v.origins.Of(x.command) {
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
