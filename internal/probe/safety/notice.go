package safety

import (
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/il"
	"github.com/automaton-auditor/automaton/internal/il/analyse"
)

// raises tells a process whose failure is an exception.
func (s *started) raises() bool {
	check, given := s.sets("check", -1)
	switch {
	case named(s.name, "subprocess.check_call", "subprocess.check_output", "sh.*", "git.*execute", "plumbum.*", "invoke.run"):
		return true
	case named(s.name, "anyio.run_process", "trio.run_process"):
		return !given || check == yes
	}
	return given && check != no && named(s.name, "subprocess.run")
}

// checksPython tells whether the failure of a process is noticed: by an exception that nobody
// swallows, or by a test of its result, here or in a caller that gets it; of a way, in its calls.
func (x *lowered) checksPython(s *started, way analyse.Way) tri {
	switch {
	case s.raises():
		return boolTri(!x.swallowed(s.f, s.in))
	case named(s.name, "os.popen", "subprocess.getoutput", "commands.getoutput"):
		return no
	case named(s.name, "os.exec*"):
		return yes // there is no way back
	}
	whole := named(s.name, "os.system", "subprocess.call", "os.spawn*", "subprocess.getstatusoutput")
	return x.tests(s.f, s.in, whole, way, 0)
}

// swallowed tells a call whose exception is caught and dropped: the innermost
// handler for it does nothing.
func (x *lowered) swallowed(f *il.Function, in *il.Instr) bool {
	for _, h := range x.Outcome.Handlers(f) {
		types := x.Outcome.Catches(h)
		if slices.Contains(x.Outcome.Tried(h), in) && (len(types) == 0 || h.Catch.Kind == "suppress" || slices.ContainsFunc(types, catches)) {
			return h.Empty()
		}
	}
	return false
}

// catches tells a type of the errors of a process or a git library, or of all errors.
func catches(name string) bool {
	return slices.Contains([]string{"Exception", "BaseException", "CalledProcessError", "SubprocessError", "GitCommandError", "GitError", "GitCommandNotFound"}, last(name))
}

// statusNames are the parts of a result that hold an exit or HTTP status.
var statusNames = []string{"returncode", "status_code", "ok", "is_success", "is_error", "status", "exitstatus", "return_code", "exit_code", "poll", "wait"}

// outputNames are the parts that say nothing of the success.
var outputNames = []string{"stdout", "stderr", "output", "text", "pid"}

// lookout follows the result of a call to a condition that looks at its success.
type lookout struct {
	*lowered
	f     *il.Function
	whole bool // the result is a status itself, or what a function made of one
	seen  map[int32]bool
	yes   bool
	given bool // the function gives it back
	// status: what it gives back is a status
	status bool
	inner  tri // what functions do that are given it
	deep   int
}

// tests follows the result of a call: to a condition that looks at it, through what the
// function returns to its callers. At first only the exit status counts.
func (x *lowered) tests(f *il.Function, in *il.Instr, whole bool, way analyse.Way, deep int) tri {
	if deep > maxUp {
		return unsure
	}
	t := lookout{lowered: x, f: f, whole: whole, seen: map[int32]bool{}, deep: deep}
	t.follow(in.Dst, whole)
	switch {
	case t.yes:
		return yes
	case !t.given:
		return t.inner
	}
	answer, taken := t.inner, false
	for _, s := range x.Names.Sites(f) {
		taken = taken || s.Function != f && x.production(s.Function)
		of := analyse.Way(nil)
		if len(way) > 0 && way[0].Callee() == f {
			if of = way[1:]; way[0].At != s.At {
				continue
			}
		}
		if s.Call && s.Function != f && x.production(s.Function) && answer != yes {
			answer = max(answer, x.tests(s.Function, s.At, true, of, deep+1))
		}
	}
	if !taken && t.status && answer == no { // it is for whoever uses the library
		return unsure
	}
	return answer
}

// follow looks at the uses of a value that counts as a status, or does not.
func (t *lookout) follow(id int32, counts bool) {
	if id == il.NoDst || t.seen[id] || t.yes {
		return
	}
	t.seen[id] = true
	for _, use := range t.f.Versions[id].Uses {
		switch use.Op {
		case il.Branch:
			t.yes = t.yes || counts
		case il.Bind:
			t.yes = t.yes || counts && use.Kind != "" && use.Kind != "+" && use.Kind != "%" && use.Kind != "cast"
			t.follow(use.Dst, counts)
		case il.Phi, il.Assume:
			t.follow(use.Dst, counts)
		case il.Yield:
			t.given = t.given || use.Kind == "yield"
			t.follow(use.Dst, counts)
		case il.Return:
			t.given, t.status = true, t.status || counts
		case il.Get:
			t.part(use, use.Args[0].Is(id))
		case il.Make:
			t.follow(use.Dst, false)
		case il.Call:
			t.called(use, id, counts)
		case il.Set:
			t.set(use, id, counts)
		}
	}
}

// part is a read of a part of the result.
func (t *lookout) part(get *il.Instr, of bool) {
	key, _ := t.f.Str(get.Args[1])
	switch {
	case !of || slices.Contains(outputNames, key):
	case key == "check_returncode" || key == "raise_for_status":
		t.yes = true
	default:
		t.follow(get.Dst, slices.Contains(statusNames, key) || t.whole)
	}
}

// called is a call of a method, or of a function that is given the result.
func (t *lookout) called(in *il.Instr, id int32, counts bool) {
	if in.Args[0].Is(id) {
		t.follow(in.Dst, counts)
		return
	}
	if s := t.Names.Operand(t.f, in.Args[0]); counts && s != nil && named(s.Outside, "sys.exit", "os._exit") {
		t.yes = true // whoever started the program gets the status
		return
	}
	for i, o := range in.Args[1:] {
		if g, param := t.Names.Argument(t.f, in, i); o.Is(id) && g != nil && t.deep < maxTests {
			inner := lookout{lowered: t.lowered, f: g, whole: t.whole, seen: map[int32]bool{}, deep: t.deep + 1}
			inner.follow(g.Params[param].Var, counts)
			if inner.yes {
				t.yes = true
			}
		}
	}
	t.follow(in.Dst, counts && !strings.HasPrefix(in.Kind, "print"))
}

// set is where the result is put into an object: who reads it there has it.
func (t *lookout) set(in *il.Instr, id int32, counts bool) {
	key, _ := t.f.Str(in.Args[1])
	if t.follow(in.Dst, counts && in.Args[0].Is(id)); !in.Args[2].Is(id) || in.Kind != "attr" || key == "" {
		return
	}
	for _, o := range reads(t.f, key) {
		t.follow(o.ID, counts)
	}
}

// siteNoticed is whether the failure of a clone is noticed, by every call that runs it.
func (x *lowered) siteNoticed(s *site) tri {
	answer := yes
	for _, st := range s.steps {
		if answer = min(answer, x.checksPython(st, st.way)); st.raises() && slices.ContainsFunc(st.way, func(up analyse.Site) bool { return x.swallowed(up.Function, up.At) }) {
			return no
		}
	}
	if s.how == bySubprocess {
		return answer
	}
	c, ok := x.callAt(s.call.Node)
	switch {
	case !ok:
		return unsure
	case s.how == byAPI && !s.call.Callee.Matches("urllib.*", "github.*"):
		return x.tests(c.f, c.in, false, nil, 0)
	}
	return boolTri(!x.swallowed(c.f, c.in))
}
