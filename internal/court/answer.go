package court

// Answer is what a person says about one criterion. It is shown as such and
// never mixed with a machine's score.
type Answer struct {
	Criterion string `json:"criterion_id"`
	Score     Fixed  `json:"score"`           // exact, 1..5, whatever it was given as
	Points    Fixed  `json:"points"`          // on the criterion's scale
	Level     string `json:"level,omitempty"` // name, of a scale of levels
	Excluded  bool   `json:"excluded"`        // the level that takes the criterion out of the total
	By        string `json:"by"`
	Reason    string `json:"reason,omitempty"`
	Override  bool   `json:"override"` // the criterion is not manual: a machine has a say, too
}

// Answer is what somebody said of a criterion; nil when nobody did.
func (c *Case) Answer(criterion string) *Answer {
	for i := range c.Answers {
		if c.Answers[i].Criterion == criterion {
			return &c.Answers[i]
		}
	}
	return nil
}

// Counts is the score with which a criterion is in the total: a person's before
// the court's, and neither above a cap in force; nil: it is in no total.
func (r *Record) Counts(criterion string) *Fixed {
	a, ruling := r.Case.Answer(criterion), r.ruling(criterion)
	switch {
	case a != nil && a.Excluded:
		return nil
	case a != nil:
		score := a.Score
		if ruling != nil && ruling.CappedBy() == "security_override" {
			score = min(score, r.Rubric.Synthesis.SecurityOverride.Cap)
		}
		return &score
	case ruling == nil, r.LeftOut(criterion):
		return nil
	default:
		return &ruling.Exact
	}
}

// LeftOut tells whether a criterion has no score because nobody could look at
// it: it is then in no total.
func (r *Record) LeftOut(criterion string) bool {
	ruling := r.ruling(criterion)
	if ruling == nil || ruling.Final != nil {
		return false
	}
	var last *Hearing
	for i, h := range r.Hearings {
		if h.Criterion == criterion && (last == nil || last.Round < h.Round) {
			last = &r.Hearings[i]
		}
	}
	return last != nil && last.Unseen > 0
}

func (r *Record) ruling(criterion string) *Ruling {
	if r.Verdict == nil {
		return nil
	}
	for i := range r.Verdict.Rulings {
		if r.Verdict.Rulings[i].Criterion == criterion {
			return &r.Verdict.Rulings[i]
		}
	}
	return nil
}
