package trial

import (
	"encoding/json"
	"fmt"

	"github.com/automaton-auditor/automaton/internal/safetext"
)

// veil hides our own secrets in every string that v points at, wherever they
// came from. What holds none stays as it is.
func veil[T any](by *safetext.Veil, v *T) error {
	if by == nil {
		return nil
	}
	raw, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("hiding our secrets: %w", err)
	}
	hidden := by.Hide(string(raw))
	if hidden == string(raw) {
		return nil
	}
	var clean T
	if err := json.Unmarshal([]byte(hidden), &clean); err != nil {
		return fmt.Errorf("hiding our secrets: %w", err)
	}
	*v = clean
	return nil
}
