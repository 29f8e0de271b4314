package decision

import (
	"maps"
	"slices"

	"github.com/automaton-auditor/automaton/internal/court"
)

// Apply is a copy of a record with the decisions on its submission in it, in force or not: scores and answers of people,
// and flaws that do not count. The verdict is as it was, for the chief justice to make anew. rec is not changed, and
// what the record has no place for is left out.
func Apply(rec *court.Record, list []Entry) *court.Record {
	out := *rec
	out.Case.Answers, out.Evidences = slices.Clone(rec.Case.Answers), maps.Clone(rec.Evidences)
	for _, e := range InForce(list) {
		switch e.Kind {
		case Score, Answer:
			out.Case.Answers = answered(out.Case.Answers, rec.Rubric, e)
		case Dismiss:
			if has := out.Evidences[e.Criterion]; has != nil {
				out.Evidences[e.Criterion] = dismissed(has, e.Evidence)
			}
		}
	}
	return &out
}

// answered are the answers with the one of an entry in its place, in the order of the rubric.
func answered(list []court.Answer, r court.Rubric, e Entry) []court.Answer {
	at := func(id string) int {
		return slices.IndexFunc(r.Criteria, func(c court.Criterion) bool { return c.ID == id })
	}
	i := at(e.Criterion)
	if i < 0 || e.To == nil {
		return list
	}
	c := r.Criteria[i]
	a := court.Answer{Criterion: c.ID, Score: *e.To, Points: c.Scale.Points(*e.To), By: e.By, Reason: e.Reason, Override: !c.ForPeople()}
	if l, ok := c.Scale.Level(*e.To); ok {
		a.Level = l.Name
	}
	list = append(slices.DeleteFunc(list, func(a court.Answer) bool { return a.Criterion == c.ID }), a)
	slices.SortStableFunc(list, func(a, b court.Answer) int { return at(a.Criterion) - at(b.Criterion) })
	return list
}

// dismissed are exhibits with some flaws that do not count.
func dismissed(list []court.Exhibit, ids []string) []court.Exhibit {
	list = slices.Clone(list)
	for i, x := range list {
		if x.Security != nil && slices.Contains(ids, x.ID) {
			flaw := *x.Security
			flaw.Dismissed, flaw.Confirmed = true, false
			list[i].Security = &flaw
		}
	}
	return list
}

// Accepted tells whether a person accepted a record, or a criterion of it, as it is, and nobody took that back. What was
// accepted of an earlier record of the submission is not accepted of this one.
func Accepted(rec *court.Record, list []Entry, criterion string) bool {
	return slices.ContainsFunc(InForce(list), func(e Entry) bool {
		return e.Kind == Accept && e.Record == rec.Digest && (e.Criterion == "" || e.Criterion == criterion)
	})
}
