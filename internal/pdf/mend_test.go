package pdf

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
)

// ligature is a document whose font writes B for the two letters of a ligature; target is how its map says so.
func ligature(t *testing.T, target string, filter func([]byte) (dict string, data []byte)) []byte {
	t.Helper()
	m := newMaker()
	cmap := "/CIDInit /ProcSet findresource begin\n12 dict begin\nbegincmap\n" +
		"/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def\n" +
		"1 begincodespacerange\n<00> <ff>\nendcodespacerange\n1 beginbfrange\n<41> <44> [<0063> " + target + " <006f> <0067>]\nendbfrange\n" +
		"endcmap\nCMapName currentdict /CMap defineresource pop\nend\nend"
	dict, data := filter([]byte(cmap))
	number := m.stream(dict, data)
	m.objects[2] = fmt.Sprintf("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /ToUnicode %d 0 R >>", number)
	m.page(text("F1", 12, 72, 700, "ACBD"), "")
	return m.bytes()
}

func TestMend(t *testing.T) {
	plain := func(cmap []byte) (string, []byte) { return "", cmap }
	packed := func(cmap []byte) (string, []byte) { return "/Filter /FlateDecode", deflate(t, cmap) }
	tight := func(cmap []byte) (string, []byte) { return "/Filter /FlateDecode", deflated(cmap) }
	tests := map[string]struct {
		target string
		filter func([]byte) (string, []byte)
	}{
		"no blank":          {"<00660069>", packed},
		"blank":             {"<0066 0069>", packed},
		"in plain text":     {"<0066 0069>", plain},
		"packed as tightly": {"<0066 0069>", tight},
		"line ends":         {"< 0066\r\n0069 >", packed},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			d := read(t, ligature(t, test.target, test.filter), Options{})
			if len(d.Pages) != 1 || len(d.Pages[0].Lines) != 1 || d.Pages[0].Lines[0].Text != "cofig" {
				t.Errorf("pages %+v", d.Pages)
			}
		})
	}
}

// Characters outside of the basic plane are two halves to PDFium.
func TestReadBeyondBasicPlane(t *testing.T) {
	d := read(t, ligature(t, "<d83ddccb>", func(cmap []byte) (string, []byte) { return "", cmap }), Options{})
	if got := textOf(d); got != "co📋g" && got != "c📋og" {
		t.Errorf("text is %q", got)
	}
}

// What is not a map keeps every byte, and the length of the file never changes.
func TestMendLeavesOthersAlone(t *testing.T) {
	cmap := "begincmap\n1 beginbfchar\n<41> <0066 0069>\nendbfchar"
	tests := map[string]string{
		"not a map":         ">>\nstream\n<0066 0069>\nendstream",
		"no end":            ">>\nstream\n" + cmap,
		"other filter":      "<< /Filter /LZWDecode >>\nstream\n" + cmap + "\nendstream",
		"predictor":         "<< /DecodeParms 3 0 R >>\nstream\n" + cmap + "\nendstream",
		"damaged":           "<< /Filter /FlateDecode >>\nstream\n" + string(deflated([]byte(strings.Repeat(cmap, 300))))[:40] + "\nendstream",
		"larger than a map": "<< /Filter /FlateDecode >>\nstream\n" + string(deflated([]byte(cmap+strings.Repeat(" ", 2*mendMap)))) + "\nendstream",
		"a dictionary":      ">>\nstream\nbegincmap << /A 1 >> <xyz 12> endstream",
	}
	for name, file := range tests {
		t.Run(name, func(t *testing.T) {
			data := []byte(file)
			mend(data)
			if string(data) != file {
				t.Error("it was changed")
			}
		})
	}
}

func FuzzMend(f *testing.F) {
	cmap := "begincmap\n1 beginbfchar\n<41> <0066 0069>\nendbfchar"
	f.Add([]byte(">>\nstream\n" + cmap + "\nendstream"))
	f.Add([]byte("<< /Filter /FlateDecode >>stream\r\n" + string(deflated([]byte(cmap))) + "\nendstream"))
	f.Fuzz(func(t *testing.T, data []byte) {
		before := bytes.Clone(data)
		mend(data)
		if len(before) != len(data) {
			t.Fatal("another length")
		}
		if !mapMark.Match(before) && !bytes.Contains(before, []byte("/FlateDecode")) && !bytes.Equal(before, data) {
			t.Fatalf("%q became %q", before, data)
		}
	})
}
