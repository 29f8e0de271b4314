package rubric

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"sort"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/lexer"
	yamltree "github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/automaton-auditor/automaton/internal/court"
)

// maxYAML is how large a rubric in YAML may be: reading it costs some hundred times
// its size.
const maxYAML = 512 << 10

// isYAML tells whether a file is YAML: by its name, and on standard input by how it
// begins.
func (d *document) isYAML() bool {
	if d.file == "-" {
		return !strings.ContainsRune("{[", rune(bytes.TrimSpace(d.text)[0])) // it is not empty
	}
	return slices.Contains([]string{".yaml", ".yml"}, strings.ToLower(filepath.Ext(d.file)))
}

// cameFrom says where a byte of JSON that was made of YAML comes from.
type cameFrom struct {
	at  int
	pos court.Pos
}

// fromYAML writes a YAML document as JSON, so that one reader with one set of limits
// and messages takes both. What JSON cannot say, such as aliases, is refused: a few
// lines of them can stand for gigabytes.
func (d *document) fromYAML() (out *document, err error) {
	if len(d.text) > maxYAML {
		return nil, Errors{d.fail(0, "too-large", fmt.Sprintf("the file is larger than %d KiB; convert it to JSON", maxYAML>>10))}
	}
	w := &yamlWriter{doc: d}
	defer func() {
		if p := recover(); p != nil { // the library gives up on some broken files so
			out, err = nil, Errors{d.fail(0, "syntax", "not YAML that can be read; convert it to JSON")}
		}
	}()
	tokens := lexer.Tokenize(string(d.text))
	if err := w.plain(tokens); err != nil {
		return nil, err
	}
	tree, err := yamltree.Parse(tokens, 0, yamltree.AllowDuplicateMapKey())
	if bad, ok := errors.AsType[*yaml.SyntaxError](err); ok {
		return nil, w.refuse(bad.Token, "syntax", "not YAML: "+court.Clean(bad.Message, 120))
	}
	if err != nil {
		return nil, Errors{d.fail(0, "syntax", "not YAML: "+court.Clean(err.Error(), 120))}
	}
	docs := slices.DeleteFunc(tree.Docs, func(x *ast.DocumentNode) bool { return x.Body == nil })
	switch {
	case len(docs) == 0:
		return nil, Errors{d.fail(0, "empty", "the file is empty")}
	case len(docs) > 1:
		return nil, w.refuse(docs[1].Body.GetToken(), "syntax", "text behind the end of the rubric")
	}
	if err := w.node(docs[0].Body); err != nil {
		return nil, err
	}
	out = newDocument(d.file, w.json.Bytes())
	out.notes, out.anchors = d.notes, w.anchors
	return out, nil
}

// yamlWriter writes JSON.
type yamlWriter struct {
	doc     *document
	json    bytes.Buffer
	anchors []cameFrom
}

// maxKeys is how many keys one object may have: the library reads each by going
// through those before it.
const maxKeys = 1000

// maxItems is how many items all lists may have that are written with hyphens.
const maxItems = 20_000

// plain refuses what is not read, and what nests deeper or has more keys than is
// read: the library would follow it with its stack.
func (w *yamlWriter) plain(tokens token.Tokens) error {
	var flow []int          // keys of each open bracket
	blocks := map[int]int{} // keys of each open block, by column
	line, start, dashes, items := 0, 0, 0, 0
	for _, t := range tokens {
		if t.Position.Line != line {
			line, start, dashes = t.Position.Line, 0, 0
		}
		if start == 0 && t.Type != token.SequenceEntryType {
			start = t.Position.Column
		}
		keys := 0
		switch t.Type {
		case token.MappingStartType, token.SequenceStartType:
			flow = append(flow, 0)
		case token.MappingEndType, token.SequenceEndType:
			flow = flow[:max(len(flow)-1, 0)]
		case token.SequenceEntryType:
			dashes++
			items++
			maps.DeleteFunc(blocks, func(column, _ int) bool { return column > t.Position.Column })
		case token.MappingValueType:
			if n := len(flow); n > 0 {
				flow[n-1]++
				keys = flow[n-1]
				break
			}
			maps.DeleteFunc(blocks, func(column, _ int) bool { return column > start })
			blocks[start]++
			keys = blocks[start]
		case token.AnchorType, token.AliasType, token.MergeKeyType:
			return w.refuse(t, "syntax", "anchors and aliases are not read; write the value out")
		case token.TagType, token.DirectiveType, token.MappingKeyType:
			return w.refuse(t, "syntax", "tags, directives and complex keys are not read")
		}
		if len(flow) > maxDepth || dashes > maxDepth || len(blocks) > maxDepth {
			return w.refuse(t, "depth", fmt.Sprintf("nested more than %d deep", maxDepth))
		}
		if items > maxItems {
			return w.refuse(t, "too-many", fmt.Sprintf("more than %d items in lists; convert the file to JSON", maxItems))
		}
		if keys > maxKeys {
			return w.refuse(t, "too-many", fmt.Sprintf("more than %d keys in one object; convert the file to JSON", maxKeys))
		}
	}
	return nil
}

func (w *yamlWriter) refuse(t *token.Token, code, msg string) error {
	pos := w.place(t)
	return Errors{{File: w.doc.file, Line: pos.Line, Col: pos.Col, Code: code, Msg: msg}}
}

// place is where a token stands, within the file.
func (w *yamlWriter) place(t *token.Token) court.Pos {
	if t == nil || t.Position == nil {
		return court.Pos{Line: 1, Col: 1}
	}
	line := min(max(t.Position.Line, 1), len(w.doc.lines))
	end := len(w.doc.text)
	if line < len(w.doc.lines) {
		end = w.doc.lines[line] - 1
	}
	longest := w.doc.runesTo(end) - w.doc.runesTo(w.doc.lines[line-1]) + 1
	return court.Pos{Line: line, Col: min(max(t.Position.Column, 1), longest)}
}

// mark notes where a node stands; a block of keys stands where its first key does.
func (w *yamlWriter) mark(n ast.Node) {
	if m, ok := n.(*ast.MappingNode); ok && !m.IsFlowStyle && len(m.Values) > 0 {
		n = m.Values[0].Key
	}
	w.anchors = append(w.anchors, cameFrom{w.json.Len(), w.place(n.GetToken())})
}

func (w *yamlWriter) text(s string) error {
	raw, err := jsontext.AppendQuote(nil, s)
	if err != nil {
		return Errors{w.doc.fail(0, "encoding", "a string is not UTF-8")}
	}
	w.json.Write(raw)
	return nil
}

// node writes a value.
func (w *yamlWriter) node(n ast.Node) error {
	w.mark(n)
	switch v := n.(type) {
	case ast.MapNode:
		return w.object(v)
	case *ast.SequenceNode:
		return w.list(v)
	case *ast.StringNode:
		return w.text(v.Value)
	case *ast.LiteralNode:
		return w.text(v.Value.Value)
	case *ast.NullNode:
		w.json.WriteString("null")
	case *ast.BoolNode:
		fmt.Fprint(&w.json, v.Value)
	case *ast.IntegerNode, *ast.FloatNode:
		number := n.GetToken().Value
		if !jsontext.Value(number).IsValid() {
			return w.refuse(n.GetToken(), "syntax", fmt.Sprintf("%q is not a decimal number; write one, or put it in quotes", court.Clean(number, 40)))
		}
		w.json.WriteString(number)
	default:
		return w.refuse(n.GetToken(), "syntax", "this kind of value is not read")
	}
	return nil
}

func (w *yamlWriter) object(m ast.MapNode) error {
	w.json.WriteByte('{')
	for it, first := m.MapRange(), true; it.Next(); first = false {
		if !first {
			w.json.WriteByte(',')
		}
		key := it.Key().(ast.Node) //nolint:forcetypeassert // every key of the parser is a node
		w.mark(key)
		name := key.GetToken().Value
		if s, ok := key.(*ast.StringNode); ok {
			name = s.Value
		}
		if err := w.text(name); err != nil {
			return err
		}
		w.json.WriteByte(':')
		if err := w.node(it.Value()); err != nil {
			return err
		}
	}
	w.json.WriteByte('}')
	return nil
}

func (w *yamlWriter) list(s *ast.SequenceNode) error {
	w.json.WriteByte('[')
	for i, item := range s.Values {
		if i > 0 {
			w.json.WriteByte(',')
		}
		if err := w.node(item); err != nil {
			return err
		}
	}
	w.json.WriteByte(']')
	return nil
}

// origin is the place of a byte in the YAML that the text was made of.
func (d *document) origin(at int) court.Pos {
	i := sort.Search(len(d.anchors), func(i int) bool { return d.anchors[i].at > at })
	return d.anchors[max(i-1, 0)].pos
}
