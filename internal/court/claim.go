package court

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
