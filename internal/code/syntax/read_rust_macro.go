package syntax

import (
	"bytes"
	"slices"
	"strings"

	sitter "github.com/tree-sitter/go-tree-sitter"
)

// Bounds on reading what stands in macros a second time. Beyond them it is read
// as tokens.
const (
	againDepth = 6       // macros in macros
	againOne   = 1 << 16 // bytes of one macro
	againAll   = 4 << 20 // bytes in one file, with what lies in others counted twice
	againEach  = 64      // bytes that a macro counts for at least
)

// reparser reads a stretch of a file's text once more, in other surroundings:
// to the grammar what stands in a macro is tokens, whatever it looks like.
type reparser struct {
	g      *grown
	parser *sitter.Parser
	spent  int // bytes
}

func (a *reparser) close() {
	if a.parser != nil {
		a.parser.Close()
	}
}

// parse reads before + text + after, where text is what stands at from; the
// tree's offsets are those of the file. It answers no piece where that is not sound.
func (r *rustFile) parse(before string, text string, from int, after string) piece {
	a := r.again
	if a.spent += max(len(text), againEach); a.spent > againAll || len(text) > againOne || r.err != nil {
		return piece{}
	}
	if a.parser == nil {
		a.parser = sitter.NewParser()
		if err := a.parser.SetLanguage(a.g.language); err != nil {
			return piece{}
		}
	}
	tree, err := r.work.Tree(a.parser, []byte(before+text+after))
	if err != nil {
		r.err = err // nor is the rest read
		return piece{}
	}
	defer tree.Close()
	root := tree.RootNode()
	if root.HasError() {
		return piece{}
	}
	g := a.g.again(from - len(before))
	if err := g.walk(nil, root); err != nil {
		r.err = err
		return piece{}
	}
	return piece{g: g}
}

// macro writes the invocation of a macro; vec![] is the list that it makes.
func (r *rustFile) macro(role string, p piece) {
	name := p.get("macro")
	body := p.part("token_tree")
	last := macroName(name)
	if last == "vec" && body.valid() {
		if list := find(r.reread("[", body, body.to()-1, "];"), "array_expression"); list.valid() {
			r.depth++
			r.begin("list", role, p.from(), p.to())
			r.flag(Macro)
			r.elements(list)
			r.end()
			r.depth--
			return
		}
	}
	r.over("call", role, p)
	r.flag(Macro)
	r.node("callee", name)
	r.macroArguments(last, body)
	r.end()
}

func (r *rustFile) elements(list piece) {
	length := list.get("length")
	for c := range list.parts() {
		if c == length {
			r.node("index", c)
		} else {
			r.node("", c)
		}
	}
}

// macroName is the last part of a path.
func macroName(p piece) string {
	if n := p.get("name"); n.valid() {
		return n.text()
	}
	return p.text()
}

// reread parses the inside of a token tree up to an offset.
func (r *rustFile) reread(before string, body piece, to int, after string) piece {
	from := body.from() + 1
	if r.depth >= againDepth || to < from {
		return piece{}
	}
	return r.parse(before, string(r.text[from:to]), from, after)
}

// find is the expression, of that kind, that a text consists of.
func find(p piece, kind string) piece {
	list := slices.Collect(p.parts())
	if len(list) != 1 || !list[0].is("expression_statement") {
		return piece{}
	}
	if e := list[0].part(); e.is(kind) {
		return e
	}
	return piece{}
}

// macroArguments writes what is handed to a macro: expressions where it reads
// as expressions, statements where it reads as a block, else what single tokens
// tell. Macros that quote code have nothing that runs here.
func (r *rustFile) macroArguments(name string, body piece) {
	if !body.valid() || body.to()-body.from() <= 2 {
		return
	}
	r.depth++
	defer func() { r.depth-- }()
	switch {
	case strings.Contains(name, "quote"):
	case name == "matches" || strings.HasSuffix(name, "assert_matches") || strings.HasSuffix(name, "assert_match"):
		if r.matches(body) {
			return
		}
	case r.text[body.from()] == '{':
		if b := find(r.reread("{", body, body.to()-1, "}"), "block"); b.valid() {
			r.block("arg", b, 0)
			return
		}
	default:
		if call := find(r.reread("f(", body, body.to()-1, ");"), "call_expression"); call.valid() {
			for c := range call.get("arguments").parts() {
				if capturing(name) && c.is("string_literal", "raw_string_literal") {
					r.format("arg", c)
				} else {
					r.argument(c)
				}
			}
			return
		}
	}
	r.tokens("arg", body)
}

// matches reads "value, pattern if guard" as a match with that one arm.
func (r *rustFile) matches(body piece) bool {
	comma := 0
	for c := range body.all() {
		if c.text() == "," && !c.named() {
			comma = c.from()
			break
		}
	}
	from, to := body.from()+1, body.to()-1
	if comma == 0 || r.depth > againDepth {
		return false
	}
	text := bytes.TrimRight(bytes.Clone(r.text[from:to]), ", \n\t\r")
	if comma-from >= len(text) {
		return false
	}
	text[comma-from] = '{' // of the same length, so that offsets stay
	m := find(r.parse("match ", string(text), from, "=>0}"), "match_expression")
	if !m.valid() {
		return false
	}
	r.node("arg", m.get("value"))
	pattern := m.get("body").part().get("pattern")
	r.over("case", "arg", pattern)
	for c := range pattern.parts("") {
		r.alternatives(c)
	}
	r.node("cond", pattern.get("condition"))
	r.end()
	return true
}

// formatting are the macros whose text may name variables.
var formatting = []string{"format", "format_args", "print", "println", "eprint", "eprintln", "write", "writeln", "panic", "todo", "unimplemented",
	"unreachable", "trace", "debug", "info", "warn", "error", "log", "bail", "anyhow", "ensure", "eyre", "concat"}

func capturing(name string) bool {
	return slices.Contains(formatting, name) || strings.Contains(name, "assert")
}

// format writes a text that variables are put into by their names: "{path}".
func (r *rustFile) format(role string, p piece) {
	raw := p.text()
	names := formatNames(raw)
	if len(names) == 0 {
		r.node(role, p)
		return
	}
	r.over("template", role, p)
	at := strings.IndexByte(raw, '"') + 1
	end := strings.LastIndexByte(raw, '"')
	value := func(s string) string {
		if strings.HasPrefix(raw, "r") {
			return s
		}
		return unescaped(s, rustEscape)
	}
	for _, n := range names {
		if n.from > at {
			r.leaf("string", "", value(raw[at:n.from]), p.from()+at, p.from()+n.from)
		}
		r.leaf("name", "", raw[n.from+1:n.to], p.from()+n.from+1, p.from()+n.to)
		at = n.end
	}
	if end > at {
		r.leaf("string", "", value(raw[at:end]), p.from()+at, p.from()+end)
	}
	r.end()
}

// formatName is a place in a text: "{" at from, the name up to to, "}" before end.
type formatName struct{ from, to, end int }

func formatNames(s string) (out []formatName) {
	for i := 0; i < len(s); i++ {
		if s[i] != '{' {
			continue
		}
		if strings.HasPrefix(s[i:], "{{") {
			i++
			continue
		}
		size := strings.IndexByte(s[i:], '}')
		if size < 0 {
			return out
		}
		name, _, _ := strings.Cut(s[i+1:i+size], ":")
		name = strings.TrimSpace(name)
		if isName(name) && strings.HasPrefix(s[i+1:], name) {
			out = append(out, formatName{i, i + 1 + len(name), i + size + 1})
		}
		i += size
	}
	return out
}

// isName tells a plain name of a variable.
func isName(s string) bool {
	for i := range len(s) {
		c := s[i]
		letter := c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
		if !letter && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return s != ""
}
