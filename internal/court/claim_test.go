package court

import (
	"fmt"
	"testing"
)

// What does not hold is kept before what does, and the order stays the
// document's.
func TestBoundClaims(t *testing.T) {
	var all []Claim
	for i := range MaxClaims + 20 {
		all = append(all, Claim{Subject: fmt.Sprint(i), Modality: Claims, Fate: Verified})
	}
	all[3].Modality = Proposes
	all[MaxClaims+19].Fate = NeverExisted
	kept, more := BoundClaims(all)
	if len(kept) != MaxClaims || more != 20 {
		t.Fatalf("%d kept, %d more", len(kept), more)
	}
	if kept[MaxClaims-1].Subject != all[MaxClaims+19].Subject || kept[3].Subject != "4" {
		t.Errorf("the last is %s, the fourth %s", kept[MaxClaims-1].Subject, kept[3].Subject)
	}
	if kept, more := BoundClaims(all[:5]); len(kept) != 5 || more != 0 {
		t.Error("a short list was cut")
	}
}
