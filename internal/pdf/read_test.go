package pdf

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestReadWithoutWorker(t *testing.T) {
	tests := map[string]struct {
		data   string
		status Status
		reason string
	}{
		"no bytes":     {data: "", status: Empty, reason: "it has 0 bytes"},
		"text":         {data: "# Report\n\nWe did it.\n", status: NotPDF, reason: "it is text without a PDF header"},
		"long text":    {data: strings.Repeat("é", 1023), status: NotPDF, reason: "it is text without a PDF header"},
		"HTML":         {data: "\xEF\xBB\xBF\n<!DOCTYPE html><p>404", status: NotPDF, reason: "it is an HTML page"},
		"Office":       {data: "PK\x03\x04\x00", status: NotPDF, reason: "it is a ZIP archive or an Office document"},
		"image":        {data: "\x89PNG\r\n\x1A\n", status: NotPDF, reason: "it is an image"},
		"binary":       {data: "\x00\x01\x02\xFF", status: NotPDF, reason: "it is no PDF: it has no PDF header in its first 1,024 bytes"},
		"LFS pointer":  {data: "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 9\n", status: NotPDF, reason: "it is a Git LFS pointer; the file itself is not in the repository"},
		"late header":  {data: strings.Repeat("x", 1020) + "%PDF-1.4", status: NotPDF, reason: "it is text without a PDF header"},
		"over the cap": {data: "%PDF-1.4" + strings.Repeat("x", 2000), status: TooLarge, reason: "it has 2008 bytes; at most 2000 are read"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			got, err := Read(context.Background(), refusing{t}, []byte(test.data), Options{MaxBytes: 2000})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(&Document{Status: test.status, Reason: test.reason}, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestReadStatus(t *testing.T) {
	plain := func() *maker {
		m := newMaker()
		m.page(text("F1", 12, 72, 700, "Evidence first."), "")
		return m
	}
	locked := newMaker()
	locked.withPassword("secret", "owner")
	locked.page(text("F1", 12, 72, 700, "Evidence first."), "")
	owned := newMaker()
	owned.withPassword("", "owner")
	owned.page(text("F1", 12, 72, 700, "Evidence first."), "")
	loop := plain()
	loop.objects[1] = "<< /Type /Pages /Kids [2 0 R 2 0 R] /Count 2 >>"
	none := newMaker()
	scan := newMaker()
	picture := scan.image(8, 8, 90)
	scan.page(fmt.Sprintf("q 600 0 0 800 0 0 cm /X%d Do Q", picture), "")
	whole := plain().bytes()

	tests := map[string]struct {
		data   []byte
		status Status
		total  int
		text   string
	}{
		"plain":                 {data: whole, status: Readable, total: 1, text: "Evidence first."},
		"bytes before header":   {data: append([]byte("junk\n"), whole...), status: Readable, total: 1, text: "Evidence first."},
		"needs a password":      {data: locked.bytes(), status: Encrypted},
		"owner password only":   {data: owned.bytes(), status: Readable, total: 1, text: "Evidence first."},
		"no pages":              {data: none.bytes(), status: Empty},
		"picture without text":  {data: scan.bytes(), status: NoText, total: 1},
		"header and nothing":    {data: []byte("%PDF-1.7\n"), status: Damaged},
		"cut before the end":    {data: whole[:len(whole)/3], status: Damaged},
		"header and other data": {data: append([]byte("%PDF-1.7\n"), bytes.Repeat([]byte("[<<("), 4000)...), status: Damaged},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			d := read(t, test.data, Options{})
			if d.Status != test.status || d.Total != test.total || textOf(d) != test.text {
				t.Errorf("got %s, %d pages, %q (%s)", d.Status, d.Total, textOf(d), d.Reason)
			}
			if (d.Reason == "") != (d.Status == Readable) {
				t.Errorf("reason %q for status %s", d.Reason, d.Status)
			}
		})
	}
	t.Run("page tree loop", func(t *testing.T) {
		if d := read(t, loop.bytes(), Options{}); d.Status == Readable {
			t.Errorf("got %s with %d pages", d.Status, d.Total)
		}
	})
}

// A document without text says what it has instead.
func TestReadNoText(t *testing.T) {
	tests := map[string]struct {
		page func(m *maker) (content, more string)
		why  string
	}{
		"picture": {func(m *maker) (string, string) {
			return fmt.Sprintf("q 600 0 0 800 0 0 cm /X%d Do Q", m.image(8, 8, 90)), ""
		}, "its pages are pictures without a text layer"},
		"scan with a layer": {func(m *maker) (string, string) {
			return fmt.Sprintf("q 600 0 0 800 0 0 cm /X%d Do Q 3 Tr ", m.image(8, 8, 90)) + text("F1", 12, 72, 700, "We say so."), ""
		}, "its pages are pictures, and the text that is laid over or under them cannot be seen"},
		"hidden only": {func(*maker) (string, string) {
			return "1 g " + text("F1", 12, 72, 700, "We say so."), ""
		}, "all of its text is hidden from readers of the pages"},
		"outlines": {func(*maker) (string, string) {
			return strings.Repeat("72 700 m 80 720 l 88 700 l f\n", 200), ""
		}, "its pages are drawn with shapes and have no text layer; letters may have been turned into outlines"},
		"form": {func(m *maker) (string, string) {
			note := m.add("<< /Type /Annot /Subtype /FreeText /Rect [72 600 272 620] /Contents (We say so.) >>")
			return "", fmt.Sprintf("/Annots [%d 0 R]", note)
		}, "its pages have no text layer, only form fields or notes, which do not count as its text"},
		"a rule": {func(*maker) (string, string) { return "72 700 m 500 700 l S", "" }, "its pages have no text layer and hardly anything else"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			m := newMaker()
			m.page(test.page(m))
			if d := read(t, m.bytes(), Options{}); d.Status != NoText || d.Reason != test.why {
				t.Errorf("%s: %s", d.Status, d.Reason)
			}
		})
	}
}

// A blank document has nothing to see on any page, and all were looked at.
func TestReadBlank(t *testing.T) {
	tests := map[string]struct {
		pages []string
		o     Options
		want  bool
	}{
		"no content":     {[]string{"", ""}, Options{}, true},
		"only blanks":    {[]string{text("F1", 12, 72, 700, "   ")}, Options{}, true},
		"a white area":   {[]string{"1 g 0 0 600 800 re f"}, Options{}, true},
		"no ink":         {[]string{"72 700 100 100 re n"}, Options{}, true},
		"a grey area":    {[]string{"0.5 g 0 0 600 800 re f"}, Options{}, false},
		"a rule":         {[]string{"", "72 700 m 500 700 l S"}, Options{}, false},
		"hidden text":    {[]string{"1 g " + text("F1", 12, 72, 700, "We say so.")}, Options{}, false},
		"text at last":   {[]string{"", "", text("F1", 12, 72, 700, "We say so.")}, Options{}, false},
		"more than read": {[]string{"", "", ""}, Options{MaxPages: 2}, false},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			m := newMaker()
			for _, p := range test.pages {
				m.page(p, "")
			}
			d := read(t, m.bytes(), test.o)
			if d.Blank != test.want || d.Blank != (d.Reason == "its pages are blank") || d.Blank && d.Status != NoText {
				t.Errorf("%s: %s, blank %v", d.Status, d.Reason, d.Blank)
			}
		})
	}
}

// A page whose content cannot be unpacked shows nothing, and is not blank for that.
func TestReadSpoilt(t *testing.T) {
	tests := map[string]struct {
		spoil func(packed []byte)
		want  Status
	}{
		"whole":        {func([]byte) {}, Readable},
		"no header":    {func(b []byte) { copy(b, "\xFF\xFF\xFF\xFF") }, Damaged},
		"from the top": {func(b []byte) { copy(b[2:], bytes.Repeat([]byte{0xAA}, len(b)-2)) }, Damaged},
		"only its sum": {func(b []byte) { copy(b[len(b)-4:], "\x00\x00\x00\x00") }, Readable},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			m := newMaker()
			packed := deflate(t, []byte(text("F1", 12, 72, 700, "We say so.")))
			test.spoil(packed)
			m.pageOf(m.stream("/Filter /FlateDecode", packed), "")
			if d := read(t, m.bytes(), Options{}); d.Status != test.want || d.Blank {
				t.Errorf("%s: %s, blank %v", d.Status, d.Reason, d.Blank)
			}
		})
	}
	m := newMaker()
	m.pageOf(m.stream("/Filter /FlateDecode", deflate(t, []byte("q Q"))), "")
	if d := read(t, m.bytes(), Options{}); !d.Blank {
		t.Errorf("a packed page without anything: %s, %s", d.Status, d.Reason)
	}
}

func textOf(d *Document) string {
	var lines []string
	for _, p := range d.Pages {
		for _, l := range p.Lines {
			lines = append(lines, l.Text)
		}
	}
	return strings.Join(lines, "\n")
}

func TestReadTruncatedAnywhere(t *testing.T) {
	m := newMaker()
	for range 3 {
		m.page(text("F1", 12, 72, 700, "Evidence first."), "")
	}
	data := m.bytes()
	for n := 0; n < len(data); n += 97 {
		d := read(t, data[:n], Options{})
		if d.Status == Readable && !strings.Contains(textOf(d), "Evidence") {
			t.Errorf("%d of %d bytes: readable without text", n, len(data))
		}
	}
}

func TestReadCaps(t *testing.T) {
	m := newMaker()
	first, second := m.image(64, 64, 10), m.image(64, 64, 20)
	draw := func(image, y int) string { return fmt.Sprintf("q 100 0 0 100 50 %d cm /X%d Do Q\n", y, image) }
	for range 3 {
		m.page(draw(first, 50)+draw(second, 300)+text("F1", 12, 72, 700, strings.Repeat("word ", 40)), "")
	}
	d := read(t, m.bytes(), Options{MaxPages: 2, MaxPageText: 60, MaxImages: 3})
	if d.Total != 3 || len(d.Pages) != 2 {
		t.Errorf("%d pages of %d", len(d.Pages), d.Total)
	}
	var codes []NoteCode
	images := 0
	for _, n := range d.Notes {
		codes = append(codes, n.Code)
	}
	for _, p := range d.Pages {
		images += len(p.Images)
		for _, l := range p.Lines {
			if len(l.Text) > 60 {
				t.Errorf("line of %d bytes", len(l.Text))
			}
		}
	}
	if images != 3 {
		t.Errorf("%d images", images)
	}
	want := []NoteCode{PagesCapped, TextCapped, ImagesCapped, TextCapped}
	if diff := cmp.Diff(want, codes); diff != "" {
		t.Error(diff)
	}
}

// A page that breaks the parser costs that page and no other.
func TestReadBomb(t *testing.T) {
	if testing.Short() {
		t.Skip("inflates until the memory cap")
	}
	m := newMaker()
	m.page(text("F1", 12, 72, 700, "Before."), "")
	bomb := deflate(t, bytes.Repeat([]byte("0 0 m 9 9 l "), 20<<20))
	m.pageOf(m.stream("/Filter /FlateDecode", bomb), "")
	m.page(text("F1", 12, 72, 700, "After."), "")
	d := read(t, m.bytes(), Options{})
	if got := textOf(d); got != "Before.\nAfter." {
		t.Errorf("text is %q", got)
	}
	failed := slices.ContainsFunc(d.Notes, func(n Note) bool { return n.Page == 2 })
	if d.Status != Readable || d.Total != 3 || !failed {
		t.Errorf("status %s, %d pages, notes %v", d.Status, d.Total, d.Notes)
	}
}

// A page that is not there is noted, however many there are, and the others are read.
func TestReadMissingPages(t *testing.T) {
	m := newMaker()
	m.page(text("F1", 12, 72, 700, "Before."), "")
	m.kids = append(m.kids, 900, 901, 902, 903)
	m.page(text("F1", 12, 72, 700, "After."), "")
	d := read(t, m.bytes(), Options{})
	if got := textOf(d); got != "Before.\nAfter." || d.Total != 6 || len(d.Notes) != 4 {
		t.Errorf("text %q, %d pages, notes %v", got, d.Total, d.Notes)
	}
}

func TestReadTwiceIsEqual(t *testing.T) {
	m := newMaker()
	m.page(text("F2", 18, 72, 700, "Heading")+text("F1", 10, 72, 670, "Body of it.")+diagram(100, 300), "")
	a, b := read(t, m.bytes(), Options{}), read(t, m.bytes(), Options{})
	if diff := cmp.Diff(a, b); diff != "" {
		t.Error(diff)
	}
}

type failing struct{ err error }

func (f failing) Do(context.Context, []byte) ([]byte, error) { return nil, f.err }

func TestReadWorkerDied(t *testing.T) {
	death := errors.New("pdf worker crashed")
	_, err := Read(context.Background(), failing{death}, []byte("%PDF-1.4"), Options{})
	if !errors.Is(err, death) || !strings.HasPrefix(err.Error(), "reading PDF: ") {
		t.Errorf("error is %v", err)
	}
}
