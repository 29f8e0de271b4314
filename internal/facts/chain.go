package facts

import "github.com/automaton-auditor/automaton/internal/court"

// Arrow is one step on the way from what a courtroom looks at to what it reports, by
// the names of its two ends.
type Arrow struct{ From, To string }

// Link is what is so about an arrow. The answer of its fact is yes where something of
// the one end is found in what the other is made of, no where it is shown that nothing
// is, and unknown where what the other end is made of was lost from sight.
type Link struct {
	Arrow    Arrow
	Lacks    string        // what of its ends is not there; "" nothing: only then the answer counts
	From, To []court.Place // the ends
	Way      []court.Place // what lies between, of a yes
}

// Broken tells whether it is shown that nothing arrives.
func Broken(f Fact[Link]) bool { return f.Value.Lacks == "" && f.Answer == No }
