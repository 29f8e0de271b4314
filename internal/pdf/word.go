package pdf

import (
	"archive/zip"
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// paragraph is one of a DOCX file's, in order. Of a table each row is one, with a tab between its cells.
type paragraph struct {
	Style  string `json:"style,omitempty"` // heading, list, row, code, caption, contents; else running text
	Level  int    `json:"level,omitempty"` // of a heading
	Text   string `json:"text,omitempty"`
	Begins bool   `json:"begins,omitempty"` // of a row: a new table
	Hidden bool   `json:"hidden,omitempty"` // a reader does not see it
}

// Bounds of a DOCX file. What a ZIP archive says of the size of its files is a claim: so much is unpacked and no more.
const (
	wordBytes      = 32 << 20 // of one part, unpacked
	wordText       = 8 << 20  // of all paragraphs
	wordParagraphs = 100_000
	wordDepth      = 256 // elements within each other
)

var errWordSize = fmt.Errorf("a part of it is over %d MiB unpacked, or its text over %d MiB", wordBytes>>20, wordText>>20)

// isWord tells a ZIP archive, as which DOCX files are kept.
func isWord(data []byte) bool { return bytes.HasPrefix(data, []byte("PK\x03\x04")) }

// isOldOffice tells the container of older and of encrypted Office files.
func isOldOffice(data []byte) bool {
	return bytes.HasPrefix(data, []byte("\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1"))
}

// wordDocument reads the paragraphs of a DOCX file through its XML. Whatever is wrong with it is the Document's Status.
func wordDocument(data []byte) *Document {
	archive, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return &Document{Status: Damaged, Reason: "it is no ZIP archive that can be read, as a DOCX file is: " + cutString(err.Error(), 120)}
	}
	body, err := part(archive, "word/document.xml")
	if err != nil {
		return broken(err)
	}
	r := &wordReader{styles: map[string]string{}}
	if styles, err := part(archive, "word/styles.xml"); err == nil {
		r.readStyles(styles)
	}
	if err := r.read(body); err != nil {
		return broken(err)
	}
	d := &Document{Status: Readable, Paragraphs: r.found}
	if len(r.found) == 0 {
		d.Status, d.Reason = Empty, "there is no text in it"
	}
	return d
}

func broken(err error) *Document {
	if errors.Is(err, errWordSize) {
		return &Document{Status: TooLarge, Reason: err.Error()}
	}
	return &Document{Status: Damaged, Reason: "it is no DOCX file that can be read: " + cutString(err.Error(), 120)}
}

// part unpacks one file of the archive, up to the bound.
func part(archive *zip.Reader, name string) ([]byte, error) {
	for _, f := range archive.File {
		if f.Name != name {
			continue
		}
		in, err := f.Open()
		if err != nil {
			return nil, fmt.Errorf("opening %s: %w", name, err)
		}
		raw, err := io.ReadAll(io.LimitReader(in, wordBytes+1))
		if closed := in.Close(); err == nil && len(raw) <= wordBytes {
			err = closed
		}
		switch {
		case len(raw) > wordBytes:
			return nil, errWordSize
		case err != nil:
			return nil, fmt.Errorf("unpacking %s: %w", name, err)
		}
		return raw, nil
	}
	return nil, fmt.Errorf("it has no %s", name)
}

// wordReader puts the runs of a document into paragraphs.
type wordReader struct {
	styles map[string]string // names of styles by their ids, in lower case
	found  []paragraph
	size   int

	words  strings.Builder
	unseen strings.Builder
	style  string
	level  int
	listed bool
	vanish bool // of the run
	shown  int  // depth of w:t
	tables int
	cells  []string // of the open row
	begins bool
	skip   int // depth of what is not shown
}

// elements calls do for every element's start and end, and for text, within bounds.
func elements(raw []byte, do func(xml.Token) error) error {
	dec := xml.NewDecoder(bytes.NewReader(raw))
	for depth := 0; ; {
		t, err := dec.Token()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("reading its XML: %w", err)
		}
		switch t.(type) {
		case xml.StartElement:
			if depth++; depth > wordDepth {
				return fmt.Errorf("over %d elements within each other", wordDepth)
			}
		case xml.EndElement:
			depth--
		}
		if err := do(t); err != nil {
			return err
		}
	}
}

func value(e xml.StartElement, name string) string {
	for _, a := range e.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// readStyles notes what styles are called: their ids are translated, their names are not. A damaged list is none.
func (r *wordReader) readStyles(raw []byte) {
	id := ""
	err := elements(raw, func(t xml.Token) error {
		if e, ok := t.(xml.StartElement); ok {
			switch e.Name.Local {
			case "style":
				id = value(e, "styleId")
			case "name":
				if id != "" && len(r.styles) < wordParagraphs {
					r.styles[id] = strings.ToLower(value(e, "val"))
				}
			case "outlineLvl":
				if n, err := strconv.Atoi(value(e, "val")); err == nil && n < 9 && id != "" && !strings.HasPrefix(r.styles[id], "heading") {
					r.styles[id] = "heading " + strconv.Itoa(n+1)
				}
			}
		}
		return nil
	})
	if err != nil {
		r.styles = map[string]string{}
	}
}

func (r *wordReader) read(raw []byte) error {
	return elements(raw, func(t xml.Token) error {
		switch t := t.(type) {
		case xml.StartElement:
			r.open(t)
		case xml.EndElement:
			return r.close(t.Name.Local)
		case xml.CharData:
			if r.shown > 0 && r.skip == 0 {
				if r.size += len(t); r.size > wordText {
					return errWordSize
				}
				r.say(string(t))
			}
		}
		return nil
	})
}

func (r *wordReader) say(text string) {
	if r.vanish {
		r.unseen.WriteString(text)
		return
	}
	r.words.WriteString(text)
}

// unshown are elements of which a reader sees nothing, or sees it elsewhere.
func unshown(name string) bool {
	return name == "del" || name == "moveFrom" || name == "Fallback" || name == "instrText" || name == "delText"
}

func (r *wordReader) open(e xml.StartElement) {
	name := e.Name.Local
	if r.skip > 0 || unshown(name) {
		r.skip++
		return
	}
	switch name {
	case "tbl":
		r.tables++
		r.begins = true
	case "tr":
		r.cells = nil
	case "tc":
		r.cells = append(r.cells, "")
	case "p":
		r.style, r.level, r.listed = "", 0, false
		r.words.Reset()
		r.unseen.Reset()
	case "pStyle":
		r.style = value(e, "val")
	case "outlineLvl":
		if n, err := strconv.Atoi(value(e, "val")); err == nil && n >= 0 && n < 9 {
			r.level = n + 1
		}
	case "numPr":
		r.listed = true
	case "r":
		r.vanish = false
	case "vanish", "webHidden":
		r.vanish = value(e, "val") != "0" && value(e, "val") != "false"
	case "t":
		r.shown++
	case "tab", "br", "cr":
		r.say(" ")
	}
}

func (r *wordReader) close(name string) error {
	if r.skip > 0 {
		r.skip--
		return nil
	}
	switch name {
	case "t":
		r.shown = max(r.shown-1, 0)
	case "p":
		return r.ended()
	case "tr":
		row := paragraph{Style: "row", Text: strings.Join(r.cells, "\t"), Begins: r.begins}
		r.cells, r.begins = nil, false
		return r.add(row)
	case "tbl":
		r.tables = max(r.tables-1, 0)
	}
	return nil
}

// ended ends a paragraph. Within a table it is a part of a cell.
func (r *wordReader) ended() error {
	text := strings.Join(strings.Fields(r.words.String()), " ")
	unseen := strings.Join(strings.Fields(r.unseen.String()), " ")
	r.words.Reset()
	r.unseen.Reset()
	if unseen != "" {
		if err := r.add(paragraph{Text: unseen, Hidden: true}); err != nil {
			return err
		}
	}
	if n := len(r.cells); r.tables > 0 && n > 0 {
		r.cells[n-1] = strings.TrimSpace(r.cells[n-1] + " " + text)
		return nil
	}
	p := paragraph{Text: text}
	p.Style, p.Level = r.styled()
	return r.add(p)
}

func (r *wordReader) add(p paragraph) error {
	if strings.TrimSpace(p.Text) == "" {
		return nil
	}
	if len(r.found) >= wordParagraphs {
		return errWordSize
	}
	r.found = append(r.found, p)
	return nil
}

// styled is what the open paragraph is by its style.
func (r *wordReader) styled() (style string, level int) {
	name := r.styles[r.style]
	if name == "" {
		name = strings.ToLower(r.style)
	}
	if rest, ok := strings.CutPrefix(strings.ReplaceAll(name, " ", ""), "heading"); ok {
		if n, err := strconv.Atoi(rest); err == nil && n >= 1 && n <= 9 {
			return "heading", n
		}
	}
	switch {
	case r.level > 0:
		return "heading", r.level
	case name == "title":
		return "heading", 1
	case strings.HasPrefix(name, "toc"):
		return "contents", 0
	case name == "caption":
		return "caption", 0
	case strings.Contains(name, "code"), strings.Contains(name, "preformatted"), strings.HasPrefix(name, "source"), name == "macro":
		return "code", 0
	case r.listed, strings.HasPrefix(name, "list"):
		return "list", 0
	}
	return "", 0
}
