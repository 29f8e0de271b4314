package decision

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/automaton-auditor/automaton/internal/court"
)

// Kind is what a decision does.
type Kind string

// The kinds of decisions.
const (
	Score   Kind = "score"   // of a person, on a criterion that the court judged
	Answer  Kind = "answer"  // of a person, on a criterion that only people mark
	Dismiss Kind = "dismiss" // a security flaw does not count any more
	Accept  Kind = "accept"  // what stands is right, of a criterion or of the case
	Comment Kind = "comment"
	Appeal  Kind = "appeal"  // the audited side asks for one criterion to be looked at again
	Publish Kind = "publish" // the score that stands may be given out
	Undo    Kind = "undo"    // takes another decision back
)

func kinds() []Kind { return []Kind{Score, Answer, Dismiss, Accept, Comment, Appeal, Publish, Undo} }

// Entry is one decision. Seq and At, Record and From, and the hashes are filled in when it is kept; To is, too, where it
// is published.
type Entry struct {
	Seq        int64        `json:"seq"`
	At         time.Time    `json:"at"`
	By         string       `json:"by"`
	Kind       Kind         `json:"kind"`
	Submission string       `json:"submission"`
	Record     string       `json:"record"`       // digest of the record that the person had; empty: there was none
	Criterion  string       `json:"criterion_id"` // empty: the whole case
	From       *court.Fixed `json:"from"`         // what stood before
	To         *court.Fixed `json:"to"`           // of score and answer: the score, from 1 to 5; of publish: the total
	Evidence   []string     `json:"evidence"`     // ids
	Points     []string     `json:"points,omitempty"`
	Undoes     int64        `json:"undoes,omitempty"` // the seq of the decision that is taken back
	// Answers are the appeals that the decision answers, by their seq; before it is kept, -1 is the entry before it in the same
	// act. nil: it was made when a decision answered all appeals on its criterion.
	Answers []int64 `json:"answers,omitzero"`
	Group   string  `json:"group,omitempty"` // one act over several cases
	Reason  string  `json:"reason"`
	Prev    string  `json:"prev"`           // hash of the entry before it; empty: it is the first
	Hash    string  `json:"hash,omitempty"` // of the rest
}

// Together is the name of an act that gives the scores of many cases out.
func Together(at time.Time) string {
	return "given out together, " + at.UTC().Format("2006-01-02 15:04:05")
}

// Bounds of what an entry holds, in characters and numbers.
const (
	LeastReason = 10
	mostReason  = 2000
	mostName    = 200
	mostPoint   = 400
	mostItems   = 50
)

// Check says what is wrong with an entry that a person gives, whatever the case is.
func (e Entry) Check() error {
	var errs []error
	check := func(ok bool, format string, a ...any) {
		if !ok {
			errs = append(errs, fmt.Errorf(format, a...))
		}
	}
	scored := e.Kind == Score || e.Kind == Answer
	check(slices.Contains(kinds(), e.Kind), "%q is not a kind of decision", court.Clean(string(e.Kind), 40))
	check(line(e.By, mostName) && e.By != "", "a decision needs the name of the person who makes it, of at most %d characters", mostName)
	check(line(e.Submission, mostName) && e.Submission != "", "a decision needs the id of a submission")
	check(line(e.Criterion, mostName) && line(e.Group, mostName) && line(e.Record, mostName), "names have at most %d characters, in one line", mostName)
	check(!slices.Contains([]Kind{Score, Answer, Dismiss, Appeal}, e.Kind) || e.Criterion != "", "%s needs a criterion", e.Kind)
	check(e.Criterion == "" || e.Kind != Publish && e.Kind != Undo, "%s is about the whole case: leave the criterion out", e.Kind)
	check(!scored || e.To != nil && *e.To >= court.One && *e.To <= 5*court.One, "%s needs a score from 1 to 5", e.Kind)
	check(scored || e.Kind == Publish || e.To == nil, "%s sets no score", e.Kind)
	check(e.Kind != Dismiss || len(e.Evidence) > 0, "name the evidence of the flaw to dismiss")
	check((e.Kind == Appeal) == (len(e.Points) > 0), "an appeal names the places to look at, and no other decision does")
	check((e.Kind == Undo) == (e.Undoes > 0), "undo names the number of the decision to take back, and no other decision does")
	check(len(e.Answers) == 0 || e.Rules(), "%s answers no appeal", e.Kind)
	check(len(e.Evidence) <= mostItems && len(e.Points) <= mostItems && len(e.Answers) <= mostItems, "name at most %d places, appeals or pieces of evidence", mostItems)
	for _, text := range slices.Concat(e.Evidence, e.Points) {
		check(line(text, mostPoint) && text != "", "a place or an id has at most %d characters, in one line", mostPoint)
	}
	for _, text := range e.Points {
		_, err := court.ParsePlace(text)
		check(err == nil, "%q: %v", court.Clean(text, 80), err)
	}
	n := utf8.RuneCountInString(strings.TrimSpace(e.Reason))
	check(n >= LeastReason || e.Kind == Accept && n == 0 || e.Kind == Publish && n == 0, "the reason has %s: give at least %d", court.Count(n, "character"), LeastReason)
	check(n <= mostReason, "the reason has %d characters: give at most %d", n, mostReason)
	check(plain(e.Reason, "\n\t"), "the reason has control characters")
	return errors.Join(errs...)
}

// Rules tells whether the decision is one on what the court said, which an appeal waits for.
func (e Entry) Rules() bool { return slices.Contains([]Kind{Score, Answer, Dismiss, Accept}, e.Kind) }

// answers tells whether the decision answers an appeal that was filed before it.
func (e Entry) answers(a Entry) bool {
	same := a.Submission == e.Submission && (a.Criterion == e.Criterion || e.Kind == Accept && e.Criterion == "")
	return e.Rules() && same && (e.Answers == nil || slices.Contains(e.Answers, a.Seq))
}

// line tells whether a text is one line of at most so many characters.
func line(s string, most int) bool { return utf8.RuneCountInString(s) <= most && plain(s, "") }

// plain tells whether a text has no control characters but those that are allowed.
func plain(s, allowed string) bool {
	return utf8.ValidString(s) && !strings.ContainsFunc(s, func(r rune) bool {
		return (unicode.IsControl(r) || unicode.Is(unicode.Cf, r)) && !strings.ContainsRune(allowed, r)
	})
}

// Fits says why an entry cannot be about a record; nil means that the submission has none.
func (e Entry) Fits(rec *court.Record) error {
	touches := e.Kind == Score || e.Kind == Answer || e.Kind == Dismiss
	if rec == nil || rec.Verdict == nil {
		if touches || e.Criterion != "" {
			return errors.New("the case has no verdict, so that there is nothing to decide; a comment is possible")
		}
		return nil
	}
	if e.Criterion == "" {
		return nil
	}
	i := slices.IndexFunc(rec.Rubric.Asked(rec.Case.Only), func(c court.Criterion) bool { return c.ID == e.Criterion })
	if i < 0 {
		return fmt.Errorf("the case has no criterion %q", e.Criterion)
	}
	switch c := rec.Rubric.Asked(rec.Case.Only)[i]; {
	case e.Kind == Score && c.ForPeople():
		return fmt.Errorf("%q is marked by people only: give an answer in place of a score", e.Criterion)
	case e.Kind == Answer && !c.ForPeople():
		return fmt.Errorf("%q is judged by the court: give a score in place of an answer", e.Criterion)
	case e.Kind != Dismiss:
		return nil
	}
	for _, id := range e.Evidence {
		if !slices.ContainsFunc(rec.Evidences[e.Criterion], func(x court.Exhibit) bool { return x.ID == id && x.Security != nil }) {
			return fmt.Errorf("%q is not a security flaw of %q", id, e.Criterion)
		}
	}
	return nil
}
