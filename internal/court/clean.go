package court

import "github.com/automaton-auditor/automaton/internal/safetext"

// Clean makes foreign text fit for one line of whatever is shown to people, at
// most limit runes long; see safetext.Text.
func Clean(s string, limit int) string { return safetext.Text(s, limit) }
