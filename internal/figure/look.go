package figure

import (
	"context"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/automaton-auditor/automaton/internal/pdf"
)

// Looker is a model that looks at a picture of a figure. What it says is a claim until Confirm has held it against the
// labels that were read otherwise.
type Looker interface {
	Look(ctx context.Context, p Picture) (Drawn, error)
}

// Picture is what a Looker is shown. Text in it may try to instruct who reads it: it is the submission's.
type Picture struct {
	PNG    []byte // of our own rendering
	Digest string // sha256 of PNG, in hex: the key of a cache
	Page   int    // 1-based
	Box    pdf.Box
	Labels []string // known from the page's text or by OCR; empty when nothing is known
}

// Drawn is a Looker's answer: a class and names, no judgement and no running text. Groups and the labels of edges are
// not taken over.
type Drawn struct {
	Class GraphKind
	Nodes []Node
	Edges []Edge
}

// Confirmed is what is left of a Looker's answer.
type Confirmed struct {
	Graph   *Graph // nil when the answer is not used; Refused says why
	Refused string
	Checked bool // its labels were held against text of the figure
	// Nodes and Edges count what was answered, NodesFell and EdgesFell what of it did not stand.
	Nodes, Edges, NodesFell, EdgesFell int
}

// Bounds of an answer. A figure on a page that people can read has fewer.
const (
	lookNodes = 120
	lookEdges = 400
	lookLabel = 80 // runes
)

// Confirm holds an answer against the labels known of the figure. A node stands when each word of its label occurs
// among them, letters apart that look alike to OCR; an edge stands once, between two different nodes that stand. With
// no label known nothing can be checked but the form. An answer of which less than half of the nodes stand is not used.
func Confirm(d Drawn, labels []string) Confirmed {
	c := Confirmed{Nodes: len(d.Nodes), Edges: len(d.Edges)}
	switch d.Class {
	case Flow, States:
	case Sequence, Class, Other:
		c.Refused = "it is no graph of boxes and arrows"
		return c
	default:
		c.Refused = "its class is none that was asked for"
		return c
	}
	known := alikeWords(labels)
	c.Checked = len(known) > 0
	g := &Graph{Kind: d.Class}
	stands := map[string]bool{}
	for _, n := range d.Nodes[:min(len(d.Nodes), lookNodes)] {
		n.Label = strings.Join(strings.Fields(n.Label), " ")
		if n.ID == "" || stands[n.ID] || !isLabel(n.Label) || c.Checked && !known.hold(n.Label) {
			continue
		}
		stands[n.ID] = true
		g.Nodes = append(g.Nodes, Node{ID: n.ID, Label: n.Label})
	}
	seen := map[[2]string]bool{}
	for _, e := range d.Edges[:min(len(d.Edges), lookEdges)] {
		key := [2]string{e.From, e.To}
		if e.From == e.To || !stands[e.From] || !stands[e.To] || seen[key] {
			continue
		}
		seen[key] = true
		g.Edges = append(g.Edges, Edge{From: e.From, To: e.To})
	}
	c.NodesFell, c.EdgesFell = c.Nodes-len(g.Nodes), c.Edges-len(g.Edges)
	switch {
	case 2*len(g.Nodes) < c.Nodes:
		c.Refused = "most of its boxes are not there"
	case len(g.Nodes) < 2 || len(g.Edges) == 0:
		c.Refused = "no two boxes with an arrow between them are left"
	default:
		c.Graph = g
	}
	return c
}

// isLabel: something that can be printed in a box.
func isLabel(s string) bool {
	return utf8.ValidString(s) && utf8.RuneCountInString(s) <= lookLabel && strings.ContainsFunc(s, unicode.IsLetter) &&
		!strings.ContainsFunc(s, func(r rune) bool { return !unicode.IsPrint(r) })
}

// words are the labels known of a figure, each without blanks and signs, with one letter for those that look alike.
type words []string

func alikeWords(labels []string) words {
	var out words
	for _, l := range labels {
		if w := alike(l); len(w) > 1 {
			out = append(out, w)
		}
	}
	return out
}

// hold tells whether each word of a label stands in one of the known ones.
func (w words) hold(label string) bool {
	some := false
	for part := range strings.FieldsFuncSeq(label, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		key := alike(part)
		if len(key) < 2 {
			continue
		}
		some = true
		found := false
		for _, k := range w {
			found = found || strings.Contains(k, key)
		}
		if !found {
			return false
		}
	}
	return some
}

var lookAlike = strings.NewReplacer("rn", "m", "vv", "w", "i", "1", "l", "1", "j", "1", "o", "0", "s", "5", "z", "2", "b", "8")

// alike is a text in small letters without signs, with one letter for those that look alike.
func alike(s string) string {
	return lookAlike.Replace(strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, s))
}
