package batch

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/automaton-auditor/automaton/internal/docket"
	"github.com/automaton-auditor/automaton/internal/sandbox"
)

// classes are the refusals that are more than the submission's own, by code or its beginning.
var classes = []struct {
	code  string
	class docket.Class
}{
	{"remote_private", docket.Private},
	{"remote_slow", docket.Busy},
	{"remote_", docket.Transient},
	{"limit_", docket.Limited},
	{"upstream_proxy", docket.Transient},
}

// classOf says why a submission could not be opened.
func classOf(ctx context.Context, err error) docket.Class {
	if ctx.Err() != nil || errors.Is(err, context.DeadlineExceeded) {
		return docket.Limited
	}
	if r, ok := errors.AsType[*sandbox.Refusal](err); ok {
		for _, c := range classes {
			if strings.HasPrefix(r.Code, c.code) {
				return c.class
			}
		}
	}
	return docket.Refused
}

// passes tells whether a failure is one that another attempt may not meet.
func passes(c docket.Class) bool { return c == docket.Transient || c == docket.Busy }

// wait is how long a submission waits after its n-th attempt, in which the network failed: 30 s, 2 min, 8 min.
func wait(n int) time.Duration {
	d := 30 * time.Second
	for range n - 1 {
		d *= 4
	}
	return d
}
