package safety

import (
	"cmp"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/facts"
	"github.com/automaton-auditor/automaton/internal/il/intree"
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
	call   *code.Call       // the library's call; of a subprocess the first step's
	at     code.Node        // what receives the command, or the list that holds it
	home   *code.Definition // the function in which the clone is written
	cmd    cloneCommand     // subprocess only
	steps  []step           // subprocess only: the calls that run it
	url    code.Node        // zero when it could not be told
	target code.Node        // zero when none is given
}

// step is one call that runs a site's command.
type step struct {
	process *process
	outer   *code.Call // the call in the site's function, with the arguments that reach the process
}

// clones lists the sites in production code, the one that counts first: wired,
// then reachable, then by place; a download only when nothing is cloned there.
func (v *survey) clones() []*site {
	out := slices.Concat(v.commandSites(), v.librarySites(), v.downloadSites())
	slices.SortStableFunc(out, func(a, b *site) int {
		return cmp.Or(cmp.Compare(v.siteRank(a), v.siteRank(b)), cmp.Compare(b2i(a.how == byAPI), b2i(b.how == byAPI)), compareNodes(a.at, b.at))
	})
	return out
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// siteRank is the rank of its function; a variant that the callers' constants
// switch off comes after all others of its rank.
func (v *survey) siteRank(s *site) int {
	r := v.rank(s.home) * 2
	for _, g := range v.p.Guards(s.at) {
		if g.Kind != "if" {
			continue
		}
		truth := v.passed(g.Condition, s.home)
		if truth == no && !g.Negated || truth == yes && g.Negated {
			return r + 1
		}
	}
	return r
}

// passed is whether a condition holds, as far as known, by what production code
// passes for a parameter: tests may pass anything.
func (v *survey) passed(condition code.Node, fn *code.Definition) tri {
	i := slices.IndexFunc(fn.Params(), func(p code.Param) bool { return p.Name == condition.Text() })
	if !condition.Is("identifier") || i < 0 || v.p.PassedOn(fn) {
		return v.truth(condition)
	}
	var seen []tri
	for _, c := range v.p.Callers(fn) {
		if !v.production(c.Node) {
			continue
		}
		n := v.p.Parameters(c)[condition.Text()]
		if !n.Valid() && !c.Splat() {
			n = fn.Params()[i].Default
		}
		if !n.Valid() {
			return unsure
		}
		seen = append(seen, v.truth(n))
	}
	if len(seen) == 0 || slices.ContainsFunc(seen, func(t tri) bool { return t != seen[0] }) {
		return unsure
	}
	return seen[0]
}

// counted are the sites that run as surely as the one that counts.
func (v *survey) counted() []*site {
	var out []*site
	for _, s := range v.sites {
		if v.siteRank(s) == v.siteRank(v.sites[0]) && (s.how == byAPI) == (v.sites[0].how == byAPI) {
			out = append(out, s)
		}
	}
	return out
}

// commandSites finds git's clone command in what processes are given.
func (v *survey) commandSites() []*site {
	var out []*site
	known := map[code.Node]*site{}
	add := func(list code.Node, cmd cloneCommand, x *process, outer *code.Call) {
		s := known[list]
		if s == nil {
			s = &site{how: bySubprocess, call: x.call, at: v.receiver(list), home: v.function(list), cmd: cmd}
			ops := operands(cmd.args)
			if len(ops) > 0 {
				s.url = ops[0].node
			}
			if len(ops) > 1 {
				s.target = ops[1].node
			}
			known[list] = s
			out = append(out, s)
		}
		if !slices.ContainsFunc(s.steps, func(o step) bool { return o.process == x }) {
			s.steps = append(s.steps, step{x, outer})
		}
	}
	for _, x := range v.processes {
		if !x.command.Valid() || !v.production(x.call.Node) {
			continue
		}
		git := slices.ContainsFunc(v.commands(x.command), func(w []word) bool { return len(w) > 0 && isGit(w[0]) })
		origins := v.origins.Of(x.command)
		written := slices.ContainsFunc(origins, func(o intree.Origin) bool {
			return slices.ContainsFunc(o.Path, func(n code.Node) bool { return writesCommand(v, n) && saysClone(n) })
		})
		for _, o := range origins {
			if list, cmd, ok := v.cloneIn(o.Path, git, written); ok {
				add(list, cmd, x, v.outer(x, list, o.Path))
			}
		}
		if git {
			v.spread(x, add)
		}
	}
	return out
}

// cloneIn looks for a clone command on the way from a process to where its
// command is written: the list or string, and its words. Where the word itself
// is written somewhere, what only puts git in front of it is not the place.
func (v *survey) cloneIn(way []code.Node, bare, written bool) (list code.Node, cmd cloneCommand, ok bool) {
	for i, n := range way {
		if !writesCommand(v, n) || !v.production(n) || written && !saysClone(n) {
			continue
		}
		cmd, found := v.cloneOf(n, bare && i > 0)
		if !found {
			continue
		}
		for _, use := range way[:i] { // a variable knows what was appended
			if !use.Is("identifier") || v.function(use) != v.function(n) {
				continue
			}
			if more, ok := v.cloneOf(use, bare); ok {
				return n, more, true
			}
		}
		return n, cmd, true
	}
	return code.Node{}, cloneCommand{}, false
}

// saysClone tells an expression that has the word itself.
func saysClone(n code.Node) bool {
	for x := range n.Walk() {
		if x.Is("string_content") && slices.Contains(strings.Fields(x.Text()), "clone") {
			return true
		}
	}
	return false
}

func (v *survey) cloneOf(n code.Node, bare bool) (cloneCommand, bool) {
	for _, words := range v.commands(n) {
		if cmd, ok := cloneWords(words, bare); ok {
			return cmd, true
		}
	}
	return cloneCommand{}, false
}

// writesCommand tells an expression in which a command is written out.
func writesCommand(v *survey, n code.Node) bool {
	switch n.Kind() {
	case "list", "tuple", "string", "concatenated_string", "binary_operator":
		return true
	case "call":
		c := v.p.Call(n)
		return c != nil && (matchesWords(c) || c.Name == "format")
	}
	return false
}

// outer is the call in the function of the list that leads to the process.
func (v *survey) outer(x *process, list code.Node, way []code.Node) *code.Call {
	home := v.function(list)
	if v.function(x.call.Node) == home {
		return x.call
	}
	for _, t := range v.through[x.call.Node] {
		if v.function(t.Node) == home && slices.ContainsFunc(way, t.Node.Contains) {
			return t
		}
	}
	return x.call
}

// spread finds wrappers that are called with one argument per word:
// run("clone", url, target).
func (v *survey) spread(x *process, add func(code.Node, cloneCommand, *process, *code.Call)) {
	fn := v.function(x.call.Node)
	if fn == nil || !fn.IsFunction() {
		return
	}
	first := -1
	for i, p := range fn.Params() {
		if p.Star == 1 {
			first = i
		}
	}
	if first < 0 {
		return
	}
	if fn.Kind == code.DefMethod && len(fn.Params()) > 0 && (fn.Params()[0].Name == "self" || fn.Params()[0].Name == "cls") {
		first--
	}
	for _, site := range v.p.Callers(fn) {
		if !v.production(site.Node) {
			continue
		}
		words := []word{{text: "git", known: true}}
		for i, a := range site.Args {
			if a.Name == "" && i >= first {
				words = append(words, v.word(v.p.Eval(a.Value), a.Value, a.Star > 0))
			}
		}
		if cmd, ok := cloneWords(words, false); ok {
			outer := site
			for _, t := range v.through[x.call.Node] {
				if t.Node == site.Node {
					outer = t
				}
			}
			add(site.Node, cmd, x, outer)
		}
	}
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
func (v *survey) librarySites() []*site {
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
		for _, c := range v.p.Calls(tables.Of(tables.Fetch).Names(python, l.how)...) {
			if !v.production(c.Node) || c.Callee.Def != nil {
				continue
			}
			s := &site{how: l.how, call: c, at: c.Node, home: v.function(c.Node), url: c.Arg(l.url, 0)}
			if strings.HasSuffix(c.Callee.Qualified, "GitLoader") {
				if s.url = c.Arg("clone_url", 1); !s.url.Valid() {
					continue // it only reads what is there
				}
				s.target = c.Arg("repo_path", 0)
			}
			for _, name := range l.target {
				if !s.target.Valid() {
					s.target = c.Arg(name, 1)
				}
			}
			out = append(out, s)
		}
	}
	return out
}

var archiveURL = regexp.MustCompile(`(?i)(api\.github\.com|codeload\.github\.com|raw\.githubusercontent|github\.com|gitlab\.|bitbucket\.).*(tarball|zipball|/archive|/contents|/git/trees|codeload|githubusercontent)|codeload\.github\.com|raw\.githubusercontent`)

// downloadSites finds archives and contents that are fetched over HTTP.
func (v *survey) downloadSites() []*site {
	var out []*site
	for _, c := range v.p.Calls(tables.Of(tables.Fetch).Names(python, "download")...) {
		url := c.Arg("url", 0)
		if strings.HasSuffix(c.Callee.Qualified, ".request") || strings.HasSuffix(c.Callee.Qualified, ".stream") {
			url = c.Arg("url", 1)
		}
		if !url.Valid() || !v.production(c.Node) {
			continue
		}
		for _, o := range v.origins.Of(url) {
			if slices.ContainsFunc(o.Path, func(n code.Node) bool {
				return n.Is("string", "concatenated_string", "binary_operator") && archiveURL.MatchString(v.p.Eval(n).Pattern())
			}) {
				out = append(out, &site{how: byAPI, call: c, at: c.Node, home: v.function(c.Node), url: url})
				break
			}
		}
	}
	for _, c := range v.p.Calls(tables.Of(tables.Fetch).Names(python, "contents")...) {
		if v.production(c.Node) {
			out = append(out, &site{how: byAPI, call: c, at: c.Node, home: v.function(c.Node)})
		}
	}
	return out
}

// traces are code words and commands that may be a clone which was not
// understood.
func (v *survey) traces() []court.Place {
	var out []court.Place
	for _, w := range []string{"clone", "clone_from", "clone_repository"} {
		for _, m := range v.p.Mentions(w, code.ScopeProduction) {
			for _, t := range m.Words(w) {
				out = append(out, court.Place{Path: m.Path, Line: t.Line})
			}
		}
	}
	open := map[string]bool{} // files with processes whose command is not known
	for _, x := range v.processes {
		if v.production(x.call.Node) && len(v.commands(x.command)) == 0 {
			open[""] = true
		}
	}
	for _, m := range v.p.Modules {
		if m.Scope != code.ScopeProduction || !open[""] {
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
