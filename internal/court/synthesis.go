package court

// Synthesis is the typed block of rules that the chief justice applies.
// Defaults: DefaultSynthesis. Meaning: docs/reference, chief justice.
type Synthesis struct {
	Spread              spreadRule   `json:"spread"`
	FactSupremacy       factRule     `json:"fact_supremacy"`
	ReEvaluation        rehearRule   `json:"re_evaluation"`
	FunctionalityWeight WeightRule   `json:"functionality_weight"`
	OrchestrationFraud  FraudRule    `json:"orchestration_fraud"`
	SecurityOverride    OverrideRule `json:"security_override"`
	Dissent             dissentRule  `json:"dissent"`
	Thresholds          Thresholds   `json:"thresholds"`
}

// spreadRule says when judges are too far apart: max − min of the integer
// scores strictly greater than GT (1..4).
type spreadRule struct {
	Measure string `json:"measure"` // range
	GT      Fixed  `json:"gt"`
	On      string `json:"on"` // integer
}

// factRule binds opinions to the interval that the evidence allows.
type factRule struct {
	On      bool   `json:"on"`
	Mode    string `json:"mode"`     // clamp, label
	LabelAt Fixed  `json:"label_at"` // moved by this much: overruled
}

// rehearRule says when a criterion is heard again.
type rehearRule struct {
	On           bool   `json:"on"`
	MaxRounds    int    `json:"max_rounds"` // 0, 1
	CoreConflict Fixed  `json:"core_conflict"`
	Fallback     string `json:"fallback"` // mean
}

// WeightRule gives the TechLead's opinion more weight on some criteria.
type WeightRule struct {
	On        bool              `json:"on"`
	AppliesTo []string          `json:"applies_to"` // ids, or ids that a criterion is bound to
	Weights   map[Persona]Fixed `json:"weights"`
	Mode      string            `json:"mode"` // always
}

// FraudRule caps a criterion when every check that it names is proven to fail.
type FraudRule struct {
	On        bool     `json:"on"`
	Cap       Fixed    `json:"cap"`
	AppliesTo []string `json:"applies_to"`
	WhenAll   []string `json:"when_all,omitempty"` // ids of checks; records made before rubrics named them have none
}

// Checks are the ids of those that the rule rests on. A record that was made before rubrics named them rested on two.
func (r FraudRule) Checks() []string {
	if len(r.WhenAll) == 0 {
		return []string{"graph.detectives_parallel", "graph.judges_parallel"}
	}
	return r.WhenAll
}

// OverrideRule caps what a confirmed security flaw touches.
type OverrideRule struct {
	On          bool     `json:"on"`
	Cap         Fixed    `json:"cap"`
	Scope       string   `json:"scope"` // criterion, overall, both
	MinSeverity Severity `json:"min_severity"`
	MinStrength Fixed    `json:"min_strength"`
	Exclude     []string `json:"exclude"` // scope classes: test, vendor, example
}

// dissentRule says above which spread a dissent must be written.
type dissentRule struct {
	On bool  `json:"on"`
	GT Fixed `json:"gt"`
}

// Thresholds are a rubric's own marks for pass and partial, shown only.
type Thresholds struct {
	Pass    *Fixed `json:"pass"`
	Partial *Fixed `json:"partial"`
}

// DefaultSynthesis is the law when a rubric does not say otherwise. The numbers
// are design choices, not fitted to grades.
func DefaultSynthesis() Synthesis {
	graph := []string{"graph_orchestration"}
	return Synthesis{
		Spread:        spreadRule{Measure: "range", GT: 2 * One, On: "integer"},
		FactSupremacy: factRule{On: true, Mode: "clamp", LabelAt: One / 2},
		ReEvaluation:  rehearRule{On: true, MaxRounds: 1, CoreConflict: One / 2, Fallback: "mean"},
		FunctionalityWeight: WeightRule{On: true, AppliesTo: graph, Mode: "always",
			Weights: map[Persona]Fixed{Prosecutor: One, TechLead: 2 * One, Defense: One}},
		OrchestrationFraud: FraudRule{Cap: One, AppliesTo: graph},
		SecurityOverride: OverrideRule{On: true, Cap: 3 * One, Scope: "both", MinSeverity: High,
			MinStrength: 9 * One / 10, Exclude: []string{"test", "vendor", "example"}},
		Dissent: dissentRule{On: true, GT: 2 * One},
	}
}
