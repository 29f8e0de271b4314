package figure

import (
	"strings"

	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
)

var (
	// umlArrow: two ends with an arrow of dashes or dots between them, directions and colours inside, then a label.
	umlArrow   = regexp.MustCompile(`^(\S+|"[^"]*"|\[[^\]]*\]|\([^)]*\)|:[^:]*:)\s*(<\|?|\*|o)?(-+|\.+|-\[[^\]]*\]-*|-(?:up|down|left|right|u|d|l|r)-+|=+)(\|?>>?|\\|\*|o)?\s*(\S+|"[^"]*"|\[[^\]]*\]|\([^)]*\)|:[^:]*:)\s*(?::\s*(.*))?$`)
	umlDeclare = regexp.MustCompile(`^(component|node|rectangle|database|artifact|cloud|queue|storage|agent|usecase|interface|state|actor|participant|boundary|control|entity|collections|class|object|folder|frame|package|card|file|hexagon)\s+(?:"([^"]*)"|\[([^\]]*)\]|(\S+))(?:\s+as\s+("[^"]*"|\S+))?[^{]*?(\{)?$`)
	umlBracket = regexp.MustCompile(`^\[([^\]]*)\](?:\s+as\s+(\S+))?`)
	umlSkip    = regexp.MustCompile(`^(skinparam|hide|show|title|legend|end|scale|left to|top to|note|!|'|@|autonumber|activate|deactivate|return|group|alt|else|loop|opt|par|==)`)
)

// ParsePlantUML reads the arrows and declarations of a PlantUML diagram. Sequence and class diagrams give their kind
// and the error that they are not read.
func ParsePlantUML(source string) (*Graph, error) {
	if len(source) > maxSource {
		return nil, errTooLarge
	}
	if !strings.Contains(source, "@startuml") {
		return nil, errSource
	}
	kind := umlKind(source)
	if kind == Sequence || kind == Class {
		return &Graph{Kind: kind}, errNotRead
	}
	b := newBuild(kind)
	for line := range strings.Lines(source) {
		umlStatement(b, strings.TrimSpace(line))
	}
	return b.result()
}

func umlKind(source string) GraphKind {
	kind := Flow
	for line := range strings.Lines(source) {
		word, _, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch word {
		case "participant", "activate", "autonumber":
			return Sequence
		case "class", "abstract", "enum":
			return Class
		case "state", "[*]":
			kind = States
		}
	}
	return kind
}

func umlStatement(b *build, line string) {
	if line == "}" {
		b.close()
		return
	}
	if m := umlDeclare.FindStringSubmatch(line); m != nil {
		umlDeclaration(b, m)
		return
	}
	if umlSkip.MatchString(line) || line == "" {
		return
	}
	if m := umlArrow.FindStringSubmatch(line); m != nil {
		from, to := umlEnd(b, m[1], startState), umlEnd(b, m[5], endState)
		if m[2] != "" && m[4] == "" { // the head is on the left
			from, to = to, from
		}
		b.edges([]string{from}, []string{to}, label(m[6]))
		return
	}
	if m := umlBracket.FindStringSubmatch(line); m != nil {
		if m[2] != "" {
			b.node(m[2], label(m[1]))
			return
		}
		b.node(label(m[1]), "")
		return
	}
	b.unread = b.unread || strings.Contains(line, "->") || strings.Contains(line, "<-")
}

func umlDeclaration(b *build, m []string) {
	name := m[2] + m[3] + m[4]
	id, text := label(name), label(name)
	if m[5] != "" {
		if strings.HasPrefix(m[5], `"`) { // a as "A" is the other way round
			text = label(m[5])
		} else {
			id = m[5]
		}
	}
	if m[6] != "" {
		b.open(text)
		return
	}
	b.node(id, text)
}

// umlEnd notes the node at an end of an arrow. (*) and [*] are start or end, by their side.
func umlEnd(b *build, text, edge string) string {
	if text == "(*)" || text == "[*]" {
		if edge == startState {
			b.node(edge, "START")
		} else {
			b.node(edge, "END")
		}
		return edge
	}
	id := label(strings.Trim(text, `[]():"`))
	b.node(id, "")
	return id
}
