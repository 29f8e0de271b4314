package quality

import (
	"context"
	"fmt"
	"slices"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/probe"
	"github.com/automaton-auditor/automaton/internal/tables"
)

func resClosed() probe.Probe {
	return probe.Probe{
		ID: "res.closed", Version: "2", Target: court.GithubRepo,
		Title: "Files, connections and locks are closed",
		Doc: "Follows what code opens (files, archives, sockets, databases, the bodies of answers in Go): closed is what a with statement, an exit stack or Java's try holds, or what some close is called on. " +
			"Read and thrown away, handed to a reader that does not close, or kept in a local name that nothing closes is open. What is returned, stored or handed on is somebody else's to close, and is not counted. " +
			"A lock that is acquired must be released somewhere in the same Python file. Rust closes what goes out of scope. JavaScript is not read. Whether a close is reached on every path is not asked.",
		Remedy: "Open files, connections and locks in a with statement; in Go defer their close, in Java open them in try-with-resources.",
		Effort: 10, Recall: 8500,
		Run: func(ctx context.Context, s *probe.Scene, a probe.Args) ([]probe.Finding, error) {
			d, err := look(ctx, s, a.Scope, "go", "java", "rust")
			if err != nil {
				return nil, err
			}
			total := 0
			var bad []court.Place
			for _, m := range d.modules {
				for _, c := range m.Calls() {
					var state fate
					switch {
					case d.p.Dead(c.Node):
						continue
					case c.Callee.In(tables.Of(tables.Open), "handle"):
						state = d.fate(c.Node)
					case c.Name == "acquire" && d.p.Resolve(c.Receiver).Matches("threading.*", "multiprocessing.*", "asyncio.*"):
						if state = closed; len(m.Words("release")) == 0 {
							state = open
						}
					default:
						continue
					}
					if state != handedOn {
						total++
					}
					if state == open {
						bad = append(bad, place(c.Node.Statement(), 3))
					}
				}
			}
			t := d.leaks()
			bad, total = append(bad, t.bad...), total+t.total
			what := "Nothing that must be closed is opened by code" + d.in() + " that keeps it."
			if total > 0 {
				what = fmt.Sprintf("%d of %s, connections and locks%s are never closed.", len(bad), court.Count(total, "opened file"), d.in())
			}
			return []probe.Finding{d.judged(bad, total, what)}, nil
		},
	}
}

// fate is what becomes of a thing that was opened.
type fate int

const (
	handedOn fate = iota // somebody else's, or not known
	closed
	open
)

// fate follows the value of a call through the expression around it.
func (d *codebase) fate(n code.Node) fate {
	at := n
	for at.Parent().Is("parenthesized_expression", "await") {
		at = at.Parent()
	}
	around := at.Parent()
	switch {
	case around.Is("with_item", "as_pattern"):
		return closed
	case around.Is("attribute"): // open(p).read()
		name := around.Field("attribute").Text()
		switch {
		case name == "close":
			return closed
		case slices.Contains([]string{"read", "readline", "readlines", "write", "writelines", "execute", "executescript", "extractall", "namelist"}, name) && around.Parent().Is("call"):
			return open
		}
		return handedOn
	case around.Is("argument_list"):
		return d.handed(around.Parent())
	case around.Is("for_statement") && at.FieldName() == "right", around.Is("for_in_clause") && at.FieldName() == "right":
		return open
	case around.Is("assignment") && at.FieldName() == "right" && around.Field("left").Is("identifier"):
		return d.kept(around.Field("left"), n)
	case around.Is("expression_statement"):
		return open
	}
	return handedOn
}

// handed is the fate of an argument.
func (d *codebase) handed(call code.Node) fate {
	c := d.p.Call(call)
	switch {
	case c == nil:
		return handedOn
	case c.Callee.Matches("contextlib.closing") || c.Name == "enter_context" || c.Name == "enter_async_context":
		return closed
	case c.Callee.In(tables.Of(tables.Open), "reader"):
		return open
	}
	return handedOn
}

// kept is the fate of what a local name holds: every use of the name in its
// function is looked at.
func (d *codebase) kept(name, opened code.Node) fate {
	f := d.p.Enclosing(opened)
	if f == nil || !f.IsFunction() {
		return handedOn // the life of the program
	}
	text := name.Text()
	for x := range f.Body().Walk() {
		if x.Is("global_statement", "nonlocal_statement") {
			return handedOn
		}
		if !x.Is("identifier") || x.Text() != text || x == name {
			continue
		}
		switch around := x.Parent(); {
		case around.Is("attribute") && x.FieldName() == "object":
			if m := around.Field("attribute").Text(); !around.Parent().Is("call") || m == "close" || m == "__exit__" || m == "detach" || m == "aclose" || m == "quit" || m == "shutdown" {
				if around.Parent().Is("call") {
					return closed
				}
				return handedOn
			}
		case around.Is("with_item", "as_pattern"):
			return closed
		case around.Is("argument_list") && d.p.Call(around.Parent()) != nil && d.p.Call(around.Parent()).Callee.In(tables.Of(tables.Open), "reader"):
		case around.Is("for_statement", "for_in_clause") && x.FieldName() == "right":
		case around.Is("keyword_argument") && x.FieldName() == "name":
		case around.Is("comparison_operator", "not_operator", "if_statement"):
		default:
			return handedOn
		}
	}
	return open
}
