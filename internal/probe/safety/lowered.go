package safety

import (
	"context"
	"iter"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/code/syntax"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/facts"
	"github.com/automaton-auditor/automaton/internal/il"
	"github.com/automaton-auditor/automaton/internal/il/analyse"
	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
	"github.com/automaton-auditor/automaton/internal/probe"
	"github.com/automaton-auditor/automaton/internal/tables"
)

// lowered is the code of all languages as the questions about values see it.
type lowered struct {
	*analyse.Analyses
	values   *analyse.Values
	origins  *analyse.Origins
	survey   *survey
	wired    map[string]bool // "path:line" of functions that the graph's nodes may run
	live     map[string]bool // the same of the entry points
	asked    map[question]any
	store    map[string][]operand
	judged   map[string]*judged
	starts   [][]*started
	carrying bool // a function that starts a process is a value somewhere
	cloning  *cloning
	removes  []remover
	own      *lowered // of what production code imports besides: the one without it
}

// valuesOf are the facts of one kind in every language, read once per case: of the
// code that a check may ask about, and of what production code imports besides.
func valuesOf[T any](key string, read func(*lowered) []facts.Fact[T]) func(context.Context, *probe.Scene) (*facts.Set[T], error) {
	return func(ctx context.Context, s *probe.Scene) (*facts.Set[T], error) {
		v, err := look(ctx, s)
		if err != nil {
			return nil, err
		}
		x, err := lowerAll(ctx, s, v)
		if err != nil {
			return nil, err
		}
		return probe.Shared(s, key, func() (*facts.Set[T], error) {
			set := seen[T](v)
			x.Lock()
			set.Facts = append(read(x), beyond[T](x)...)
			x.Unlock()
			if v.more == nil {
				return set, nil
			}
			more, err := lowerMore(ctx, s, v, x)
			if err != nil {
				return nil, err
			}
			more.Lock()
			set.Facts = append(append(set.Facts, read(more)...), beyond[T](more)...)
			more.Unlock()
			set.Facts = append(set.Facts, unreadImports[T](v)...)
			return set, nil
		})
	}
}

// unreadImports are the files that own code imports and that could not be read.
func unreadImports[T any](v *survey) (out []facts.Fact[T]) {
	for _, f := range v.more.p.Faults {
		if v.p.Module(f.Path) == nil {
			out = append(out, facts.Fact[T]{At: []court.Place{{Path: f.Path}}, Borrowed: true,
				Why: facts.Reason{Code: court.Unparsed, Text: "own code imports this file, and it was not read: " + court.Clean(f.Reason, 200)}})
		}
	}
	return out
}

// beyond are the functions that were left out because a bound was reached: what they do is not known.
func beyond[T any](x *lowered) (out []facts.Fact[T]) {
	for f := range x.functions() {
		if f.Beyond() {
			fact := facts.With(x.lies(f, f.Span), *new(T))
			fact.Answer, fact.Why = facts.Unknown, facts.Reason{Code: court.Limit, Text: "what this function does is not known: " + f.Lost}
			out = append(out, fact)
		}
	}
	return out
}

func lowerAll(ctx context.Context, s *probe.Scene, v *survey) (*lowered, error) {
	all, err := s.Analyses(ctx)
	if err != nil {
		return nil, err
	}
	return probe.Shared(s, "safety.lowered", func() (*lowered, error) { return newLowered(all, v), nil })
}

// lowerMore is the code with what production code imports from elsewhere.
func lowerMore(ctx context.Context, s *probe.Scene, v *survey, own *lowered) (*lowered, error) {
	all, _, err := s.ShippedAnalyses(ctx)
	if err != nil {
		return nil, err
	}
	return probe.Shared(s, "safety.lowered.more", func() (*lowered, error) {
		x := newLowered(all, v.more)
		x.own, x.wired = own, own.wired
		return x, nil
	})
}

func newLowered(all *analyse.Analyses, v *survey) *lowered {
	x := &lowered{Analyses: all, values: all.Values, survey: v, wired: map[string]bool{}, live: map[string]bool{}, judged: map[string]*judged{},
		asked: map[question]any{}}
	x.origins = &analyse.Origins{Names: all.Names, Ends: x.ends, Through: x.handsOn, Fills: fills, Counts: x.counts}
	for d := range maps.Keys(v.wired) {
		x.wired[d.Module.Path+":"+strconv.Itoa(decorated(d).Line())] = true
	}
	for d := range maps.Keys(v.live) {
		x.live[d.Module.Path+":"+strconv.Itoa(decorated(d).Line())] = true
	}
	return x
}

// decorated is a definition with its decorators, where a function begins here.
func decorated(d *code.Definition) code.Node {
	if around := d.Node.Parent(); around.Is("decorated_definition") {
		return around
	}
	return d.Node
}

// rank orders code by how surely it runs: wired into the graph, reachable from an entry
// point, neither.
func (x *lowered) rank(f *il.Function) int {
	switch at := lineOf(f); {
	case f.Kind == il.Top:
		if m := x.survey.p.Module(f.Module.Path); m != nil {
			return x.survey.rank(m.Body())
		}
	case x.wired[at]:
		return 0
	case x.live[at]:
		return 1
	}
	return 2
}

// lineOf is where a function begins.
func lineOf(f *il.Function) string {
	p := f.Place(f.Span)
	return p.Path + ":" + strconv.Itoa(p.Line)
}

// workshop are files that build and serve the project's own work and are no
// part of what it ships.
var workshop = regexp.MustCompile(`(?i)(^|/)(scripts?|hack|build-?tools|buildsrc|\.github|\.circleci|ci|bench(es|mark|marks)?|tools?/build|config)/|` +
	`(^|/)(build\.rs|magefile\.go|g(ulp|runt)file(\.babel)?\.[cm]?[jt]s|[^/]*\.config\.[cm]?[jt]s|karma\.conf\.js|make\.[jt]s)$`)

// scope is the scope class by which a place is judged.
func (x *lowered) scope(path string, at int) code.Scope {
	if m := x.survey.p.Module(path); m != nil {
		return m.Scope
	}
	file := x.survey.trees.File(path)
	if file == nil || file.Scope != code.ScopeProduction {
		return x.survey.p.Layout.Scope(path)
	}
	j := x.judged[path]
	if j == nil {
		j = &judged{rest: file.Scope}
		if workshop.MatchString(path) {
			j.rest = code.ScopeOther
		}
		for n := range file.Root().Walk() {
			if n.Has(syntax.Test) {
				j.tests = append(j.tests, [2]int{n.Start(), n.End()})
			}
		}
		x.judged[path] = j
	}
	if slices.ContainsFunc(j.tests, func(t [2]int) bool { return t[0] <= at && at < t[1] }) {
		return code.ScopeTest
	}
	return j.rest
}

// judged is a file of production code: where its tests stand, and the scope class of the rest.
type judged struct {
	tests [][2]int
	rest  code.Scope
}

func (x *lowered) production(f *il.Function) bool {
	return x.scope(f.Module.Path, int(f.Span.From)) == code.ScopeProduction
}

// counts tells a call that fills a parameter in the product: those of tests, examples
// and documents do not where the function is the product's own.
func (x *lowered) counts(s analyse.Site) bool {
	return x.production(s.Function)
}

// lies is where an instruction lies, as a fact of no value.
func (x *lowered) lies(f *il.Function, at il.Span) facts.Fact[struct{}] {
	out := facts.Fact[struct{}]{Answer: facts.Yes, At: []court.Place{shownAt(f, at)}, Source: court.Structure, Scope: x.scope(f.Module.Path, int(at.From)), Live: facts.Yes, Borrowed: x.own != nil}
	if f.Module.Language == python || f.Module.Language == "go" {
		out.Source = court.AST
	}
	out.Ships = x.survey.used[f.Module.Path] && out.Scope != code.ScopeVendor
	return out
}

// shownAt is a place of at most ten lines.
func shownAt(f *il.Function, at il.Span) court.Place {
	p := f.Place(at)
	return court.Place{Path: p.Path, Line: p.Line, EndLine: min(p.EndLine, p.Line+9)}
}

// functions are those of the code that is asked about: without C#, which no table
// knows, and, of what is imported besides, without what was asked before.
func (x *lowered) functions() iter.Seq[*il.Function] {
	return func(yield func(*il.Function) bool) {
		for f := range x.Program.All() {
			if x.own != nil && x.own.survey.p.Module(f.Module.Path) != nil || x.own != nil && f.Module.Language != python {
				continue
			}
			if !yield(f) {
				return
			}
		}
	}
}

// call is a call of something outside of the program.
type call struct {
	f    *il.Function
	in   *il.Instr
	name string // the full name, else as it is written
}

// calls are those of functions that are not the program's own.
func (x *lowered) calls() iter.Seq[call] {
	return func(yield func(call) bool) {
		for f := range x.functions() {
			for _, in := range f.Instructions() {
				if in.Op != il.Call {
					continue
				}
				if name, ok := x.callee(f, in); ok && !yield(call{f, in, name}) {
					return
				}
			}
		}
	}
}

// callee is the full name of what a call calls outside of the program, else as it
// is written; false for a function of the program.
func (x *lowered) callee(f *il.Function, in *il.Instr) (string, bool) {
	switch s := x.Names.Operand(f, in.Args[0]); {
	case s == nil || s.Outside == "" && s.Function == nil && s.Modules == nil || s.Outside == "util.promisify()":
		if name := x.promisified(f, in.Args[0]); name != "" {
			return name, true
		}
	case s.Outside != "":
		name, _ := s.Full()
		return name, true
	case s.Function != nil || s.Modules != nil:
		return "", false
	}
	if strings.Contains(in.Kind, ".") {
		return in.Kind, true
	}
	return "", true
}

// promisified is the name of the function that promisify was given.
func (x *lowered) promisified(f *il.Function, o il.Operand) string {
	if o = f.Root(o); o.Kind == il.Free {
		g, v, ok := x.Names.Binding(f, f.Word(o))
		if !ok {
			return ""
		}
		f, o = g, g.Root(v)
	}
	def := f.Def(o)
	if def == nil || def.Op != il.Call || last(def.Kind) != "promisify" || len(def.Args) < 2 {
		return ""
	}
	if s := x.Names.Operand(f, def.Args[1]); s != nil {
		return s.Outside
	}
	return ""
}

// named are the calls that a table names, each with the first row that fits.
func (x *lowered) named(question string, roles ...string) iter.Seq2[tables.Row, call] {
	return func(yield func(tables.Row, call) bool) {
		rows := map[string]tables.Table{}
		for c := range x.calls() {
			lang := c.f.Module.Language
			if rows[lang] == nil {
				rows[lang] = append(tables.Of(question).Rows(lang, roles...), tables.Row{})
			}
			for _, row := range rows[lang] {
				if row.Role != "" && row.Matches(c.name) && (row.When == "" || conditions()[row.When](x, c)) {
					if !yield(row, c) {
						return
					}
					break
				}
			}
		}
	}
}

// argument is an argument of a call: its name, "*" or "**" of what is spread.
type argument struct {
	name string
	operand
}

// arguments are those of a call, behind some operands.
func (c call) arguments(behind int) (out []argument) {
	for i, o := range c.in.Args[1+behind:] {
		out = append(out, argument{c.in.Names[behind+i], operand{f: c.f, o: o, use: c.in}})
	}
	return out
}

// spreads tells a call that hands over arguments that are not written out.
func (c call) spreads() bool {
	return slices.ContainsFunc(c.in.Names, func(n string) bool { return n == "*" || n == "**" })
}

// receiver is the object whose method a call calls.
func (c call) receiver() (il.Operand, bool) {
	get := c.f.Def(c.f.Root(c.in.Args[0]))
	if get == nil || get.Op != il.Get || get.Kind != "attr" {
		return il.Operand{}, false
	}
	return get.Args[0], true
}

// method is the last part of the name of what is called.
func (c call) method() string { return last(c.in.Kind) }

// constant tells an operand that is all constant.
func (x *lowered) constant(f *il.Function, o il.Operand, use *il.Instr) bool {
	for _, from := range x.origins.Of(f, o, use) {
		if from.Kind != analyse.FromConst {
			return false
		}
	}
	return true
}
