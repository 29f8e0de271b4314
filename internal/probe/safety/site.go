package safety

import (
	"cmp"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/il/intree"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/facts"
	"github.com/automaton-auditor/automaton/internal/il"
	"github.com/automaton-auditor/automaton/internal/il/analyse"
	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
	"github.com/automaton-auditor/automaton/internal/tables"
)

// The ways to get at a repository.
const (
	bySubprocess = "subprocess"
	byGitPython  = "gitpython"
	byPygit2     = "pygit2"
	byDulwich    = "dulwich"
	byAPI        = "api"
)

// site is one place that fetches a repository.
type site struct {
	how    string
	call   *intree.Call     // the library's call; of a subprocess the one that starts it
	at     code.Node        // what receives the command, or the list that holds it
	home   *code.Definition // the function in which the clone is written
	cmd    cloneCommand     // subprocess only
	others []cloneCommand   // that may be in its place
	steps  []*started       // subprocess only: the calls that run it
	url    operand          // of nothing when it could not be told
	target operand          // of nothing when none is given
}

// valid tells a value that can be followed.
func (w operand) valid() bool { return w.f != nil && w.o.Kind != il.Opaque }

// cloning is the sites in production code, the one that counts first, and traces of a clone
// that could not be followed, when there are no sites.
type cloning struct {
	sites  []*site
	hidden []court.Place
}

// clones finds the sites, once: wired, then reachable, then by place; a download only when
// nothing is cloned there.
func (x *lowered) clones() *cloning {
	if x.cloning == nil {
		x.cloning = &cloning{sites: slices.Concat(x.commandSites(), x.librarySites(), x.downloadSites())}
		slices.SortStableFunc(x.cloning.sites, func(a, b *site) int {
			return cmp.Or(cmp.Compare(x.siteRank(a), x.siteRank(b)), cmp.Compare(b2i(a.how == byAPI), b2i(b.how == byAPI)), compareNodes(a.at, b.at))
		})
		if len(x.cloning.sites) == 0 {
			x.cloning.hidden = x.traces()
		}
	}
	return x.cloning
}

func compareNodes(a, b code.Node) int {
	return cmp.Or(strings.Compare(a.Path(), b.Path()), a.Start()-b.Start())
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// siteRank is the rank of its function; a variant that the callers' constants
// switch off comes after all others of its rank.
func (x *lowered) siteRank(s *site) int {
	r := x.survey.rank(s.home) * 2
	for _, g := range x.survey.p.Guards(s.at) {
		if g.Kind != "if" {
			continue
		}
		if truth := x.passed(g.Condition); truth == no && !g.Negated || truth == yes && g.Negated {
			return r + 1
		}
	}
	return r
}

// passed is whether a condition holds, as far as known, by what production code
// passes for a parameter: tests may pass anything.
func (x *lowered) passed(condition code.Node) tri {
	v, ok := x.valueAt(condition)
	if !ok {
		return unsure
	}
	var seen []tri
	for _, from := range x.origins.Of(v.f, v.o, v.use) {
		seen = append(seen, counts(from))
	}
	if len(seen) == 0 || slices.ContainsFunc(seen, func(t tri) bool { return t != seen[0] }) {
		return unsure
	}
	return seen[0]
}

// counted are the sites that run as surely as the one that counts.
func (x *lowered) counted() (out []*site) {
	all := x.clones().sites
	for _, s := range all {
		if x.siteRank(s) == x.siteRank(all[0]) && (s.how == byAPI) == (all[0].how == byAPI) {
			out = append(out, s)
		}
	}
	return out
}

// commandSites finds git's clone command in what processes are given.
func (x *lowered) commandSites() (out []*site) {
	known := map[code.Node]*site{}
	for _, ways := range x.processes() {
		for _, st := range ways {
			if st.f.Module.Language != python || !x.production(st.f) {
				continue
			}
			for _, line := range st.argvs {
				cmd, ok := cloneWords(line, false)
				if !ok {
					continue
				}
				st, cmds := st.at(cmd)
				cmd = cmds[0]
				list := x.written(st, cmd.clone)
				if !x.survey.production(list) {
					continue
				}
				s := known[list]
				if s == nil {
					s = &site{how: bySubprocess, call: x.survey.p.Call(x.nodeAt(st.f, st.in.Span)), at: x.survey.receiver(list), home: x.survey.function(list), cmd: cmd}
					ops := append(operands(cmd.args), operand{}, operand{})
					s.url, s.target = ops[0], ops[1]
					known[list] = s
					out = append(out, s)
				}
				if !slices.ContainsFunc(s.steps, func(o *started) bool { return o.in == st.in }) {
					s.steps, s.others = append(s.steps, st), append(s.others, cmds...)
				}
			}
		}
	}
	return out
}

// at is a process as the function has it in which the word clone of its command is written,
// and what the command may be there: with the calls between the two, and none above.
func (s *started) at(cmd cloneCommand) (*started, []cloneCommand) {
	t, f := *s, s.f
	for i, up := range s.way {
		if f == cmd.clone.f {
			t.way = s.way[:i]
			t.commands()
			break
		}
		f = up.Function
	}
	var out []cloneCommand
	for _, line := range t.argvs {
		if c, ok := cloneWords(line, false); ok && c.clone.at == cmd.clone.at {
			out = append(out, c)
		}
	}
	if len(out) == 0 {
		return s, []cloneCommand{cmd}
	}
	return &t, out
}

// nodeAt is what Python's tree has at a stretch of text.
func (x *lowered) nodeAt(f *il.Function, at il.Span) code.Node {
	if m := x.survey.p.Module(f.Module.Path); m != nil {
		return m.At(int(at.From), int(at.To))
	}
	return code.Node{}
}

// written is where a word of a command is: the list or text, else the call that is given it.
func (x *lowered) written(st *started, w operand) code.Node {
	if w.f != nil && w.at.To > 0 {
		return x.nodeAt(w.f, w.at)
	}
	return x.nodeAt(st.what.f, st.what.use.Span)
}

// receiver is the call that an expression is handed to, past conversions; the
// expression itself when it sits in a variable.
func (v *survey) receiver(n code.Node) code.Node {
	if n.Is("call") && !v.formats(n) {
		return n
	}
	for a := range n.Around() {
		switch {
		case a.Is("parenthesized_expression", "argument_list", "keyword_argument", "binary_operator", "concatenated_string"):
		case a.Is("call"):
			if v.formats(a) {
				continue
			}
			return a
		default:
			return n
		}
	}
	return n
}

// formats tells a call that only reshapes a command.
func (v *survey) formats(n code.Node) bool {
	c := v.p.Call(n)
	return c != nil && (c.Callee.Matches("shlex.split", "builtins.list", "builtins.tuple", "builtins.str") || c.Name == "format" || c.Name == "split")
}

// librarySites finds clones by libraries.
func (x *lowered) librarySites() []*site {
	var out []*site
	for _, l := range []struct {
		how    string
		url    string
		target []string
	}{
		{byGitPython, "url", []string{"to_path", "path", "repo_path"}},
		{byPygit2, "url", []string{"path"}},
		{byDulwich, "source", []string{"target"}},
	} {
		for _, c := range x.survey.p.Calls(tables.Of(tables.Fetch).Names(python, l.how)...) {
			if !x.survey.production(c.Node) || c.Callee.Def != nil {
				continue
			}
			url, target := c.Arg(l.url, 0), code.Node{}
			if strings.HasSuffix(c.Callee.Qualified, "GitLoader") {
				if url = c.Arg("clone_url", 1); !url.Valid() {
					continue // it only reads what is there
				}
				target = c.Arg("repo_path", 0)
			}
			for _, name := range l.target {
				if !target.Valid() {
					target = c.Arg(name, 1)
				}
			}
			s := &site{how: l.how, call: c, at: c.Node, home: x.survey.function(c.Node)}
			s.url, _ = x.valueAt(url)
			s.target, _ = x.valueAt(target)
			out = append(out, s)
		}
	}
	return out
}

var archiveURL = regexp.MustCompile(`(?i)(api\.github\.com|codeload\.github\.com|raw\.githubusercontent|github\.com|gitlab\.|bitbucket\.).*(tarball|zipball|/archive|/contents|/git/trees|codeload|githubusercontent)|codeload\.github\.com|raw\.githubusercontent`)

// downloadSites finds archives and contents that are fetched over HTTP.
func (x *lowered) downloadSites() (out []*site) {
	fetch := tables.Of(tables.Fetch)
	for _, c := range x.survey.p.Calls(fetch.Names(python, "download", "contents")...) {
		s := &site{how: byAPI, call: c, at: c.Node, home: x.survey.function(c.Node)}
		at := 0
		if name := c.Callee.Qualified; strings.HasSuffix(name, ".request") || strings.HasSuffix(name, ".stream") {
			at = 1
		}
		if s.url, _ = x.valueAt(c.Arg("url", at)); x.survey.production(c.Node) && (c.Matches(fetch.Names(python, "contents")...) || s.url.valid() && x.ofArchive(s.url)) {
			out = append(out, s)
		}
	}
	return out
}

// ofArchive tells an address of an archive, or of contents.
func (x *lowered) ofArchive(url operand) bool {
	return slices.ContainsFunc(x.origins.Of(url.f, url.o, url.use), func(from analyse.Origin) bool {
		return slices.ContainsFunc(from.Steps(), func(s analyse.Step) bool {
			return slices.ContainsFunc(x.values.Shapes(s.Function, s.Operand, s.Use), func(w analyse.Shape) bool {
				return w.Kind == analyse.Text && archiveURL.MatchString(pattern(w))
			})
		})
	})
}

// traces are code words and commands that may be a clone which was not
// understood.
func (x *lowered) traces() []court.Place {
	var out []court.Place
	for _, w := range []string{"clone", "clone_from", "clone_repository"} {
		for _, m := range x.survey.p.Mentions(w, code.ScopeProduction) {
			for _, t := range m.Words(w) {
				out = append(out, court.Place{Path: m.Path, Line: t.Line})
			}
		}
	}
	open := slices.ContainsFunc(x.processes(), func(ways []*started) bool { // whose command is not known
		return ways[0].f.Module.Language == python && x.production(ways[0].f) && slices.ContainsFunc(ways, func(s *started) bool { return len(s.argvs) == 0 })
	})
	for _, m := range x.survey.p.Modules {
		if m.Scope != code.ScopeProduction || !open {
			continue
		}
		for _, t := range m.Strings() {
			if s := strings.Trim(t.Text, `"'`); s == "clone" || strings.HasPrefix(s, "git clone ") {
				out = append(out, court.Place{Path: m.Path, Line: t.Line})
			}
		}
	}
	return facts.Sorted(out)
}
