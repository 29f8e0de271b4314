package court

import "testing"

// What a court makes of claims is each text, then its label, and nothing else.
func TestComposed(t *testing.T) {
	label := func(id string) string { return map[string]string{"ev-a": "E1"}[id] + "" }
	o := Opinion{Citations: []Citation{{ID: "ev-a", Text: " Three leave in one step. "}, {ID: "ev-a", Text: "Is it so?"}, {ID: "ev-a", Text: "No stop"}}}
	if got, want := o.Composed(label), "Three leave in one step [E1]. Is it so? [E1]. No stop [E1]."; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got := (Opinion{}).Composed(label); got != "" {
		t.Errorf("of nothing %q", got)
	}
}

// What another court made of the same claims, before labels had brackets, is still
// what a court makes of them.
func TestIsComposed(t *testing.T) {
	label := func(string) string { return "E1" }
	for argument, want := range map[string]bool{"It is so [E1].": true, "It is so E1.": true, "It is so.": false, "It is so E2.": false} {
		o := Opinion{Argument: argument, Citations: []Citation{{ID: "ev-a", Text: "It is so."}}}
		if got := o.IsComposed(label); got != want {
			t.Errorf("%q: %t", argument, got)
		}
	}
}
