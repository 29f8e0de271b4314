package wiring

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/automaton-auditor/automaton/internal/agentgraph"
	"github.com/automaton-auditor/automaton/internal/il"
	"github.com/automaton-auditor/automaton/internal/il/analyse"
)

// kind says what a thing is.
type kind uint8

const (
	unknown  kind = iota // name says what it is, where that can be told
	constant             // lit
	text                 // parts: constants and things that are not known
	outside              // name: of another package, or of the language
	module               // symbol
	function             // fn, within the frame up
	class                // fn is its body, and frame what that has bound
	object               // obj
	bound                // name: a method of self
	partial              // self with args under names before the rest
	made                 // what a call of the outside thing name gives, from args under names
)

// thing is a value that a run may have. Things are not changed; objects are.
type thing struct {
	kind    kind
	lit     il.Const
	member  string // of an enumeration, whose value it is; of self, where it is not known
	each    string // of what it is one
	setting bool   // a constant of a module, which people edit
	parts   []*thing
	name    string
	usual   *thing // what a parameter is by default
	truth   bool   // it is true or false
	symbol  *analyse.Symbol
	fn      *il.Function
	up      *frame
	frame   *frame
	given   map[string]value // defaults of parameters
	self    *thing
	args    []value
	names   []string
	obj     *record
	at      place
	loops   []*turn // around a call that made it
}

// alt is what a value is under a condition.
type alt struct {
	*thing
	when cond
}

// value is what something may be. Conditions may overlap where nothing tells which.
type value []alt

func one(t *thing) value { return value{{t, always}} }

func constantOf(c il.Const) *thing { return &thing{kind: constant, lit: c} }

func textOf(s string) *thing { return constantOf(il.Const{Type: il.StrConst, Text: s}) }

func numberOf(n int) *thing {
	return constantOf(il.Const{Type: il.IntConst, Num: float64(n), Text: fmt.Sprint(n)})
}

func truthOf(b bool) *thing {
	c := il.Const{Type: il.BoolConst}
	if b {
		c.Num = 1
	}
	return constantOf(c)
}

func nothing() *thing { return constantOf(il.Const{}) }

// maxText bounds the texts, and maxItems the lists, that a run makes; maxName the names of
// what is not known.
const (
	maxText  = 4096
	maxItems = 4096
	maxName  = 400
)

func unknownOf(name string) *thing {
	if len(name) > maxName {
		name = ""
	}
	return &thing{kind: unknown, name: name}
}

// form says what a record is.
type form uint8

const (
	list form = iota
	table
	instance
	graph    // a builder
	compiled // what compile gives
)

// record is an object that a run changes.
type record struct {
	form    form
	items   []item
	open    bool // there may be more
	class   *thing
	fields  map[string]value
	built   *built
	depth   int // loops around where it was made
	changed int
}

// item is an element of a list, or an entry of a table.
type item struct {
	key, value value
	when       cond
	many       bool // any number of them
	at         *il.Instr
}

// str is a constant text.
func (t *thing) str() (string, bool) {
	return t.lit.Text, t.kind == constant && t.lit.Type == il.StrConst
}

func (t *thing) none() bool { return t.kind == constant && t.lit.Type == il.NoneConst }

// is tells an object of a form.
func (t *thing) is(f form) bool { return t.kind == object && t.obj.form == f }

// named tells an outside thing, or what a call of one made, by its last name, of a library.
func (t *thing) named(library string, names ...string) bool {
	if t.kind != outside && t.kind != made {
		return false
	}
	return strings.HasPrefix(t.name, library) && slices.Contains(names, last(t.name))
}

func last(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }

// terminal says which terminal a thing is: LangGraph's constants, also when they are
// imported from somewhere that is not known.
func (t *thing) terminal() string {
	if t.kind != outside {
		return ""
	}
	switch last(t.name) {
	case "START":
		return agentgraph.START
	case "END":
		return agentgraph.END
	}
	return ""
}

// key writes a thing so that those which are the same for sure are written the same;
// "" where that is not known.
func (t *thing) key() string {
	switch t.kind {
	case constant:
		return strconv.Itoa(int(t.lit.Type)) + ":" + t.lit.String()
	case unknown, made:
		return t.name
	case outside:
		if n := t.terminal(); n != "" {
			return strconv.Itoa(int(il.StrConst)) + ":" + strconv.Quote(n)
		}
		return "outside " + t.name
	case function, class:
		return fmt.Sprintf("function %p %p", t.fn, t.up)
	case object:
		return fmt.Sprintf("object %p", t.obj)
	case text:
		var out strings.Builder
		for _, p := range t.parts {
			k := p.key()
			if k == "" {
				return ""
			}
			out.WriteString("+" + k)
			if out.Len() > maxName {
				return ""
			}
		}
		return out.String()
	}
	return ""
}

// sure tells a thing of which all is known.
func (t *thing) sure() bool { return t.sureTo(4) }

func (t *thing) sureTo(depth int) bool {
	switch t.kind {
	case constant, outside, function, class, module:
		return true
	case object:
		return t.obj.form != list && t.obj.form != table || depth > 0 && !t.obj.open && !slices.ContainsFunc(t.obj.items, func(i item) bool {
			return i.when != always || i.many || len(i.value) != 1 || !i.value[0].sureTo(depth-1)
		})
	}
	return false
}

// holds is the truth of a thing in a condition.
func (t *thing) holds() agentgraph.Truth {
	switch t.kind {
	case constant:
		if t.lit.Type == il.StrConst {
			return agentgraph.Decided(t.lit.Text != "")
		}
		return agentgraph.Decided(t.lit.Type != il.NoneConst && t.lit.Num != 0)
	case function, class, module, bound, partial:
		return agentgraph.Yes
	case outside:
		switch {
		case t.name == "typing.TYPE_CHECKING":
			return agentgraph.No
		case t.terminal() != "":
			return agentgraph.Yes
		}
	case object:
		if t.obj.form != list && t.obj.form != table {
			return agentgraph.Yes
		}
		if len(t.obj.items) == 0 {
			if t.obj.open {
				return agentgraph.Unknown
			}
			return agentgraph.No
		}
		if slices.ContainsFunc(t.obj.items, func(i item) bool { return i.when == always && !i.many }) {
			return agentgraph.Yes
		}
	case text:
		for _, p := range t.parts {
			if p.kind == constant && p.holds() == agentgraph.Yes {
				return agentgraph.Yes
			}
		}
	default:
	}
	return agentgraph.Unknown
}

// same compares two things.
func same(a, b *thing) agentgraph.Truth {
	ka, kb := a.key(), b.key()
	if ka != "" && ka == kb {
		return agentgraph.Yes
	}
	if a.kind == outside && a.name == "?.__name__" && b.lit.Text == "__main__" {
		return agentgraph.Yes
	}
	if (a.kind == outside) != (b.kind == outside) && !a.none() && !b.none() && a.terminal()+b.terminal() == "" {
		return agentgraph.Unknown
	}
	if a.sure() && b.sure() || a.none() && b.kind != unknown && b.kind != made || b.none() && a.kind != unknown && a.kind != made {
		if a.is(list) && b.is(list) || a.is(table) && b.is(table) {
			return agentgraph.Unknown
		}
		return agentgraph.No
	}
	return agentgraph.Unknown
}

// contains tells whether a collection or text holds a thing.
func contains(in, t *thing) agentgraph.Truth {
	if whole, ok := in.str(); ok {
		if part, ok := t.str(); ok {
			return agentgraph.Decided(strings.Contains(whole, part))
		}
		return agentgraph.Unknown
	}
	if !in.is(list) && !in.is(table) {
		return agentgraph.Unknown
	}
	out := agentgraph.Decided(in.obj.open).Not()
	if in.obj.open {
		out = agentgraph.Unknown
	}
	for _, i := range in.obj.items {
		v := i.value
		if in.is(table) {
			v = i.key
		}
		for _, a := range v {
			s := same(a.thing, t)
			if s == agentgraph.Yes && len(v) == 1 && i.when == always && !i.many {
				return agentgraph.Yes
			}
			if s != agentgraph.No {
				out = agentgraph.Unknown
			}
		}
	}
	return out
}

// label is the name of a node as far as it is known.
type label struct {
	text    string
	pattern bool   // text has "*" for what is not known
	over    string // of a pattern that is "*" alone: what it is one each of, "" when not told
	when    cond
}

func (l label) known() bool { return l.text != "*" }

func (t *thing) label() label {
	if s, ok := t.str(); ok {
		return label{text: s}
	}
	if s := t.terminal(); s != "" {
		return label{text: s}
	}
	if t.kind == text {
		var b strings.Builder
		for _, p := range t.parts {
			if s, ok := p.str(); ok {
				b.WriteString(s)
			} else {
				b.WriteByte('*')
			}
		}
		if s := b.String(); strings.Trim(s, "*") != "" {
			return label{text: s, pattern: true}
		}
	}
	out := label{text: "*", pattern: true}
	if k := t.key(); strings.Contains(k, "each(") {
		out.over = k
	}
	return out
}

// labels are the names that a value may be.
func (x *machine) labels(v value) (out []label) {
	for _, a := range v {
		if a.none() {
			continue
		}
		l := a.label()
		if len(v) > 1 {
			l.over = ""
		}
		i := slices.IndexFunc(out, func(o label) bool { return o.text == l.text && o.over == l.over })
		if i >= 0 {
			out[i].when = x.or(out[i].when, a.when)
			continue
		}
		l.when = a.when
		out = append(out, l)
	}
	return out
}

// matchPattern reports whether a name fits a pattern of labels.
func matchPattern(pattern, name string) bool {
	parts := strings.Split(pattern, "*")
	if !strings.HasPrefix(name, parts[0]) || len(name) < len(pattern)-strings.Count(pattern, "*") {
		return false
	}
	rest := name[len(parts[0]):]
	for i, p := range parts[1:] {
		if i == len(parts)-2 {
			return strings.HasSuffix(rest, p)
		}
		at := strings.Index(rest, p)
		if at < 0 {
			return false
		}
		rest = rest[at+len(p):]
	}
	return rest == ""
}
