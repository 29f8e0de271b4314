package judicial

import (
	"fmt"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/court"
)

// What is asked for whatever question about judges or a chief justice there are none for.
const (
	askModel = "Let each judge ask a model for its opinion: opinion = llm.with_structured_output(JudicialOpinion).invoke(messages)."
	decide   = "Write a node that decides the final score of each criterion from the opinions, and add it to the graph: add_node(\"chief_justice\", chief_justice)."
)

// chiefName is the function or class that decides.
func (b *bench) chiefName() string {
	d := b.chief.roots[0]
	if d.Kind == code.DefMethod {
		d = d.Parent
	}
	return court.Clean(d.Name, 60)
}

// toRule asks for a rule of synthesis that is not carried out.
func (b *bench) toRule(name string) string {
	how := map[string]string{
		ruleSecurity:      "Limit the score in %s when the evidence confirms a security flaw: if security_flaw: score = min(score, 3).",
		ruleFacts:         "Let evidence overrule a judge in %s: if not evidence.found: score = min(score, 2).",
		ruleFunctionality: "Let the tech lead's score weigh more in %s where the criterion is about function: score = 0.5 * tech_lead + 0.25 * prosecutor + 0.25 * defense.",
		ruleVariance:      "React to a wide spread of scores in %s: if max(scores) - min(scores) > 2, ask the judges again before the score is set.",
		ruleDissent:       "Write the judges' disagreement into the result of %s: if max(scores) - min(scores) > 2: dissent_summary = why the judges differ.",
	}[name]
	return fmt.Sprintf(how, b.chiefName())
}

// opinionName is the class of an opinion.
func (b *bench) opinionName() string {
	if b.r.Review != nil && b.r.Review.Name != "" {
		return court.Clean(b.r.Review.Name, 60)
	}
	return "JudicialOpinion"
}

// lines are the fields that an opinion lacks, as a model declares them.
func lines(lacks []string) string {
	var out []string
	for _, l := range lacks {
		out = append(out, map[string]string{"an integer score": "score: int = Field(ge=1, le=5)", "an argument": "argument: str", "a list of cited evidence": "cited_evidence: list[str]"}[l])
	}
	return strings.Join(out, ", ")
}
