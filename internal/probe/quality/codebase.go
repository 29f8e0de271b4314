package quality

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/code/syntax"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/il"
	"github.com/automaton-auditor/automaton/internal/il/intree"
	"github.com/automaton-auditor/automaton/internal/probe"
	"github.com/automaton-auditor/automaton/internal/safetext"
)

// codebase is the code of one scope as one of these probes sees it.
type codebase struct {
	p        *intree.Program
	modules  []*code.Module  // Python with a tree, in the order of paths
	others   *syntax.Program // the other languages; nil: nobody reads them
	files    []*syntax.File  // those of them with a tree that the probe understands, in the order of paths
	blank    []string        // paths of files in these languages without a byte
	coverage court.Fixed     // share of the scope's code, in bytes, that was read
	beside   string          // the languages that were not; "" when there are none
	read     []code.Language // those that were, Python first
}

// least is the share of a scope's code that must be read before these probes
// speak of the whole. A design choice: a few scripts beside a program in
// another language do not tell how the program is written.
const least court.Fixed = 2500

// every lists the languages beside Python that can be read.
var every = []code.Language{"go", "javascript", "typescript", "java", "rust"}

// look lays out the code of a scope in Python and the given languages. Where
// most of the code is in others the answer is that nothing is known.
func look(ctx context.Context, s *probe.Scene, scope string, languages ...code.Language) (*codebase, error) {
	p, err := s.Joined(ctx)
	if err != nil {
		return nil, err
	}
	files, err := s.Files(ctx)
	if err != nil {
		return nil, err
	}
	others, err := s.Syntax(ctx)
	if unable, ok := errors.AsType[*probe.Unable](err); err != nil && (!ok || unable.Reason != court.NoDetector) {
		return nil, err
	}
	return probe.Shared(s, fmt.Sprint("quality.codebase.", scope, languages), func() (*codebase, error) {
		return lay(p, others, files, scope, languages)
	})
}

func lay(p *intree.Program, others *syntax.Program, files []code.File, scope string, languages []code.Language) (*codebase, error) {
	d := &codebase{p: p, others: others}
	all, seen, lost, unread, read := 0, 0, 0, map[string]int{}, map[code.Language]bool{}
	for _, f := range files {
		if !within(scope, p.Layout.Scope(f.Path)) {
			continue
		}
		if m := p.Module(f.Path); m != nil {
			all, seen, read["python"] = all+m.Bytes, seen+min(m.Examined(), m.Bytes), true
			if m.Parsed && !m.Shadowed {
				d.modules = append(d.modules, m)
			}
			continue
		}
		if f.Bytes != nil && len(f.Bytes) == 0 && slices.Contains(languages, f.Language()) && !mayBeEmpty(path.Base(f.Path)) {
			d.blank = append(d.blank, f.Path)
		}
		name := foreignCode(f)
		if name == "" {
			continue
		}
		all += len(f.Bytes)
		x := d.understood(f.Path, languages)
		if x == nil || !x.Parsed {
			if unread[name] += len(f.Bytes); x != nil {
				lost += len(f.Bytes)
			}
			continue
		}
		seen, read[x.Language] = seen+min(x.Examined, x.Bytes), true
		d.files = append(d.files, x)
	}
	slices.SortFunc(d.files, func(a, b *syntax.File) int { return strings.Compare(a.Path, b.Path) })
	d.coverage = probe.Ratio(seen, all)
	d.beside = strings.Join(slices.Sorted(maps.Keys(unread)), ", ")
	for _, l := range append([]code.Language{"python"}, every...) {
		if read[l] {
			d.read = append(d.read, l)
		}
	}
	if all > 0 && d.coverage < least && probe.Ratio(seen+lost, all) >= least {
		return nil, &probe.Unable{Reason: court.Unparsed, Why: fmt.Sprintf("%d %% of the code could be read, and not files in %s", int(d.coverage)/100, d.beside)}
	}
	if all > 0 && d.coverage < least {
		return nil, &probe.Unable{Reason: court.NoDetector, Why: fmt.Sprintf("this is read in %s, which is %d %% of the code. The rest is in %s", d.named(), int(d.coverage)/100, orNone(d.beside))}
	}
	return d, nil
}

// mayBeEmpty tells the file of a folder, which stands for those beside it, and
// one that only declares.
func mayBeEmpty(base string) bool {
	return strings.HasPrefix(base, "index.") || base == "mod.rs" || strings.HasSuffix(base, ".d.ts")
}

// understood is the file at path, nil where it is of none of the languages.
func (d *codebase) understood(path string, languages []code.Language) *syntax.File {
	if d.others == nil {
		return nil
	}
	if f := d.others.File(path); f != nil && slices.Contains(languages, f.Language) {
		return f
	}
	return nil
}

func orNone(s string) string {
	if s == "" {
		return "files that could not be read"
	}
	return s
}

// foreignCode names the language of code that the Python model does not hold;
// "" for what is not a program.
func foreignCode(f code.File) string {
	switch lang := f.Language(); {
	case len(f.Bytes) == 0, lang == "python", lang == "sql", lang == "terraform":
		return ""
	case lang.Code():
		return string(lang)
	case lang == "" && bytes.HasPrefix(f.Bytes, []byte("#!")):
		return "scripts without an extension"
	}
	return ""
}

// within tells whether a check that asks with this scope looks at a file of
// that class.
func within(asked string, is code.Scope) bool {
	switch asked {
	case "all":
		return is != code.ScopeVendor && is != code.ScopeGenerated
	case "tests":
		return is == code.ScopeTest
	default:
		return is == code.ScopeProduction
	}
}

// functions lists the Python functions and methods that can run, nested ones
// included and lambdas left out.
func (d *codebase) functions() []*code.Definition {
	var out []*code.Definition
	for _, m := range d.modules {
		for _, f := range m.Definitions() {
			if f.IsFunction() && f.Kind != code.DefLambda && !d.p.Dead(f.Node) {
				out = append(out, f)
			}
		}
	}
	return out
}

// lowered are the functions of the files that the probe reads, without test cases that
// stand in a production file.
func (d *codebase) lowered(p *il.Program) iter.Seq[*il.Function] {
	own := map[string][]il.Span{}
	for _, m := range d.modules {
		own[m.Path] = nil
	}
	for _, f := range d.files {
		own[f.Path] = cases(f)
	}
	return func(yield func(*il.Function) bool) {
		for f := range p.All() {
			tests, ok := own[f.Module.Path]
			if ok && !slices.ContainsFunc(tests, func(t il.Span) bool { return f.Kind != il.Top && t.From <= f.Span.From && f.Span.To <= t.To }) && !yield(f) {
				return
			}
		}
	}
}

// cases are the stretches of test cases in a production file.
func cases(f *syntax.File) (out []il.Span) {
	if f.Scope != code.ScopeProduction {
		return nil
	}
	for n := range f.Root().Walk() {
		if n.Has(syntax.Test) {
			out = append(out, il.Span{From: uint32(n.Start()), To: uint32(n.End())})
		}
	}
	return out
}

// nodes are the nodes of a file. Test cases that stand in a production file, as
// Rust's do, are left out.
func nodes(f *syntax.File) iter.Seq[syntax.Node] {
	return func(yield func(syntax.Node) bool) {
		skip := -1
		for n := range f.Root().Walk() {
			if n.Start() < skip {
				continue
			}
			if n.Has(syntax.Test) && f.Scope == code.ScopeProduction {
				skip = n.End()
				continue
			}
			if !yield(n) {
				return
			}
		}
	}
}

// tally is what a probe counts: the instances, and those of them that are bad.
type tally struct {
	total int
	bad   []court.Place
}

func (t *tally) count(bad bool, at court.Place) {
	t.total++
	if bad {
		t.bad = append(t.bad, at)
	}
}

// judged is the finding of a probe that counts instances: which of them are
// bad, and of how many. what is a sentence about good and total, or about there
// being none; ask is what is to be done about the bad ones.
func (d *codebase) judged(bad []court.Place, total int, what, ask string) probe.Finding {
	if total == 0 {
		return probe.Nothing(d.coverage, d.source(), "%s", d.said(what))
	}
	if len(bad) == 0 {
		return probe.Clean(d.coverage, d.source(), "%s", d.said(what))
	}
	f := probe.Partly(probe.Ratio(total-len(bad), total), d.source(), bad, "%s", d.said(what))
	f.Coverage = d.coverage
	return f.DoAt(bad, ask+": %s.")
}

// python tells that nothing but Python was read.
func (d *codebase) python() bool { return len(d.files) == 0 }

// source is the weakest of what was read: Python and Go are read by grammars
// that know the whole language.
func (d *codebase) source() court.Source {
	for _, l := range d.read {
		if l.Level() != 'A' {
			return court.Structure
		}
	}
	return court.AST
}

// said adds to a sentence what was not read.
func (d *codebase) said(what string) string {
	if d.beside == "" {
		return what
	}
	return what + " Code in " + d.beside + " was not read."
}

// in says of which languages a sentence speaks, where it is not Python alone.
func (d *codebase) in() string {
	if len(d.files) == 0 {
		return ""
	}
	return " in " + d.named()
}

// named are the languages that were read.
func (d *codebase) named() string {
	var names []string
	for _, l := range d.read {
		names = append(names, map[code.Language]string{"python": "Python", "go": "Go", "javascript": "JavaScript", "typescript": "TypeScript", "java": "Java", "rust": "Rust"}[l])
	}
	return cmp.Or(safetext.List(names), "Python")
}

// noded is a node of any language, as far as its lines go.
type noded interface {
	Path() string
	Line() int
	EndLine() int
}

// place is the lines of a node, the first few of them.
func place(n noded, most int) court.Place {
	return court.Place{Path: n.Path(), Line: n.Line(), EndLine: min(n.EndLine(), n.Line()+most-1)}
}

// lies is the lines of a stretch of a function, the first few of them.
func lies(f *il.Function, at il.Span, most int) court.Place {
	p := f.Place(at)
	return court.Place{Path: p.Path, Line: p.Line, EndLine: min(p.EndLine, p.Line+most-1)}
}

// head is the lines of a definition up to its body.
func head(d *code.Definition) court.Place {
	return court.Place{Path: d.Module.Path, Line: d.Line(), EndLine: max(d.Line(), min(d.Body().Line()-1, d.Line()+9))}
}

// above is the lines of a function or class up to its body.
func above(n syntax.Node) court.Place {
	last := n.Line()
	if b := n.Child("body"); b.Valid() {
		last = b.Line() - 1
	}
	return court.Place{Path: n.Path(), Line: n.Line(), EndLine: max(n.Line(), min(last, n.Line()+9))}
}

// public tells a name that others may use.
func public(name string) bool { return !strings.HasPrefix(name, "_") }

// shown is a foreign word in a sentence.
func shown(s string) string { return fmt.Sprintf("%q", court.Clean(s, 120)) }
