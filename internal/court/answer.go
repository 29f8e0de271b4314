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
