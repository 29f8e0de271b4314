// Package figure takes the inventory of a document's figures, and reads those whose source is text and those that are
// drawn by lines into small graphs.
//
// It says that a figure is there, where, and what boxes and arrows it has if that can be read without guessing. It
// must not judge whether a diagram is right, and it never looks into raster images: of those it turns what package pixels
// read into graphs, and holds what a model says against what was read otherwise.
package figure

import "github.com/automaton-auditor/automaton/internal/pdf"

// Origin is how a figure is made.
type Origin string

// The origins of figures.
const (
	Raster   Origin = "raster"   // an embedded picture
	Vector   Origin = "vector"   // drawn by lines and curves
	Text     Origin = "text"     // drawn by characters: boxes and arrows
	Mermaid  Origin = "mermaid"  // source of a Mermaid diagram
	DOT      Origin = "dot"      // source of a Graphviz diagram
	PlantUML Origin = "plantuml" // source of a PlantUML diagram
	Drawio   Origin = "drawio"   // a draw.io file
	Chain    Origin = "chain"    // names in a row with arrows between them: written, not drawn
)

// Figure is one figure at one place. The same picture at two places is two figures with the same Digest.
type Figure struct {
	Origin  Origin
	Page    int     // 1-based; 0 in Markdown
	Line    int     // 1-based first line, in Markdown; 0 on pages
	Box     pdf.Box // on the page; zero in Markdown
	Digest  string  // sha256 in hex of what is drawn; empty when it could not be had
	Caption string  // the caption beside it, empty when there is none
	Title   string  // without a caption: the line or heading right above it that names it
	Source  string  // of text art and diagram sources: the text
	// Shot: by its caption or title a raster is a screenshot, a photograph or a logo, and no diagram.
	Shot bool
	// Readable: all its boxes and arrows are in Graph. Never for Raster, whose content nobody has read; not for a Vector
	// or Text with arrows that could not be tied to boxes; and not for sources in another notation than those that Graph
	// says it reads.
	Readable bool
	Graph    *Graph // of sources: at least its Kind; of Vector and Text: when it has arrows; nil for all others
}

// Drawn says whether a reader sees a picture: a printed source of a diagram is none.
func (f Figure) Drawn() bool { return f.Origin == Raster || f.Origin == Vector || f.Origin == Text }

// Graph is what a diagram shows. It is read of Mermaid flowcharts and state diagrams, of DOT, of PlantUML's component,
// state and activity arrows, of draw.io files, of chains, and of boxes and arrows in vector drawings and drawings of
// characters.
type Graph struct {
	Kind  GraphKind
	Nodes []Node // in order of first mention; ids are unique
	Edges []Edge // in order of mention
	// Loose counts the lines of a drawing that look like arrows, but could not be tied to a box at both ends or have no
	// direction. What Nodes and Edges show is there; with Loose arrows nobody can say that anything is not.
	Loose int
}

// GraphKind is the class of a diagram.
type GraphKind string

// The classes of diagrams.
const (
	Flow     GraphKind = "flow"     // boxes and arrows
	States   GraphKind = "states"   // a state machine
	Sequence GraphKind = "sequence" // messages in time
	Class    GraphKind = "class"    // classes, entities, components
	Other    GraphKind = "other"    // charts and whatever else; no nodes are read
)

// Node is a box.
type Node struct {
	ID    string // as in the source; a number of its own in a drawing
	Label string // what is printed in it; the ID when it has no other
	Group string // title of the innermost box around it, empty when there is none
}

// Edge is an arrow.
type Edge struct {
	From, To string // ids of nodes
	Label    string // printed at the arrow
}
