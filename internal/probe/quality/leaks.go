package quality

import (
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code/syntax"
	"github.com/automaton-auditor/automaton/internal/tables"
)

// leaks counts what Go and Java code opens and keeps, and what of it nothing
// closes. What is handed on is not counted.
func (d *codebase) leaks() (t tally) {
	for _, f := range d.files {
		if f.Language == "rust" {
			continue
		}
		for n := range nodes(f) {
			if !n.Is("call") {
				continue
			}
			state := handedOn
			switch {
			case f.Language == "go" && d.opensGo(n):
				state = fateGo(n)
			case f.Language == "java" && opensJava(n):
				state = fateJava(n)
			}
			if state != handedOn {
				t.count(state == open, place(n, 3))
			}
		}
	}
	return t
}

func (d *codebase) opensGo(call syntax.Node) bool {
	callee := call.Child("callee")
	if !callee.Is("member") || !callee.Child("object").Is("name") {
		return false
	}
	i := d.importedAs(call.File(), callee.Child("object").Name())
	return i != nil && !i.Own && tables.Of(tables.Open).Has("go", i.Package+"."+callee.Name(), "handle") && !shadowed(callee.Child("object"))
}

// fateGo follows what a call opens through its function.
func fateGo(call syntax.Node) fate {
	around := call.Parent()
	if !around.Is("assign") || around.Nth("value", 1).Valid() {
		return handedOn
	}
	target := around.Child("target")
	if !target.Is("name") {
		return handedOn // kept in a field
	}
	if target.Name() == "_" {
		return open
	}
	fn := outermost(call)
	if !fn.Valid() || !declaredIn(fn, target.Name()) {
		return handedOn // the life of the program, or a named result
	}
	for x := range fn.Walk() {
		if !x.Is("name") || x.Name() != target.Name() || x.Role() == "target" || x.Role() == "key" {
			continue
		}
		switch p := x.Parent(); {
		case p.Is("member") && p.Name() == "Close":
			return closed
		case p.Is("member") && p.Name() == "Body": // resp.Body.Close(), io.Copy(w, resp.Body)
			if up := p.Parent(); up.Is("member") && up.Name() == "Close" {
				return closed
			} else if !readsGo(p) {
				return handedOn
			}
		case p.Is("member") && p.Role() == "callee", p.Is("member") && (p.Name() == "StatusCode" || p.Name() == "Status" || p.Name() == "Header"), p.Is("binary"):
		case readsGo(x):
		default:
			return handedOn
		}
	}
	return open
}

// readsGo tells an argument of a function that reads or writes and does not
// close.
func readsGo(x syntax.Node) bool {
	call := x.Parent()
	if !call.Is("call") || x.Role() != "arg" {
		return false
	}
	callee := call.Child("callee")
	if !slices.Contains([]string{"io", "ioutil", "fmt", "bufio", "json", "csv", "xml"}, callee.Child("object").Name()) {
		return false
	}
	if slices.Contains([]string{"NewDecoder", "NewEncoder"}, callee.Name()) {
		return call.Parent().Is("member") // json.NewDecoder(f).Decode(x)
	}
	return slices.Contains([]string{"ReadAll", "Copy", "CopyN", "ReadFull", "WriteString", "Fprintf", "Fprintln", "Fprint"}, callee.Name())
}

// outermost is the named function around a node: what a function inside of it
// closes is closed.
func outermost(n syntax.Node) syntax.Node {
	out := syntax.Node{}
	for a := range n.Around() {
		if a.Is("func") {
			out = a
		}
	}
	return out
}

// declaredIn tells a name that is declared as a variable inside of a function.
func declaredIn(fn syntax.Node, name string) bool {
	found := false
	for x := range fn.Walk() {
		switch {
		case x.Is("param") && x.Name() == name && x.Parent() == fn:
			return false
		case x.Is("assign") && x.Has(syntax.Declare) && declares(x, name):
			found = true
		}
	}
	return found
}

func opensJava(call syntax.Node) bool {
	callee := call.Child("callee")
	if call.Has(syntax.New) {
		name, _, _ := strings.Cut(callee.Text(), "<")
		return tables.Of(tables.Open).Has("java", lastWord(name), "handle") && call.Child("arg").Valid()
	}
	return callee.Is("member") && tables.Of(tables.Open).Has("java", lastWord(callee.Child("object").Text())+"."+callee.Name(), "handle")
}

func lastWord(name string) string {
	name = strings.TrimSpace(name)
	return name[strings.LastIndexByte(name, '.')+1:]
}

// fateJava follows what a call opens through wrappers and its function.
func fateJava(call syntax.Node) fate {
	at := call
	for {
		up := at.Parent()
		if at.Role() == "arg" && up.Has(syntax.New) && tables.Of(tables.Open).Has("java", lastWord(strings.SplitN(up.Child("callee").Text(), "<", 2)[0]), "wrapper") {
			at = up
			continue
		}
		break
	}
	around := at.Parent()
	for a := range at.Around() {
		if a.Role() == "resource" {
			return closed
		}
		if a.Is("block", "func") {
			break
		}
	}
	switch {
	case at.Role() == "resource":
		return closed
	case around.Is("member") && around.Parent().Is("call") && around.Role() == "callee": // Files.lines(p).filter(x)
		switch around.Name() {
		case "close":
			return closed
		case "read", "readLine", "write", "readAllBytes", "forEach", "collect", "count", "toList", "map", "filter", "sorted", "limit", "mapToObj", "anyMatch":
			return open
		}
		return handedOn
	case around.Is("assign") && around.Child("target").Is("name") && !around.Has(syntax.Field):
		return keptJava(around.Child("target"))
	}
	return handedOn
}

// keptJava is the fate of what a local variable holds.
func keptJava(target syntax.Node) fate {
	fn := target.Enclosing("func")
	if !fn.Valid() || !declaredIn(fn, target.Name()) {
		return handedOn
	}
	for x := range fn.Walk() {
		if !x.Is("name") || x.Name() != target.Name() || x.Role() == "target" {
			continue
		}
		if x.Role() == "resource" {
			return closed
		}
		switch p := x.Parent(); {
		case p.Is("member") && p.Name() == "close":
			return closed
		case p.Is("member") && p.Parent().Is("call") && p.Role() == "callee" && !slices.Contains([]string{"getChannel", "getInputStream", "getOutputStream", "iterator", "stream"}, p.Name()), p.Is("binary"):
		default:
			return handedOn
		}
	}
	return open
}
