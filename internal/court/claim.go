package court

import "fmt"

// Claim is one thing that the PDF says of the submission, and what became of it
// when it was held against the repository. It is no evidence about the code and
// carries no score: probes make findings of the claims that count.
type Claim struct {
	Kind     ClaimKind `json:"kind"`
	Subject  string    `json:"subject"` // a path, a name, a command, a number with its noun, a feature
	Modality Modality  `json:"modality"`
	Fate     Fate      `json:"fate"`
	At       Place     `json:"at"`              // where the document says so
	Quote    string    `json:"quote,omitempty"` // its words, bounded, masked
	Why      string    `json:"why"`             // one sentence
	Proof    []Place   `json:"proof,omitempty"` // what speaks to it in the repository
}

// ClaimKind is what a claim is about.
type ClaimKind string

// The kinds of claims.
const (
	ClaimPath       ClaimKind = "path"
	ClaimLine       ClaimKind = "line"
	ClaimSymbol     ClaimKind = "symbol"
	ClaimCommand    ClaimKind = "command"
	ClaimCommit     ClaimKind = "commit"
	ClaimNumber     ClaimKind = "number"
	ClaimCapability ClaimKind = "capability"
)

// Modality says how a document means what it says.
type Modality string

// The modalities.
const (
	Claims   Modality = "claims"   // as a fact of this submission, now
	Proposes Modality = "proposes" // wished for, planned or promised
	Recalls  Modality = "recalls"  // as it was before
	Quotes   Modality = "quotes"   // somebody else's: another project, the assignment, printed output
	Example  Modality = "example"  // to show what something looks like
	Denies   Modality = "denies"   // said to be missing, or not to be so
)

// Fate is what became of a claim.
type Fate string

// The fates. Only Contradicted and NeverExisted speak against a document, and
// only of what it claims.
const (
	Verified     Fate = "verified"
	InPart       Fate = "verified_in_part"   // of several things that it speaks of, some are so
	Elsewhere    Fate = "verified_elsewhere" // moved, renamed, or true of an earlier commit
	Contradicted Fate = "contradicted"
	NeverExisted Fate = "never_existed" // in no commit of the history
	NotCheckable Fate = "not_checkable"
)

// Untrue tells whether a claim was found not to hold.
func (f Fate) Untrue() bool { return f == Contradicted || f == NeverExisted }

// Held says in a sentence what became of claims, without the period: "9 of 12
// checkable claims hold, 1 does not, 2 could not be checked".
func Held(n map[Fate]int) string {
	total := 0
	for _, k := range n {
		total += k
	}
	say := func(k int, one, more string) string {
		switch k {
		case 0:
			return ""
		case 1:
			return ", 1 " + one
		}
		return fmt.Sprintf(", %d %s", k, more)
	}
	if total == 1 {
		for fate, said := range map[Fate]string{Verified: "holds", InPart: "holds in part", Elsewhere: "held of an earlier commit or another place", NotCheckable: "could not be checked"} {
			if n[fate] == 1 {
				return "1 checkable claim " + said
			}
		}
		return "1 checkable claim does not hold"
	}
	return fmt.Sprintf("%d of %d checkable claims %s", n[Verified], total, Agree(n[Verified], 0, "holds", "hold")) + say(n[InPart], "holds in part", "hold in part") +
		say(n[Elsewhere], "held of an earlier commit or another place", "held of an earlier commit or another place") +
		say(n[Contradicted]+n[NeverExisted], "does not", "do not") + say(n[NotCheckable], "could not be checked", "could not be checked")
}
