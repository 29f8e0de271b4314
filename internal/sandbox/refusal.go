package sandbox

import (
	"fmt"
	"time"
)

// Refusal is a decision not to go on, with a stable code: limit_wall, layer_missing, url_scheme, …
// Callers decide on the code; Msg quotes foreign text with %q only.
type Refusal struct {
	Code string
	Msg  string
	// After is how long a host asks to wait, up to an hour; 0: it does not say.
	After time.Duration
}

// Error is the code and the message.
func (r *Refusal) Error() string { return r.Code + ": " + r.Msg }

// Refuse makes a *Refusal.
func Refuse(code, format string, a ...any) *Refusal {
	return &Refusal{Code: code, Msg: fmt.Sprintf(format, a...)}
}
