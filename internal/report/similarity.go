package report

// Similarity is what submissions of a class have in common: a list for a person, which accuses nobody and changes no score.
// Submissions are named by their ids.
type Similarity struct {
	Submissions int // that were compared
	Old         int // of earlier cohorts, which were compared with the others only
	Pairs       []LikePair
	Left        int // pairs that are not listed, as others have more in common
	Clusters    [][]string
	Common      []LikeMember // submissions that mostly consist of what many share, which counts for no pair
	Unread      []string     // submissions with code that could not be read
}

// LikeMember is a submission and how much of it many others have, in basis points.
type LikeMember struct {
	ID    string
	Share int
}

// LikePair is two submissions that have something in common. Shares are in basis points.
type LikePair struct {
	A, B      string
	Contained int      // how much of the one is in the other, whichever is more
	Alike     int      // of both together, what is in both
	Longest   int      // tokens of the longest passage of code in both
	Document  int      // how much of one document's text is in the other
	Files     []string // equal files
	MoreFiles int      // equal files that are not named
	Commits   int      // commits in both histories
	States    int      // states of all files in both histories
	Places    []LikePlace
}

// LikePlace is a passage in both submissions.
type LikePlace struct {
	A, B   LikeExcerpt
	Tokens int  // at least
	Text   bool // of a document: words and paragraphs, not tokens and lines
}

// LikeExcerpt is one side of a passage.
type LikeExcerpt struct {
	Path     string
	From, To int      // lines
	Since    string   // day on which a commit first had the file; empty: not known
	Lines    []string // from From on; none where the text was not kept
}
