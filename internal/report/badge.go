package report

import (
	"cmp"
	"io"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
)

// badge is what the endpoint badge of shields.io reads.
type badge struct {
	Schema  int    `json:"schemaVersion"` // always 1
	Label   string `json:"label"`
	Message string `json:"message"`
	Color   string `json:"color"`
}

// writeBadge writes the total with what must be known beside it. Only a gate gives it
// the colour of a success or a failure.
func writeBadge(w io.Writer, rec *court.Record) error {
	b := badge{1, "audit", mistrialWords(rec), "inactive"}
	if rec.Verdict != nil {
		b.Color = "informational"
		b.Message = court.Clean(strings.Join(append([]string{rec.Verdict.Overall.Shown() + " of 5"}, newDocket(rec).remarks()...), ", "), 0)
	}
	if rec.Gate != nil {
		b.Color = cmp.Or(map[string]string{"pass": "success", "fail": "critical"}[rec.Gate.Outcome], "inactive")
	}
	return putJSON(w, b)
}
