package agentgraph

// Truth is a three-valued answer. The zero value is Unknown.
type Truth uint8

// Values of Truth.
const (
	Unknown Truth = iota // something unresolved decides it
	No
	Yes
)

// Place is a stretch of lines of a file.
type Place struct {
	Path string // path in the repository
	Line int    // first line, from 1
	End  int    // last line, inclusive
}

// Item is one thing that an analysis found.
type Item struct {
	Nodes  []string // nodes concerned, in an order that the analysis defines
	At     []Place  // statements that prove it
	Reason string   // one phrase, lower case, naming the nodes
	Some   bool     // a flaw of runs in which a route chooses so, or leads away to a handler or the end
	Shared []shared // phrases that it may share with others; none: it stands alone
}

// shared is the phrase of items that say the same of different names: what stands
// before and after the list of the names. It is in the plural.
type shared struct {
	Before, After string
	Names         []string // of this item; several: the phrase is of each pair of them
}

// Answer is what an analysis says. Yes has at least one item that proves it.
// For analyses that look for flaws, Yes means that the flaw is there and No
// that everything was looked at and is clean.
type Answer struct {
	Value  Truth
	Reason string // why Unknown, or in one phrase why Yes or No
	Items  []Item // proof of Yes; what is known so far for Unknown
}

// String returns "yes", "no" or "unknown".
func (t Truth) String() string {
	switch t {
	case Yes:
		return "yes"
	case No:
		return "no"
	default:
		return "unknown"
	}
}

// Bool returns the truth as a boolean, nil when it is not known.
func (t Truth) Bool() *bool {
	if t == Unknown {
		return nil
	}
	yes := t == Yes
	return &yes
}
