package document

import (
	"context"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/agentgraph"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/facts"
	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
	"github.com/automaton-auditor/automaton/internal/passage"
	"github.com/automaton-auditor/automaton/internal/probe"
)

// capability is something that documents say their program does, and how to
// see in the code whether it does.
type capability struct {
	name  string
	says  *regexp.Regexp // what a sentence has that claims it
	and   *regexp.Regexp // and what it has, too; nil: nothing more
	truth truth
	// conditional is what is done under a condition, so that "if" is part of the claim.
	conditional bool
	// negative is something not done, so that "no" is part of the claim.
	negative bool
	still    bool // is so whether anything runs or not
	// deniable is what a sentence may be held to that says it is not there: it is one
	// thing, and no kind of which the sentence may mean another.
	deniable bool
	contrary *regexp.Regexp // what a sentence has that says the opposite; nil: nothing
	unsaid   bool           // only that it is not there is a claim worth holding
	surely   *regexp.Regexp // what a sentence must have to be contradicted; nil: nothing more
	// whose settles it anew for the one thing that a sentence gives it to, or for the number that
	// it gives; nil: nothing is.
	whose func(a *against, r result, sentence string) (subject string, own result, said bool)
	able  bool // what can be done is the claim, and no reserve
	// role is whose nodes it speaks of: of those that a sentence names it may
	// hold where it holds of all in part only.
	role   agentgraph.Role
	judges bool // the answer is about the judges: a sentence on other nodes alone is not settled by it
}

// truth sees in the code whether something is so, where, and why.
type truth func(context.Context, *probe.Scene, *against) (fate, []court.Place, string)

const (
	detectiveWords = `(?i)\bdetectives?\b|\binvestigators?\b|\bRepoInvestigator|\bDocAnalyst|\bVisionInspector|\b(?:repo_investigator|doc_analyst|vision_inspector)|\bforensic (?:agents?|layer)\b`
	judgeWords     = `(?i)\bjudges?\b|\bjudicial (?:layer|bench|nodes?|agents?|branch(?:es)?|panel|swarm|fan)|\bprosecutor\b|\bpersonas?\b|\bbench\b`
	parallelWords  = `(?i)\bin parallel\b|\bparallel(?:ly|ized|ised|ism)\b|\bparallel (?:detectives?|judges?|judicial|fan|branch(?:es)?|execution|layers?|nodes?|investigat)|\b(?:runs?|execut(?:es?|ed|ing)|work(?:s|ing)?|operat(?:es?|ing)) concurrently\b|\bsimultaneously\b|\bconcurrent(?:ly)? (?:detectives?|judges?|judicial|investigat|branch(?:es)?|nodes?|execution)|\bfan(?:s|ned|ning)?[\s\-‐‑]?out\b`
	chiefWords     = `(?i)\bchief[ _]?justice\b|\bsynthesis\b|\bfinal (?:scores?|verdicts?|ruling)\b|\bsupreme court\b|\bverdict engine\b`
	inSequence     = `(?i)\b(?:runs?|running|execut\w+|invok\w+|called|works?|operates?|processed|asked)\b[^.;,]{0,60}\b(?:sequentially|in sequence|one after (?:the other|another)|serially)\b`
	judgeCalls     = `(?i)\bjudges?\b|\bjudicial\b|\bLLM|\bmodels?\b|\bopinions?\b|\boutputs?\b|\bresponses?\b|\bstructured\b|\bpars|\bprompts?\b|\bJSON\b|\bvalidation\b|\bschema\b`
)

// capabilities lists what is looked for: of each what the fact sheet or a probe
// knows where they know it.
func capabilities() []capability {
	re := regexp.MustCompile
	list := []capability{
		{name: "detectives in parallel", says: re(parallelWords), and: re(detectiveWords), truth: parallel(facts.Detective).unlessOneNode(), role: facts.Detective, contrary: re(inSequence), deniable: true},
		{name: "judges in parallel", says: re(parallelWords), and: re(judgeWords), truth: parallel(facts.Judge), role: facts.Judge, contrary: re(inSequence), deniable: true},
		{name: "fan-in before the judges", says: re(`(?i)\bfan(?:s|ned|ning)?[\s\-‐‑]?in\b|\bsynchroni[sz]ation (?:node|point|barrier)|\bconverg(?:e|es|ing)\b`), and: re(`(?i)evidence|detective|aggregat`), truth: ofGraph(func(w *facts.Wiring) facts.Fact[[]agentgraph.Item] { return w.Join(facts.Detective) }).unlessOneNode()},
		{name: "conditional edges", says: re(`(?i)\bconditional (?:edges?|rout)|add_conditional_edges`), truth: chooses, conditional: true, deniable: true},
		{name: "routes for errors", says: re(`(?i)\b(?:conditional (?:edges?|rout\w+)|rout(?:es?|ed|ing)|error (?:edges?|routes?|nodes?|handler node))\b`), and: re(`(?i)\berrors?\b|\bfail|\bmissing\b|\babort|\binvalid\b`), truth: ofGraph(leadsAway), conditional: true, surely: re(`(?i)\bconditional (?:edges?|rout\w+)|\berror[ _\-]?(?:handlers?|routes?|routing|edges?)\b|\brout(?:es?|ed|ing)\b.{0,60}\b(?:errors?|fail\w*|missing|handler|END)\b`)},
		{name: "operator.ior reducer", says: re(`\boperator\.ior\b`), truth: reducer(agentgraph.ReducerIor), whose: reducerOf(agentgraph.ReducerIor), deniable: true},
		{name: "operator.add reducer", says: re(`\boperator\.add\b`), truth: reducer(agentgraph.ReducerAdd), whose: reducerOf(agentgraph.ReducerAdd), deniable: true},
		{name: "evidence of several detectives under one key", says: re(`(?i)\b(?:add|append|writ|contribut|stor|put|merg|accumulat|collect|gather)\w*\b[^.;]{0,60}\b(?:under|to|for|at|in|with) the same (?:\w+ ){0,2}(?:key|dimension|criterion)\b`), and: re(`(?i)\bdetectives?\b|\bevidence`), truth: keepsBoth, able: true},
		{name: "reducer", says: re(`(?i)\breducers?\b`), truth: anyReducer, contrary: noReducer, unsaid: true},
		{name: "Send", says: re(`\bSend(?:\(\))? (?:API|objects?|primitives?|commands?)\b|\bSend\(`), truth: calls("Send", "Send", "*.Send")},
		{name: "checkpoints of the graph", says: re(`(?i)\bcheckpoint(?:er|ers|ing)\b|\b(?:Memory|Sqlite|Postgres)Saver\b|\b(?:graph|state) checkpoints?\b`), truth: checkpoints},
		{name: "people asked within the graph", says: re(`(?i)\bhuman[\s\-]in[\s\-]the[\s\-]loop\b|\binterrupt_(?:before|after)\b`), truth: sentinels("interrupt", "interrupt_before", "interrupt_after").orUnknown()},
		{name: "parsing into syntax trees", says: re(`(?i)\bASTs?\b|\babstract syntax tree`), and: re(`(?i)pars|analy|inspect|walk|\bus(?:e|ing)|verif|detect|travers|based`), truth: imports("ast", "tree_sitter", "tree_sitter_python", "tree_sitter_languages", "libcst", "astroid", "parso")},
		{name: "Pydantic models", says: re(`(?i)\bpydantic\b|\bBaseModel\b`), truth: imports("pydantic", "pydantic_settings"), still: true},
		{name: "TypedDict state", says: re(`\bTypedDict\b`), truth: sentinels("TypedDict"), still: true},
		{name: "asynchronous code", says: re(`(?i)\basyncio\b|\basync (?:def|functions?|nodes?|code|execution)\b`), truth: sentinels("async", "asyncio")},
		{name: "caches", says: re(`(?i)\bcach(?:e[sd]?|ing)\b`), truth: caches},
		{name: "a log", says: re(`(?i)\b(?:structured|centrali[sz]ed) logging\b|\blogging module\b|\bstructlog\b|\bloguru\b|\bPython(?:['’]s)? logging\b`), truth: imports("logging", "structlog", "loguru")},
		{name: "traces", says: re(`(?i)\bLangSmith\b|\bLANGCHAIN_TRACING|\bOpenTelemetry\b`), truth: traces},
		{name: "type checks", says: re(`(?i)\bmypy\b|\bpyright\b|\bstatic type[\s\-]check`), truth: settings(`(?i)\b(?:mypy|pyright|pytype)\b`), still: true},
	}
	return slices.Concat(list, libraries(), layers(), factual())
}

// factual are the capabilities of which a fact tells.
func factual() []capability {
	re := regexp.MustCompile
	return []capability{
		{name: "temporary folder for the clone", says: re(`(?i)\btempfile\b|\btemporary (?:director|folder)|\bTemporaryDirectory\b|\bmkdtemp\b|\bsandbox(?:ed|es|ing)? (?:git )?clon|\bclon\w+ (?:\w+ ){0,4}sandbox`), truth: finding("clone.sandbox", nil), surely: re(`(?i)clon|repo|sandbox`), deniable: true, contrary: re(`(?i)\b(?:(?:is|are|gets?) cloned|clones) (?:\w+ ){0,3}(?:in|into) (?:the|a) (?:local|working|live|current) (?:environment|director\w+|folder|machine)\b`)},
		{name: "removal of the clone's folder", says: re(`(?i)\bclean(?:s|ed|ing)?[\s\-]?up\b|\b(?:deleted|removed|destroyed|purged|wiped|cleaned) (?:automatically|after|when|once|on)\b|\bautomatic(?:ally)? (?:delet|remov|clean|purg)`), and: re(`(?i)\bclone|\btemp|\bsandbox|\bdirector|\bfolder`), truth: finding("clone.cleanup", nil), surely: re(`(?i)clon|repo|sandbox|temp`), deniable: true},
		{name: "time limit of the clone", says: re(`(?i)\btime-?outs?\b|\btime limits?\b`), and: re(`(?i)\bclon(?:e|es|ed|ing)\b`), truth: fact("tools", "clone_timeout", func(s *probe.Sheet) *bool { return s.Tools.CloneTimeout }).when(hasClone), deniable: true, whose: limitsOf},
		{name: "time limits", says: re(`(?i)\btime-?outs?\b|\btime limits?\b`), truth: timed, whose: limitsOf},
		{name: "test of the URL", says: re(`(?i)\bURLs?\b[^.;]{0,40}\b(?:validat|sanitiz|sanitis|allow-?list|white-?list)|\b(?:validat\w*|sanitiz\w*|sanitis\w*|allow-?list\w*)\b[^.;]{0,30}\bURLs?\b`), truth: finding("url.validation", nil), deniable: true},
		{name: "with_structured_output", says: re(`with_structured_output`), truth: bound("with_structured_output"), deniable: true, judges: true},
		{name: "bind_tools", says: re(`\bbind_tools\b`), truth: bound("bind_tools"), deniable: true},
		{name: "structured output of the judges", says: re(`(?i)\bstructured (?:JSON )?outputs?\b|\bschema[\s\-](?:enforced|validated|bound)\b`), and: re(judgeCalls), truth: finding("llm.schema", map[string]any{"role": "judges"}), surely: re(`(?i)\b(?:judges?|judicial|LLMs?|models?|responses?|prompts?|prosecutor)\b`), deniable: true, judges: true},
		{name: "retries of malformed answers", says: re(`(?i)\bretr(?:y|ies|ied|ying)\b|\bre-?prompt(?:s|ed|ing)?\b`), and: re(`(?i)\bmalformed\b|\binvalid\b|\bpars\w+ (?:fail|error)|\bschema\b|\bvalidation (?:fail|error)|\bfree[\s\-]?text\b|\bunstructured\b|\bfails? (?:to parse|validation)|\bstructured\b`), truth: finding("llm.retry", nil), conditional: true, whose: triesOf, deniable: true, judges: true},
		{name: "retries", says: re(`(?i)\bretr(?:y|ies|ied|ying)\b`), truth: retries, conditional: true, whose: triesOf},
		{name: "work of the judges without a model", says: re(`(?i)\bfall(?:s|ing)?[\s\-]?backs?\b|\bgraceful(?:ly)? degrad|\bdegrades? gracefully\b|\boffline mode\b`), and: re(`(?i)\bLLM|\bmodels?\b|\bAPI keys?\b|\bjudges?\b|\bopinions?\b|\bheuristic`), truth: fact("judges", "fallback_without_llm", func(s *probe.Sheet) *bool { return s.Judges.FallbackWithoutLLM }).orUnknown(), conditional: true},
		{name: "distinct personas", says: re(`(?i)\b(?:distinct|different|separate|unique|conflicting|opposing|own|three)\b[^.;]{0,40}\b(?:personas?|(?:system )?prompts?|philosoph\w+)\b`), and: re(judgeWords), truth: finding("prompt.similarity", nil), surely: re(`(?i)\bprompts?\b|\b(?:distinct|different|separate|unique) personas?\b`)},
		{name: "chief justice without a model", says: re(`(?i)\bdeterministic(?:ally)?\b|\brule[\s\-]based\b|\bhard-?coded\b|\b(?:no|not an|without an?) LLM\b|\bpure Python\b`), and: re(chiefWords), truth: finding("cj.llm_free", nil), negative: true, surely: re(`(?i)\b(?:no|not an?|without an?|zero|never)\b[^.;]{0,30}\b(?:LLM|model)|\bpure(?:ly)? (?:Python|deterministic)\b|\b(?:entirely|fully|completely|purely|100 ?%) (?:deterministic|rule[\s\-]based)`), contrary: re(`(?i)\b(?:us(?:es?|ing)|asks?|calls?|relies on|by|via) (?:\w+ ){0,3}(?:LLM|model)s?\b[^.;]{0,40}\b(?:averag\w*|scor\w*|decid\w*|verdicts?)\b`)},
		{name: "final scores without an average", says: re(unaveraged), and: re(`(?i)\bscor|\bopinion|\bverdict|\bjudg`), truth: noMean, negative: true},
		{name: "security cap", says: re(`(?i)\bsecurity (?:override|cap)\b|\brule of security\b|\bsecurity\b[^.;]{0,60}\b(?:cap(?:s|ped|ping)?|limit(?:s|ed)?|maximum|ceiling|override[sn]?)\b|\b(?:cap(?:s|ped|ping)?|ceiling)\b[^.;]{0,60}\bsecurity\b`), truth: rule("security_cap"), conditional: true, deniable: true},
		{name: "fact supremacy", says: re(`(?i)\b(?:fact|evidence)[\s_\-]supremacy\b|\brule of evidence\b|\b(?:facts?|evidence)\b[^.;]{0,30}\b(?:override|overrule|trump|supersede|outrank|take precedence)`), truth: rule("fact_supremacy"), conditional: true, deniable: true, surely: re(`(?i)\b(?:fact|evidence)[ \-]supremacy\b|\brule of evidence\b|\b(?:overrid|overrul|trump|supersed|outrank|tak(?:e|es|ing) precedence)`)},
		{name: "weight of the tech lead", says: re(`(?i)\bfunctionality[\s_\-]weight|\brule of functionality\b|\btech[\s_]?lead\b[^.;]{0,60}\b(?:weigh|weight(?:s|ed|ing)?|heav|[2-9]x\b|double|\d+ ?%)`), truth: rule("functionality_weight"), conditional: true, deniable: true},
		{name: "another look at a wide spread", says: re(`(?i)\b(?:variance|spread|disagreement|divergence)\b[^.;]{0,80}\b(?:re-?evaluat\w*|re-?weigh\w*|re-?examin\w*|second (?:look|round)|re-?run\w*)|\b(?:variance|score) re-?evaluation\b|\btriggers? (?:a|another) second (?:pass|look|round|hearing)\b`), and: re(`(?i)\bvariance|\bspread|\bdisagree|\bdivergence|\bscore|\bchief[ _]?justice`), truth: rule("variance"), conditional: true, deniable: true},
		{name: "dissent", says: re(`(?i)\bdissent(?:s|ing)?\b`), and: re(`(?i)\bsummar|\brecord|\bdocument|\bgenerat|\breport|\brequire|\bexplain|\bincluded?\b|\bwrit|\bproduc|\bpreserv|\bcaptur`), truth: rule("dissent"), conditional: true, deniable: true},
		{name: "Markdown report", says: re(`(?i)\bmarkdown\b`), and: re(`(?i)\breports?\b|\boutputs?\b|\brender|\bserializ|\bserialis|\bwrit|\bsav`), truth: finding("cj.markdown", nil).orUnknown()},
		{name: "tests", says: re(`(?i)\bunit tests?\b|\bintegration tests?\b|\btest suite\b|\bpytest\b|\b\d+ tests\b`), truth: tested, still: true},
		{name: "continuous integration", says: re(`(?i)\bGitHub Actions\b|\bCI/CD\b|\bCI pipeline\b|\bcontinuous integration\b`), truth: fact("quality", "ci", func(s *probe.Sheet) *bool { return s.Quality.CI }), still: true, deniable: true},
		{name: "locked dependencies", says: re(`(?i)\b(?:uv|poetry)\.lock\b|\block-?files?\b|\block file\b`), truth: fact("quality", "lockfile", func(s *probe.Sheet) *bool { return s.Quality.Lockfile }), still: true, deniable: true},
		{name: "container image", says: re(`(?i)\bdocker(?:file|ized|ised)?\b`), truth: files(`(?i)(?:^|/)(?:.*\.)?(?:dockerfile|containerfile)(?:\..*)?$|(?:^|/)(?:docker-)?compose\.ya?ml$`), still: true, deniable: true},
		{name: "no shell", says: re(`(?i)\b(?:no|never|not|without|avoid(?:s|ed|ing)?|zero|instead of|rather than)\b[^.;]{0,60}(?:\bshell ?= ?True\b|\bos\.system\b)|\bshell ?= ?False\b`), truth: noShell, negative: true, contrary: re(`(?i)\b(?:us(?:es?|ing)|calls?|calling|rel(?:y|ies) on|through|via|by) (?:\w+ ){0,2}(?:os\.system|shell ?= ?True)\b|\bos\.system(?:\(\))? (?:usage|(?:is |are )?used)\b`)},
		{name: "no eval", says: re(`(?i)\b(?:no|never|without|avoid(?:s|ed|ing)?|zero)\b[^.;]{0,40}(?:\beval\(|\bexec\(|\beval/exec\b|\beval\b[^.;]{0,10}\bexec\b)`), truth: noEval, negative: true},
	}
}

// maxApart is how many bytes the two words of a contradicted claim may be
// apart: further away they may belong to different things.
const maxApart = 90

// capabilities holds sentences that claim a feature, or that there is none, against
// the code.
func (l *ledger) capabilities(ctx context.Context, s *probe.Scene) {
	all := capabilities()
	known := map[string]result{}
	for i := range l.passages {
		p := &l.passages[i]
		for _, u := range utterances(p) {
			if len(l.claims) > 2*maxClaims {
				return
			}
			for _, c := range all {
				from, to, near, ok := c.said(p, u.text)
				opposite := c.against(p, u.text)
				if ok && !c.unsaid || opposite {
					l.claims = append(l.claims, l.capability(c, p, u, spoken{from, to, near, opposite}, c.ask(ctx, s, l.repo, known)))
				}
			}
			for _, m := range library.FindAllStringSubmatchIndex(u.text, 20) {
				c := ofLibrary(u.text[m[2]:m[3]], u.text[m[4]:m[5]])
				l.claims = append(l.claims, l.capability(c, p, u, spoken{from: m[0], to: m[1], near: true}, c.ask(ctx, s, l.repo, known)))
			}
			for _, m := range chatting.FindAllStringIndex(u.text, 20) {
				name := u.text[m[0]:m[1]]
				if !client(name) || weighed.MatchString(u.text) {
					continue
				}
				c := ofClient(name)
				l.claims = append(l.claims, l.capability(c, p, u, spoken{from: m[0], to: m[1], near: true}, c.ask(ctx, s, l.repo, known)))
			}
		}
	}
}

// ask settles the feature, once.
func (c capability) ask(ctx context.Context, s *probe.Scene, a *against, known map[string]result) result {
	r, ok := known[c.name]
	if !ok {
		look := c.truth
		if !c.still {
			look = look.acting()
		}
		r.fate, r.proof, r.why = look(ctx, s, a)
		known[c.name] = r
	}
	return r
}

// spoken is where a sentence speaks of a feature.
type spoken struct {
	from, to int
	near     bool // the words that make it are next to each other
	opposite bool // it says the opposite
}

// capability is the claim that a sentence makes of a feature.
func (l *ledger) capability(c capability, p *passage.Passage, u utterance, m spoken, r result) claim {
	x := claim{Kind: ofCapability, Subject: c.name, Page: p.Page, passage: p, sentence: u.text}
	if c.judges && l.repo.ofNoJudge(u.text) {
		r = result{fate: undecided, why: "the sentence speaks of other nodes than the judges"}
	}
	if m.opposite || m.near && c.deniable && lacking(p, u.text, m.from, m.to) {
		r = r.reversed()
		x.Subject, x.Modality, x.lacking = c.without(), done, strings.HasPrefix(c.without(), "no ")
		if r.fate == untrue && !plain(p, u.text) {
			r.fate, r.why = undecided, "the sentence may mean something else; "+r.why
		}
		x.Fate, x.Why, x.proof = r.fate, r.why, r.proof
		return x
	}
	barred := l.repo.mends[r.why] != ""
	if r.fate == inPart && !barred && c.role != "" && l.repo.togetherIn(c.role, u.text) {
		r.fate, r.why = holds, "the nodes that the sentence names run at the same time"
	}
	if c.whose != nil && r.fate == holds {
		if subject, own, ok := c.whose(l.repo, r, u.text); ok && own.fate != holds {
			x.Subject, r = subject, own
		}
	}
	x.Modality = c.meant(p, u, m.from, m.to, r.fate)
	said := u.text
	if c.able {
		said = abilities.ReplaceAllString(said, "")
	}
	sure := m.near && firm(p, said) && (c.surely == nil || c.surely.MatchString(u.text)) && !exampleBefore.MatchString(u.text[:m.from])
	if x.Modality == done && (r.fate == untrue && !sure || r.fate == inPart && !barred && owns.MatchString(u.text)) {
		r.fate, r.why = undecided, "the sentence may mean something else; "+r.why
	}
	x.Fate, x.Why, x.proof = r.fate, r.why, r.proof
	return x
}

// abilities are words of what can be done.
var abilities = regexp.MustCompile(`(?i)\b(?:can|may|allow(?:s|ing)?)\b`)

// said finds the claim in a sentence: the two words of it that are next to each
// other, and whether they are near. The second may stand in the heading instead;
// that is not near.
func (c capability) said(p *passage.Passage, sentence string) (from, to int, near, ok bool) {
	gap := 0
	says := c.says.FindAllStringIndex(sentence, 10)
	for _, m := range says {
		if c.and == nil {
			return m[0], m[1], true, true
		}
		for _, w := range c.and.FindAllStringIndex(sentence, 10) {
			lo, hi := min(m[1], w[1]), max(m[0], w[0]) // between the two, when they do not overlap
			between := sentence[min(lo, hi):max(lo, hi)]
			if lo >= hi {
				between = ""
			}
			if !ok || len(between) < gap {
				from, to, gap, ok = m[0], m[1], len(between), true
				near = gap <= maxApart && !parted.MatchString(between)
			}
		}
	}
	if !ok && len(says) > 0 && len(p.Section) > 0 && c.and.MatchString(p.Section[len(p.Section)-1]) {
		return says[0][0], says[0][1], false, true
	}
	return from, to, near, ok
}

// parted is what parts the points of an enumeration.
var parted = regexp.MustCompile(`;|\(\d\)|\.\s|\n`)

// meant is how a sentence means the thing at a stretch of it. What the code has
// is credited where a sentence may speak of the program as well as of what it
// looks for, or argues by what would be without it; it is never held against a
// sentence that may mean something else.
func (c capability) meant(p *passage.Passage, u utterance, from, to int, f fate) modality {
	m := u.mood
	if m == planned && (f == holds || f == inPart) && (contrast(p, u.text) || designed(p, u.text)) {
		m = done
	}
	switch {
	case m != done:
		return m
	case !c.negative && refused(u.text, from, to, c.conditional):
		return denied
	case showsHow.MatchString(u.text):
		return example
	case retold(p, u.text) || inQuotes(u.text, from):
		return others
	case lookedFor(u.text, from) && (f != holds && f != inPart || !anew(u.text, from)):
		return others
	default:
		return done
	}
}

type result struct {
	fate  fate
	proof []court.Place
	why   string
}
