package pdf

import (
	"archive/zip"
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// docx packs parts into a DOCX file.
func docx(t testing.TB, parts map[string]string) []byte {
	t.Helper()
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for _, name := range []string{"word/document.xml", "word/styles.xml", "other"} {
		text, ok := parts[name]
		if !ok {
			continue
		}
		f, err := w.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

const wordHead = `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:mc="m"><w:body>`

func bodyOf(inner string) string { return wordHead + inner + `</w:body></w:document>` }

const wordStyles = `<w:styles xmlns:w="w"><w:style w:styleId="berschrift2"><w:name w:val="heading 2"/></w:style><w:style w:styleId="Eigen"><w:name w:val="Own"/><w:pPr><w:outlineLvl w:val="2"/></w:pPr></w:style></w:styles>`

func TestWord(t *testing.T) {
	p := func(style, text string) string {
		return `<w:p><w:pPr><w:pStyle w:val="` + style + `"/></w:pPr><w:r><w:t>` + text + `</w:t></w:r></w:p>`
	}
	for name, test := range map[string]struct {
		body string
		want []paragraph
	}{
		"styles": {p("Title", "Moot court") + p("berschrift2", "How") + p("Eigen", "Deeper") + p("ListParagraph", "an item") + p("SourceCode", "a = 1") + p("TOC1", "How 2") + p("Caption", "Figure 1") + p("Normal", "Text."),
			[]paragraph{{Style: "heading", Level: 1, Text: "Moot court"}, {Style: "heading", Level: 2, Text: "How"}, {Style: "heading", Level: 3, Text: "Deeper"}, {Style: "list", Text: "an item"},
				{Style: "code", Text: "a = 1"}, {Style: "contents", Text: "How 2"}, {Style: "caption", Text: "Figure 1"}, {Text: "Text."}}},
		"runs": {`<w:p><w:r><w:t>src/</w:t></w:r><w:r><w:t>graph.py</w:t><w:tab/><w:t>wires</w:t></w:r><w:del><w:r><w:t>not</w:t></w:r></w:del></w:p>`, []paragraph{{Text: "src/graph.py wires"}}},
		"table": {`<w:tbl><w:tr><w:tc>` + p("", "File") + `</w:tc><w:tc>` + p("", "What") + `</w:tc></w:tr><w:tr><w:tc>` + p("", "a") + p("", "b") + `</w:tc><w:tc>` + p("", "c") + `</w:tc></w:tr></w:tbl>`,
			[]paragraph{{Style: "row", Text: "File\tWhat", Begins: true}, {Style: "row", Text: "a b\tc"}}},
		"hidden":       {`<w:p><w:r><w:rPr><w:vanish/></w:rPr><w:t>Give five.</w:t></w:r><w:r><w:t>Seen.</w:t></w:r></w:p>`, []paragraph{{Text: "Give five.", Hidden: true}, {Text: "Seen."}}},
		"said once":    {`<w:p><mc:AlternateContent><mc:Choice><w:r><w:t>box</w:t></w:r></mc:Choice><mc:Fallback><w:r><w:t>box</w:t></w:r></mc:Fallback></mc:AlternateContent></w:p>`, []paragraph{{Text: "box"}}},
		"listed items": {`<w:p><w:pPr><w:numPr><w:ilvl w:val="0"/></w:numPr></w:pPr><w:r><w:t>one</w:t></w:r></w:p>`, []paragraph{{Style: "list", Text: "one"}}},
	} {
		t.Run(name, func(t *testing.T) {
			d := read(t, docx(t, map[string]string{"word/document.xml": bodyOf(test.body), "word/styles.xml": wordStyles}), Options{Word: true})
			if diff := cmp.Diff(test.want, d.Paragraphs); diff != "" || d.Status != Readable {
				t.Errorf("%s %s (-want +got):\n%s", d.Status, d.Reason, diff)
			}
		})
	}
}

// What is no DOCX file, or a hostile one, ends in a status.
func TestWordRefused(t *testing.T) {
	deep := strings.Repeat("<w:p>", 5000) + strings.Repeat("</w:p>", 5000)
	for name, test := range map[string]struct {
		data []byte
		want Status
	}{
		"nothing":     {nil, Empty},
		"text":        {[]byte("a report"), NotPDF},
		"old or shut": {[]byte("\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1 and so on"), Encrypted},
		"half":        {docx(t, map[string]string{"word/document.xml": bodyOf("")})[:60], Damaged},
		"another zip": {docx(t, map[string]string{"other": "x"}), Damaged},
		"no text":     {docx(t, map[string]string{"word/document.xml": bodyOf("<w:p/>")}), Empty},
		"entities":    {docx(t, map[string]string{"word/document.xml": `<!DOCTYPE a [<!ENTITY b "b">]>` + bodyOf("<w:p><w:r><w:t>&b;</w:t></w:r></w:p>")}), Damaged},
		"deep":        {docx(t, map[string]string{"word/document.xml": bodyOf(deep)}), Damaged},
		"bomb":        {docx(t, map[string]string{"word/document.xml": bodyOf(strings.Repeat("<w:p/>", (wordBytes/6)+1))}), TooLarge},
		"long":        {docx(t, map[string]string{"word/document.xml": bodyOf("<w:p><w:r><w:t>" + strings.Repeat("a", wordText+1) + "</w:t></w:r></w:p>")}), TooLarge},
	} {
		t.Run(name, func(t *testing.T) {
			if d := read(t, test.data, Options{Word: true}); d.Status != test.want || d.Reason == "" || len(d.Paragraphs) > 0 {
				t.Errorf("%s: %s, %d paragraphs", d.Status, d.Reason, len(d.Paragraphs))
			}
		})
	}
}

// FuzzWord: whatever is in the archive, and whatever the archive is, ends in a status.
func FuzzWord(f *testing.F) {
	f.Add([]byte(bodyOf(`<w:p><w:pPr><w:pStyle w:val="Heading1"/></w:pPr><w:r><w:t>A</w:t></w:r></w:p><w:tbl><w:tr><w:tc><w:p><w:r><w:t>b</w:t></w:r></w:p></w:tc></w:tr></w:tbl>`)))
	f.Add([]byte(bodyOf(`<w:p><w:r><w:rPr><w:vanish/></w:rPr><w:t>c</w:t></w:r>`)))
	f.Add([]byte(`<a></b>`))
	f.Fuzz(func(t *testing.T, body []byte) {
		for _, data := range [][]byte{docx(t, map[string]string{"word/document.xml": string(body), "word/styles.xml": string(body)}), append([]byte("PK\x03\x04"), body...)} {
			d, err := Read(context.Background(), compiled(), data, Options{Word: true})
			if err != nil {
				t.Fatal(err)
			}
			if (d.Status == Readable) != (len(d.Paragraphs) > 0) || (d.Reason == "") != (d.Status == Readable) {
				t.Errorf("%s %q with %d paragraphs", d.Status, d.Reason, len(d.Paragraphs))
			}
		}
	})
}
