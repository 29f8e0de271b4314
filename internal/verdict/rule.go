package verdict

import "github.com/automaton-auditor/automaton/internal/court"

// Rule is one article of the law. Apply does what it says to the sitting and
// leaves a holding, whether or not it had anything to do.
type Rule struct {
	ID    string
	Doc   string
	Apply func(*Sitting)
}

// Rules is the law, in the order in which it is applied. fact_supremacy is
// applied again to the opinions of a second hearing. Caps come last, so that
// no weight and no re-evaluation can lift them.
var Rules = []Rule{
	{admissibilityID, "An opinion that is missing or inadmissible gives its seat to the built-in judge.", admissibility},
	{factSupremacyID, "No opinion leaves the interval that the evidence allows.", factSupremacy},
	{reEvaluationID, "A criterion is re-evaluated once when the judges are too far apart or the evidence on a core check contradicts itself.", reEvaluation},
	{functionalityWeightID, "On the criteria that it names, the Tech Lead weighs more, in both directions.", functionalityWeight},
	{orchestrationFraudID, "A criterion is capped when every check that the rule names is proven to fail, if the rubric turns this on.", orchestrationFraud},
	{securityOverrideID, "A confirmed security flaw caps its criterion; it never raises a score.", securityOverride},
	{dissentID, "Scores that are too far apart, before or after a re-evaluation, must be explained.", dissent},
}

// The ids of the rules.
const (
	admissibilityID       = "admissibility"
	factSupremacyID       = "fact_supremacy"
	reEvaluationID        = "variance_re_evaluation"
	functionalityWeightID = "functionality_weight"
	orchestrationFraudID  = "orchestration_fraud"
	securityOverrideID    = "security_override"
	dissentID             = "dissent_requirement"
)

// fullMark is the upper end of the scale.
const fullMark = 5 * court.One

// RuleOn hears the chief justice on one criterion. The matter needs one hearing at least.
func RuleOn(m Matter) court.Ruling { return ruleOn(m).ruling }

func ruleOn(m Matter) *Sitting {
	s := sit(m)
	for _, r := range Rules {
		if r.ID == orchestrationFraudID && m.Map != nil && s.hearing.Doubt < court.InsufficientFrom { // caps come after it
			s.value = m.Map.At(s.value)
		}
		r.Apply(s)
	}
	s.settle()
	return s
}
