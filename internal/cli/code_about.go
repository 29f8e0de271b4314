package cli

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/automaton-auditor/automaton/internal/il"
	"github.com/automaton-auditor/automaton/internal/il/analyse"
)

// codeQuery asks the analyses about one function or variable.
type codeQuery struct {
	*analyse.Analyses
	values *analyse.Values
	reach  *analyse.Reach
}

// newCodeQuery takes the top level of every file, and every main function, for
// what a run may begin with.
func newCodeQuery(all *analyse.Analyses) *codeQuery {
	q := &codeQuery{Analyses: all, values: &analyse.Values{Names: all.Names}}
	var entries []*il.Function
	for f := range all.Program.All() {
		switch f.Name[strings.LastIndexByte(f.Name, '.')+1:] {
		case "", "main", "Main", "init":
			entries = append(entries, f)
		}
	}
	q.reach = analyse.ReachFrom(all.Names, q.values.Dead, entries...)
	return q
}

// function is what is asked of a function.
func (q *codeQuery) function(f *il.Function) []codeList {
	return []codeList{
		{"Where it is called or handed on", q.sites(f)},
		{"How a run gets to it from a main function or the top level of a file", q.reached(f)},
		{"What its handlers do with exceptions", q.handlers(f)},
		{"Conditions whose outcome is known", q.conditions(f)},
	}
}

func (q *codeQuery) sites(f *il.Function) []codeItem {
	out := []codeItem{}
	for _, s := range q.Names.Sites(f) {
		how := "handed on"
		if s.Call {
			how = "called"
		}
		out = append(out, codeItem{Says: how + " in " + cmp.Or(s.Function.Name, "the top level of the file"), Places: []string{s.Function.Place(s.At.Span).String()}})
	}
	return out
}

func (q *codeQuery) reached(f *il.Function) []codeItem {
	a := q.reach.Of(f)
	return []codeItem{{Says: a.Why, Answer: a.Is.String(), Places: allPlaces(a.Places)}}
}

func (q *codeQuery) handlers(f *il.Function) []codeItem {
	out := []codeItem{}
	for _, h := range q.Outcome.Handlers(f) {
		fate := [...]string{analyse.Handled: "is handled", analyse.Raised: "is raised again, or ends the program", analyse.Dropped: "is dropped"}[h.Fate]
		out = append(out, codeItem{Says: cmp.Or(strings.Join(q.Outcome.Catches(h), ", "), "any exception") + " " + fate, Places: []string{h.At.String()}})
	}
	return out
}

func (q *codeQuery) conditions(f *il.Function) []codeItem {
	out := []codeItem{}
	for _, c := range q.values.Conditions(f) {
		how := map[analyse.Tri]string{analyse.No: "is never %t", analyse.Yes: "can be %t", analyse.Unknown: "is %t only with another value of "}[c.Is]
		out = append(out, codeItem{Says: test(f, c.Test) + " " + fmt.Sprintf(how, c.Truth) + c.Flag, Answer: c.Is.String(), Places: allPlaces(c.Places)})
	}
	return out
}

// test is the condition of a branch as a listing writes its operands.
func test(f *il.Function, in *il.Instr) string {
	if len(in.Args) < 2 {
		return f.Show(in.Args[0])
	}
	return f.Show(in.Args[0]) + " " + in.Kind + " " + f.Show(in.Args[1])
}

func allPlaces(places []il.Place) []string {
	out := []string{}
	for _, p := range places {
		out = append(out, p.String())
	}
	return out
}

// versions is what is asked of each version of a variable.
func (q *codeQuery) versions(f *il.Function, variable string) (out []codeVersion) {
	stands := map[*il.Instr]bool{nil: true} // what nothing reads may have been left out
	for _, in := range f.Instructions() {
		stands[in] = true
	}
	for i, v := range f.Versions {
		if v.Var != variable || !stands[v.Def] {
			continue
		}
		o := il.Operand{Kind: il.Local, ID: int32(i)}
		x := codeVersion{Name: f.Show(o), Bound: f.Place(f.Span).String(), By: "a parameter", CanBe: shownValue(q.values.Of(f, o)), Read: []string{}}
		if v.Def != nil {
			x.Bound, x.By = f.Place(v.Def.Span).String(), f.Listing(v.Def)
		}
		for _, use := range v.Uses {
			x.Read = append(x.Read, fmt.Sprintf("%s  %s", f.Place(use.Span), f.Listing(use)))
		}
		x.About = []codeList{{"Where its value goes", q.goes(f, o)}}
		out = append(out, x)
	}
	return out
}

// arrival is an operand of a call of something outside of the program.
type arrival struct {
	f   *il.Function
	in  *il.Instr
	arg int
}

// mostArrivals bounds the calls that a value is followed to.
const mostArrivals = 40

// goes follows a value to the calls whose function is not of the program, and to
// what its own function gives back: each has a way of its own.
func (q *codeQuery) goes(f *il.Function, o il.Operand) []codeItem {
	found := map[arrival]bool{}
	flow := func(to func(arrival) bool) *analyse.Flow {
		return &analyse.Flow{Names: q.Names, Dead: q.values.Dead, To: func(g *il.Function, in *il.Instr, arg int) bool { return to(arrival{g, in, arg}) }}
	}
	survey := flow(func(a arrival) bool {
		if a.in.Op == il.Call && len(found) < mostArrivals {
			if s := q.Names.Operand(a.f, a.in.Args[0]); s == nil || s.Function == nil {
				found[a] = true
			}
		}
		return false
	})
	lost, returned := survey.Arrives(f, o), survey.Returned(f, o)
	out := []codeItem{}
	for _, a := range slices.SortedFunc(maps.Keys(found), func(a, b arrival) int {
		return cmp.Or(cmp.Compare(a.f.Module.Path, b.f.Module.Path), cmp.Compare(a.in.Span.From, b.in.Span.From), cmp.Compare(a.in.Dst, b.in.Dst), cmp.Compare(a.arg, b.arg))
	}) {
		out = append(out, goesTo(a.name(), flow(func(b arrival) bool { return a == b }).Arrives(f, o))...)
	}
	out = append(out, goesTo("what the function returns", returned)...)
	if lost.Is == analyse.Unknown {
		out = append(out, codeItem{Says: lost.Why, Answer: lost.Is.String(), Places: []string{}})
	}
	return out
}

// goesTo tells of a way; one that does not exist, or breaks, is not told here.
func goesTo(where string, a analyse.Answer) []codeItem {
	if len(a.Places) == 0 {
		return nil
	}
	return []codeItem{{Says: "to " + where, Answer: a.Is.String(), Places: allPlaces(a.Places)}}
}

func (a arrival) name() string {
	switch name := ""; {
	case a.arg == 0:
		return "the object of " + a.in.Kind
	default:
		if a.arg <= len(a.in.Names) {
			name = a.in.Names[a.arg-1]
		}
		return fmt.Sprintf("argument %s of %s", cmp.Or(name, strconv.Itoa(a.arg)), a.in.Kind)
	}
}

// shownValue is what an operand can be, in words.
func shownValue(v analyse.Value) string {
	var parts []string
	switch {
	case v.Empty():
		return "nothing: no run gets here"
	case v.Num.Lo <= v.Num.Hi:
		parts = append(parts, shownInterval(v.Num, v.Int))
	}
	for _, s := range v.Strs {
		parts = append(parts, strconv.Quote(s))
	}
	for _, p := range []struct {
		is   bool
		says string
	}{{v.AnyStr, "any text"}, {v.True, "true"}, {v.False, "false"}, {v.None, "none"}, {v.Other, "another object"}} {
		if p.is {
			parts = append(parts, p.says)
		}
	}
	if all := "any number, any text, true, false, none, another object"; strings.Join(parts, ", ") == all {
		return "anything"
	}
	return strings.Join(parts, ", ")
}

func shownInterval(i analyse.Interval, whole bool) string {
	if i.Lo == i.Hi {
		return strconv.FormatFloat(i.Lo, 'g', -1, 64)
	}
	number := "number"
	if whole {
		number = "whole number"
	}
	var ends []string
	if !math.IsInf(i.Lo, -1) {
		ends = append(ends, shownEnd(i.Lo, "at least ", "over ", math.Inf(-1)))
	}
	if !math.IsInf(i.Hi, 1) {
		ends = append(ends, shownEnd(i.Hi, "at most ", "under ", math.Inf(1)))
	}
	if len(ends) == 0 {
		return "any " + number
	}
	return "a " + number + " " + strings.Join(ends, " and ")
}

// shownEnd is an end of an interval. One that is excluded is the next number to it.
func shownEnd(v float64, included, excluded string, outward float64) string {
	own, next := strconv.FormatFloat(v, 'g', -1, 64), strconv.FormatFloat(math.Nextafter(v, outward), 'g', -1, 64)
	if len(next)+5 < len(own) {
		return excluded + next
	}
	return included + own
}
