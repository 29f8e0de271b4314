package court

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// Canonical is v as JSON with sorted keys, no white space and nothing escaped
// that need not be: equal data gives equal bytes.
func Canonical(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, fmt.Errorf("encoding canonical JSON: %w", err)
	}
	c := canon{in: b.Bytes(), out: make([]byte, 0, b.Len())}
	if err := c.value(); err != nil {
		return nil, fmt.Errorf("encoding canonical JSON: %w", err)
	}
	return c.out, nil
}

// canon copies compact JSON and sorts the members of its objects. The encoder
// has checked the text, so that nothing in it is out of place.
type canon struct {
	in  []byte // what is not yet copied
	out []byte
}

// value copies the value that the input begins with.
func (c *canon) value() error {
	switch c.in[0] {
	case '{':
		return c.object()
	case '[':
		return c.list('[', ']', c.value)
	case '"':
		s, err := c.text()
		c.out = append(c.out, s...)
		return err
	}
	n := bytes.IndexAny(c.in, ",]}\n")
	c.out, c.in = append(c.out, c.in[:n]...), c.in[n:]
	return nil
}

// list copies what stands between two brackets.
func (c *canon) list(from, to byte, each func() error) error {
	c.out = append(c.out, from)
	for c.in = c.in[1:]; c.in[0] != to; {
		if c.in[0] == ',' {
			c.in = c.in[1:]
			c.out = append(c.out, ',')
		}
		if err := each(); err != nil {
			return err
		}
	}
	c.in, c.out = c.in[1:], append(c.out, to)
	return nil
}

// member is a key of an object and the copy of both it and its value.
type member struct {
	key        string
	start, end int
}

// object copies an object. Of members with one key the last one counts, as
// everywhere in this program.
func (c *canon) object() error {
	var all []member
	begin := len(c.out) + 1
	err := c.list('{', '}', func() error {
		start := len(c.out)
		key, err := c.text()
		if err != nil {
			return err
		}
		name := string(key[1 : len(key)-1])
		if strings.Contains(name, `\`) {
			if err := json.Unmarshal(key, &name); err != nil {
				return err
			}
		}
		c.in = c.in[1:] // the colon
		c.out = append(append(c.out, key...), ':')
		err = c.value()
		all = append(all, member{name, start, len(c.out)})
		return err
	})
	if err != nil || slices.IsSortedFunc(all, func(a, b member) int { return cmp.Or(cmp.Compare(a.key, b.key), -1) }) {
		return err
	}
	slices.SortStableFunc(all, func(a, b member) int { return cmp.Compare(a.key, b.key) })
	was := bytes.Clone(c.out[begin:])
	c.out = c.out[:begin]
	for i, m := range all {
		if i+1 < len(all) && all[i+1].key == m.key {
			continue
		}
		c.out = append(append(c.out, was[m.start-begin:m.end-begin]...), ',')
	}
	c.out[len(c.out)-1] = '}'
	return nil
}

// text takes a string off the input, escaped as little as can be: one that was
// given as raw JSON may be escaped in any way.
func (c *canon) text() ([]byte, error) {
	n, escaped := 1, false
	for ; c.in[n] != '"'; n++ {
		if c.in[n] == '\\' {
			n, escaped = n+1, true
		}
	}
	raw := c.in[:n+1]
	c.in = c.in[n+1:]
	if !escaped && utf8.Valid(raw) {
		return raw, nil
	}
	var s string
	if err := json.Unmarshal(raw, &s); err != nil {
		return nil, err
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(s)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}
