package safety

import (
	"context"
	"iter"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/code/syntax"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/facts"
	"github.com/automaton-auditor/automaton/internal/probe"
	"github.com/automaton-auditor/automaton/internal/tables"
)

// setOf are the facts of one kind in every language, read once per case: of the
// code that a check may ask about, and of what production code imports besides.
func setOf[T any](key string, read func(*survey) []facts.Fact[T], others func(*foreignCode) []facts.Fact[T]) func(context.Context, *probe.Scene) (*facts.Set[T], error) {
	return func(ctx context.Context, s *probe.Scene) (*facts.Set[T], error) {
		v, err := look(ctx, s)
		if err != nil {
			return nil, err
		}
		return probe.Shared(s, key, func() (*facts.Set[T], error) {
			set := seen[T](v)
			set.Facts = read(v)
			if v.more != nil {
				set.Facts = append(set.Facts, read(v.more)...)
				for _, f := range v.more.p.Faults {
					if v.p.Module(f.Path) == nil {
						set.Facts = append(set.Facts, facts.Fact[T]{At: []court.Place{{Path: f.Path}}, Borrowed: true,
							Why: facts.Reason{Code: court.Unparsed, Text: "own code imports this file, and it was not read: " + court.Clean(f.Reason, 200)}})
					}
				}
			}
			set.Facts = append(set.Facts, others(v.foreignCode)...)
			return set, nil
		})
	}
}

// lies is where a node lies, as a fact of no value.
func (v *survey) lies(n code.Node) facts.Fact[struct{}] {
	f := facts.Fact[struct{}]{Answer: facts.Yes, At: places(n), Source: court.AST, Scope: n.Module().Scope, Live: facts.Yes, Borrowed: v.own != nil}
	f.Ships = v.used[n.Path()] && f.Scope != code.ScopeVendor
	if v.p.Dead(n) {
		f.Live = facts.No
	}
	return f
}

// lent tells a node in a file that the survey without what is imported has read.
func (v *survey) lent(n code.Node) bool { return v.own != nil && v.own.p.Module(n.Path()) != nil }

// The survey is a view of Python.
var _ facts.View[*code.Call, code.Node] = (*survey)(nil)

// Named are the calls that can run and that a table names.
func (v *survey) Named(question string, roles ...string) iter.Seq2[tables.Row, *code.Call] {
	return func(yield func(tables.Row, *code.Call) bool) {
		when := hazardous()
		for _, row := range tables.Of(question).Rows(python, roles...) {
			for _, c := range v.p.Calls(row.Names...) {
				if v.lent(c.Node) || v.p.Dead(c.Node) || c.Callee.Def != nil || row.When != "" && !when[row.When](v, c) {
					continue
				}
				if !yield(row, c) {
					return
				}
			}
		}
	}
}

// Input is the argument that a row means. A constant counts: it is told as a
// weaker trace.
func (v *survey) Input(row tables.Row, c *code.Call) (n code.Node, constant bool) {
	if row.Input == "receiver" {
		return c.Receiver, false
	}
	return c.Arg("", 0), false
}

// Flow is where what flows into an expression comes from.
func (v *survey) Flow(_ *code.Call, _ tables.Row, n code.Node) facts.Origin {
	return v.taint(n).origin()
}

// Lies is the name of a call, and where it lies.
func (v *survey) Lies(c *code.Call) (string, facts.Fact[struct{}]) {
	return c.Callee.Qualified, v.lies(c.Node)
}

// The other languages are a view, too.
var _ facts.View[syntax.Node, syntax.Node] = (*foreignCode)(nil)

// Named are the calls that a table names.
func (x *foreignCode) Named(question string, roles ...string) iter.Seq2[tables.Row, syntax.Node] {
	return func(yield func(tables.Row, syntax.Node) bool) {
		when, rows := threatening(), map[code.Language]tables.Table{}
		for _, c := range x.calls {
			lang := c.File().Language
			if rows[lang] == nil {
				rows[lang] = tables.Of(question).Rows(string(lang), roles...)
			}
			for _, row := range rows[lang] {
				if row.Matches(x.callee(c)) && (row.When == "" || when[row.When](x, c)) && !yield(row, c) {
					return
				}
			}
		}
	}
}

// Input is the argument that a row means.
func (x *foreignCode) Input(row tables.Row, c syntax.Node) (n syntax.Node, constant bool) {
	switch row.Input {
	case "statement":
		return n, false
	case "last":
		for n = range c.Children("arg") {
		}
	case "stream":
		n = streamOf(x, c)
	case "receiver":
		n = arg(x.written(c.Child("callee").Child("object")), 0)
	default:
		n = arg(c, 0)
	}
	return n, !n.Valid() || x.fixed(n)
}

// Flow is where what flows into an expression comes from; of a statement, what is
// put into its text.
func (x *foreignCode) Flow(c syntax.Node, row tables.Row, n syntax.Node) facts.Origin {
	if row.Input == "statement" {
		o, _ := x.statement(c)
		return o
	}
	return x.flow(n)
}

// Lies is the name of a call, and where it lies.
func (x *foreignCode) Lies(c syntax.Node) (string, facts.Fact[struct{}]) {
	full := x.callee(c)
	if full == "" || strings.HasPrefix(full, "./") {
		full = c.Child("callee").Name()
	}
	return full, lies(c)
}

// lies is where a node of another language lies, as a fact of no value.
func lies(n syntax.Node) facts.Fact[struct{}] {
	return facts.Fact[struct{}]{Answer: facts.Yes, At: places(n), Source: source(n), Scope: scopeAt(n), Live: facts.Yes}
}
