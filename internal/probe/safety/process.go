package safety

import (
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/facts"
	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
	"github.com/automaton-auditor/automaton/internal/tables"
)

// tri is no, not known or yes, in this order: of several of which one is enough
// the answer is the max, of several of which each is needed the min.
type tri uint8

const (
	no tri = iota
	unsure
	yes
)

// opposite turns yes into no and back.
func (t tri) opposite() tri { return yes - t }

// answer is the answer of a fact.
func (t tri) answer() facts.Answer { return [...]facts.Answer{facts.No, facts.Unknown, facts.Yes}[t] }

// known points at a yes or no, nil for what is not known.
func (t tri) known() *bool {
	if t == unsure {
		return nil
	}
	return new(t == yes)
}

// say is the phrase for the answer.
func (t tri) say(yesText, noText, unsureText string) string {
	return [...]string{noText, unsureText, yesText}[t]
}

// process is one call that starts an outside program.
type process struct {
	call    *code.Call
	api     string      // what is called, by its qualified name
	command code.Node   // the command: a string, a list, or whatever was written
	shell   tri         // the library hands the command to a shell
	scripts []code.Node // the commands that reach the shell
	script  tri         // the program is a shell that is given a script (sh -c); unsure on some platforms only
	runs    []ran       // what of the command some program runs as text
}

// ran is what of one of the commands that a process may be some program runs as text.
type ran struct {
	reach
	words []word
}

// popenInit starts a process for a class derived from Popen.
const popenInit = "subprocess.Popen.__init__"

// processAPIs are the functions of Python that start a process.
func processAPIs() []string {
	return tables.Of(tables.Process).Names(python, "shell", "option", "words", "direct")
}

// uses tells whether a function is one of Python that starts a process in one
// of these ways.
func uses(s code.Symbol, roles ...string) bool { return s.In(tables.Of(tables.Process), roles...) }

// inventory lists every call that starts a process.
func (v *survey) inventory() []*process {
	var out []*process
	for _, c := range v.p.Calls(processAPIs()...) {
		sym, ok := matching(c, processAPIs())
		if !ok {
			continue
		}
		x := &process{call: c, api: sym.Qualified}
		x.command = command(c, sym)
		out = append(out, x)
	}
	for _, c := range v.derived() {
		x := &process{call: c, api: "subprocess.Popen"}
		x.command = command(c, code.Symbol{Qualified: x.api})
		out = append(out, x)
	}
	for _, t := range v.p.Through(processAPIs()...) {
		if t.Inner != nil {
			v.through[t.Inner.Node] = append(v.through[t.Inner.Node], t)
		}
	}
	for _, x := range out {
		v.useShell(x)
		x.script = v.script(x.command)
		for _, words := range v.commands(x.command) {
			for _, r := range v.reaches(words) {
				x.runs = append(x.runs, ran{r, words})
			}
		}
	}
	slices.SortStableFunc(out, func(a, b *process) int { return compareNodes(a.call.Node, b.call.Node) })
	return out
}

// derived lists the constructions of classes that inherit Popen's own way to
// start a process.
func (v *survey) derived() []*code.Call {
	var out []*code.Call
	for _, m := range v.p.Modules {
		if !strings.Contains(m.Text(), "Popen") {
			continue
		}
		for _, d := range m.Definitions() {
			if d.Kind == code.DefClass && v.p.Method(d, "__init__") == nil && v.p.Inherits(d, "subprocess.Popen") {
				out = append(out, v.p.Callers(d)...)
			}
		}
	}
	return out
}

func compareNodes(a, b code.Node) int {
	if c := strings.Compare(a.Path(), b.Path()); c != 0 {
		return c
	}
	return a.Start() - b.Start()
}

// matching is the possible callee that is one of these functions.
func matching(c *code.Call, globs []string) (code.Symbol, bool) {
	for _, s := range c.Symbols() {
		if s.Matches(globs...) {
			return s, true
		}
	}
	return code.Symbol{}, false
}

func lastPart(qualified string) string {
	return qualified[strings.LastIndexByte(qualified, '.')+1:]
}

// command is the argument that says what to run. Functions that take one
// argument per word have the call itself.
func command(c *code.Call, s code.Symbol) code.Node {
	name := lastPart(s.Qualified)
	switch {
	case s.Matches("asyncio.create_subprocess_exec", "asyncio.subprocess.create_subprocess_exec", "sh.*", "plumbum.*"):
		return c.Node
	case s.Matches(popenInit) && !c.Receiver.Is("call"): // not through super(): the object comes first
		return c.Arg("args", 1)
	case strings.HasPrefix(name, "execl"), strings.HasPrefix(name, "spawnl"):
		return c.Node
	case strings.HasPrefix(name, "execv"), strings.HasPrefix(name, "posix_spawn"):
		return c.Arg("argv", 1)
	case strings.HasPrefix(name, "spawnv"):
		return c.Arg("args", 2)
	}
	for _, key := range []string{"args", "command", "cmd"} {
		if n := c.Arg(key, 0); n.Valid() {
			return n
		}
	}
	return code.Node{}
}

// useShell tells whether the library is told to use a shell, by this call or by
// the callers of the wrapper that it stands in, and keeps the commands that then
// reach it.
func (v *survey) useShell(x *process) {
	s := code.Symbol{Qualified: x.api}
	switch {
	case uses(s, "shell"):
		x.shell, x.scripts = yes, []code.Node{x.command}
		return
	case !uses(s, "option"):
		return
	}
	flag := shellFlag(x.call)
	if flag.Valid() {
		x.shell = v.truth(flag)
	}
	if x.shell == yes && isParameter(v.function(flag), flag) && len(v.through[x.call.Node]) > 0 {
		x.shell = unsure // by some callers
	}
	if x.shell == yes {
		x.scripts = []code.Node{x.command}
		return
	}
	if x.shell == no && !x.call.Splat() {
		return
	}
	callers, open := 0, false
	for _, t := range v.through[x.call.Node] {
		if v.production(t.Node) != v.production(x.call.Node) {
			continue
		}
		f := shellFlag(t)
		callers++
		switch {
		case !f.Valid():
		case v.truth(f) == yes:
			x.scripts = append(x.scripts, command(t, s))
		case v.truth(f) == unsure && len(t.Via) == 1 && !v.handsOn(t):
			open = true
		}
	}
	switch {
	case len(x.scripts) > 0:
		x.shell = yes
	case callers > 0 && !open:
		x.shell = no
	}
}

// handsOn tells a call in a function that itself has known callers: they
// decide.
func (v *survey) handsOn(t *code.Call) bool {
	return len(v.runs(v.function(t.Node))) > 0
}

// variants are the calls that decide how a process runs: where a wrapper hands
// on what it gets, the calls of the wrapper.
func (v *survey) variants(x *process) []*code.Call {
	var out []*code.Call
	for _, t := range v.through[x.call.Node] {
		if x.call.Splat() && len(t.Via) == 1 && v.production(t.Node) == v.production(x.call.Node) {
			out = append(out, t)
		}
	}
	if len(out) == 0 {
		out = append(out, x.call)
	}
	return out
}

// shellFlag is the shell argument of subprocess's functions: the ninth.
func shellFlag(c *code.Call) code.Node { return c.Arg("shell", 8) }

// truth is whether an expression is true, as far as known. A value that may be
// true by one way of the code counts as true.
func (v *survey) truth(n code.Node) tri {
	answer := no
	for _, choice := range v.p.Eval(n).Choices() {
		switch choice.Kind {
		case code.ValueBool, code.ValueInt:
			if choice.Int != 0 {
				return yes
			}
		case code.ValueNone:
		case code.ValueString, code.ValueBytes:
			if choice.Text != "" {
				return yes
			}
		default:
			answer = unsure
		}
	}
	return answer
}

// script tells whether a command is a shell with a script to run. One that is
// only taken where the platform is asked for may never be.
func (v *survey) script(command code.Node) tri {
	if !v.runsScript(command) {
		return no
	}
	for _, o := range v.origins.Of(command) {
		for _, n := range o.Path {
			if n.Is("list", "tuple", "string") && v.runsScript(n) && !v.onPlatform(n) {
				return yes
			}
		}
	}
	return unsure
}

// onPlatform tells code under a condition that asks for the platform.
func (v *survey) onPlatform(n code.Node) bool {
	return slices.ContainsFunc(v.p.Guards(n), func(g code.Guard) bool {
		for x := range g.Condition.Walk() {
			if s := v.p.Resolve(x); s.Matches("sys.platform*", "os.name*", "platform.*") {
				return true
			}
		}
		return false
	})
}

// runsScript tells whether a command may be a shell with a script to run.
func (v *survey) runsScript(command code.Node) bool {
	return slices.ContainsFunc(v.commands(command), func(words []word) bool {
		return slices.ContainsFunc(v.reaches(words), func(r reach) bool { return r.here && r.word >= 0 })
	})
}

// reaches are the parts of a command line that some program runs as text.
func (v *survey) reaches(words []word) []reach {
	texts, known := make([]string, len(words)), make([]bool, len(words))
	for i, w := range words {
		texts[i], known[i] = w.text, w.known
		if !w.known && w.node.Valid() && v.p.Resolve(w.node).Matches("sys.executable") {
			texts[i] = python
		}
	}
	found := reaches(texts, known, v.file)
	for i, r := range found {
		found[i].rest = r.rest || r.word >= 0 && words[r.word].cut
	}
	return found
}

// scriptAt is where the words of a command that is a shell have its script, 0
// where it is none or has none. A word that is not known is "" or has a "*".
func scriptAt(words []string) int {
	if len(words) < 3 || !isWord("shell", base(words[0])) {
		return 0
	}
	strict := !windows(words[0]) && base(words[0]) != "su"
	for i := 1; i < len(words)-1; i++ {
		w := words[i]
		switch {
		case isWord("script option", w), strict && cluster.MatchString(w):
			return i + 1
		case strict && (strings.HasPrefix(w, "-") || strings.HasPrefix(w, "+")):
			if strings.HasSuffix(w, "o") || w == "--rcfile" || w == "--init-file" {
				i++
			}
		case strict:
			return 0 // a file
		}
	}
	return 0
}

// cluster are several options of a shell in one word, the last of which is followed by
// the script.
var cluster = regexp.MustCompile(`^-[abefhiklmnptuvxB]*c$`)
