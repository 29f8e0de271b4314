package figure

import (
	"strings"

	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
)

// Ids of the start and the end of a state diagram, which share the mark [*] in the source.
const (
	startState = "[*]"
	endState   = "[*]end"
)

var (
	transition  = regexp.MustCompile(`^(\[\*\]|[\p{L}\p{N}_.-]+?)(?::::\S+)?\s*-->\s*(\[\*\]|[\p{L}\p{N}_.-]+)(?::::\S+)?\s*(?::\s*(.*))?$`)
	stateAs     = regexp.MustCompile(`^state\s+"([^"]*)"\s+as\s+([\p{L}\p{N}_.-]+)\s*(\{)?$`)
	stateBlock  = regexp.MustCompile(`^state\s+([\p{L}\p{N}_.-]+)\s*(<<\w+>>|\[\[\w+\]\])?\s*(\{)?$`)
	description = regexp.MustCompile(`^([\p{L}\p{N}_.-]+)\s*:\s*(.+)$`)
	bareState   = regexp.MustCompile(`^[\p{L}\p{N}_.-]+$`)
)

// mermaidStates reads a state diagram. The start is a node with the label START, the end one with the label END.
func mermaidStates(statements []string) (*Graph, error) {
	b := newBuild(States)
	note := false
	for _, s := range statements {
		switch {
		case note:
			note = s != "end note"
		case strings.HasPrefix(s, "note "):
			note = !strings.Contains(s, ":")
		case s == "}":
			b.close()
		case s == "--" || styling.MatchString(s) || strings.HasPrefix(s, "hide ") || strings.HasPrefix(s, "scale "):
		default:
			stateStatement(b, s)
		}
	}
	return b.result()
}

func stateStatement(b *build, s string) {
	if m := transition.FindStringSubmatch(s); m != nil {
		from, to := m[1], m[2]
		if from == startState {
			b.node(from, "START")
		} else {
			b.node(from, "")
		}
		if to == startState {
			to = endState
			b.node(to, "END")
		} else {
			b.node(to, "")
		}
		b.edges([]string{from}, []string{to}, label(m[3]))
		return
	}
	if m := stateAs.FindStringSubmatch(s); m != nil {
		b.node(m[2], label(m[1]))
		if m[3] != "" {
			b.open(label(m[1]))
		}
		return
	}
	if m := stateBlock.FindStringSubmatch(s); m != nil {
		if m[3] != "" {
			b.open(m[1])
			return
		}
		b.node(m[1], "")
		return
	}
	if m := description.FindStringSubmatch(s); m != nil {
		b.node(m[1], label(m[2]))
		return
	}
	if bareState.MatchString(s) {
		b.node(s, "")
		return
	}
	b.unread = b.unread || strings.Contains(s, "-->")
}
