package safety

import (
	"strconv"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/il"
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
		reads := x.readsHistory()
		if !reads.Valid() {
			return probe.Nothing(v.coverage(false), court.AST, "The program does not read the history of commits.")
		}
		var shallow []*site
		kept := 0
		for _, s := range x.counted() {
			few, least := x.shallow(s)
			if least > 0 && (kept == 0 || least < kept) {
				kept = least
			}
			switch few {
			case yes:
				shallow = append(shallow, s)
			case unsure:
				return probe.Cannot(court.Dynamic, places(s.at), "The depth of the clone in %s could not be determined.", where(s))
			case no:
			}
		}
		switch {
		case len(shallow) > 0 && len(shallow) < len(x.counted()):
			return probe.Cannot(court.Dynamic, sitePlaces(shallow), "Some clones are shallow and some are not. The code does not show whose history it reads.")
		case len(shallow) > 0:
			return probe.Against(court.AST, append(sitePlaces(shallow), place(reads)), "The clone in %s keeps fewer than %d commits, and the code reads the history afterwards.", where(shallow[0]), enoughHistory).
				Do("Remove --depth from the clone in %s, or set it to %d or more.", where(shallow[0]), enoughHistory)
		case kept > 0:
			return probe.Clean(v.coverage(false), court.AST, "The clone keeps the last %d commits, which is enough: at least %d are asked for.", kept, enoughHistory)
		}
		return probe.Clean(v.coverage(false), court.AST, "The clone keeps the history that is read.")
	}),
}

// depths are what may limit the history of a clone, by each form of its command that has a
// limit; none without one.
func (x *lowered) depths(s *site) (out []operand) {
	if s.how != bySubprocess {
		if n := s.call.Arg("depth", -1); n.Valid() {
			w, _ := x.valueAt(n)
			out = append(out, w)
		}
	}
	for _, cmd := range s.others {
		for i, option := range cmd.args {
			switch {
			case option.text == "--depth" && i+1 < len(cmd.args):
				out = append(out, cmd.args[i+1])
			case strings.HasPrefix(option.text, "--depth="):
				out = append(out, option)
			}
		}
	}
	return out
}

// enoughHistory is the least depth that leaves something to judge.
const enoughHistory = 50

// shallow tells whether a clone keeps too few commits, by every way of the
// code, and the least number that one keeps; 0: all.
func (x *lowered) shallow(s *site) (is tri, least int) {
	few, enough := false, false
	add := func(k il.Const, ok bool) {
		depth, told := number(k)
		open := !ok || !told
		if told && depth > 0 && (least == 0 || depth < least) {
			least = depth
		}
		few, enough = few || open || depth > 0 && depth < enoughHistory, enough || open || depth == 0 || depth >= enoughHistory
	}
	for _, w := range x.depths(s) {
		switch {
		case w.known:
			add(il.Const{Type: il.StrConst, Text: w.text}, true)
		case !w.valid():
			add(il.Const{}, false)
		default:
			for _, from := range x.origins.Of(w.f, w.o, w.use) {
				if k, ok := constantOf(from); k.Text != "--depth=" {
					add(k, ok)
				}
			}
		}
	}
	switch {
	case few && enough:
		return unsure, least
	case few:
		return yes, least
	}
	return no, least
}

var depthOption = regexp.MustCompile(`^(?:.*--depth[ =])?(\d{1,9})(?: .*)?$`)

// number reads a depth: a number, its text, or the option in a command; 0 for
// None.
func number(c il.Const) (int, bool) {
	switch c.Type {
	case il.IntConst:
		return int(min(c.Num, 1<<30)), true
	case il.NoneConst:
		return 0, true
	case il.StrConst:
		if m := depthOption.FindStringSubmatch(c.Text); m != nil {
			n, err := strconv.Atoi(m[1])
			return n, err == nil
		}
	default:
	}
	return 0, false
}

// readsHistory finds where the program reads commits.
func (x *lowered) readsHistory() code.Node {
	for _, ways := range x.processes() {
		for _, s := range ways {
			if s.f.Module.Language != python || !x.production(s.f) {
				continue
			}
			for _, line := range s.argvs {
				for i, w := range line {
					if i > 0 && i < 6 && w.known && isOneOf(w.text, "log", "rev-list", "shortlog") {
						return x.written(s, w)
					}
				}
			}
		}
	}
	v := x.survey
	for _, c := range v.p.Calls("*.iter_commits", "git.Repo().iter_commits", "git.Repo.clone_from().iter_commits", "git.Repo().git.log", "git.Repo().git.rev_list",
		"pygit2.*walk", "dulwich.porcelain.log", "dulwich.repo.Repo().get_walker", "pydriller.Repository") {
		if v.production(c.Node) && c.Callee.Def == nil {
			return c.Node
		}
	}
	return code.Node{}
}
