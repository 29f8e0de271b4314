package report

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf16"
)

// sheet is a table as its file has it: cells are places in its bytes, so that some can be changed and all else stays
// equal. The file may be of UTF-8 or another encoding in which ASCII is itself, or of UTF-16 with a byte order mark.
type sheet struct {
	raw    []byte
	wide   bool // two bytes a unit
	little bool
	comma  byte
	rows   []sheetRow
}

// sheetRow is one row, with the line on which it begins.
type sheetRow struct {
	line  int
	cells []sheetCell
}

// sheetCell is the bytes of a cell, its quotes among them.
type sheetCell struct {
	from, to int
	quoted   bool
}

// What a file of grades may have.
const (
	mostSheet = 32 << 20  // bytes
	mostCells = 2_000_000 // cells
)

// readSheet finds the cells of a file.
func readSheet(raw []byte) (*sheet, error) {
	s := &sheet{raw: raw}
	at := 0
	switch {
	case len(raw) > mostSheet:
		return nil, fmt.Errorf("it has more than %d bytes", mostSheet)
	case bytes.HasPrefix(raw, []byte{0xFF, 0xFE}):
		s.wide, s.little, at = true, true, 2
	case bytes.HasPrefix(raw, []byte{0xFE, 0xFF}):
		s.wide, at = true, 2
	case bytes.HasPrefix(raw, []byte("\ufeff")):
		at = 3
	}
	if s.wide && len(raw)%2 != 0 || !s.wide && bytes.IndexByte(raw, 0) >= 0 {
		return nil, errors.New("it is not text")
	}
	s.comma = s.delimiter(at)
	line, cells := 1, 0
	for at < len(raw) {
		row := sheetRow{line: line}
		for more := true; more; {
			var c sheetCell
			var err error
			if c, at, err = s.cell(at, &line); err != nil {
				return nil, err
			}
			if cells++; cells > mostCells {
				return nil, fmt.Errorf("it has more than %d cells", mostCells)
			}
			row.cells = append(row.cells, c)
			if more = at < len(raw) && s.unit(at) == uint16(s.comma); more {
				at += s.width()
			}
		}
		at = s.pastEnd(at, &line)
		s.rows = append(s.rows, row)
	}
	if len(s.rows) == 0 {
		return nil, errors.New("it is empty")
	}
	return s, nil
}

func (s *sheet) width() int {
	if s.wide {
		return 2
	}
	return 1
}

// unit is the character at a place, or half of one that has two.
func (s *sheet) unit(at int) uint16 {
	switch {
	case !s.wide:
		return uint16(s.raw[at])
	case s.little:
		return uint16(s.raw[at]) | uint16(s.raw[at+1])<<8
	default:
		return uint16(s.raw[at])<<8 | uint16(s.raw[at+1])
	}
}

// delimiter is what parts the cells of the first row: the one of comma, semicolon and tab that stands there most often
// outside of quotes.
func (s *sheet) delimiter(at int) byte {
	count := map[uint16]int{}
	quoted := false
	for ; at < len(s.raw); at += s.width() {
		u := s.unit(at)
		if u == '"' {
			quoted = !quoted
		}
		if !quoted && (u == '\n' || u == '\r') {
			break
		}
		if !quoted {
			count[u]++
		}
	}
	best := byte(',')
	for _, c := range []byte(";\t") {
		if count[uint16(c)] > count[uint16(best)] {
			best = c
		}
	}
	return best
}

// cell finds the cell that begins at a place, and where it ends: before a delimiter, a line's end or the file's.
func (s *sheet) cell(at int, line *int) (c sheetCell, end int, err error) {
	c = sheetCell{from: at}
	w := s.width()
	if at < len(s.raw) && s.unit(at) == '"' {
		c.quoted = true
		began := *line
		for at += w; ; at += w {
			if at >= len(s.raw) {
				return c, at, fmt.Errorf("a quote that opens on line %d is not closed", began)
			}
			u := s.unit(at)
			if u == '\n' || u == '\r' && (at+w >= len(s.raw) || s.unit(at+w) != '\n') {
				*line++
			}
			if u != '"' {
				continue
			}
			if at+w < len(s.raw) && s.unit(at+w) == '"' {
				at += w
				continue
			}
			at += w
			break
		}
	}
	for at < len(s.raw) {
		if u := s.unit(at); u == uint16(s.comma) || u == '\n' || u == '\r' {
			break
		}
		at += w
	}
	c.to = at
	return c, at, nil
}

// pastEnd is the place behind a line's end.
func (s *sheet) pastEnd(at int, line *int) int {
	w := s.width()
	if at >= len(s.raw) {
		return at
	}
	*line++
	if s.unit(at) == '\r' && at+w < len(s.raw) && s.unit(at+w) == '\n' {
		at += w
	}
	return at + w
}

// text is what a cell says, without its quotes and the space around it.
func (s *sheet) text(c sheetCell) string {
	text := string(s.raw[c.from:c.to])
	if s.wide {
		units := make([]uint16, 0, (c.to-c.from)/2)
		for at := c.from; at < c.to; at += 2 {
			units = append(units, s.unit(at))
		}
		text = string(utf16.Decode(units))
	}
	if c.quoted {
		text = strings.ReplaceAll(text[1:], `""`, "\x00")
		before, after, _ := strings.Cut(text, `"`)
		text = strings.ReplaceAll(before+after, "\x00", `"`)
	}
	return strings.TrimSpace(text)
}

// written is a value as the bytes of a cell, in quotes where it needs them or the cell had them.
func (s *sheet) written(value string, quoted bool) []byte {
	if quoted || strings.ContainsAny(value, "\"\r\n") || strings.ContainsRune(value, rune(s.comma)) {
		value = `"` + strings.ReplaceAll(value, `"`, `""`) + `"`
	}
	if !s.wide {
		return []byte(value)
	}
	var out []byte
	for _, u := range utf16.Encode([]rune(value)) {
		a, b := byte(u>>8), byte(u)
		if s.little {
			a, b = b, a
		}
		out = append(out, a, b)
	}
	return out
}

// edit is a new value of a cell.
type edit struct {
	cell  sheetCell
	value string
}

// with is the file with other values in some cells, and otherwise byte for byte as it was.
func (s *sheet) with(edits []edit) []byte {
	slices.SortFunc(edits, func(a, b edit) int { return a.cell.from - b.cell.from })
	var b bytes.Buffer
	at := 0
	for _, e := range edits {
		b.Write(s.raw[at:e.cell.from])
		b.Write(s.written(e.value, e.cell.quoted))
		at = e.cell.to
	}
	b.Write(s.raw[at:])
	return b.Bytes()
}
