package document

import (
	"strings"

	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
	"github.com/automaton-auditor/automaton/internal/passage"
)

// utterance is a piece of a passage that may say that something is so.
type utterance struct {
	text string
	mood modality
}

var (
	// claimVerb is a verb by which a sentence says that something is so.
	claimVerb = regexp.MustCompile(`(?i)\b(?:we|i|is|are|was|were|us(?:es?|ing|ed)|runs?|ran|running|enforc(?:es?|ed|ing)|implement(?:s|ed|ing)?|execut(?:es?|ed|ing)|appl(?:ies|ied|y|ying)|launch(?:es|ed)?|guarantees?|ensur(?:es?|ing)|merg(?:es?|ed|ing)|prevent(?:s|ed|ing)?|provid(?:es?|ed|ing)|includes?|included|including|has|have|built|binds?|bound|wired?|wires|pars(?:es?|ed|ing)|clon(?:es?|ed|ing)|validat(?:es?|ed|ing)|support(?:s|ed)?|perform(?:s|ed|ing)?|return(?:s|ed|ing)?|calls?|called|operat(?:es?|ing)|adds?|added|utili[sz](?:es?|ed|ing)|employ(?:s|ed|ing)?|featur(?:es?|ing)|trigger(?:s|ed|ing)?|fan(?:s|ned|ning)?[\s\-‐‑]?(?:out|in)|branch(?:es)?|spawn(?:s|ed|ing)?|orchestrat(?:es?|ed|ing)|dispatch(?:es|ed|ing)?|converg(?:es?|ed|ing)|leverag(?:es?|ed|ing)|start(?:s|ed)?|retr(?:ies|ied)|cap(?:s|ped|ping)?|limit(?:s|ed)?|overrid(?:es?|ing|den)|record(?:s|ed)?|generat(?:es?|ed|ing)|produc(?:es?|ed|ing)|writ(?:es|ten)|sav(?:es?|ed)|renders?|rendered|remov(?:es?|ed)|clean(?:s|ed)|delet(?:es?|ed)|handl(?:es?|ed|ing)|rout(?:es?|ed|ing)|catch(?:es)?|achieved|reali[sz]ed|collect(?:s|ed)?|appends?|declar(?:es?|ed)|defin(?:es?|ed)|deduct(?:s|ed)?|weigh(?:s|ed|ts)?|re-?evaluat(?:es?|ed)|follow(?:s|ed)?|happens?|occurs?|relies|depends?|enables?|eliminates?|maintains?|allows?|keeps?|compar(?:es?|ed)|comput(?:es?|ed)|aggregat(?:es?|ed)|averages?|resolv(?:es?|ed)|overrul(?:es?|ed)|waits?|joins?|stor(?:es?|ed)|persist(?:s|ed)?|logs?|logged|manag(?:es?|ed)|maps?|isolat(?:es?|ed)|sandboxe[sd]|checks?|extracts?|invokes?|evaluates?|decides?|reduces?|boosts?|explains?|accepts?|rejects?|passes|locks?|pins?)\b`)
	// A list under such a heading, or after such a lead, needs no verb.
	doneHeading = regexp.MustCompile(`(?i)\b(?:implemented|features?|what works|completed?|capabilities|accomplish(?:ed|ments)|achievements?|delivered|strengths|what (?:was|is|we|i) (?:built|done|implemented))\b`)
	ticked      = regexp.MustCompile(`^\W*(?:\[[xX✓]\]|[✅✓✔☑])`)
	unticked    = regexp.MustCompile(`\[ \]|[❌✗✘☐⚠🚧⏳🔄🟡🔴]|(?i)\b(?:partial(?:ly)?|pending|to-?do|planned|not (?:yet |started|implemented|done)|missing|in progress|none|n/a|deferred|absent|failed|blocked|stub|tbd)\b`)
	settled     = regexp.MustCompile(`(?i)[✅✓✔☑]|\b(?:done|implemented|completed?|working|verified)\b`)
)

// chosen begins a sentence that says without a verb what was taken.
var chosen = regexp.MustCompile(`(?i)^\W*(?:(?:our|the|final) )?(?:choice|chosen (?:approach|option|\w+)|decision|selected(?: \w+)?)\s*:\s`)

// ofToday says in a cell of a table what is so since something was changed: no rubric
// does.
var ofToday = regexp.MustCompile(`(?i)\b(?:is|are) now\b|\bnow\s+` + strings.TrimPrefix(claimVerb.String(), `(?i)\b`))

// utterances are the sentences that claim something, the items of lists of
// what there is, the rows of tables whose status says that it is done, and what
// a cell says to be so now.
func utterances(p *passage.Passage) []utterance {
	var out []utterance
	switch p.Kind {
	case passage.Body, passage.List:
		fragments := p.Kind == passage.List && (under(p, doneHeading.MatchString) || ticked.MatchString(p.Text))
		for _, s := range passage.Sentences(p.Text) {
			if words(s) >= 3 && (claimVerb.MatchString(s) || verbless.MatchString(s) || chosen.MatchString(s)) || fragments && !unticked.MatchString(s) {
				out = append(out, utterance{s, mood(p, s)})
			}
		}
	case passage.Table:
		for row := range strings.SplitSeq(p.Text, "\n") {
			if unbuilt.MatchString(row) && !under(p, assessing.MatchString) || settled.MatchString(row) && !unticked.MatchString(row) && !under(p, rubric) {
				out = append(out, utterance{row, mood(p, row)})
				continue
			}
			for cell := range strings.SplitSeq(row, "\t") {
				for _, s := range passage.Sentences(cell) {
					if ofToday.MatchString(s) {
						out = append(out, utterance{s, mood(p, s)})
					}
				}
			}
		}
	case passage.Heading, passage.Caption, passage.Code, passage.Contents:
	}
	return out
}

var (
	general = regexp.MustCompile(`(?i)^\W*(?:in (?:a|an|most|many|general)\b|traditional|naive|a naive|typical|many|most|when a|any |rubric|criteri|example|for (?:example|instance)|e\.g\.|suppose|imagine)|\b(?:criterion|rubric (?:asks|requires|demands)|requires? that|requirement|success pattern|failure pattern|hypothetical(?:ly)?|describes? (?:a|an|how)|refers? to|is (?:a|an|the) (?:\w+ )?(?:pattern|technique|concept|practice|term|idea)|(?:is|are) defined as|means that)\b`)
	// An auditor's document says much of what the program looks for in others.
	looksFor = regexp.MustCompile(`(?i)\b(?:detect(?:s|ed|ing|ion)?|verif(?:y|ies|ied|ication|ying)|checks?|checked|checking|identif(?:y|ies|ied|ying)|inspects?|look(?:s|ed|ing)? for|confirm(?:s|ed|ing|ation)?|scan(?:s|ned|ning)?|flag(?:s|ged|ging)?|search(?:es|ed|ing)?|determin(?:es?|ing)|finds?|presence of|evidence of|whether|reward(?:s|ed|ing)?|penali[sz](?:es?|ed|ing)|audit(?:s|ed|ing)?|ask(?:s|ed)?|reports?|discover(?:s|ed)?)\b`)
	marked   = regexp.MustCompile(`(?i)\bscor(?:ed|ing)\b|\bscores?\b\W*(?:\d|of\b|for\b)|\bgraded?\b`)
	graded   = regexp.MustCompile(`(?i)\b(?:scor(?:e|ed|es|ing)|graded?)\b`)
	means    = regexp.MustCompile(`(?i)\b(?:using|via|through|by|leveraging|employing|thanks to)\b`)
	quoted   = regexp.MustCompile(`^["“'‘].*["”'’]\.?$`)
	aboutAll = regexp.MustCompile(`(?i)\b(?:background|problem|motivation|introduction to|related work|requirements?|assignment|challenge|rubric)\b`)
	// Judges of an audit that the document retells.
	opined = regexp.MustCompile(`(?i)^\W*(?:the )?(?:prosecutor|defen[sc]e|tech[ _]?lead|chief[ _]?justice|judges?)\b(?:['’]s)?.{0,30}?(?:\b[1-5](?:\.\d)?(?:\s*/\s*\d+)?\b|:\s*["“]|\b(?:argu|claim|noted|noting|notes|cited|cites|flag|confirm|prais|contend|acknowledg|admit|stated|states|critici|pointed|emphasi|opinion|scored|gave|sees|saw|highlight))|\b(?:prosecutor|defen[sc]e|tech[ _]?lead|judges?)\b(?: and| both| all|,| \w+ly){0,3} (?:argu(?:ed|es|ing)|claim(?:ed|ing|s that)|not(?:ed|ing)|cited|citing|confirm(?:ed|s|ing)|prais(?:ed|es|ing)|contend(?:ed|s|ing)|acknowledg(?:ed|es|ing)|admitt?(?:ed|s|ing)|stat(?:ed|ing)|pointed|emphasi[sz](?:ed|ing))\b`)
)

// hearsay is what a sentence says of other programs or in somebody else's
// words: what is retold, and what the program looks for.
func hearsay(p *passage.Passage, sentence string) bool {
	return retold(p, sentence) || looksFor.MatchString(sentence) || graded.MatchString(sentence)
}

// retold is what a sentence says of programs in general, of what is asked for,
// or in somebody else's words.
func retold(p *passage.Passage, sentence string) bool {
	return strings.HasSuffix(strings.TrimRight(sentence, `"”’' `), "?") || general.MatchString(ruleNames.ReplaceAllString(sentence, "")) || opined.MatchString(sentence) || quoted.MatchString(sentence) || under(p, aboutAll.MatchString)
}

// ruleNames are names with words in them that else speak of what is asked for.
var ruleNames = regexp.MustCompile(`(?i)\b(?:dissent|security|variance|fact) requirements?\b`)

// showsHow begins a sentence that shows what such a thing looks like.
var showsHow = regexp.MustCompile(`(?i)^\W*(?:for )?example\b`)

// predicateAnew is where a sentence goes on to say something else of its
// subject.
var predicateAnew = regexp.MustCompile(`(?i)(?:\band|;|,)\s+(?:then\s+|the \w+ (?:is|are)\s+)?` + strings.TrimPrefix(claimVerb.String(), `(?i)\b`))

// anew tells whether between the last verb of looking before a byte and that
// byte the sentence begins to say what is done, or the verb is a noun.
func anew(sentence string, at int) bool {
	left := sentence[:at]
	all := looksFor.FindAllStringIndex(left, -1)
	if len(all) == 0 {
		return false
	}
	last := all[len(all)-1]
	return reportNouns.MatchString(left[last[0]:last[1]]) && !strings.Contains(strings.ToLower(left[last[1]:]), "whether") ||
		predicateAnew.MatchString(left[last[1]:])
}

// reportNouns are rather things than deeds.
var reportNouns = regexp.MustCompile(`(?i)^(?:reports?|audits?|detection|verification|confirmation|checks)$`)

// contrast tells whether a sentence that is not a plan says what would be without
// what is there.
func contrast(p *passage.Passage, sentence string) bool {
	return would.MatchString(sentence) && !planWords.MatchString(would.ReplaceAllString(sentence, "")) && !underPlan(p)
}

// would is a verb of what is not so.
var would = regexp.MustCompile(`(?i)\b(?:would|could)\b`)

// lookedFor tells what the program looks for in others from what it is: the
// thing at a byte is the object of a verb of looking, not the means by which
// something is looked for.
func lookedFor(sentence string, at int) bool {
	left := sentence[:at]
	if m := purposeFirst.FindStringIndex(left); m != nil {
		left = left[m[1]:]
	}
	if all := looksFor.FindAllStringIndex(left, -1); len(all) > 0 && !means.MatchString(left[all[len(all)-1][1]:]) {
		return true
	}
	return marked.MatchString(left[strings.LastIndexByte(left, ':')+1:])
}

// purposeFirst is what a sentence says first of what for or when, before it says what is done.
var purposeFirst = regexp.MustCompile(`(?i)^\W*(?:in order to|to|for|when|while|before|after)\s[^,;:.]*,\s+(?:we|i|it|our|this)\b`)

var (
	clauseEnd = regexp.MustCompile(`(?i)[,;:()—–]|\b(?:but|while|whereas|although|because|so that|instead of|rather than|unlike)\b`)
	refuses   = regexp.MustCompile(`(?i)^(?:instead of|rather than|unlike)$`)
	negation  = regexp.MustCompile(`(?i)\b(?:not|never|no|zero|without|neither|nor|lacks?|lacking|missing|absent|avoid(?:s|ed|ing)?|cannot|isn['’]t|doesn['’]t|don['’]t|didn['’]t|aren['’]t|wasn['’]t|weren['’]t|hasn['’]t|fails? to|failed to|failure to|remov(?:es?|ed|ing)|replac(?:es?|ed|ing)|over)\b`)
	predicate = regexp.MustCompile(`(?i)^[^.]{0,60}?\b(?:(?:is|are|was|were|be|been|does|do|did|has|have|remains?|still|currently)\s+(?:\w+\s+)?(?:not|never|missing|absent|lacking|limited|incomplete|disabled|unimplemented|planned|unused|partial(?:ly)?|optional|conceptual|simulated|stubbed|out of scope)|isn['’]t|aren['’]t|doesn['’]t|don['’]t|wasn['’]t|hasn['’]t|lacks?|(?:failed|fails) to)\b`)
	notOnly   = regexp.MustCompile(`(?i)\bnot (?:only|just|merely)\b|\bno longer\b`)
	// What stands after it is there, and replaces something.
	replacedBy = regexp.MustCompile(`(?i)\breplac(?:es?|ed|ing)\b.*\b(?:with|by)\b`)
	condition  = regexp.MustCompile(`(?i)^\W*(?:(?:and|or|that|which|even) )?(?:if|unless|were|suppose)\b`)
)

// clause is where the clause around a stretch of a sentence begins, what word
// led to it, and where it ends.
func clause(sentence string, from, to int) (start int, led string, end int) {
	end = len(sentence)
	for _, m := range clauseEnd.FindAllStringIndex(sentence, -1) {
		if m[1] <= from {
			start, led = m[1], sentence[m[0]:m[1]]
		} else if m[0] >= to {
			return start, led, m[0]
		}
	}
	return start, led, end
}

// refused tells whether the thing at a stretch of a sentence is said not to be:
// by a word before it in its clause, or by what its clause says of it.
func refused(sentence string, from, to int, conditional bool) bool {
	start, led, end := clause(sentence, from, to)
	before := replacedBy.ReplaceAllString(notOnly.ReplaceAllString(sentence[start:from], ""), "")
	return refuses.MatchString(led) || negation.MatchString(before) || predicate.MatchString(sentence[to:end]) ||
		!conditional && condition.MatchString(before)
}

// inQuotes tells whether a byte of a sentence stands within somebody's words: a
// term of a few words that is set off by marks is the author's.
func inQuotes(sentence string, at int) bool {
	for _, m := range quotation.FindAllStringIndex(sentence, -1) {
		if m[0] < at && at < m[1] {
			return words(sentence[m[0]:m[1]]) > quotedTerm
		}
	}
	return false
}

var quotation = regexp.MustCompile(`"[^"]*"|“[^”]*(?:”|$)`)

// hedging is what says less than that something is so.
var hedging = regexp.MustCompile(`(?i)\b(?:conceptual(?:ly)?|theoretical(?:ly)?|design(?:ed)? (?:to|for|so)|intend(?:s|ed)?|aim(?:s|ed)?|goals?|objectives?|can|may|might|option(?:al|ally)?|ideally|allow(?:s|ed|ing)?|partial(?:ly)?|largely|effectively|essentially|basic(?:ally)?|limited|support(?:s|ed)? for|potential(?:ly)?|capable|possible|simulat\w+|logical(?:ly)?|in principle|ready|foundation|vision|envision(?:s|ed)?|philosophy|three core concepts|grounded in)\b`)

// logicalRules are rules, and no reserve.
var logicalRules = regexp.MustCompile(`(?i)\blogical (?:rules?|conditions?|operators?)\b`)

// nouns look like verbs of claiming and are none.
var nouns = regexp.MustCompile(`(?i)\bfan[\s\-‐‑]?(?:in|out)\b|\bbranch(?:es)?\b`)

// purpose is what a heading says above what is wished for.
var purpose = regexp.MustCompile(`(?i)\b(?:goals?|objectives?|aims?|intentions?|vision|philosophy|ideals?|proposed|expected|target)\b`)

// firm tells whether a sentence says without reserve that the thing is so here:
// only such a one can be contradicted.
func firm(p *passage.Passage, sentence string) bool {
	said := claimVerb.MatchString(nouns.ReplaceAllString(sentence, "")) || chosen.MatchString(sentence) || p.Kind != passage.Body && (under(p, doneHeading.MatchString) || ticked.MatchString(p.Text) || settled.MatchString(sentence))
	return said && !hedging.MatchString(logicalRules.ReplaceAllString(sentence, "")) && !showing.MatchString(sentence) && len(sentence) < 700 && !under(p, purpose.MatchString) &&
		!(len(p.Section) > 0 && showing.MatchString(p.Section[len(p.Section)-1]))
}

// showing is what may say what a picture shows, not what the code does.
var showing = regexp.MustCompile(`(?i)\b(?:diagrams?|figures?|drawn|depict(?:s|ed)?|illustrat\w+|legend|vision)\b|[→⇒│└▼]|-->`)
