package safety

import (
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/il"
	"github.com/automaton-auditor/automaton/internal/il/analyse"
)

// waits are calls that stop waiting for what they are given after a time.
var waits = []string{"asyncio.wait_for", "asyncio.timeout", "asyncio.timeout_at", "async_timeout.timeout", "anyio.fail_after",
	"anyio.move_on_after", "trio.fail_after", "trio.move_on_after", "func_timeout.func_timeout", "timeout_decorator.timeout",
	"stopit.ThreadingTimeout", "wrapt_timeout_decorator.timeout", "signal.alarm", "signal.setitimer"}

// limitsPython tells whether a time limit applies to a process of Python.
func (x *lowered) limitsPython(s *started) tri {
	answer := no
	if w, found, maybe := s.option(s.args, "timeout"); found && w.known || maybe {
		answer = unsure
	} else if found {
		answer = x.limit(s.by.given(w))
	}
	prefixed := slices.ContainsFunc(s.argvs, func(line []operand) bool {
		return len(line) > 1 && line[0].known && (line[0].text == "timeout" || line[0].text == "gtimeout")
	})
	if answer == yes || prefixed || x.ended(s) || x.waitedAround(s.f, s.in) {
		return yes
	}
	return answer
}

// limit tells whether a value is a time limit rather than None.
func (x *lowered) limit(w operand) tri {
	some, none := false, false
	for _, o := range x.origins.Of(w.f, w.o, w.use) {
		k, ok := o.Function.Const(o.Operand)
		is := ok && k.Type == il.NoneConst && !o.Part
		some, none = some || !is, none || is
	}
	switch {
	case some && none:
		return unsure
	case none:
		return no
	}
	return yes
}

// ended tells whether the function of a started process limits it: waits with a timeout, or
// something that watches kills it.
func (x *lowered) ended(s *started) bool {
	for _, m := range s.object.calls("communicate", "wait", "result") {
		at := map[bool]int{true: -1}[last(m.Kind) == "communicate"]
		if o, ok := m.Argument("timeout", at); ok && x.limit(operand{f: s.f, o: o, use: m}) != no || x.waitedAround(s.f, m) {
			return true
		}
	}
	for _, f := range s.f.Module.Functions {
		if f.Outer == s.f && s.object.used && calls(f, kills) {
			return true
		}
	}
	for _, in := range s.f.Instructions() {
		if in.Op == il.Get {
			if key, _ := s.f.Str(in.Args[1]); (key == "kill" || key == "terminate") && slices.ContainsFunc(s.f.Versions[in.Dst].Uses, func(u *il.Instr) bool {
				return u.Op == il.Call && !u.Args[0].Is(in.Dst) && (strings.HasSuffix(u.Kind, "Timer") || last(u.Kind) == "call_later")
			}) {
				return true
			}
		}
	}
	return false
}

// waitedAround tells a call that is made under a time limit: as an argument of
// wait_for, in a with statement of a timeout, or by a decorated function.
func (x *lowered) waitedAround(f *il.Function, in *il.Instr) bool {
	seen := map[*il.Function]bool{}
	level := []analyse.Site{{Function: f, At: in}}
	for range maxUp {
		var next []analyse.Site
		for _, s := range level {
			if x.underWait(s.Function, s.At) {
				return true
			}
			if seen[s.Function] || s.Function.Kind == il.Top {
				continue
			}
			seen[s.Function] = true
			if slices.ContainsFunc(x.decorations(s.Function), func(c call) bool { return named(strings.TrimSuffix(c.name, "()"), waits...) }) {
				return true
			}
			for _, up := range x.Names.Sites(s.Function) {
				if x.production(up.Function) {
					next = append(next, up)
				}
			}
		}
		level = next
	}
	return false
}

// underWait tells an instruction that a function runs under a time limit of its own.
func (x *lowered) underWait(f *il.Function, at *il.Instr) bool {
	return slices.ContainsFunc(x.waiting(f), func(c call) bool {
		if strings.HasPrefix(c.name, "signal.") {
			return c.in.Span.From < at.Span.From
		}
		return c.in == at || slices.ContainsFunc(c.in.Args[1:], func(o il.Operand) bool { return feeds(f, o, at) }) || x.opened(f, c.in, at)
	})
}

// waiting are the calls of a function that limit the time of others.
func (x *lowered) waiting(f *il.Function) (out []call) {
	q := question{"waiting", f, 0, 0}
	if known, ok := x.asked[q]; ok {
		return known.([]call)
	}
	for _, in := range f.Instructions() {
		if in.Op == il.Call {
			if name, _ := x.callee(f, in); named(name, waits...) {
				out = append(out, call{f: f, in: in, name: name})
			}
		}
	}
	x.asked[q] = out
	return out
}

// opened tells an instruction inside of the with statement that a call opens.
func (x *lowered) opened(f *il.Function, open, at *il.Instr) bool {
	for _, get := range f.Versions[open.Dst].Uses {
		if get.Op != il.Get {
			continue
		}
		for _, end := range f.Versions[get.Dst].Uses {
			if end.Op == il.Call && end.Mode != il.Deferred && open.Span.To <= at.Span.From && at.Span.To <= end.Span.From {
				return true
			}
		}
	}
	return false
}

// feeds tells a value that is made of what an instruction makes.
func feeds(f *il.Function, o il.Operand, from *il.Instr) bool {
	seen := map[il.Operand]bool{}
	for work := []il.Operand{o}; len(work) > 0; {
		o, work = f.Root(work[len(work)-1]), work[:len(work)-1]
		def := f.Def(o)
		if def == from {
			return true
		}
		if def != nil && !seen[o] {
			seen[o] = true
			work = append(work, def.Args...)
		}
	}
	return false
}

// limitedSite tells whether a time limit applies to a clone.
func (x *lowered) limitedSite(s *site) tri {
	if s.how == bySubprocess {
		answer := yes
		for _, st := range s.steps {
			limited, _ := x.limits(st)
			answer = min(answer, limited)
		}
		return answer
	}
	for _, name := range []string{"kill_after_timeout", "timeout"} {
		if t, ok := x.valueAt(s.call.Arg(name, -1)); ok && (s.how == byGitPython && strings.HasPrefix(name, "kill") || s.how == byAPI && name == "timeout") {
			return x.limit(t)
		}
	}
	c, ok := x.callAt(s.call.Node)
	return boolTri(ok && x.waitedAround(c.f, c.in))
}
