package quality

import (
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/il"
	"github.com/automaton-auditor/automaton/internal/tables"
)

// readGo counts a test of an error, and an assignment to the blank identifier of
// what is known to be one.
func (r *dropReader) readGo(f *il.Function, b *il.Block, in *il.Instr) {
	switch in.Op {
	case il.Branch:
		if none, ok := f.Const(in.Args[len(in.Args)-1]); in.Kind == "!=" && ok && none.Type == il.NoneConst && errorName(named(f, in.Args[0])) {
			at := b.Succs[0].End().Span // the statement, where its branch is empty
			r.count(r.a.Outcome.Idle(b) && !r.remarked(f, at), lies(f, at, 4))
		}
	case il.Call:
		if r.failsGo(f, in) && !r.remarked(f, in.Span) && !r.a.Values.Dead(f, b) {
			r.count(true, lies(f, in.Span, 2))
		}
	default:
	}
}

// errorName tells the names that errors are given.
func errorName(name string) bool {
	name = strings.ToLower(name)
	return name == "e" || strings.HasPrefix(name, "err") || strings.HasSuffix(name, "err") || strings.HasSuffix(name, "error")
}

// goFinishing are methods that clean up: nobody can do anything about their
// errors.
var goFinishing = []string{"Close", "Shutdown", "Stop", "Flush", "FlushError", "Cancel", "Release", "Kill", "Terminate", "Disconnect", "Destroy", "Abort", "Rollback", "Remove", "RemoveAll", "Sync", "Unlock"}

// failsGo tells a call whose last result is known to be an error that it may really
// give, and is assigned to _; of the others nothing is asked.
func (r *dropReader) failsGo(f *il.Function, call *il.Instr) bool {
	if call.Mode == il.Spawned || call.Mode == il.Deferred || slices.Contains(goFinishing, lastPart(call.Kind)) {
		return false
	}
	parts, last := []*il.Instr(nil), call
	for _, u := range f.Versions[call.Dst].Uses {
		if u.Op != il.Get || u.Kind != "item" {
			return false
		}
		parts, last = append(parts, u), u
	}
	if len(f.Versions[last.Dst].Uses) > 0 || len(parts) == 0 && !r.blank(f, call.Span) {
		return false
	}
	s := r.a.Names.Operand(f, call.Args[0])
	if s == nil {
		return false
	}
	fails := tables.Of(tables.Fail).Has("go", s.Outside, "error") && !constantArgs(f, call)
	if g := s.Function; g != nil {
		fails = len(g.Results) == max(1, len(parts)) && g.Results[len(g.Results)-1] == "error"
	}
	return fails && !slices.ContainsFunc(parts, func(p *il.Instr) bool { return r.a.Outcome.Conditional(f, p) })
}

// constantArgs tells a call that is only given constants: if it failed once, it
// would always fail.
func constantArgs(f *il.Function, call *il.Instr) bool {
	for _, a := range call.Args[1:] {
		if _, ok := f.Const(f.Root(a)); !ok {
			return false
		}
	}
	return len(call.Args) > 1 && slices.Contains([]string{"Parse", "Compile", "ParseDuration", "Atoi", "ParseInt", "LoadLocation", "ParseCIDR", "NewRequest"}, lastPart(call.Kind))
}

// rustNeedless are methods whose error says that nobody listens any more, that
// it was done before, or that cleaning up failed.
var rustNeedless = []string{"send", "try_send", "set", "dotenv", "flush", "shutdown", "close", "kill", "wait", "join", "remove_file", "remove_dir", "remove_dir_all", "write_all", "write_str",
	"write_fmt", "init", "try_init", "install", "set_logger", "cancel", "abort", "disable_raw_mode", "execute", "queue", "reset"}

// needless tells a call whose error nobody needs.
func needless(call *il.Instr) bool {
	return strings.HasSuffix(call.Kind, "!") || slices.Contains(rustNeedless, lastPart(call.Kind))
}

// readRust counts the errors that are handed on, looked at or thrown away.
func (r *dropReader) readRust(f *il.Function, in *il.Instr) {
	switch {
	case in.Op == il.Branch && in.Kind == "match" && (in.Args[1].Kind == il.Opaque || f.Word(in.Args[1]) == "Err"):
		r.count(false, court.Place{})
	case in.Op != il.Call:
	case named(f, in.Args[0]) == "unwrap":
		r.unwraps++
	case named(f, in.Args[0]) == "ok" && len(in.Args) == 1 && len(f.Versions[in.Dst].Uses) == 0:
		made := f.Def(f.Def(in.Args[0]).Args[0])
		r.count(!(made != nil && made.Op == il.Call && needless(made)) && !r.remarked(f, in.Span), lies(f, in.Span, 3))
	case r.blank(f, in.Span) && len(f.Versions[in.Dst].Uses) == 0 && r.failsRust(f, in) && !r.remarked(f, in.Span):
		r.count(true, lies(f, in.Span, 3))
	}
}

// failsRust tells a call that is known to return a Result.
func (r *dropReader) failsRust(f *il.Function, call *il.Instr) bool {
	s := r.a.Names.Operand(f, call.Args[0])
	if s == nil || needless(call) {
		return false
	}
	if g := s.Function; g != nil {
		return len(g.Results) == 1 && strings.HasPrefix(afterPath(g.Results[0]), "Result")
	}
	return tables.Of(tables.Fail).Has("rust", s.Outside, "error")
}

// afterPath is a type of Rust without the path before its name: "io::Result<T>" is
// "Result<T>".
func afterPath(name string) string {
	head, rest, of := strings.Cut(name, "<")
	head = head[max(0, strings.LastIndex(head, "::")+2*min(1, strings.Count(head, "::"))):]
	if of {
		return head + "<" + rest
	}
	return head
}
