// Package passage cuts the text of a document into passages, splits passages into sentences and ranks passages
// against a question.
//
// It works on lines with a place and a type face, wherever they come from, and on Markdown. It must not know PDF
// files, figures or courts, and it must not judge what a passage says. Everything here is deterministic: the same
// lines give the same passages, ids and ranks.
package passage

// Line is one printed line.
type Line struct {
	Text   string
	Page   int     // 1-based; 0 when there are no pages
	Number int     // 1-based line number in the source text, for Markdown; 0 for printed pages
	Box    Box     // points, origin in the page's upper left corner; zero when unknown
	Size   float64 // font size in points; 0 when unknown
	Bold   bool
	Mono   bool // set in a typewriter face
	// Words are the left edges of its words, of lines with gaps as between the cells of a table; nil when unknown.
	Words []float64
}

// Box is a rectangle; y grows downwards.
type Box struct{ X0, Y0, X1, Y1 float64 }

// Kind is what a passage is in the document's layout.
type Kind string

// The kinds of passages.
const (
	Heading  Kind = "heading"
	Body     Kind = "body"
	List     Kind = "list" // one item
	Table    Kind = "table"
	Caption  Kind = "caption"
	Code     Kind = "code"
	Contents Kind = "contents" // a line of a table of contents
)

// Passage is a piece of a document that belongs together: a heading, a paragraph, a list item, a table, a listing.
type Passage struct {
	ID      string // digest of kind, section, page and text, unique within one document
	Kind    Kind
	Section []string // headings above it, outermost first; of a heading, those above itself
	Level   int      // of a heading: 1 is outermost; 0 otherwise
	Page    int      // page of its first line; 0 when there are no pages
	Box     Box      // around those of its lines that are on Page
	Lines   []Line   // as printed, for citations
	// Text is what it says. Lines are joined by a blank and broken words made whole, but for Code and Table, whose
	// lines are kept.
	Text string
	Lang string // of Code from Markdown: the word after the fence, in lower case
}
