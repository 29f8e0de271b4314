package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
	"github.com/automaton-auditor/automaton/internal/probe"
)

// sheetTable shows every fact with its proof, or why it is null, one table for
// each section.
func sheetTable(sheet *probe.Sheet, raw []byte) ([]byte, error) {
	var b bytes.Buffer
	l := &lines{w: &b}
	l.f("# Facts of %s\n\nCommit %s. \"unknown\" means that it could not be found out, never \"no\".\n", cell(sheet.Repo), cell(sheet.Commit))
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	under := ""
	walkFacts(dec, "", func(key string, value json.RawMessage) {
		section, name, inner := strings.Cut(key, ".")
		if !inner {
			return
		}
		if section != under {
			under = section
			l.f("\n## %s\n\n| fact | value | proof, or why it is unknown |\n|---|---|---|\n", cell(section))
		}
		l.f("| %s | %s | %s |\n", cell(name), cell(readable(value)), cell(proof(sheet, key, value)))
	})
	return b.Bytes(), l.err
}

// proof is the proof of a fact. Names and places are part of the one before.
func proof(sheet *probe.Sheet, key string, value json.RawMessage) string {
	if string(value) != "null" && (strings.HasSuffix(key, ".at") || strings.HasSuffix(key, ".name")) {
		return ""
	}
	return sheet.Why(key)
}

// readable is a value as people write it: lists with commas, edges with arrows.
func readable(raw json.RawMessage) string {
	var routes []probe.Conditional
	var edges [][2]string
	var words []string
	var text string
	switch {
	case string(raw) == "null":
		return "unknown"
	case json.Unmarshal(raw, &text) == nil:
		return text
	case json.Unmarshal(raw, &words) == nil:
		return joined(words)
	case json.Unmarshal(raw, &edges) == nil:
		words = nil
		for _, e := range edges {
			words = append(words, e[0]+" → "+e[1])
		}
		return joined(words)
	case json.Unmarshal(raw, &routes) == nil:
		words = nil
		for _, r := range routes {
			words = append(words, fmt.Sprintf("%s → %s (%s)", r.From, strings.Join(r.To, " or "), r.At))
		}
		return joined(words)
	}
	return string(raw)
}

func joined(words []string) string {
	if len(words) == 0 {
		return "none"
	}
	return strings.Join(words, ", ")
}

// walkFacts yields the leaves of the sheet in their order; lists and lists of
// objects are one leaf.
func walkFacts(dec *json.Decoder, prefix string, leaf func(key string, value json.RawMessage)) {
	if t, err := dec.Token(); err != nil || t != json.Delim('{') {
		return
	}
	for dec.More() {
		t, err := dec.Token()
		if err != nil {
			return
		}
		key := strings.TrimPrefix(prefix+"."+fmt.Sprint(t), ".")
		var v json.RawMessage
		if err := dec.Decode(&v); err != nil {
			return
		}
		if len(v) > 0 && v[0] == '{' {
			inner := json.NewDecoder(bytes.NewReader(v))
			inner.UseNumber()
			walkFacts(inner, key, leaf)
			continue
		}
		leaf(key, v)
	}
}

// cell makes foreign text inert in a cell of a Markdown table: no markup, no
// HTML, no link that finds itself, nobody mentioned. Bars and backslashes are
// written as numbers: a bar would end the cell, and a backslash before one
// would make its escape void.
func cell(s string) string {
	s = strings.NewReplacer("://", ":<!-- -->//", "@", "&#64;<!-- -->", "#", "&#35;<!-- -->",
		`\`, "&#92;", "|", "&#124;", "<", "&lt;", ">", "&gt;", "&", "&amp;",
		"`", "\\`", "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`, "~", `\~`, "$", `\$`).Replace(court.Clean(s, 6000))
	return wwwDot.ReplaceAllString(s, "$1<!-- -->.")
}

// wwwDot is where a link finds itself.
var wwwDot = regexp.MustCompile(`(?i)(www)\.`)
