// Package lower turns the tree that every language is read into (package
// syntax) into the intermediate language: one lowering for all of them, so that
// a language costs a reader and a row of the table in language.go.
//
// Short-circuit operators, conditional expressions, comparisons in a chain and
// assertions become branches, so that each branch tests one comparison or the
// truth of one value. A change of an object (x.a = v, x[k] = v, x.append(v)) binds x
// anew. Comprehensions are loops. A finally block stands once, with an edge to
// everything that may follow it; each statement of a try block may go on at the
// handlers.
//
// Not lowered, and so Unknown or without effect: what macros expand to, code in
// strings, the protocol methods behind operators, labels (a break to one may
// leave any loop around it), goto, the order in which deferred calls run, and
// context managers that swallow exceptions but for those of suppress.
package lower

import (
	"strconv"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code/syntax"
	"github.com/automaton-auditor/automaton/internal/il"
)

// maxInstrs bounds one module: what lies behind is Unknown. Finish adds to it.
const maxInstrs = 1 << 19

// Module lowers a file. One without a tree gives an empty module that is damaged; the error
// is a fault of the lowering.
func Module(f *syntax.File) (*il.Module, error) {
	m := &il.Module{Path: f.Path, Language: string(f.Language), Damaged: !f.Parsed, Lines: f.Starts()}
	l := &lowering{m: m, language: languageOf(string(f.Language)), consts: map[il.Const]int32{}, words: map[string]int32{}}
	root := f.Root()
	b := l.body(nil, "", il.Top, root)
	m.Top = b.f
	if root.Valid() {
		m.Damaged = root.Has(syntax.Broken)
		b.hoist(root)
		b.statements(root.Children())
		b.exports(root)
	}
	b.finish(root)
	return m, m.Complete()
}

// lowering is the state of one file.
type lowering struct {
	m        *il.Module
	language language
	consts   map[il.Const]int32
	words    map[string]int32
	instrs   int
}

func (l *lowering) constant(c il.Const) il.Operand {
	i, ok := l.consts[c]
	if !ok {
		i = int32(len(l.m.Consts))
		l.consts[c], l.m.Consts = i, append(l.m.Consts, c)
	}
	return il.Operand{Kind: il.Constant, ID: i}
}

func (l *lowering) none() il.Operand { return l.constant(il.Const{}) }

func (l *lowering) text(s string) il.Operand {
	return l.constant(il.Const{Type: il.StrConst, Text: s})
}

func (l *lowering) truth(is bool) il.Operand {
	c := il.Const{Type: il.BoolConst}
	if is {
		c.Num = 1
	}
	return l.constant(c)
}

func (l *lowering) free(name string) il.Operand {
	i, ok := l.words[name]
	if !ok {
		i = int32(len(l.m.Words))
		l.words[name], l.m.Words = i, append(l.m.Words, name)
	}
	return il.Operand{Kind: il.Free, ID: i}
}

// number is the operand of a number as it is written, with the digit separators
// and the suffixes of the languages; Opaque where it is none that fits.
func (l *lowering) number(text string) il.Operand {
	t := strings.ReplaceAll(strings.ToLower(text), "_", "")
	if !strings.HasPrefix(t, "0x") {
		for _, suffix := range l.language.suffixes {
			if cut := strings.TrimSuffix(t, suffix); cut != t && cut != "" {
				t = cut
				break
			}
		}
	}
	if i, err := strconv.ParseInt(t, 0, 54); err == nil {
		return l.constant(il.Const{Type: il.IntConst, Num: float64(i), Text: t})
	}
	if v, err := strconv.ParseFloat(t, 64); err == nil {
		return l.constant(il.Const{Type: il.FloatConst, Num: v, Text: t})
	}
	return il.Operand{}
}

// maxConst is where the tree cuts a string: one that is as long may have been
// longer, and its value is not known.
const maxConst = 4000

// str is the operand of a constant string.
func (l *lowering) str(n syntax.Node) il.Operand {
	if len(n.Name()) >= maxConst {
		return il.Operand{}
	}
	return l.text(n.Name())
}

func span(n syntax.Node) il.Span { return il.Span{From: uint32(n.Start()), To: uint32(n.End())} }
