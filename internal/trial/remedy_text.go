package trial

import (
	"fmt"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/rubric"
	"github.com/automaton-auditor/automaton/internal/safetext"
	"github.com/automaton-auditor/automaton/internal/verdict"
)

// join adds the checks of a remedy that asks for the same act. The act is done once: what
// it takes is what the check that takes most does.
func join(r *court.Remedy, more court.Remedy) {
	r.Also = append(append(r.Also, court.Put{Criterion: more.Criterion, Check: more.Check}), more.Also...)
	r.Effort = max(r.Effort, more.Effort)
	for _, id := range more.Evidence {
		if !slices.Contains(r.Evidence, id) {
			r.Evidence = append(r.Evidence, id)
		}
	}
	r.After = nil
}

// folded makes one remedy of those of which one asks for all that another asks for.
func folded(list []court.Remedy, asks []string) (out []court.Remedy) {
	into := make([]int, len(list)) // the remedy that does the work of each
	for i := range list {
		into[i] = i
		for k, other := range asks {
			if asks[i] != "" && asks[i] != other && contained(asks[i], other) && len(other) > len(asks[into[i]]) {
				into[i] = k
			}
		}
	}
	for i := range list {
		if into[i] != i {
			join(&list[into[i]], list[i])
		}
	}
	for i, r := range list {
		if into[i] == i {
			out = append(out, r)
		}
	}
	return out
}

// contained tells whether a text asks for nothing that the other does not ask for: the other
// goes on where it ends, or lists more of the same.
func contained(ask, other string) bool {
	ask, other = strings.TrimSuffix(ask, "."), strings.TrimSuffix(other, ".")
	if strings.HasPrefix(other, ask+". ") {
		return true
	}
	head, items, listed := strings.Cut(ask, ": ")
	otherHead, more, _ := strings.Cut(other, ": ")
	has := strings.Split(more, ", ")
	return listed && head == otherHead && !slices.ContainsFunc(strings.Split(items, ", "), func(s string) bool { return !slices.Contains(has, s) })
}

// remedy says what would put a check right, without its worth, and what it shares with
// other checks that ask for the same; "": nothing.
func (s stand) remedy(law court.Synthesis, check string) (r court.Remedy, ask string) {
	r = court.Remedy{Criterion: s.criterion.ID, Check: check, Evidence: []string{}, After: s.failedParents(check)}
	from, ok := s.first(check)
	if !ok {
		r.Text = fmt.Sprintf("Show in the submission that this holds: %q.", s.question(check))
		return r, ""
	}
	for _, x := range s.exhibits {
		if x.Check == check && x.Stands() {
			r.Blocking = r.Blocking || law.SecurityOverride.On && verdict.Confirmed(law.SecurityOverride, x)
			if kind(x) == kind(from) {
				r.Evidence = append(r.Evidence, x.ID)
			}
		}
	}
	r.Location, r.At, r.Effort = from.Location, from.At, from.Effort
	if len(from.At) == 0 {
		r.Location = ""
	}
	r.Text = s.advice(from, r.After)
	if kind(from) == weak || r.Blocking { // a flaw that caps is told by itself
		return r, ""
	}
	return r, toDo(from)
}

// first is the most telling evidence on a check.
func (s stand) first(check string) (court.Exhibit, bool) {
	var all []court.Exhibit
	for _, x := range s.exhibits {
		if x.Check == check && x.Stands() {
			all = append(all, x)
		}
	}
	slices.SortStableFunc(all, byRelevance)
	if len(all) == 0 {
		return court.Exhibit{}, false
	}
	return all[0], true
}

// open tells whether the author can do something about a check: evidence says what, or
// there is none. A history cannot be redone, and what nobody can read cannot be told.
func (s stand) open(check string) bool {
	if rubric.Unasked(checkOf(s.criterion, check)) {
		return false // nothing looked, so nothing can be put right for it
	}
	x, ok := s.first(check)
	return !ok || kind(x) != weak && toDo(x) != ""
}

// What evidence asks for, the most telling first.
const (
	contrary = iota // something does not comply
	unclear         // nobody could tell
	weak            // it holds, but that is not proven, or rests on what fails; or there is nothing to check
)

func kind(x court.Exhibit) int {
	switch {
	case x.Outcome == court.Violation, x.Outcome == court.Absent, x.Outcome == court.Partial && x.Share < court.One:
		return contrary
	case x.Outcome == court.Unknown:
		return unclear
	default:
		return weak
	}
}

// byRelevance puts the strongest evidence against first, then what is unknown.
func byRelevance(a, b court.Exhibit) int {
	if d := kind(a) - kind(b); d != 0 {
		return d
	}
	if a.Strength != b.Strength {
		if a.Strength > b.Strength {
			return -1
		}
		return 1
	}
	return strings.Compare(a.ID, b.ID)
}

// advice is the remedy's sentence.
func (s stand) advice(x court.Exhibit, after []string) string {
	if kind(x) == weak && len(after) > 0 {
		return "Nothing is to be done here itself. It depends on " + strings.Join(after, ", ") + "."
	}
	if text := toDo(x); text != "" {
		return text
	}
	return fmt.Sprintf("Make this hold: %q.", s.question(x.Check))
}

// toDo is what evidence asks the author for, "" where there is nothing that can be done. What
// could not be examined asks for something that can be read, never for other code.
func toDo(x court.Exhibit) string {
	if x.Remedy != "" {
		return safetext.Sentence(x.Remedy)
	}
	if kind(x) != unclear {
		return ""
	}
	document := x.Detective != court.RepoInvestigator
	where := "the submission"
	if len(x.At) > 0 {
		where = x.Location
	}
	switch {
	case x.Reason == court.NotSubmitted && document:
		return "Hand in the report, as a PDF with text in the repository or with --pdf."
	case x.Reason == court.NoTextLayer:
		return "Export the document again as a PDF with selectable text."
	case x.Reason == court.Encrypted:
		return "Hand in the document without a password."
	case x.Reason == court.Unparsed && document && len(x.At) == 0:
		return "Export the document again, and open the file before you hand it in."
	case x.Reason == court.Unparsed && document:
		return fmt.Sprintf("Export the document again: %s cannot be read.", where)
	case x.Reason == court.Unparsed && len(x.At) > 0:
		return fmt.Sprintf("Repair %s: the file cannot be parsed.", where)
	case x.Reason == court.ShallowHistory:
		return "Fetch the full history before the audit: git fetch --unshallow."
	case x.Reason == court.MissingBlob:
		return "Fetch the missing objects before the audit: git fetch --refetch."
	case x.Reason == court.TooLarge:
		return fmt.Sprintf("Split %s into parts that are small enough to be read.", where)
	case x.Reason == court.Dynamic && len(x.At) > 0 && !document:
		return fmt.Sprintf("Make the code at %s plain enough to be followed without running it. %s", where, safetext.Sentence(court.Clean(x.Rationale, 300)))
	case x.Reason == court.NotRun && len(x.At) > 0:
		return fmt.Sprintf("Call the code at %s from what the program runs.", where)
	}
	return "" // nobody but whoever audits could do something
}

// question is the check's sentence, or its id when it has none.
func (s stand) question(check string) string {
	for _, c := range s.criterion.Checks {
		if c.ID == check && c.Text != "" {
			return c.Text
		}
	}
	return check
}

// failedParents lists the checks that a check rests on, near and far, and that
// are not without fault, in the order of the criterion.
func (s stand) failedParents(check string) []string {
	rests := map[string]bool{check: true}
	for _, c := range slices.Backward(s.criterion.Checks) { // parents stand above their children
		if rests[c.ID] {
			for _, parent := range c.Requires {
				rests[parent] = true
			}
		}
	}
	var out []string
	for _, row := range s.hearing.Ledger[court.TechLead] {
		if row.Check != check && rests[row.Check] && row.D > 0 {
			out = append(out, row.Check)
		}
	}
	return out
}

// others names the other checks whose flaws hold the total under the same cap,
// so that repairing one alone lifts nothing.
func (t tryout) others(list []court.Remedy, i int) string {
	if !list[i].Blocking {
		return ""
	}
	reaches := func(r court.Remedy) bool {
		return r.Criterion == list[i].Criterion || t.law.SecurityOverride.Scope != "criterion"
	}
	var names []string
	for k, r := range list {
		if k != i && r.Blocking && reaches(r) {
			names = append(names, r.Check+" in "+r.Criterion)
		}
	}
	if len(names) == 0 {
		return ""
	}
	return " The cap is lifted only together with " + strings.Join(names, ", ") + "."
}
