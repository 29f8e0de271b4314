package passage

import "strings"

// Piece is one paragraph, heading, item, row of a table or line of a listing of a document whose format says what it is.
type Piece struct {
	Kind   Kind
	Level  int // of a heading
	Text   string
	Number int  // of its line, or of the paragraph, counted from 1
	Begins bool // of a row or a line of code: a new table or listing
}

// FromPieces makes passages of pieces in order. Rows make tables, and lines of code listings.
func FromPieces(pieces []Piece) []Passage {
	b := newBuilder()
	var open []Line
	var kind Kind
	size := 0
	flush := func() {
		if len(open) > 0 {
			b.add(Passage{Kind: kind, Lines: open, Text: verbatim(open)})
		}
		open, size = nil, 0
	}
	for _, x := range pieces {
		line := Line{Text: x.Text, Number: x.Number}
		if x.Kind != Table && x.Kind != Code {
			flush()
			p := Passage{Kind: x.Kind, Level: x.Level, Lines: []Line{line}, Text: strings.Join(strings.Fields(x.Text), " ")}
			if x.Kind == Body && captionStart.MatchString(p.Text) {
				p.Kind = Caption
			}
			b.add(p)
			continue
		}
		if kind != x.Kind || x.Begins || len(open) >= passageLines || size > passageBytes {
			flush()
		}
		kind = x.Kind
		open = append(open, line)
		size += len(x.Text)
	}
	flush()
	return b.found
}
