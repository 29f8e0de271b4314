package facts

import (
	"iter"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/tables"
)

// View is code as facts ask of it, whatever model stands behind it: C is the
// model's call, N its expression. It is thin, so that it can go when one
// intermediate language takes the place of the models.
type View[C, N any] interface {
	// Named are the calls that are what a table has rows of, with their rows.
	Named(question string, roles ...string) iter.Seq2[tables.Row, C]
	// Input is the argument that a row means, and whether it is a constant; the
	// zero value where none is given.
	Input(row tables.Row, c C) (n N, constant bool)
	// Flow is where what flows into an expression comes from.
	Flow(c C, row tables.Row, n N) Origin
	// Lies is the name of what is called, and a fact of no value about where the
	// call lies.
	Lies(c C) (name string, f Fact[struct{}])
}

// With is a fact with a value in the place of another.
func With[T, O any](f Fact[O], value T) Fact[T] {
	return Fact[T]{Value: value, Answer: f.Answer, Why: f.Why, At: f.At, Source: f.Source, Live: f.Live, Scope: f.Scope, Ships: f.Ships, Borrowed: f.Borrowed}
}

// Dangers are the dangerous calls of a table.
func Dangers[C comparable, N any](v View[C, N]) (out []Fact[Dangerous]) {
	told := map[C]bool{}
	for row, c := range v.Named(tables.Danger) {
		if told[c] {
			continue
		}
		name, f := v.Lies(c)
		d := Dangerous{Kind: row.Role, Name: court.Clean(name, 80), Why: row.Why, From: Unclear,
			Severity: court.Severity(row.Severity), Certainty: court.Fixed(row.Certainty)}
		if row.Input != "" {
			n, constant := v.Input(row, c)
			if constant && !row.Constant {
				continue
			}
			d.Input, d.From = true, v.Flow(c, row, n)
		}
		told[c] = true
		out = append(out, With(f, d))
	}
	return out
}
