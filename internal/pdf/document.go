package pdf

// Status says what a PDF turned out to be. It is a fact about the file, not about our inquiry: a worker that died
// is an error of Read.
type Status string

// What a file can be.
const (
	Readable  Status = "readable"  // at least one page with text
	Empty     Status = "empty"     // no bytes at all, or a page tree without pages
	NotPDF    Status = "not_pdf"   // no PDF header in the first 1024 bytes; Reason says what it looks like
	Encrypted Status = "encrypted" // cannot be opened without a password
	Damaged   Status = "damaged"   // a PDF header, but no document that PDFium can open, or nothing of it that can be shown
	TooLarge  Status = "too_large" // more bytes than Options.MaxBytes; not examined
	NoText    Status = "no_text"   // pages, but not one character of text in those read
)

// Document is everything that is read of one PDF.
type Document struct {
	Status Status `json:"status"`
	Reason string `json:"reason,omitempty"` // why Status is not Readable, for people; empty otherwise
	// Blank: NoText, all pages were read, and there is nothing at all to see on them.
	Blank bool `json:"blank,omitempty"`
	// Total is the number of pages of the page tree, also when fewer were read.
	Total int      `json:"total"`
	Meta  Metadata `json:"meta"`
	Pages []Page   `json:"pages,omitempty"` // the pages read, in order; a page that failed is left out and noted
	Notes []Note   `json:"notes,omitempty"` // every cap that tripped and every page that failed
	// Paragraphs are those of a DOCX file, which has no pages.
	Paragraphs []paragraph `json:"paragraphs,omitempty"`
}

// Metadata is the information dictionary as text, each value cut at 1,000 bytes. It is a claim of the one who wrote the
// file and never evidence of content.
type Metadata struct {
	Title    string `json:"title,omitempty"`
	Author   string `json:"author,omitempty"`
	Creator  string `json:"creator,omitempty"`  // the program the text was written in
	Producer string `json:"producer,omitempty"` // the program that made the PDF
	Created  string `json:"created,omitempty"`  // as written, usually D:YYYYMMDDhhmmss+hh'mm'
	Modified string `json:"modified,omitempty"`
}

// Note states something that was left out, so that "not found" is never said about what was not read.
type Note struct {
	Code NoteCode `json:"code"`
	Page int      `json:"page,omitempty"` // 1-based; 0 when it concerns the document
	Text string   `json:"text"`
}

// NoteCode is the kind of a Note.
type NoteCode string

// The kinds of notes. All but PageFailed are caps of Options or of this package.
const (
	PagesCapped   NoteCode = "pages_capped"   // pages after Options.MaxPages were not read
	TextCapped    NoteCode = "text_capped"    // a page's text, or the document's, was cut
	ImagesCapped  NoteCode = "images_capped"  // images after Options.MaxImages were not listed
	ObjectsCapped NoteCode = "objects_capped" // page objects were not walked: drawings and hidden text may be missed
	LinksCapped   NoteCode = "links_capped"   // links of a page were not listed
	ShapesCapped  NoteCode = "shapes_capped"  // shapes or labels of drawings were not handed out
	PageFailed    NoteCode = "page_failed"    // PDFium gave up on this page
)

// Page is one page as it is displayed, after its rotation.
type Page struct {
	Number   int       `json:"number"` // 1-based position in the page tree
	Width    float64   `json:"width"`  // points (1/72 inch)
	Height   float64   `json:"height"`
	Lines    []Line    `json:"lines,omitempty"`
	Images   []Image   `json:"images,omitempty"`
	Drawings []Drawing `json:"drawings,omitempty"`
	Links    []Link    `json:"links,omitempty"`
	// Shapes and Labels are what a reader of diagrams needs. They are handed out for pages with drawings only.
	Shapes  []Shape `json:"shapes,omitempty"`  // in drawing order
	Labels  []Label `json:"labels,omitempty"`  // visible text in and around the drawings
	Partial bool    `json:"partial,omitempty"` // some of the shapes or labels are left out
	Glyphs  int     `json:"glyphs"`            // raster images no larger than a letter, emoji for example: only counted
	Paths   int     `json:"paths"`             // vector paths on the page, those inside form objects included
	Objects int     `json:"objects"`           // page objects of every kind, walked up to the cap
}

// Box is a rectangle in points; the origin is the page's upper left corner, y grows downwards.
type Box struct {
	X0 float64 `json:"x0"`
	Y0 float64 `json:"y0"`
	X1 float64 `json:"x1"`
	Y1 float64 `json:"y1"`
}

// Line is one line of text in PDFium's reading order. A line that is partly hidden comes as several, so that each is
// either visible or hidden as a whole.
type Line struct {
	// Text is one line without a line break. A gap as between the cells of a table row is a tab; blanks at the
	// beginning are kept.
	Text string  `json:"text"`
	Box  Box     `json:"box"`
	Size float64 `json:"size"` // font size in points as displayed, of the line's longest run
	Font string  `json:"font,omitempty"`
	Bold bool    `json:"bold,omitempty"`
	Mono bool    `json:"mono,omitempty"`
	// Words are the left edges of its words in points, of lines that may be part of a listing or a drawing of
	// characters: several blanks in a row are one in Text, and what stands below what is known by this only. Nil for
	// other lines.
	Words []float64 `json:"words,omitempty"`
	// Hyphen: the line ends with a hyphen that PDFium takes for a word's break, so that the word goes on in the next.
	Hyphen bool `json:"hyphen,omitempty"`
	// Hidden says why nobody who looks at the page can read this; empty for visible text.
	Hidden Hidden `json:"hidden,omitempty"`
}

// Hidden is the reason why text is not visible.
type Hidden string

// Why text is hidden.
const (
	Invisible   Hidden = "invisible"   // render mode 3 or 7: neither filled nor stroked
	Transparent Hidden = "transparent" // fill alpha under 5 %
	SameColour  Hidden = "same_colour" // filled in the colour of what lies behind
	Tiny        Hidden = "tiny"        // under 4 points as displayed and not in a figure, see tinySize
	OffPage     Hidden = "off_page"    // outside the page box
	Covered     Hidden = "covered"     // under something that was painted over it
	Clipped     Hidden = "clipped"     // outside what the page's clip path lets through
	LayerOff    Hidden = "layer_off"   // on a layer that is turned off
)

// Image is one placed raster image. The same picture placed twice comes twice, with the same digest.
type Image struct {
	Box    Box    `json:"box"`
	Width  int    `json:"width"`  // pixels
	Height int    `json:"height"` // pixels
	Digest string `json:"digest"` // sha256 of the encoded stream, in hex; empty when PDFium does not hand it out
}

// Drawing is a group of vector objects that lie together and look like more than rules, tables and backgrounds.
type Drawing struct {
	Box     Box    `json:"box"`
	Objects int    `json:"objects"` // paths and shadings in the group
	Slanted int    `json:"slanted"` // path segments that are neither horizontal nor vertical, curves included
	Digest  string `json:"digest"`  // sha256 of its geometry relative to its corner, in hex
}

// Shape is one path as it is painted.
type Shape struct {
	Box     Box  `json:"box"`
	Filled  bool `json:"filled,omitempty"`
	Stroked bool `json:"stroked,omitempty"`
	// Lines are the path's outlines, each from corner to corner. Points on a curve stand for it. The last point of a
	// stroked line is its first when it is closed; what is filled is closed anyway. None of a path that is longer than
	// is looked at.
	Lines [][]Point `json:"lines,omitempty"`
}

// Point is a place on a page: x and y in points from its upper left corner.
type Point [2]float64

// Label is text that stands together: unlike a Line it ends where the next box's text begins.
type Label struct {
	Text string `json:"text"`
	Box  Box    `json:"box"`
}

// Link is a clickable area with an address.
type Link struct {
	Box Box    `json:"box"`
	URL string `json:"url"` // as in the file, cut at 2,000 bytes
}
