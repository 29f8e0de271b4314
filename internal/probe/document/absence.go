package document

import (
	"context"
	"strings"

	"github.com/automaton-auditor/automaton/internal/agentgraph"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/facts"
	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
	"github.com/automaton-auditor/automaton/internal/passage"
	"github.com/automaton-auditor/automaton/internal/probe"
)

// What a document says is not there is a claim as what it says is there, and is
// settled by the same facts the other way round.

var (
	// noneBefore is what stands before a thing of which a sentence says that there is none.
	noneBefore = regexp.MustCompile(`(?i)(?:\b(?:no evidence of|(?:there (?:is|are)|has|have|contains?|provides?|includes?|implements?) (?:currently )?no|lacks?|lacking|lack of|absence of|(?:does|do)(?:n['’]t| not)(?: currently| yet)? (?:have|use|include|implement|perform|support|contain|apply|enforce)|(?:is|are) missing)|^\W*(?:\w+:\s*)?(?:no|missing:?))\s+(?:an? |any |the )?(?:[\w\-]+ ){0,2}["'\x60“(]*$`)
	// noneAfter is what stands after one.
	noneAfter = regexp.MustCompile(`(?i)^["'\x60”)(]*\s*(?:\w+\s+){0,2}?(?:(?:is|are|remains?|stays?) (?:\w+ )?(?:not (?:yet )?(?:implemented|there|present|in place|wired|used|supported|enabled|done|enforced|applied|performed)|missing|absent|unimplemented|commented out|disabled|unused)|(?:does|do) not (?:yet )?exist|not (?:yet )?implemented)\b`)
	// wholly is what may follow without making it a part of the program that is spoken of.
	wholly = regexp.MustCompile(`(?i)^["'\x60”)(\s]*(?:(?:hard-?coded|explicit|real|logic|rules?|mechanisms?|implementations?|edges?|rout(?:es|ing)|support|enforcement|at all|yet|anywhere|exists?|(?:is|are) (?:used|implemented|there|present|enforced|applied)|implemented|present|for (?:isolation|safety|security|clon\w+)|in (?:place|the (?:code|codebase|graph|repo\w*|implementation|project|system)))[\s.]*|or ["'\x60“].*)*$`)
	// anyCase bounds what a sentence says to some cases.
	anyCase = regexp.MustCompile(`(?i)\b(?:when(?:ever)?|if|unless|until|while|where|once|could|would|should|will|must|might|may|can|needs? to|to be|only)\b|\w['’]ll\b`)
	// owns is what says that something is so in part only.
	owns     = regexp.MustCompile(`(?i)\b(?:but|except|manual(?:ly)?|however|although|though)\b`)
	verbless = regexp.MustCompile(`(?i)^\W*(?:\w+:\s*)?(?:no evidence of|no|missing:?|lacks?)\s`)
)

// lacking tells whether a sentence says of the program as it is that the thing at a
// stretch of it is not there at all.
func lacking(p *passage.Passage, sentence string, from, to int) bool {
	if clauseEnd.MatchString(sentence[from:to]) {
		return false
	}
	start, _, end := clause(sentence, from, to)
	before, after := notOnly.ReplaceAllString(sentence[start:from], ""), strings.TrimRight(sentence[to:end], " .!)")
	if noneBefore.MatchString(before) {
		return ofNow(p, sentence) && wholly.MatchString(after)
	}
	m := noneAfter.FindStringIndex(after)
	return m != nil && words(before) < 4 && ofNow(p, sentence) && wholly.MatchString(after[m[1]:])
}

// ofNow tells whether a sentence speaks of this program as it is, without a condition.
// A part of the document on plans and limits says, too, what is not there.
func ofNow(p *passage.Passage, sentence string) bool {
	bare := notYet.ReplaceAllString(sentence, "not")
	return !anyCase.MatchString(bare) && !planWords.MatchString(bare) && !pastWords.MatchString(bare) &&
		!peerWords.MatchString(sentence) && !under(p, peerHeading.MatchString) && !retold(p, sentence)
}

var notYet = regexp.MustCompile(`(?i)\bnot yet\b`)

// against tells whether a sentence says the opposite of a feature.
func (c capability) against(p *passage.Passage, sentence string) bool {
	if c.contrary == nil {
		return false
	}
	m := c.contrary.FindStringIndex(sentence)
	if m == nil || refused(sentence, m[0], m[1], c.conditional) || lookedFor(sentence, m[0]) || !ofNow(p, insteadOf.ReplaceAllString(sentence[:m[0]]+" "+sentence[m[1]:], "")) {
		return false
	}
	if c.and == nil {
		return true
	}
	for _, w := range c.and.FindAllStringIndex(sentence, 10) {
		between := sentence[min(m[1], w[1]):max(m[0], w[0], min(m[1], w[1]))]
		if len(between) <= maxApart && !parted.MatchString(between) {
			return true
		}
	}
	return c.role == "" && under(p, c.and.MatchString) // else the words of the opposite are too common
}

// insteadOf begins what is said not to be.
var insteadOf = regexp.MustCompile(`(?i)\b(?:rather than|instead of)\b.*$`)

// without is the claim that there is no such thing.
func (c capability) without() string {
	if rest, ok := strings.CutPrefix(c.name, "no "); ok {
		return rest
	}
	return "no " + c.name
}

// reversed is a result for who says the contrary. Of what holds in part nobody can
// tell what is meant.
func (r result) reversed() result {
	switch r.fate {
	case holds:
		r.fate = untrue
		if r.why == "" {
			r.why = "it is there"
		}
	case untrue:
		r.fate = holds
	default:
		r.fate = undecided
	}
	return r
}

// plain tells whether a sentence says without reserve that something is not there.
func plain(p *passage.Passage, sentence string) bool {
	bare := aside.ReplaceAllString(sentence, "")
	return !hedging.MatchString(bare) && !showing.MatchString(bare) && len(sentence) < 400 && !under(p, purpose.MatchString)
}

// modules are of Python's own library.
const modules = `tempfile|subprocess|shutil|ast|asyncio|decimal|atexit|hashlib|json|re|threading|multiprocessing|concurrent|logging|urllib|functools|contextlib|statistics|sqlite3|uuid|pickle`

// library is a name of Python's own library with its module, which is not a name of
// anybody's product.
var library = regexp.MustCompile(`\b(` + modules + `)\.((?:[a-z]\w*\.)*[A-Za-z]\w+)\b`)

// ofLibrary is the use of such a name, which its call settles. A function of the project's
// own of that name is another one.
func ofLibrary(module, name string) capability {
	last := name[strings.LastIndexByte(name, '.')+1:]
	look := calls(last, module+"."+name, module+".*."+last)
	return capability{name: court.Clean(module+"."+name, 80), deniable: true, whose: usedBy(module, name), truth: func(ctx context.Context, s *probe.Scene, a *against) (fate, []court.Place, string) {
		f, at, why := look(ctx, s, a)
		if f != untrue {
			return f, at, why
		}
		for _, c := range a.program.Calls(module + ".*") { // what is called in its place
			if a.live(c) {
				return f, line(c.Node.Path(), c.Line()), why + "; it calls " + court.Clean(module+"."+c.Name, 60)
			}
		}
		return f, at, why
	}}
}

// noReducer says that no field of the state has one; a sentence on some fields does not.
var noReducer = regexp.MustCompile(`(?i)\bno (?:state )?reducers? (?:is|are) (?:used|defined|declared|set|present|in use)\b|\b(?:the (?:state|graph)|AgentState) (?:has|uses|declares|defines) no reducers?\b|\b(?:the state|AgentState) lacks (?:any )?reducers?\b`)

// anyReducer asks whether any field of the state has a reducer.
func anyReducer(_ context.Context, _ *probe.Scene, a *against) (fate, []court.Place, string) {
	none := a.graphs.State != nil && !a.graphs.State.Open
	if a.graphs.State == nil {
		return undecided, nil, "no state was found"
	}
	for _, field := range a.graphs.State.Fields {
		switch field.Reducer.Kind {
		case agentgraph.ReducerNone:
		case agentgraph.ReducerUnknown:
			none = false
		default:
			return holds, facts.At(field.At), "a field of the state has a reducer"
		}
	}
	if !none {
		return undecided, nil, "not all fields of the state could be read"
	}
	return untrue, facts.At(a.graphs.State.At), "no field of the state has a reducer"
}
