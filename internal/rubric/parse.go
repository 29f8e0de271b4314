package rubric

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/automaton-auditor/automaton/internal/court"
)

// Limits of a rubric file: a design choice.
const (
	maxDepth  = 64
	maxText   = 64 << 10 // bytes of one string
	maxValues = 100_000  // values in a file: 4 MiB of empty lists must not cost hundreds of MiB
)

// parser builds the tree of a document from tokens.
type parser struct {
	doc   *document
	dec   *jsontext.Decoder
	count int
	errs  Errors
}

// errStop ends parsing where an error is already noted.
var errStop = errors.New("stopped")

// parse reads the text of d as one strict JSON value.
func parse(d *document) error {
	if len(bytes.TrimSpace(d.text)) == 0 {
		return Errors{d.fail(0, "empty", "the file is empty")}
	}
	if d.isYAML() {
		made, err := d.fromYAML()
		if err != nil {
			return err
		}
		*d = *made
	}
	p := &parser{doc: d, dec: jsontext.NewDecoder(bytes.NewReader(d.text), jsontext.AllowDuplicateNames(true))}
	root, err := p.value(nil, "", 1)
	if err == nil {
		err = p.end()
	}
	if err != nil && !errors.Is(err, errStop) {
		e := d.syntax(err)
		if cause, ok := errors.AsType[*jsontext.SyntacticError](err); ok {
			e.Pointer = string(cause.JSONPointer)
		}
		p.errs = append(p.errs, e)
	}
	d.root = root
	return d.refuse(p.errs)
}

// next is the following token and the offset where it begins.
func (p *parser) next() (jsontext.Token, int, error) {
	at := int(p.dec.InputOffset())
	for at < len(p.doc.text) && strings.IndexByte(" \t\r\n,:", p.doc.text[at]) >= 0 {
		at++
	}
	tok, err := p.dec.ReadToken()
	return tok, at, err
}

// end makes sure that nothing follows the value.
func (p *parser) end() error {
	_, at, err := p.next()
	if err == nil {
		p.errs = append(p.errs, p.doc.fail(at, "syntax", "text behind the end of the rubric"))
		return errStop
	}
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

func (p *parser) value(parent *value, name string, depth int) (*value, error) {
	tok, at, err := p.next()
	if err != nil {
		return nil, err
	}
	v := &value{at: at, parent: parent, name: name}
	if p.count++; p.count > maxValues {
		return nil, p.stop(at, "too-many", fmt.Sprintf("more than %d values", maxValues))
	}
	if depth > maxDepth {
		return nil, p.stop(at, "depth", fmt.Sprintf("nested more than %d deep", maxDepth))
	}
	switch tok.Kind() {
	case '{':
		v.kind, err = anObject, p.members(v, depth)
	case '[':
		v.kind, err = aList, p.elements(v, depth)
	case '"':
		v.kind, v.text = aString, tok.String()
		if len(v.text) > maxText {
			p.add(p.doc.fail(at, "too-many", fmt.Sprintf("a string of %d bytes; the limit is %d", len(v.text), maxText)))
		}
	case '0':
		v.kind, v.text = aNumber, tok.String()
	case 'n':
		v.kind = aNull
	default:
		v.kind, v.text = aTruth, tok.String()
	}
	v.end = int(p.dec.InputOffset())
	return v, err
}

func (p *parser) add(e *Error) {
	if len(p.errs) < maxCollected {
		p.errs = append(p.errs, e)
	}
}

func (p *parser) stop(at int, code, msg string) error {
	p.errs = append(p.errs, p.doc.fail(at, code, msg))
	return errStop
}

func (p *parser) elements(v *value, depth int) error {
	for p.dec.PeekKind() != ']' {
		item, err := p.value(v, strconv.Itoa(len(v.items)), depth+1)
		if err != nil {
			return err
		}
		v.items = append(v.items, item)
	}
	_, _, err := p.next()
	return err
}

func (p *parser) members(v *value, depth int) error {
	seen := map[string]int{}
	for p.dec.PeekKind() != '}' {
		tok, at, err := p.next()
		if err != nil {
			return err
		}
		key := tok.String()
		if first, ok := seen[key]; ok {
			was := p.doc.pos(first)
			e := p.doc.fail(at, "duplicate-key", fmt.Sprintf("key %q stands here again, first at %d:%d", court.Clean(key, 80), was.Line, was.Col))
			e.Pointer = v.pointer()
			p.add(e)
		} else {
			seen[key] = at
		}
		child, err := p.value(v, key, depth+1)
		if err != nil {
			return err
		}
		v.fields = append(v.fields, field{key: key, at: at, value: child})
	}
	_, _, err := p.next()
	return err
}

// syntax says where the text stops being JSON, and what stands there.
func (d *document) syntax(err error) *Error {
	at, cause := len(d.text), err
	if e, ok := errors.AsType[*jsontext.SyntacticError](err); ok {
		at, cause = int(e.ByteOffset), e.Err
	}
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) || at >= len(d.text) {
		return d.fail(len(d.text), "syntax", "the file ends in the middle of a value")
	}
	rest := d.text[at:]
	if c := rest[0]; c < 0x20 && strings.Contains(cause.Error(), "in string") {
		return d.fail(at, "control-character", fmt.Sprintf("control character %U inside a string; write it as %s", c, escapeOf(c)))
	}
	if msg := misspelt(rest); msg != "" {
		return d.fail(at, "syntax", msg)
	}
	return d.fail(at, "syntax", "not JSON: "+court.Clean(cause.Error(), 200))
}

// escapeOf is how JSON writes a control character inside a string.
func escapeOf(c byte) string {
	switch c {
	case '\n':
		return `\n`
	case '\r':
		return `\r`
	case '\t':
		return `\t`
	default:
		return fmt.Sprintf(`\u%04x`, c)
	}
}

// misspelt names the habits of other notations that people bring along.
func misspelt(rest []byte) string {
	r, _ := utf8.DecodeRune(rest)
	switch r {
	case ',':
		if next := bytes.TrimLeft(rest[1:], " \t\r\n"); len(next) > 0 && (next[0] == '}' || next[0] == ']') {
			return fmt.Sprintf("trailing comma before %q; JSON has none", next[0])
		}
		return "a comma without a value before it"
	case '/', '#':
		return "a comment; JSON has none"
	case '\'':
		return `single quotes; JSON strings stand in "double quotes"`
	case '“', '”', '„', '‘', '’', '«', '»':
		return fmt.Sprintf(`typographic quote %c; JSON strings stand in "double quotes"`, r)
	case 0:
		return "a NUL character"
	}
	for word, advice := range map[string]string{"NaN": "JSON has no such number", "Infinity": "JSON has no such number",
		"True": "write true", "False": "write false", "None": "write null, or leave the key out", "undefined": "leave the key out"} {
		if bytes.HasPrefix(rest, []byte(word)) {
			return word + ": " + advice
		}
	}
	return ""
}
