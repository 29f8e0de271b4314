package figure

import (
	"bytes"
	"compress/flate"
	"encoding/base64"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"net/url"
	"strings"
)

// maxInflated bounds what a packed draw.io page may become, in bytes.
const maxInflated = 4 << 20

// ParseDrawio reads a draw.io file: the first of its pages that has arrows. Pages may be packed. Loose counts the
// lines without a box at one of their ends, and those without a head.
func ParseDrawio(source string) (*Graph, error) {
	if len(source) > maxInflated {
		return nil, errTooLarge
	}
	pages, err := drawioPages(source)
	if err != nil {
		return nil, err
	}
	var first *Graph
	for _, cells := range pages {
		g, err := drawioGraph(cells)
		if err != nil {
			return nil, err
		}
		if len(g.Edges) > 0 {
			return g, nil
		}
		if first == nil && len(g.Nodes) > 0 {
			first = g
		}
	}
	if first == nil {
		return nil, errSource
	}
	return first, nil
}

// ioCell is one cell of a page: a box, a line, or what holds them.
type ioCell struct {
	id, text, style, parent, source, target string
	box, line                               bool
}

// maxPages and maxCells bound one file.
const (
	maxPages = 20
	maxCells = 20_000
)

// drawioPages are the cells of each page, in the order of the file. Entities that a file declares for itself are
// an error, as encoding/xml knows none.
func drawioPages(source string) ([][]ioCell, error) {
	decoder := xml.NewDecoder(strings.NewReader(source))
	var pages [][]ioCell
	var packed strings.Builder
	var object ioCell // an object around a cell has its id and label
	inside, count := false, 0
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			return pages, nil
		}
		if err != nil {
			return nil, fmt.Errorf("reading draw.io: %w", err)
		}
		switch t := token.(type) {
		case xml.StartElement:
			switch t.Name.Local {
			case "diagram":
				inside = true
				packed.Reset()
			case "mxGraphModel":
				inside = false
				pages = append(pages, nil)
			case "object", "UserObject":
				object = newCell(t)
			case "mxCell":
				if len(pages) == 0 || len(pages) > maxPages || count >= maxCells {
					return nil, errTooLarge
				}
				count++
				pages[len(pages)-1] = append(pages[len(pages)-1], newCell(t).within(object))
			}
		case xml.EndElement:
			switch t.Name.Local {
			case "object", "UserObject":
				object = ioCell{}
			case "diagram":
				more, err := unpack(packed.String(), inside)
				if err != nil {
					return nil, err
				}
				pages = append(pages, more...)
				inside = false
			}
		case xml.CharData:
			if inside {
				packed.Write(t)
			}
		}
	}
}

func newCell(e xml.StartElement) ioCell {
	var c ioCell
	for _, a := range e.Attr {
		switch a.Name.Local {
		case "id":
			c.id = a.Value
		case "value", "label":
			c.text = label(a.Value)
		case "style":
			c.style = a.Value
		case "parent":
			c.parent = a.Value
		case "source":
			c.source = a.Value
		case "target":
			c.target = a.Value
		case "vertex":
			c.box = a.Value == "1"
		case "edge":
			c.line = a.Value == "1"
		}
	}
	return c
}

func (c ioCell) within(object ioCell) ioCell {
	if object.id != "" {
		c.id, c.text = object.id, object.text
	}
	return c
}

// unpack reads a page that is packed: deflated, in base64, escaped as in a URL. A packed page holds none that is
// packed again.
func unpack(text string, packed bool) ([][]ioCell, error) {
	text = strings.TrimSpace(text)
	if !packed || text == "" {
		return nil, nil
	}
	raw, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		return nil, fmt.Errorf("reading a packed page of draw.io: %w", err)
	}
	reader := flate.NewReader(bytes.NewReader(raw))
	plain, err := io.ReadAll(io.LimitReader(reader, maxInflated+1))
	if err != nil {
		return nil, fmt.Errorf("reading a packed page of draw.io: %w", err)
	}
	if len(plain) > maxInflated {
		return nil, errTooLarge
	}
	page, err := url.QueryUnescape(strings.ReplaceAll(string(plain), "+", "%2B"))
	if err != nil {
		return nil, fmt.Errorf("reading a packed page of draw.io: %w", err)
	}
	if strings.Contains(page, "<diagram") {
		return nil, errSource
	}
	return drawioPages(page)
}

// drawioGraph makes a graph of a page: boxes with text, and lines with a head between two of them.
func drawioGraph(cells []ioCell) (*Graph, error) {
	b := newBuild(Flow)
	text, holds := map[string]string{}, map[string]bool{}
	for _, c := range cells {
		if c.box {
			text[c.id] = c.text
		}
	}
	for _, c := range cells {
		if _, ok := text[c.parent]; ok && c.box {
			holds[c.parent] = true
		}
	}
	ends := map[string]bool{}
	for _, c := range cells {
		if c.line {
			ends[c.source], ends[c.target] = true, true
		}
	}
	for _, c := range cells {
		if !c.box || c.id == "" || holds[c.id] && !ends[c.id] || !ends[c.id] && (c.text == "" || isCaptionCell(c)) {
			continue
		}
		b.groups = nil
		if t := text[c.parent]; t != "" {
			b.groups = []string{t}
		}
		b.node(c.id, c.text)
	}
	b.groups = nil
	for _, c := range cells {
		if c.line {
			b.drawioLine(c)
		}
	}
	return b.result()
}

// isCaptionCell: text without a box, as the label of a line is.
func isCaptionCell(c ioCell) bool {
	return strings.HasPrefix(c.style, "text;") || strings.HasPrefix(c.style, "edgeLabel")
}

func (b *build) drawioLine(c ioCell) {
	_, from := b.index[c.source]
	_, to := b.index[c.target]
	forth := !strings.Contains(c.style, "endArrow=none")
	back := strings.Contains(c.style, "startArrow=") && !strings.Contains(c.style, "startArrow=none")
	if !from || !to || !forth && !back {
		b.graph.Loose++
		return
	}
	if forth {
		b.edges([]string{c.source}, []string{c.target}, c.text)
	}
	if back {
		b.edges([]string{c.target}, []string{c.source}, c.text)
	}
}
