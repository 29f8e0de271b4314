package quality

import (
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code/syntax"
	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
	"github.com/automaton-auditor/automaton/internal/tables"
)

// risks counts the calls of the other languages that can fail and whose error
// is met or is not. Those of which that cannot be told are not counted.
func (d *codebase) risks() (t tally) {
	if len(d.files) == 0 {
		return t
	}
	r := riskReader{d: d, imported: d.importedFiles(), exposed: map[syntax.Node]bool{}, calls: map[string][]syntax.Node{}, last: map[string]map[string]bool{}, wanted: map[string]map[string]bool{}}
	for _, language := range []string{"go", "java", "javascript", "rust", "typescript"} {
		r.wanted[language], r.last[language] = map[string]bool{}, map[string]bool{}
		for _, full := range tables.Of(tables.Fail).Names(language, "outside") {
			r.wanted[language][full] = true
			r.last[language][full[strings.LastIndexByte(full, '.')+1:]] = true
		}
	}
	r.expose()
	for _, f := range d.files {
		if !script(f) {
			continue
		}
		for n := range nodes(f) {
			if name := n.Child("callee").Name(); n.Is("call") && name != "" {
				r.calls[name] = append(r.calls[name], n)
			}
		}
	}
	for _, f := range d.files {
		for n := range nodes(f) {
			if !n.Is("call") || !r.fails(n) {
				continue
			}
			switch r.guard(n) {
			case guarded:
				t.count(false, place(n, 3))
			case unguarded:
				t.count(true, place(n, 3))
			default: // not known
			}
		}
	}
	return t
}

type riskReader struct {
	d            *codebase
	last, wanted map[string]map[string]bool // by language: last names, full names
	imported     map[*syntax.File]bool
	exposed      map[syntax.Node]bool     // Java: functions whose errors end the program
	calls        map[string][]syntax.Node // JavaScript and TypeScript: by the callee's name
}

func (r *riskReader) fails(call syntax.Node) bool {
	language := string(call.File().Language)
	callee := call.Child("callee")
	return r.last[language][callee.Name()] && r.wanted[language][r.d.others.Resolve(callee)]
}

func (r *riskReader) guard(call syntax.Node) guard {
	switch call.File().Language {
	case "go":
		return guardGo(call)
	case "rust":
		return guardRust(call)
	case "java":
		return r.guardJava(call)
	}
	return r.guardScript(call, 4)
}

// guardGo tells whether the error of a call is given a name or handed on.
func guardGo(call syntax.Node) guard {
	p := call.Parent()
	switch {
	case p.Is("assign") && !p.Nth("value", 1).Valid():
		last := syntax.Node{}
		for x := range p.Children("target") {
			last = x
		}
		if last.Name() == "_" && !remarkedNode(p) {
			return unguarded
		}
		return guarded
	case p.Is("return", "call", "binary"):
		return guarded
	case p.Is("block") && !remarkedNode(call):
		return unguarded
	}
	return unsure
}

// guardRust tells whether the result of a call is looked at.
func guardRust(call syntax.Node) guard {
	at := call
	for {
		p := at.Parent()
		switch {
		case p.Is("unary") && p.Detail() == "await":
			at = p
			continue
		case p.Is("unary") && p.Detail() == "?", p.Is("switch", "if", "return", "case"):
			return guarded
		case p.Is("member") && p.Parent().Is("call") && p.Role() == "callee":
			switch p.Name() {
			case "unwrap", "expect":
				return unguarded
			case "ok":
				if p.Parent().Parent().Is("block") && statement(p.Parent()) && !remarkedNode(p.Parent()) {
					return unguarded
				}
				return guarded
			}
			at = p.Parent()
			if strings.HasPrefix(p.Name(), "map") || strings.HasSuffix(p.Name(), "context") || p.Name() == "or_else" || p.Name() == "and_then" {
				continue
			}
			return guarded
		case p.Is("assign"):
			if p.Child("target").Text() == "_" && !remarkedNode(p) {
				return unguarded
			}
			return guarded
		}
		return unsure
	}
}

// guardJava tells whether a checked error, which the compiler makes everybody
// declare, ends in a handler or with the program.
func (r *riskReader) guardJava(call syntax.Node) guard {
	fn := call.Enclosing("func")
	switch {
	case tried(call):
		return guarded
	case !fn.Valid() || fn.Has(syntax.Lambda):
		return unsure
	case r.exposed[fn]:
		return unguarded
	}
	return guarded // it is declared: whoever calls it knows
}

// expose marks the functions of Java whose errors end the program: main, and
// what it calls without a handler, four deep.
func (r *riskReader) expose() {
	var mains []syntax.Node
	for _, f := range r.d.files {
		if f.Language != "java" {
			continue
		}
		for n := range nodes(f) {
			if n.Is("func") && n.Name() == "main" && n.Has(syntax.Static) {
				mains = append(mains, n)
			}
		}
	}
	for range 4 {
		var more []syntax.Node
		for _, fn := range mains {
			if r.exposed[fn] {
				continue
			}
			r.exposed[fn] = true
			for c := range fn.Walk() {
				if c.Is("call") && c.Enclosing("func") == fn && !tried(c) {
					if to := r.d.others.Target(c); to.Is("func") {
						more = append(more, to)
					}
				}
			}
		}
		mains = more
	}
}

// tried tells whether a try with a handler is around a node in its function.
func tried(n syntax.Node) bool {
	below := n
	for a := range n.Around() {
		if a.Is("func", "class") {
			return false
		}
		if a.Is("try") && (below.Role() == "body" || below.Role() == "resource") && a.Child("catch").Valid() {
			return true
		}
		below = a
	}
	return false
}

var existing = regexp.MustCompile(`(?i)exists|access|isFile|isDirectory`)

// guardScript follows a call, or the promise that it gives, to a handler.
func (r *riskReader) guardScript(call syntax.Node, depth int) guard {
	name := r.d.others.Resolve(call.Child("callee"))
	promise := !strings.HasSuffix(name, "Sync") && r.fails(call)
	at, awaited := call, false
	for {
		p := at.Parent()
		if p.Is("unary") && p.Detail() == "await" {
			at, awaited = p, true
			continue
		}
		if p.Is("member") && at.Role() == "object" && p.Role() == "callee" && slices.Contains([]string{"then", "catch", "finally"}, p.Name()) {
			if at = p.Parent(); p.Name() == "catch" || at.Nth("arg", 1).Valid() {
				return guarded
			}
			continue
		}
		break
	}
	fn := at.Enclosing("func")
	if (!promise || awaited) && tried(at) || checked(at) {
		return guarded
	}
	switch {
	case promise && !awaited && at.Parent().Is("block", "file"):
		return unguarded // nobody holds the promise
	case promise && !awaited && !at.Parent().Is("return"), depth == 0:
		return unsure
	case !fn.Valid():
		if r.imported[at.File()] || placed(at.File()) {
			return unsure
		}
		return unguarded
	}
	return r.callers(fn, depth)
}

// callers is the guard that the callers of a function give.
func (r *riskReader) callers(fn syntax.Node, depth int) guard {
	out := unsure
	for _, c := range r.calls[called(fn)] {
		if r.d.others.Target(c) != fn {
			continue
		}
		if r.guardScript(c, depth-1) != guarded {
			return unsure
		}
		out = guarded
	}
	return out
}

// checked tells whether code asked before whether a file is there.
func checked(n syntax.Node) bool {
	for a := range n.Around() {
		switch {
		case a.Is("if", "ternary"):
			if existing.MatchString(a.Child("cond").Text()) {
				return true
			}
		case a.Is("func"):
			for st := range a.Child("body").Children() {
				if st.Start() >= n.Start() {
					return false
				}
				if st.Is("if") && existing.MatchString(st.Child("cond").Text()) {
					return true
				}
			}
			return false
		}
	}
	return false
}

// remarkedNode tells a node with a reason.
func remarkedNode(n syntax.Node) bool { return remarked(n.File(), n.Start(), n.End()) }

// statement tells an expression that is followed by a semicolon: its value is
// thrown away.
func statement(n syntax.Node) bool {
	return strings.HasPrefix(strings.TrimLeft(n.File().Text()[n.End():], " \t\r\n"), ";")
}
