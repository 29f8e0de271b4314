package quality

import (
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code/syntax"
	"github.com/automaton-auditor/automaton/internal/tables"
)

// swallowsGo counts the errors that a node of Go looks at or throws away: a
// test of an error, and an assignment to the blank identifier of what is known
// to be one.
func (d *codebase) swallowsGo(n syntax.Node, t *tally) {
	switch {
	case n.Is("if") && testsError(n.Child("cond")):
		t.count(idleBlock(n.Child("then")) && !n.Child("else").Valid() && !remarked(n), place(n, 4))
	case n.Is("assign") && (n.Detail() == "=" || n.Detail() == ":="):
		call := n.Child("value")
		if n.Nth("value", 1).Valid() || !call.Is("call") {
			return
		}
		targets := 0
		last := syntax.Node{}
		for x := range n.Children("target") {
			last = x
			targets++
		}
		if last.Name() == "_" && d.failsGo(call, targets) && !remarked(n) && !testedNext(n) {
			t.count(true, place(n, 2))
		}
	}
}

// testedNext tells whether one of the next statements asks what came of an
// assignment: no value is an answer, too.
func testedNext(assign syntax.Node) bool {
	asks := func(test syntax.Node) bool {
		for x := range test.Child("cond").Walk() {
			if x.Is("name") && x.Name() != "_" && declares(assign, x.Name()) {
				return true
			}
		}
		return false
	}
	if assign.Role() == "init" { // if ok, _ := f(); !ok
		return asks(assign.Parent())
	}
	st := assign
	for range 3 {
		if st = next(st); !st.Valid() {
			return false
		}
		if st.Is("if") && asks(st) {
			return true
		}
	}
	return false
}

// testsError tells "err != nil".
func testsError(cond syntax.Node) bool {
	if !cond.Is("binary") || cond.Detail() != "!=" || !cond.Child("right").Is("nil") {
		return false
	}
	name := strings.ToLower(cond.Child("left").Name())
	return name == "e" || strings.HasPrefix(name, "err") || strings.HasSuffix(name, "err") || strings.HasSuffix(name, "error")
}

// failsGo tells a call that is known to give so many results, the last of them
// an error that it may really give.
func (d *codebase) failsGo(call syntax.Node, results int) bool {
	callee := call.Child("callee")
	if slices.Contains(goFinishing, callee.Name()) {
		return false
	}
	if fn := d.others.Target(call); fn.Is("func") {
		n, last := 0, ""
		for r := range fn.Children("result") {
			n, last = n+1, r.Name()
		}
		return n == results && last == "error"
	}
	if !callee.Is("member") || !callee.Child("object").Is("name") || shadowed(callee.Child("object")) {
		return false
	}
	i := d.importedAs(call.File(), callee.Child("object").Name())
	return i != nil && !i.Own && tables.Of(tables.Fail).Has("go", i.Package+"."+callee.Name(), "error") && !constantArgs(call)
}

// goFinishing are methods that clean up: nobody can do anything about their
// errors.
var goFinishing = []string{"Close", "Shutdown", "Stop", "Flush", "FlushError", "Cancel", "Release", "Kill", "Terminate", "Disconnect", "Destroy", "Abort", "Rollback", "Remove", "RemoveAll", "Sync", "Unlock"}

// importedAs is the import that binds a name in a file.
func (d *codebase) importedAs(f *syntax.File, name string) *syntax.Import {
	for _, i := range d.others.Imports(f) {
		for b := range i.Node.Children("bind") {
			if b.Name() == name {
				return &i
			}
		}
	}
	return nil
}

// shadowed tells a name that a parameter or a variable of its function takes
// for itself.
func shadowed(name syntax.Node) bool {
	for a := range name.Around() {
		if !a.Is("func") {
			continue
		}
		for x := range a.Walk() {
			switch {
			case x.Is("param") && x.Name() == name.Name(), x.Is("assign") && x.Has(syntax.Declare) && declares(x, name.Name()):
				return true
			}
		}
	}
	return false
}

func declares(assign syntax.Node, name string) bool {
	for t := range assign.Children("target") {
		if t.Name() == name {
			return true
		}
	}
	return false
}

// constantArgs tells a call that is only given constants: if it failed once, it
// would always fail.
func constantArgs(call syntax.Node) bool {
	n := 0
	for a := range call.Children("arg") {
		if !a.Is("string", "number", "bool", "nil") {
			return false
		}
		n++
	}
	return n > 0 && slices.Contains([]string{"Parse", "Compile", "ParseDuration", "Atoi", "ParseInt", "LoadLocation", "ParseCIDR", "NewRequest"}, call.Child("callee").Name())
}
