package analyse

import (
	"strconv"
	"strings"

	"github.com/automaton-auditor/automaton/internal/il"
)

// path is the keys under which a value lies in an object, the outermost first, each
// with a zero byte behind it; "" is the object itself. A position in a list is its
// number behind "#", and anyKey a key that is not known.
type path string

const (
	anyKey  = "*"
	eachKey = "**" // what a loop goes over: an element, or a key of a map of Python
	maxKeys = 3
)

func (p path) split() (head string, rest path) {
	h, r, _ := strings.Cut(string(p), "\x00")
	return h, path(r)
}

// under is the path of what lies at p, seen from an object that holds the whole
// under key. Where it is too deep the last key is forgotten, and exact is false.
func (p path) under(key string) (out path, exact bool) {
	out = path(key+"\x00") + p
	if strings.Count(string(out), "\x00") <= maxKeys {
		return out, true
	}
	parts := strings.SplitN(string(out), "\x00", maxKeys)
	return path(strings.Join(parts[:maxKeys-1], "\x00") + "\x00" + anyKey + "\x00"), false
}

// loose is the path when positions do not say anything any more.
func (p path) loose() path {
	head, rest := p.split()
	if strings.HasPrefix(head, "#") {
		out, _ := rest.under(anyKey)
		return out
	}
	return p
}

// keyOf is the key that an operand is; known is false where it is no constant.
func keyOf(f *il.Function, o il.Operand) (key string, known bool) {
	c, ok := f.Const(f.Root(o))
	switch {
	case !ok || c.Type == il.NoneConst:
		return anyKey, false
	case c.Type == il.StrConst:
		if nameKey(c.Text) != c.Text {
			return anyKey, false // in some languages that is the number
		}
		return c.Text, true
	case c.Num >= 0:
		return "#" + strconv.Itoa(int(c.Num)), true
	}
	return anyKey, false // a position from the end
}

// nameKey is the key that the name of a part stands for: what is written as a number
// is one, or the text of one.
func nameKey(name string) string {
	if name == "" || !strings.ContainsAny(name[:1], "+-0123456789") { // most names: no error is made of them
		return name
	}
	if n, err := strconv.Atoi(name); err == nil && n >= 0 {
		return "#" + strconv.Itoa(n)
	}
	return name
}

// ordered tells a key that is a place in a list.
func isPlace(head string) bool { return head == anyKey || strings.HasPrefix(head, "#") }
