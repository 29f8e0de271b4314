package report

import "github.com/automaton-auditor/automaton/internal/court"

// Similarity is what submissions of a class have in common: a list for a person, which accuses nobody and changes no score.
// Submissions are named by their ids. Its JSON has no text of theirs.
type Similarity struct {
	Submissions int          `json:"submissions"` // that were compared
	Old         int          `json:"earlier"`     // of earlier cohorts, which were compared with the others only
	Pairs       []LikePair   `json:"pairs"`
	Left        int          `json:"not_listed"` // pairs that are not listed, as others have more in common
	Clusters    [][]string   `json:"groups"`
	Common      []LikeMember `json:"common"` // submissions that mostly consist of what many share, which counts for no pair
	Unread      []string     `json:"unread"` // submissions with code that could not be read
}

// LikeMember is a submission and how much of it many others have, as a share of 1.
type LikeMember struct {
	ID    string      `json:"id"`
	Share court.Fixed `json:"share"`
}

// LikePair is two submissions that have something in common. Shares are of 1.
type LikePair struct {
	A         string      `json:"a"`
	B         string      `json:"b"`
	Contained court.Fixed `json:"contained"`        // how much of the one is in the other, whichever is more
	Alike     court.Fixed `json:"alike"`            // of both together, what is in both
	Longest   int         `json:"longest"`          // tokens of the longest passage of code in both
	Document  court.Fixed `json:"document"`         // how much of one document's text is in the other
	Files     []string    `json:"equal_files"`      // equal files
	MoreFiles int         `json:"more_equal_files"` // equal files that are not named
	Commits   int         `json:"commits"`          // commits in both histories
	States    int         `json:"equal_states"`     // states of all files in both histories
	Places    []LikePlace `json:"-"`
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
