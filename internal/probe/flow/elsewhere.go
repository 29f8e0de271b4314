package flow

import (
	"bytes"
	"context"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/probe"
)

// elsewhere is the error that a graph may be built where the readers do
// not reach: in a file that could not be read, or code there names StateGraph.
func elsewhere(ctx context.Context, s *probe.Scene) error {
	unread, why, err := s.Unread(ctx)
	if err != nil {
		return err
	}
	if len(unread) > 0 {
		return &probe.Unable{Reason: why, Why: "no graph was found, but this could not be read: " + court.Clean(unread[0].Path, 120), At: unread}
	}
	files, err := s.Elsewhere(ctx)
	if err != nil {
		return err
	}
	for _, f := range files {
		switch lang := f.Language(); {
		case !bytes.Contains(f.Bytes, []byte("StateGraph")):
		case lang == "":
			return &probe.Unable{Reason: court.NoDetector, Why: "a script without an extension names StateGraph; its graph cannot be read: " + court.Clean(f.Path, 120)}
		default:
			return &probe.Unable{Reason: court.NoDetector, Why: "no graph could be read of the " + string(lang) + " that names StateGraph here: " + court.Clean(f.Path, 120)}
		}
	}
	return nil
}
