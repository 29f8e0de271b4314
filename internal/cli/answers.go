package cli

import (
	"bytes"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/rubric"
)

// answers reads what people say of criteria. Their file lies outside of the
// audited tree: its author could be the one under audit.
func (a *app) answers(name string, r *court.Rubric) ([]court.Answer, error) {
	if name == "" {
		return nil, nil
	}
	from := name
	if name != "-" {
		from = a.path(name)
		if err := a.outsideTree(from, "reading answers "+name); err != nil {
			return nil, err
		}
	}
	file, err := rubric.Read(from, a.Stdin)
	if err != nil {
		return nil, coded(exitUsage, err)
	}
	list, err := rubric.Answers(name, bytes.NewReader(file.Bytes), r)
	if err != nil {
		return nil, coded(exitUsage, err)
	}
	return list, nil
}

// unanswered tells of the criteria that wait for a person.
func (a *app) unanswered(rec *court.Record) {
	var open []string
	for _, c := range rec.Rubric.Asked(rec.Case.Only) {
		if c.ForPeople() && rec.Case.Answer(c.ID) == nil {
			open = append(open, c.ID)
		}
	}
	if len(open) > 0 {
		a.note("not judged and not in the total, because only a person can mark it: %s; --answers FILE gives the marks", strings.Join(open, ", "))
	}
}
