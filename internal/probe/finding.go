package probe

import (
	"fmt"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/safetext"
)

// Finding is one answer of a probe, before it is tied to a check. Make it with
// Present, Partly, Against, Missing, Clean, Nothing or Cannot.
type Finding struct {
	Outcome   court.Outcome
	Source    court.Source
	Share     court.Fixed // of partial
	Coverage  court.Fixed // share of the scope that was examined
	Reason    court.Reason
	Rationale string        // one or two sentences, for people; foreign words are shown escaped
	Places    []court.Place // the first one is quoted
	Through   []court.Place // where a run must come for it to have an effect; none: Places
	Quote     string        // verbatim text of a page; of files and commits it is read from the place
	Security  *court.Flaw
	Remedy    string // instead of the probe's own, which nothing unknown has
	Effort    int
	// Barred is what keeps what was found from any effect, as a sentence without its capital
	// letter; "": nothing that is known. It is there all the same.
	Barred string
	Data   any // typed facts, kept in the evidence
	// Certainty is how surely the facts mean what the outcome says; 0 means 1.
	// It is for traces that have harmless explanations too.
	Certainty court.Fixed

	searched bool // its confidence is coverage × recall
	scarce   bool // too little of the scope was read to say that there is nothing
	empty    bool // there was nothing to search: that something is not there is then no merit
}

// Exhaustive tells whether the finding rests on having searched everything.
func (f Finding) Exhaustive() bool { return f.searched }

// Present says that what a good submission has was located.
func Present(src court.Source, places []court.Place, why string, a ...any) Finding {
	return Finding{Outcome: court.Present, Source: src, Coverage: court.One, Places: places, Rationale: fmt.Sprintf(why, a...)}
}

// Partly says that a share of the instances complies.
func Partly(share court.Fixed, src court.Source, places []court.Place, why string, a ...any) Finding {
	f := Present(src, places, why, a...)
	f.Outcome, f.Share = court.Partial, share
	switch share {
	case court.One:
		f.Outcome, f.Share = court.Present, 0
	case 0:
		f.Outcome = court.Violation
	}
	return f
}

// Against says that the contrary of what is wanted was located.
func Against(src court.Source, places []court.Place, why string, a ...any) Finding {
	f := Present(src, places, why, a...)
	f.Outcome = court.Violation
	return f
}

// Missing says that everything in scope was searched, sentinel words too, and
// it is not there.
func Missing(coverage court.Fixed, src court.Source, why string, a ...any) Finding {
	return Finding{Outcome: court.Absent, Source: src, Coverage: coverage, Rationale: fmt.Sprintf(why, a...), searched: true}
}

// OfNothing is a finding that something is missing, where there was nothing to search.
func (f Finding) OfNothing(empty bool) Finding {
	f.empty = empty
	return f
}

// Clean says that an exhaustive search for a flaw found none.
func Clean(coverage court.Fixed, src court.Source, why string, a ...any) Finding {
	return Finding{Outcome: court.Present, Source: src, Coverage: coverage, Rationale: fmt.Sprintf(why, a...), searched: true}
}

// Nothing says that there is nothing to check: none of what the question is
// about exists. It is the answer to "none of these does that" and "all of these
// do that" over no such things, never to "there is one of these", whose answer is
// Missing. What was not read may hold some: where that is more than a tenth of
// the scope, it is unknown.
func Nothing(coverage court.Fixed, src court.Source, why string, a ...any) Finding {
	why = fmt.Sprintf(why, a...)
	if coverage < enoughRead {
		f := Cannot(court.NoDetector, nil, "%s This was looked for in the %d %% of the scope that could be read.", safetext.Sentence(why), coverage/100)
		f.scarce = true
		return f
	}
	return Finding{Outcome: court.NotApplicable, Source: src, Coverage: coverage, Rationale: why}
}

// enoughRead is the share of a scope from which what was not seen in it can be
// taken not to be there at all; a design choice.
const enoughRead = 9 * court.One / 10

// Cannot says that it could not tell, and why.
func Cannot(reason court.Reason, places []court.Place, why string, a ...any) Finding {
	return Finding{Outcome: court.Unknown, Source: court.Mention, Reason: reason, Places: places, Rationale: fmt.Sprintf(why, a...)}
}

// Do is the finding with what would put it right: it names the thing, the place of the
// change and, where there is one, the line to write.
func (f Finding) Do(remedy string, a ...any) Finding {
	f.Remedy = fmt.Sprintf(remedy, a...)
	return f
}

// DoAt is the finding with a remedy that names the first three of some places.
func (f Finding) DoAt(places []court.Place, remedy string) Finding {
	var first []string
	for _, p := range places[:min(len(places), 3)] {
		first = append(first, court.Clean(p.String(), 120))
	}
	return f.Do(remedy, strings.Join(first, ", "))
}

// Ratio is n of d in basis points, cut; the whole when there is nothing.
func Ratio(n, d int) court.Fixed {
	if d <= 0 {
		return court.One
	}
	return court.Fixed(int64(n) * int64(court.One) / int64(d))
}

// confidence is how sure the finding is, given the probe's recall.
func (f Finding) confidence(recall court.Fixed) court.Fixed {
	switch {
	case f.Outcome == court.Unknown:
		return 0
	case f.searched, f.Outcome == court.NotApplicable:
		return court.Mul(f.Coverage, recall)
	case f.Certainty > 0:
		return f.Certainty
	default:
		return court.One
	}
}

// Unable is the error of an instrument that could not look: the probe's answer
// is then unknown, for this reason.
type Unable struct {
	Reason court.Reason
	Why    string
	At     []court.Place // what could not be looked at, where it is known
}

func (u *Unable) Error() string { return u.Why }

func (u *Unable) finding() Finding {
	return Cannot(u.Reason, u.At, "%s", safetext.Sentence(u.Why))
}
