package rubric

import (
	"cmp"
	"slices"
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/automaton-auditor/automaton/internal/court"
)

// kind is the JSON type of a value.
type kind string

const (
	anObject kind = "an object"
	aList    kind = "a list"
	aString  kind = "a string"
	aNumber  kind = "a number"
	aTruth   kind = "true or false"
	aNull    kind = "null"
)

// value is one JSON value and where it stands in the file.
type value struct {
	kind    kind
	at, end int    // byte offsets of the first byte and of the first one behind
	text    string // of a string its content, of a number or truth value its digits or word
	fields  []field
	items   []*value
	parent  *value
	name    string // key or index in the parent
}

// field is one member of an object.
type field struct {
	key   string
	at    int // byte offset of the key
	value *value
}

// get is the value of a key, nil when there is none.
func (v *value) get(key string) *value {
	if f := v.field(key); f != nil {
		return f.value
	}
	return nil
}

func (v *value) field(key string) *field {
	if v == nil {
		return nil
	}
	for i := range v.fields {
		if v.fields[i].key == key {
			return &v.fields[i]
		}
	}
	return nil
}

// first is the field of the first of these keys that the object has.
func (v *value) first(keys ...string) *field {
	for _, k := range keys {
		if f := v.field(k); f != nil {
			return f
		}
	}
	return nil
}

// sorted are the fields of an object by key, those named before all others:
// the order of keys in a file means nothing.
func (v *value) sorted(before ...string) []field {
	rank := func(key string) int {
		if i := slices.Index(before, key); i >= 0 {
			return i
		}
		return len(before)
	}
	return slices.SortedStableFunc(slices.Values(v.fields), func(a, b field) int {
		return cmp.Or(cmp.Compare(rank(a.key), rank(b.key)), cmp.Compare(a.key, b.key))
	})
}

// is tells whether v is the string s.
func (v *value) is(s string) bool { return v != nil && v.kind == aString && v.text == s }

// name is the key of a field, "" for none.
func (f *field) name() string {
	if f == nil {
		return ""
	}
	return f.key
}

// has tells whether v is an object with the key.
func (v *value) has(key string) bool { return v.get(key) != nil }

// pointer is the JSON pointer of v (RFC 6901).
func (v *value) pointer() string {
	var parts []string
	for ; v != nil && v.parent != nil; v = v.parent {
		parts = append(parts, "/"+strings.NewReplacer("~", "~0", "/", "~1").Replace(v.name))
	}
	var b strings.Builder
	for _, part := range slices.Backward(parts) {
		b.WriteString(part)
	}
	return b.String()
}

// number is the value of a JSON number in basis points.
func (v *value) number() (court.Fixed, error) { return court.ParseFixed(v.text) }

// document is a decoded rubric file: its text as UTF-8 without a mark, and the
// tree of its values.
type document struct {
	file  string
	text  []byte
	lines []int // byte offset where each line begins
	runes []int // code points before every chunk of chunk bytes
	root  *value
	notes []court.Note // of the decoding
	// anchors are where the text comes from, when it was made of YAML.
	anchors []cameFrom
}

// chunk is how many bytes are counted at once for a column: files can be one
// long line with many places to name.
const chunk = 1 << 10

func newDocument(file string, text []byte) *document {
	d := &document{file: file, text: text, lines: []int{0}}
	n := 0
	for i, c := range text {
		if i%chunk == 0 {
			d.runes = append(d.runes, n)
		}
		if utf8.RuneStart(c) {
			n++
		}
		if c == '\n' {
			d.lines = append(d.lines, i+1)
		}
	}
	d.runes = append(d.runes, n) // for the end of a text of whole chunks
	return d
}

// runesTo counts the code points before a byte offset.
func (d *document) runesTo(at int) int {
	i := at / chunk
	return d.runes[i] + utf8.RuneCount(d.text[min(i*chunk+d.rest(i*chunk), at):at])
}

// rest is how many bytes at a place belong to a code point that began before.
func (d *document) rest(at int) int {
	n := 0
	for at+n < len(d.text) && !utf8.RuneStart(d.text[at+n]) {
		n++
	}
	return n
}

// pos is the line and column of a byte offset.
func (d *document) pos(at int) court.Pos {
	at = min(max(at, 0), len(d.text))
	if len(d.anchors) > 0 {
		return d.origin(at)
	}
	line := sort.SearchInts(d.lines, at+1) - 1
	return court.Pos{Line: line + 1, Col: d.runesTo(at) - d.runesTo(d.lines[line]) + 1}
}

// raw is the text of a value exactly as it stands in the file.
func (d *document) raw(v *value) []byte { return d.text[v.at:v.end] }

// fail is an error at a byte offset.
func (d *document) fail(at int, code, msg string) *Error {
	p := d.pos(at)
	return &Error{File: d.file, Line: p.Line, Col: p.Col, Code: code, Msg: msg, at: at}
}

// refuse is the errors sorted, cut and with their pointers; nil for none.
func (d *document) refuse(errs Errors) error {
	if len(errs) == 0 {
		return nil
	}
	out := errs.worst()
	for _, e := range out {
		if e.Pointer == "" {
			e.Pointer = d.pointerAt(e.at)
		}
	}
	return out
}

// pointerAt is the pointer of the innermost value at a place; a key stands for
// its value.
func (d *document) pointerAt(at int) string {
	v := d.root
	for v != nil {
		inner := (*value)(nil)
		for _, f := range v.fields {
			if f.at <= at && at < f.value.end {
				inner = f.value
			}
		}
		for _, item := range v.items {
			if item.at <= at && at < item.end {
				inner = item
			}
		}
		if inner == nil {
			return v.pointer()
		}
		v = inner
	}
	return ""
}
