package document

import (
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
	"github.com/automaton-auditor/automaton/internal/passage"
)

// modality says how a sentence means what it says.
type modality = court.Modality

const (
	done    = court.Claims
	planned = court.Proposes
	past    = court.Recalls
	others  = court.Quotes
	example = court.Example
	denied  = court.Denies
)

var (
	planHeading = regexp.MustCompile(`(?i)\b(?:remediation|future|next steps?|road ?map|plan(?:s|ned)?|to-?do|improvements?|recommendations?|action items?|known gaps?|forward|follow-?ups?|limitations?|gaps?|weakness(?:es)?|deferred)\b`)
	peerHeading = regexp.MustCompile(`(?i)\bpeer(?:['’]s)? (?:repo|repository|project|submission|code)|\b(?:in|about|of|on|auditing) (?:my|our|the|a) peer\b(?:['’]s (?:repo|project|code))?|\bonpeer\b`)
	planWords   = regexp.MustCompile(`(?i)\b(?:will|shall|should|would|could|planned|plan(?:s)? to|next step|future|proposed?|recommend(?:ed|s)?|to be (?:added|implemented|done|created|written)|not yet|todo|must|needs? to|introduce|consider|add (?:a|an|the|unit|integration|tests?)\b|create (?:a|an)\b)`)
	pastWords   = regexp.MustCompile(`(?i)\b(?:previously|formerly|originally|initially|used to|no longer|was (?:renamed|moved|replaced|removed)|were (?:renamed|moved|replaced|removed)|had been|before this|earlier (?:version|draft|design)|at the (?:time of the )?interim|deprecated|legacy|deleted|removed)\b`)
	peerWords   = regexp.MustCompile(`(?i)\b(?:my|our|the|their|a|peer) peer(?:'s|’s|s)?\b|\bpeer(?:'s|’s)\b|\bpeer (?:repo|repository|project|submission|code)|\btheir (?:repo|repository|project|submission|codebase)\b`)
	denyWords   = regexp.MustCompile(`(?i)\b(?:not|never|no|without|neither|nor|lacks?|missing|absent|instead of|rather than|avoids?|cannot|isn['’]t|doesn['’]t|don['’]t|didn['’]t|aren['’]t|wasn['’]t|n't|fails? to|failed to|hypothetical|if)\b`)
)

// mood reads the modality of a sentence from its words and the headings above.
func mood(p *passage.Passage, sentence string) modality {
	switch {
	case peerWords.MatchString(sentence) || under(p, peerHeading.MatchString):
		return others
	case underPlan(p) || planWords.MatchString(sentence):
		return planned
	case pastWords.MatchString(sentence):
		return past
	}
	return done
}

// underPlan tells whether a passage belongs to a plan. A summary does not, though
// the sizes of letters may put it under the plan that stands before it.
func underPlan(p *passage.Passage) bool {
	return under(p, planHeading.MatchString) && !summing(p)
}

// designed tells a sentence in the present that is under a plan for no more than that a heading calls its subject planned.
func designed(p *passage.Passage, sentence string) bool {
	return !planWords.MatchString(sentence) && !pastWords.MatchString(sentence) &&
		!under(p, func(heading string) bool { return planHeading.MatchString(plannedThing.ReplaceAllString(heading, "")) })
}

var plannedThing = regexp.MustCompile(`(?i)\bplanned\b`)

var (
	missingAfter  = regexp.MustCompile(`(?i)^["'\x60)”]*\s*(?:file |module |script |class |function |folder )?(?:(?:is|was|are|were|remains?) (?:\w+ )?(?:missing|absent|not (?:there|present|found|in the (?:repo\w*|tree|code\w*)|included|committed))|(?:does|did) not (?:yet )?exist|(?:doesn|didn)['’]t (?:yet )?exist)\b`)
	missingBefore = regexp.MustCompile(`(?i)(?:\b(?:there (?:is|was|are|were)|has|had|have|with) no|\b(?:is|are|was|were) missing|^missing|\blacks?|\black(?:ed|ing)|\babsence of|^no)\s+(?:a |an |the |any )?(?:file |module |script |class |function |folder )?["'(\x60“]*$`)
	exampleBefore = regexp.MustCompile(`(?i)\b(?:e\.g\.|for example|for instance|such as|something like|hypothetical(?:ly)?|imaginary|say)[,:]?\s[^.;]{0,60}$`)
)

// saidMissing tells whether a sentence says that what it names is not there.
func saidMissing(sentence, name string) bool {
	i := strings.Index(sentence, name)
	return i >= 0 && (missingAfter.MatchString(sentence[i+len(name):]) || missingBefore.MatchString(sentence[:i]))
}

// asExample tells whether a sentence names something to show what such a thing
// looks like.
func asExample(sentence, name string) bool {
	i := strings.Index(sentence, name)
	return i >= 0 && exampleBefore.MatchString(sentence[:i])
}
