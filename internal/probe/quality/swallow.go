package quality

import (
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code/syntax"
	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
)

// swallows counts the places of the other languages where an error is met, and
// those that drop it. unwraps are the places where Rust would rather panic.
func (d *codebase) swallows() (t tally, unwraps int) {
	for _, f := range d.files {
		for n := range nodes(f) {
			switch f.Language {
			case "go":
				d.swallowsGo(n, &t)
			case "java":
				if n.Is("catch") {
					t.count(dropsJava(n), place(n, 6))
				}
			case "rust":
				if n.Is("call") && n.Child("callee").Is("member") && n.Child("callee").Name() == "unwrap" {
					unwraps++
				}
				d.swallowsRust(n, &t)
			default:
				swallowsScript(n, &t)
			}
		}
	}
	return t, unwraps
}

var letters = regexp.MustCompile(`\pL{2,}`)

// reasoned tells comments that say something: three words or more that are not
// a note that something is to be done. Whoever writes that has decided; whether
// rightly is for people to judge.
func reasoned(comments string) bool {
	if unfinished.MatchString(comments) {
		return false
	}
	return len(letters.FindAllString(comments, 3)) == 3
}

var unfinished = regexp.MustCompile(`(?i)\b(?:todo|fixme|xxx|hack)\b`)

// remarked tells a statement with a reason: on its lines, or right above.
func remarked(n syntax.Node) bool {
	f := n.File()
	text := f.Text()
	from := strings.LastIndexByte(text[:n.Start()], '\n') + 1
	end := strings.IndexByte(text[n.End():], '\n')
	if end < 0 {
		end = len(text) - n.End()
	}
	for from > 0 { // comments on lines of their own above
		up := strings.LastIndexByte(text[:from-1], '\n') + 1
		if t := strings.TrimSpace(text[up:from]); !strings.HasPrefix(t, "//") && !strings.HasPrefix(t, "*") && !strings.HasPrefix(t, "/*") {
			break
		}
		from = up
	}
	return reasoned(remarks(f, from, n.End()+end))
}

// idleBlock tells a body without a statement and without a reason.
func idleBlock(b syntax.Node) bool {
	if !b.Is("block") {
		return false
	}
	for range b.Children() {
		return false
	}
	return !reasoned(remarks(b.File(), b.Start(), b.End()))
}

// finishing are calls that clean up: nobody can do anything about their errors.
var finishing = []string{"close", "closeQuietly", "shutdown", "shutdownNow", "dispose", "destroy", "terminate", "disconnect", "unsubscribe", "abort", "cancel", "end", "kill", "release",
	"removeEventListener", "interrupt", "unlink", "unlinkSync", "rm", "rmSync", "delete", "deleteIfExists", "deleteOnExit", "flush", "stop"}

// excused tells a handler that has a good reason to be empty: it follows a
// cleaning up, is tried again, or what follows is the handling: code that is
// only reached when it went wrong, or that asks what came of it.
func excused(handler syntax.Node) bool {
	try := handler.Parent()
	only, last, n := true, syntax.Node{}, 0
	for st := range try.Child("body").Children() {
		last, n = st, n+1
		if st.Is("unary") { // await
			st = st.Child("value")
		}
		only = only && st.Is("call") && finishes(st.Child("callee").Name())
	}
	if n > 0 && only {
		return true
	}
	if last.Is("return") || last.Is("break", "continue", "throw") && (next(try).Valid() || try.Enclosing("loop").Valid()) || returns(try.Child("body")) && next(try).Is("return", "throw") || asked(try) {
		return true
	}
	for a := range try.Around() {
		if a.Is("func", "class") {
			return false
		}
		if a.Is("loop") {
			return throwsAfter(a)
		}
	}
	return false
}

// next is the statement behind a node in its block.
func next(n syntax.Node) syntax.Node {
	if !n.Parent().Is("block", "file") {
		return syntax.Node{}
	}
	behind := false
	for st := range n.Parent().Children() {
		if behind {
			return st
		}
		behind = st == n
	}
	return syntax.Node{}
}

// returns tells a block in which its function may end well.
func returns(block syntax.Node) bool {
	for x := range block.Walk() {
		if x.Is("return") && x.Enclosing("func") == block.Enclosing("func") {
			return true
		}
	}
	return false
}

// asked tells whether the statement that is reached behind a try tests what was
// assigned in it, or has something else in its stead.
func asked(try syntax.Node) bool {
	set := map[string]bool{}
	for x := range try.Child("body").Walk() {
		if x.Role() == "target" {
			set[x.Name()] = true
		}
	}
	for x := range after(try).Walk() {
		if x.Is("name") && set[x.Name()] && tests(x) {
			return true
		}
	}
	return false
}

// tests tells a name that decides: a condition, the left side of a default.
func tests(name syntax.Node) bool {
	below := name
	for a := range name.Around() {
		switch {
		case a.Is("if", "ternary"):
			return below.Role() == "cond"
		case a.Is("binary") && (a.Detail() == "||" || a.Detail() == "??") && below.Role() == "left", a.Is("unary") && a.Detail() == "!":
			return true
		case a.Is("block", "call", "func"):
			return false
		}
		below = a
	}
	return false
}

// after is the statement that is reached behind one, in its block or in those
// around it.
func after(n syntax.Node) syntax.Node {
	for ; n.Valid() && !n.Is("func", "loop"); n = n.Parent() {
		if st := next(n); st.Valid() {
			return st
		}
	}
	return syntax.Node{}
}

// throwsAfter tells whether the block of a loop throws after it: what was tried
// in the loop failed.
func throwsAfter(loop syntax.Node) bool {
	behind := false
	for st := range loop.Parent().Children() {
		if behind {
			for x := range st.Walk() {
				if x.Is("throw") {
					return true
				}
			}
		}
		behind = behind || st == loop
	}
	return false
}

// broad are Java's errors that say of what family something is, not what
// happened; to drop an interrupt loses it.
var broad = []string{"Exception", "Throwable", "RuntimeException", "Error", "IOException", "UncheckedIOException", "SQLException", "ExecutionException", "InterruptedException"}

func dropsJava(handler syntax.Node) bool {
	if !idleBlock(handler.Child("body")) || excused(handler) {
		return false
	}
	for t := range handler.Children("type") {
		for part := range strings.SplitSeq(t.Name(), "|") {
			name := strings.TrimSpace(part)
			if slices.Contains(broad, name[strings.LastIndexByte(name, '.')+1:]) {
				return true
			}
		}
	}
	return false
}

// swallowsScript counts catch clauses and the handlers that promises are given.
func swallowsScript(n syntax.Node, t *tally) {
	switch {
	case n.Is("catch"):
		t.count(idleBlock(n.Child("body")) && !excused(n), place(n, 6))
	case n.Is("call") && n.Child("callee").Is("member") && n.Child("callee").Name() == "catch":
		arg := n.Child("arg")
		switch {
		case !arg.Valid():
		case arg.Is("func"):
			// of a promise that is also awaited elsewhere, it only keeps the run alive
			kept := n.Child("callee").Child("object").Is("name", "member")
			t.count(idleBlock(arg.Child("body")) && !kept && !remarked(n) && !cleansUp(n), place(arg, 6))
		case arg.Is("name", "member"):
			t.count(arg.Name() == "noop" && !remarked(n), place(arg, 1))
		}
	}
}

// cleansUp tells whether what a promise was made by is a cleaning up.
func cleansUp(catch syntax.Node) bool {
	made := catch.Child("callee").Child("object")
	return made.Is("call") && finishes(made.Child("callee").Name())
}

func finishes(name string) bool {
	return strings.HasPrefix(name, "close") || slices.Contains(finishing, name)
}
