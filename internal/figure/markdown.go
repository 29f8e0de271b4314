package figure

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"

	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
	"github.com/automaton-auditor/automaton/internal/passage"
)

var caption = regexp.MustCompile(`^[*_ ]*(?i:figure|fig\.?|diagram|image|exhibit|chart)\s*\d*[a-z]?\s*[.:–—|-]\s*\S`)

// FromMarkdown lists the figures of a Markdown text that stand in it as text: code blocks in Mermaid, DOT or
// PlantUML, also without the name of their language, drawings of characters, and chains.
func FromMarkdown(text string) []Figure {
	lines := strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	var found []Figure
	for _, listing := range passage.Listings(text) {
		if f, ok := fromCode(listing.Text, listing.Lang); ok {
			first := listing.Lines[0].Number
			f.Line = first
			f.Caption = captionAround(lines, first-3, first+len(listing.Lines))
			f.Title = titleBefore(lines, first-3)
			found = append(found, f)
		}
	}
	return found
}

// fromCode makes a figure of a code block if it is one.
func fromCode(code, lang string) (Figure, bool) {
	switch lang {
	case "mermaid", "mmd":
		return fromSource(Mermaid, code), true
	case "dot", "graphviz", "gv":
		return fromSource(DOT, code), true
	case "plantuml", "puml", "uml":
		return fromSource(PlantUML, code), true
	case "", "text", "txt", "plain", "plaintext", "ascii", "none":
	default:
		return Figure{}, false // a listing of a program
	}
	trimmed := strings.TrimSpace(code)
	for _, notation := range []struct {
		origin Origin
		begins *regexp.Regexp
	}{{Mermaid, mermaidHead}, {DOT, dotHead}, {PlantUML, umlHead}} {
		if notation.begins.MatchString(trimmed) {
			if f := fromSource(notation.origin, code); f.Graph != nil {
				return f, true
			}
		}
	}
	if isArt(strings.Split(code, "\n")) {
		return fromArt(code, strings.Split(code, "\n")), true
	}
	return chainFigure(code, strings.Split(code, "\n"))
}

var (
	mermaidHead = regexp.MustCompile(`^(?:graph|flowchart)\s+(?:TD|TB|BT|LR|RL)\b|^stateDiagram(?:-v2)?\s*\n|^sequenceDiagram\s*\n`)
	dotHead     = regexp.MustCompile(`^(?:strict\s+)?(?:di)?graph\s*(?:"[^"]*"|\w*)\s*\{`)
	umlHead     = regexp.MustCompile(`^@startuml\b`)
)

// fromSource reads a diagram's source. What cannot be read is still a figure.
func fromSource(origin Origin, source string) Figure {
	parse := ParseMermaid
	switch origin {
	case DOT:
		parse = ParseDOT
	case PlantUML:
		parse = ParsePlantUML
	case Drawio:
		parse = ParseDrawio
	default: // Mermaid
	}
	graph, err := parse(source)
	return Figure{Origin: origin, Source: source, Digest: digest(source), Graph: graph,
		Readable: err == nil && len(graph.Nodes) > 0 && graph.Loose == 0}
}

// fromArt makes a figure of a drawing of characters. rows are its lines with everything in its column.
func fromArt(source string, rows []string) Figure {
	f := Figure{Origin: Text, Source: source, Digest: digest(source), Graph: ReadArt(rows)}
	f.Readable = f.Graph != nil && f.Graph.Loose == 0
	return f
}

func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// setOff is a line that is a heading, or reads like one.
var setOff = regexp.MustCompile(`^\s*(?:#{1,6}\s|\*\*[^*]+\*\*:?\s*$)|:\s*$`)

// titleBefore is the first line that is not blank before a block, if it names a figure.
func titleBefore(lines []string, before int) string {
	for before >= 0 && strings.TrimSpace(lines[before]) == "" {
		before--
	}
	if before < 0 || !setOff.MatchString(lines[before]) || !isTitle(lines[before]) {
		return ""
	}
	return strings.Trim(lines[before], "#*_: ")
}

// captionAround looks for a caption in the first line that is not blank after the block, then before it.
func captionAround(lines []string, before, after int) string {
	for after < len(lines) && strings.TrimSpace(lines[after]) == "" {
		after++
	}
	if after < len(lines) && caption.MatchString(lines[after]) {
		return strings.Trim(lines[after], "*_ ")
	}
	for before >= 0 && strings.TrimSpace(lines[before]) == "" {
		before--
	}
	if before >= 0 && caption.MatchString(lines[before]) {
		return strings.Trim(lines[before], "*_ ")
	}
	return ""
}
