package court

import "github.com/automaton-auditor/automaton/internal/plain"

// Clean makes foreign text fit for one line of whatever is shown to people, at
// most limit runes long; see plain.Text.
func Clean(s string, limit int) string { return plain.Text(s, limit) }
