package quality

import (
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code/syntax"
	"github.com/automaton-auditor/automaton/internal/il"
	"github.com/automaton-auditor/automaton/internal/il/analyse"
	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
)

// dropReader counts the places where an error is met, and those that drop it.
// unwraps are the places where Rust would rather panic.
type dropReader struct {
	tally
	d       *codebase
	a       *analyse.Analyses
	unwraps int
}

func (r *dropReader) read(f *il.Function) {
	for _, h := range r.a.Outcome.Handlers(f) {
		if drops := r.drops(h); drops || h.Catch.Kind != "suppress" {
			r.count(drops, lies(f, h.Catch.Span, 6))
		}
	}
	for b, in := range f.Instructions() {
		switch lang := f.Module.Language; {
		case lang == "go":
			r.readGo(f, b, in)
		case lang == "rust":
			r.readRust(f, in)
		case lang == "javascript", lang == "typescript":
			r.promise(f, in)
		}
	}
}

// drops tells whether a handler makes errors vanish.
func (r *dropReader) drops(h analyse.Handler) bool {
	f := h.Function
	if f.Module.Language == "python" {
		if len(h.Catch.Args) > 0 && !slices.ContainsFunc(r.a.Outcome.Catches(h), catchesAll) || lastPart(f.Name) == "__del__" {
			return false // an error in __del__ could reach nobody
		}
		if len(h.Catch.Args) == 0 && h.Catch.Kind == "" && h.Fate == analyse.Handled {
			return !h.Does(il.Call, il.Raise, il.Yield)
		}
		return h.Fate == analyse.Dropped && !r.excused(h)
	}
	if f.Module.Language == "java" && !slices.ContainsFunc(h.Catch.Args, func(o il.Operand) bool { return slices.Contains(broad, named(f, o)) }) {
		return false
	}
	return h.Empty() && !r.excused(h) && !reasoned(r.d.others.File(f.Module.Path), int(h.Catch.Span.From), int(h.Catch.Span.To))
}

// catchesAll tells the errors that all others are.
func catchesAll(name string) bool {
	return name == "builtins.Exception" || name == "builtins.BaseException"
}

// broad are Java's errors that say of what family something is, not what
// happened; to drop an interrupt loses it.
var broad = []string{"Exception", "Throwable", "RuntimeException", "Error", "IOException", "UncheckedIOException", "SQLException", "ExecutionException", "InterruptedException"}

// excused tells a handler that has a good reason to do nothing: it follows a cleaning
// up, or what follows is the handling: it is tried again, code is only reached
// when it went wrong, or asks what came of it.
func (r *dropReader) excused(h analyse.Handler) bool {
	return r.cleans(h) || r.a.Outcome.Apart(h, h.Function.Module.Language == "python") || r.a.Outcome.RaisesBehind(h) || r.a.Outcome.Asked(h)
}

// finishing are calls that clean up: nobody can do anything about their errors.
var finishing = []string{"close", "closeQuietly", "shutdown", "shutdownNow", "dispose", "destroy", "terminate", "disconnect", "unsubscribe", "abort", "cancel", "end", "kill", "release",
	"removeEventListener", "interrupt", "unlink", "unlinkSync", "rm", "rmSync", "rmtree", "delete", "deleteIfExists", "deleteOnExit", "flush", "stop"}

func finishes(name string) bool {
	return strings.HasPrefix(name, "close") || slices.Contains(finishing, name)
}

// cleans tells a handler of what only cleans up.
func (r *dropReader) cleans(h analyse.Handler) bool {
	n := 0
	for _, in := range r.a.Outcome.Tried(h) {
		switch {
		case in.Op == il.Call && len(h.Function.Versions[in.Dst].Uses) == 0:
			if n++; !finishes(lastPart(in.Kind)) {
				return false
			}
		case in.Op == il.Set, in.Op == il.Return, in.Op == il.Raise, in.Op == il.Bind && !strings.HasPrefix(h.Function.Versions[in.Dst].Var, "%"):
			return false
		}
	}
	return n > 0
}

// promise counts the handlers that promises are given.
func (r *dropReader) promise(f *il.Function, in *il.Instr) {
	if in.Op != il.Call || len(in.Args) < 2 || named(f, in.Args[0]) != "catch" {
		return
	}
	made := f.Def(f.Def(in.Args[0]).Args[0])
	switch given := f.Def(in.Args[1]); {
	case given != nil && given.Op == il.Define && given.Ref != nil:
		fresh := made != nil && made.Op == il.Call // otherwise it may only keep the run alive
		drops := fresh && r.a.Outcome.Empty(given.Ref) && !finishes(lastPart(made.Kind))
		r.count(drops && !r.remarked(f, in.Span), lies(f, given.Span, 6))
	case named(f, in.Args[1]) != "":
		r.count(named(f, in.Args[1]) == "noop" && !r.remarked(f, in.Span), lies(f, in.Span, 1))
	}
}

// named is the last part of the name that an operand has, "" where it has none.
func named(f *il.Function, o il.Operand) string {
	def := f.Def(o)
	switch {
	case o.Kind == il.Free:
		return f.Word(o)
	case def != nil && def.Op == il.Get:
		key, _ := f.Str(def.Args[1])
		return key
	case o.Kind == il.Local && !strings.HasPrefix(f.Versions[o.ID].Var, "%"):
		return lastPart(f.Versions[o.ID].Var)
	}
	return ""
}

// lastPart is what stands behind the last dot.
func lastPart(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }

var (
	letters    = regexp.MustCompile(`\pL{2,}`)
	unfinished = regexp.MustCompile(`(?i)\b(?:todo|fixme|xxx|hack)\b`)
)

// reasoned tells a stretch of a file with comments that say something: three words or
// more that are not a note that something is to be done. Whoever writes that has
// decided; whether rightly is for people to judge.
func reasoned(f *syntax.File, from, to int) bool {
	comments := remarks(f, from, to)
	return !unfinished.MatchString(comments) && len(letters.FindAllString(comments, 3)) == 3
}

// remarked tells a stretch with a reason: on its lines, or right above.
func remarked(f *syntax.File, from, to int) bool {
	text := f.Text()
	from = strings.LastIndexByte(text[:from], '\n') + 1
	if i := strings.IndexByte(text[to:], '\n'); i >= 0 {
		to += i
	} else {
		to = len(text)
	}
	for from > 0 { // comments on lines of their own above
		up := strings.LastIndexByte(text[:from-1], '\n') + 1
		if t := strings.TrimSpace(text[up:from]); !strings.HasPrefix(t, "//") && !strings.HasPrefix(t, "*") && !strings.HasPrefix(t, "/*") {
			break
		}
		from = up
	}
	return reasoned(f, from, to)
}

// remarked tells an instruction with a reason.
func (r *dropReader) remarked(f *il.Function, at il.Span) bool {
	return remarked(r.d.others.File(f.Module.Path), int(at.From), int(at.To))
}

var thrownAway = regexp.MustCompile(`(?:^|[^\pL\pN_.])_\s*:?=\s*$`)

// blank tells what a statement assigns to _.
func (r *dropReader) blank(f *il.Function, at il.Span) bool {
	text := r.d.others.File(f.Module.Path).Text()[:at.From]
	return thrownAway.MatchString(text[max(0, len(text)-40):])
}
