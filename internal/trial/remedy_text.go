package trial

import (
	"fmt"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/rubric"
	"github.com/automaton-auditor/automaton/internal/verdict"
)

// hindrance is why checks fail, or cannot be told, that one act would put right, or let
// somebody look at; the zero value is shared with none.
type hindrance struct {
	ask      string // the act
	location string
	whole    bool // it is the document that cannot be looked at
}

// shared is the hindrance that evidence has in common with others: the same is to be
// done at one place, or the document, or what stands at one place of it, cannot be read.
func shared(x court.Exhibit) hindrance {
	if kind(x) == contrary {
		if len(x.At) == 0 || x.Remedy == "" {
			return hindrance{}
		}
		return hindrance{ask: x.Remedy, location: x.Location}
	}
	why := hindrance{ask: readable(x)}
	if len(x.At) > 0 {
		why.location = x.Location
	}
	switch x.Reason {
	case court.NoArtifact, court.NotSubmitted, court.LeftOut, court.NoTextLayer, court.Encrypted:
		if why.whole = x.Detective != court.RepoInvestigator; why.whole {
			return why
		}
	case court.Unparsed, court.NoDetector:
		if why.location != "" {
			return why
		}
	default:
	}
	return hindrance{}
}

// join adds a check with the same hindrance to a remedy. The act is done once: what
// it takes is what the check that takes most does.
func join(r *court.Remedy, more court.Remedy, why hindrance) {
	r.Also = append(r.Also, court.Put{Criterion: more.Criterion, Check: more.Check})
	r.Effort = max(r.Effort, more.Effort)
	for _, id := range more.Evidence {
		if !slices.Contains(r.Evidence, id) {
			r.Evidence = append(r.Evidence, id)
		}
	}
	r.After = nil
	r.Text = fmt.Sprintf("%s; %d checks wait for it, and it is worth this if all of them hold", strings.TrimSuffix(strings.TrimSuffix(why.ask, "."), ", and show in it"), len(r.Also)+1)
}

// remedy says what would put a check right, without its worth, and what keeps
// it from being told.
func (s stand) remedy(law court.Synthesis, check string) (court.Remedy, hindrance) {
	r := court.Remedy{Criterion: s.criterion.ID, Check: check, Evidence: []string{}, After: s.failedParents(check)}
	var all []court.Exhibit
	for _, x := range s.exhibits {
		if x.Check == check && x.Stands() {
			all = append(all, x)
			r.Blocking = r.Blocking || law.SecurityOverride.On && verdict.Confirmed(law.SecurityOverride, x)
		}
	}
	slices.SortStableFunc(all, byRelevance)
	if len(all) == 0 {
		r.Text = "Show that it holds: " + s.question(check)
		return r, hindrance{}
	}
	from := all[0]
	r.Location, r.At, r.Effort = from.Location, from.At, from.Effort
	if len(from.At) == 0 {
		r.Location = ""
	}
	for _, x := range all {
		if kind(x) == kind(from) {
			r.Evidence = append(r.Evidence, x.ID)
		}
	}
	r.Text = s.advice(from, r.After)
	if kind(from) == weak || r.Blocking { // a flaw that caps is told by itself
		return r, hindrance{}
	}
	return r, shared(from)
}

// open tells whether the author could do something about a check: some evidence
// speaks against it, nobody could tell, or there is none.
func (s stand) open(check string) bool {
	if rubric.Unasked(checkOf(s.criterion, check)) {
		return false // nothing looked, so nothing can be put right for it
	}
	heard := false
	for _, x := range s.exhibits {
		if x.Check == check && x.Stands() {
			heard = true
			if kind(x) != weak {
				return true
			}
		}
	}
	return !heard
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

// advice is the remedy's sentence. What could not be examined asks for
// something that can be read, never for other code.
func (s stand) advice(x court.Exhibit, after []string) string {
	switch {
	case kind(x) == unclear:
		return readable(x) + ": " + s.question(x.Check)
	case kind(x) == weak && len(after) > 0:
		return "Nothing by itself; it rests on " + strings.Join(after, ", ")
	case x.Remedy != "":
		return x.Remedy
	case kind(x) == weak:
		return "Show it where it is done: " + s.question(x.Check)
	default:
		return "Make it hold: " + s.question(x.Check)
	}
}

// readable says what would let somebody look.
func readable(x court.Exhibit) string {
	switch x.Reason {
	case court.NoArtifact, court.NotSubmitted, court.LeftOut:
		if x.Detective == court.RepoInvestigator {
			return "Put into the repository what shows it"
		}
		return "Hand in the PDF report, and show in it"
	case court.NoTextLayer:
		return "Hand in a PDF with text"
	case court.Encrypted:
		return "Hand in a PDF without a password"
	case court.Unparsed:
		return "Hand in files that parse"
	case court.ShallowHistory:
		return "Hand in the full history"
	case court.MissingBlob:
		return "Hand in a complete copy, without files missing"
	case court.TooLarge, court.Limit, court.TimedOut:
		return "Hand in something small enough to be examined in full"
	case court.Dynamic:
		return "Write it out where it is decided, so that it can be read from the source"
	case court.NotRun:
		return "Call it from what the program runs"
	case court.Unverified:
		return "Hand in a copy that reads the same twice"
	case court.Conflict:
		return "Settle which of the contradicting places is right"
	default:
		return "Hand it in in a form that can be read, such as text or Mermaid source; no instrument reads this one yet"
	}
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
	return "; lifts the cap only with " + strings.Join(names, ", ")
}
