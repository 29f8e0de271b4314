package document

import (
	"context"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
	"github.com/automaton-auditor/automaton/internal/passage"
	"github.com/automaton-auditor/automaton/internal/probe"
)

// enoughReasons is how many argued decisions are enough (a design choice).
const enoughReasons = 3

var (
	alternative = regexp.MustCompile(`(?i)\binstead of\b|\brather than\b|\bas opposed to\b|\bchose\b|\bchosen\b|\bopted\b|\bpreferred\b|\btrade-?offs?\b|\balternatives?\b|\bin favou?r of\b|\bover (?:plain|raw|simple|a |using )|\b(?:chose|choose|chosen|prefer\w*|select\w*|pick\w*|adopt\w*|decided)\b[^.;]{3,60}\bover\b|\bvs\.?\b|\bunlike\b|\bnot\b[^.;:]{2,60}\bbut\b|\bInstead,|\bwe reject(?:ed)?\b|\b(?:was|were|is|are) (?:\w+ly )?(?:avoided|rejected|ruled out|dismissed|discarded)\b|\b(?:is|are|would be|was|were) (?:therefore )?(?:insufficient|not enough|unsuitable)\b|\bnaive\b`)
	// A section may be about a decision, so that its text has only the reason.
	decision  = regexp.MustCompile(`(?i)\b(?:design|architectur\w+|engineering|technical|key) (?:decisions?|choices?|rationale)\b|\btrade-?offs?\b|\bwhy\b|\bover\b|\bvs\.?\b|\binstead of\b|\bADR\b|\bdecision (?:record|log)\b|\balternatives (?:considered|rejected)\b|\bconsidered alternatives\b|\brationale\b`)
	reason    = regexp.MustCompile(`(?i)\bbecause\b|\bsince\b|\bso that\b|\bin order to\b|\bto (?:avoid|prevent|ensure|guarantee|keep|allow|enable|reduce|protect|preserve|make)\b|\bavoids?\b|\bprevents?\b|\bensures?\b|\bguarantees?\b|\breasons?\b|\brationale\b|\bwhy\b|\ballows?\b|\benables?\b|\btherefore\b|\bmak(?:es|ing) \w+ (?:\w+ )?(?:reproducible|safe|possible|testable|traceable|easy|easier)\b|\bno false\b|\bwould (?:lose|break|fail|overwrite|cause|require)\b|\bcritical for\b|\bdriven by\b|\bforc(?:es|ing)\b|\bto solve\b|\bdue to\b|\bpreserv(?:es|ing)\b|\b(?:this|it|which) (?:reduces|removes|eliminates)\b`)
	component = regexp.MustCompile(`(?i)\b(?:state|graph|nodes?|edges?|reducers?|judges?|detectives?|prompts?|schema|models?|sandbox|clone|parser|parsing|AST|regex|evidence|aggregator|justice|synthesis|tools?|retry|pydantic|typeddict|dict|subprocess|LLM|rubric|report)\b`)
)

func docReasons() probe.Probe {
	return probe.Probe{
		ID: "doc.reasons", Version: "2", Target: court.PDFReport,
		Title:  "The document gives alternatives and reasons for its decisions",
		Doc:    "Counts the passages of running text that name an alternative (instead of, rather than, chose, trade-off) or stand under a heading about a decision, give a reason (because, so that, to avoid, prevents) and name a part of the program; and the rows of tables that have columns for a decision and its reason. Three are enough. It knows words, not arguments.",
		Remedy: "Say for each main decision what else was possible and why it was not taken.", Effort: 30, Recall: 8000,
		Args: []probe.Arg{{Name: "about", Type: "string", Allowed: []string{"courtroom", "program"}, Default: "courtroom", Doc: "program: the parts that any program has count as parts, and names of code"}},
		Run: func(ctx context.Context, s *probe.Scene, a probe.Args) ([]probe.Finding, error) {
			r, err := read(ctx, s)
			if err != nil {
				return nil, err
			}
			part := component.MatchString
			if a.String("about") == "program" {
				part = func(text string) bool { return programPart.MatchString(text) || codeName.MatchString(text) }
			}
			return []probe.Finding{reasons(r, part)}, nil
		},
	}
}

var (
	decides = regexp.MustCompile(`(?i)\b(?:decisions?|choices?|chosen|chose|selected|approach|alternatives?|rejected|considered)\b`)
	argues  = regexp.MustCompile(`(?i)\b(?:why|reasons?|rationale|justification|because|trade-?offs?|benefits?)\b`)
)

// decided are the rows of a table whose head has a column for the decision and
// one for the reason; each must name a part of the program.
func decided(p *passage.Passage, part func(string) bool) []string {
	rows := strings.Split(p.Text, "\n")
	head := rows[0]
	if len(p.Section) > 0 && len(rows) < 2 {
		head = p.Section[len(p.Section)-1]
	}
	if p.Kind != passage.Table || !decides.MatchString(head) || !argues.MatchString(head) || words(head) > 15 {
		return nil
	}
	var out []string
	for _, row := range rows[1:] {
		if words(row) >= 8 && part(row) {
			out = append(out, row)
		}
	}
	return out
}

func reasons(r *reading, part func(string) bool) probe.Finding {
	var places []court.Place
	quote := ""
	had := map[string]bool{} // sections that are about a decision count once
	for _, run := range stretches(r.passages) {
		if words(run.text) < 12 || under(run.head, peerHeading.MatchString) ||
			!reason.MatchString(run.text) || !part(run.text) {
			continue
		}
		section := strings.Join(run.head.Section, "\x1f")
		if !alternative.MatchString(run.text) && (!under(run.head, decision.MatchString) || had[section]) {
			continue
		}
		had[section] = true
		p := run.head
		if i := slices.IndexFunc(run.parts, func(p *passage.Passage) bool { return alternative.MatchString(p.Text) }); i >= 0 {
			p = run.parts[i]
		}
		at, said := r.cite(p, sentenceWith(p, alternative))
		if len(places) == 0 {
			quote = said
		}
		places = append(places, at)
	}
	for i := range r.passages {
		p := &r.passages[i]
		if under(p, peerHeading.MatchString) {
			continue
		}
		for _, row := range decided(p, part) {
			at, said := r.cite(p, row)
			if len(places) == 0 {
				quote = said
			}
			places = append(places, at)
		}
	}
	if len(places) == 0 {
		return probe.Missing(court.One, r.source(court.Token), "No passage that gives an alternative and a reason for a decision about the program was recognised.")
	}
	f := probe.Partly(probe.Ratio(min(len(places), enoughReasons), enoughReasons), r.source(court.Token), places,
		"The document argues decisions with an alternative and a reason in %s; %d are enough.", court.Count(len(places), "passage"), enoughReasons)
	f.Quote = quote
	return f
}

// sentenceWith is the first sentence of a passage that fits, else its first.
func sentenceWith(p *passage.Passage, re *regexp.Regexp) string {
	all := passage.Sentences(p.Text)
	for _, one := range all {
		if re.MatchString(one) {
			return one
		}
	}
	if len(all) > 0 {
		return all[0]
	}
	return p.Text
}
