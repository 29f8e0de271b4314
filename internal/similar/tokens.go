package similar

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/code/syntax"
	"github.com/automaton-auditor/automaton/internal/likeness"
	"github.com/automaton-auditor/automaton/internal/probe"
)

// file is a file of code that counts: what a person wrote to run or to test.
type file struct {
	path  string
	text  func() string
	marks func() []likeness.Mark // nil: it could not be read
}

// read lists the files that count, by path. The trees are those that the probes ask; none is made anew.
func read(ctx context.Context, scene *probe.Scene) (list []file, err error) {
	python, err := scene.Python(ctx)
	if err = unable(err); err != nil {
		return nil, err
	}
	others, err := scene.Trees(ctx)
	if err = unable(err); err != nil {
		return nil, err
	}
	if python != nil {
		for _, m := range python.Modules {
			if counts(m.Scope) {
				list = append(list, ofPython(ctx, scene, m))
			}
		}
	}
	if others != nil {
		for _, f := range others.Files {
			if !counts(f.Scope) {
				continue
			}
			x := file{path: f.Path, text: f.Text}
			if f.Parsed {
				x.marks = func() []likeness.Mark { w := walker{}; w.tree(f.Root(), ""); return w.marks() }
			}
			list = append(list, x)
		}
	}
	slices.SortFunc(list, func(a, b file) int { return strings.Compare(a.path, b.path) })
	return list, nil
}

func counts(s code.Scope) bool { return s == code.ScopeProduction || s == code.ScopeTest }

// ofPython reads a module. The lines of a notebook are those of its file, which is therefore its text.
func ofPython(ctx context.Context, scene *probe.Scene, m *code.Module) file {
	x := file{path: m.Path, text: m.Text}
	if (code.File{Path: m.Path}).Language() == "notebook" {
		x.text = func() string {
			f, err := scene.Text(ctx, m.Path)
			if err != nil {
				return ""
			}
			text, _ := f.Text()
			return text
		}
	}
	if m.Parsed {
		x.marks = func() []likeness.Mark { w := walker{}; w.python(m.Root()); return w.marks() }
	}
	return x
}

// walker writes the nodes of a tree as tokens: for each a bracket, its type, what is below it, and a bracket. No name and
// no value is among them.
type walker struct {
	out  []likeness.Token
	sums map[string]uint64
	line int // of the last token; a tree may have nodes in another order than its text
	cuts []int
}

// cut ends a part: a function or class, or what stands between two. No fingerprint reaches from one part into the next, so
// that their order changes nothing.
func (w *walker) cut() { w.cuts = append(w.cuts, len(w.out)) }

// marks are the fingerprints of all parts.
func (w *walker) marks() (list []likeness.Mark) {
	from := 0
	for _, to := range append(w.cuts, len(w.out)) {
		for _, m := range likeness.Code.Winnow(w.out[from:to]) {
			m.At += from
			list = append(list, m)
		}
		from = to
	}
	return list
}

func (w *walker) open(kind string, line int) {
	sum, ok := w.sums[kind]
	if !ok {
		if w.sums == nil {
			w.sums = map[string]uint64{}
		}
		sum = likeness.Sum(kind)
		w.sums[kind] = sum
	}
	w.token(opening, line)
	w.token(sum, line)
}

func (w *walker) close(line int) { w.token(closing, line) }

func (w *walker) token(sum uint64, line int) {
	w.line = max(w.line, line)
	w.out = append(w.out, likeness.Token{Sum: sum, Line: w.line})
}

// The brackets' sums; those of no text, as no node's type is a sign.
const opening, closing = 1, 2

// python writes a node of a Python tree.
func (w *walker) python(n code.Node) {
	kind := n.Kind()
	switch kind {
	case "comment", "line_continuation", "import_statement", "import_from_statement", "future_import_statement",
		"string_start", "string_content", "string_end", "escape_sequence", "type_conversion":
		return
	case "expression_statement":
		if idle(n) {
			return
		}
	case "parenthesized_expression": // how an expression is laid out
		w.below(n)
		return
	case "string":
		if n.Parent().Is("concatenated_string") { // how a text is laid out
			w.below(n)
			return
		}
	case "concatenated_string":
		kind = "string"
	case "expression_list":
		kind = "tuple"
	case "tuple_pattern":
		kind = "pattern_list"
	}
	if !n.Named() || n.Broken() {
		return
	}
	part := n.Is("function_definition", "class_definition", "decorated_definition") && (n.Parent().Is("module") || n.Parent().Parent().Is("class_definition"))
	if part {
		w.cut()
	}
	w.open(kind, n.Line())
	w.below(n)
	w.close(n.EndLine())
	if part {
		w.cut()
	}
}

func (w *walker) below(n code.Node) {
	for c := range n.All() {
		w.python(c)
	}
}

// idle tells a statement that is only a text, as a docstring is.
func idle(n code.Node) bool {
	for c := range n.All() {
		if c.Named() && !c.Is("string", "concatenated_string", "comment") {
			return false
		}
	}
	return true
}

// tree writes a node of the common tree of other languages. role is that of the block around it, where the node stands
// alone in it: braces around one statement are its layout.
func (w *walker) tree(n syntax.Node, role string) {
	switch n.Kind() {
	case "", "import", "bind", "package", "broken":
		return
	case "string":
		if n.Parent().Is("template") {
			return
		}
	case "block":
		if only, ok := single(n); ok {
			w.tree(only, n.Role())
			return
		}
	}
	if role == "" {
		role = n.Role()
	}
	kind := role + " " + string(n.Kind())
	if n.Is("other") {
		kind += " " + n.Detail()
	}
	part := n.Is("func", "class") && (n.Parent().Is("file") || n.Role() == "member")
	if part {
		w.cut()
	}
	w.open(kind, n.Line())
	for c := range n.Children() {
		w.tree(c, "")
	}
	w.close(n.EndLine())
	if part {
		w.cut()
	}
}

func single(n syntax.Node) (only syntax.Node, ok bool) {
	for c := range n.Children() {
		if only.Valid() {
			return only, false
		}
		only = c
	}
	return only, only.Valid()
}

// errDamaged says that prints or sources were not written by this package.
var errDamaged = errors.New("not what this program wrote")
