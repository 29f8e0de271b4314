package safety

import (
	"context"
	"errors"
	"path"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/code/syntax"
	"github.com/automaton-auditor/automaton/internal/court"
	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
	"github.com/automaton-auditor/automaton/internal/probe"
	"github.com/automaton-auditor/automaton/internal/tables"
)

// foreignCode is the code in the languages beside Python, as the probes of this
// package see it.
type foreignCode struct {
	p     *syntax.Program
	calls []syntax.Node // of all files, by place
	names map[syntax.Node]string
}

// lookAtForeign reads the other languages. Where nobody can, there are none.
func lookAtForeign(ctx context.Context, s *probe.Scene) (*foreignCode, error) {
	p, err := s.Syntax(ctx)
	if unable := (*probe.Unable)(nil); errors.As(err, &unable) {
		return &foreignCode{p: &syntax.Program{}}, nil
	}
	if err != nil {
		return nil, err
	}
	return foreignCodeOf(p), nil
}

func foreignCodeOf(p *syntax.Program) *foreignCode {
	x := &foreignCode{p: p, names: map[syntax.Node]string{}}
	for _, f := range p.Files {
		for n := range f.Root().Walk() {
			if n.Is("call") {
				x.calls = append(x.calls, n)
				if full := p.Resolve(n.Child("callee")); full != "" {
					x.names[n] = full
				}
			}
		}
	}
	return x
}

// callee is the full name of what a call calls; "" where it is not known.
func (x *foreignCode) callee(n syntax.Node) string { return x.names[n] }

// named tells a full name that matches one of the patterns.
func named(full string, globs ...string) bool {
	return full != "" && slices.ContainsFunc(globs, func(g string) bool { return tables.Match(full, g) })
}

// in is the row of a table that what a call, or another expression in a file,
// is called fits.
func in(question string, n syntax.Node, full string, roles ...string) (tables.Row, bool) {
	return tables.Of(question).Find(string(n.File().Language), full, roles...)
}

// isWord tells a word of the table, such as the name of a shell.
func isWord(role, word string) bool { return tables.Of(tables.Word).Has("any", word, role) }

// workshop are files that build and serve the project's own work and are no
// part of what it ships.
var workshop = regexp.MustCompile(`(?i)(^|/)(scripts?|hack|build-?tools|buildsrc|\.github|\.circleci|ci|bench(es|mark|marks)?|tools?/build|config)/|` +
	`(^|/)(build\.rs|magefile\.go|g(ulp|runt)file(\.babel)?\.[cm]?[jt]s|[^/]*\.config\.[cm]?[jt]s|karma\.conf\.js|make\.[jt]s)$`)

// scopeAt is the scope class by which a place is judged.
func scopeAt(n syntax.Node) code.Scope {
	f := n.File()
	if f.Scope != code.ScopeProduction {
		return f.Scope
	}
	if testCode(n) {
		return code.ScopeTest
	}
	if workshop.MatchString(f.Path) {
		return code.ScopeOther
	}
	return f.Scope
}

// testCode tells code of a test case.
func testCode(n syntax.Node) bool {
	for a := range n.Around() {
		if a.Has(syntax.Test) {
			return true
		}
	}
	return n.Has(syntax.Test)
}

// source is what a finding about a place rests on.
func source(n syntax.Node) court.Source {
	if n.File().Language == "go" {
		return court.AST
	}
	return court.Structure
}

// function is the function around a node.
func function(n syntax.Node) syntax.Node { return n.Enclosing("func", "file") }

// arg is the argument of a call at a position.
func arg(call syntax.Node, i int) syntax.Node { return call.Nth("arg", i) }

// option is the value of an entry of a record among the arguments of a call.
func option(call syntax.Node, name string) syntax.Node {
	for a := range call.Children("arg") {
		if v := entry(a, name); v.Valid() {
			return v
		}
	}
	return syntax.Node{}
}

// entry is the value that a record has under a name.
func entry(record syntax.Node, name string) syntax.Node {
	for e := range record.Children("") {
		if record.Is("record") && e.Is("entry") && e.Name() == name {
			return e.Child("value")
		}
	}
	return syntax.Node{}
}

// base is the last part of a path or of a name with dots.
func base(s string) string {
	s = path.Base(strings.ReplaceAll(s, `\`, "/"))
	return strings.TrimSuffix(s, ".exe")
}

func scripted(n syntax.Node) bool {
	return n.File().Language == "javascript" || n.File().Language == "typescript"
}

// last is the part of a name behind its last dot.
func last(full string) string { return full[strings.LastIndexByte(full, '.')+1:] }
