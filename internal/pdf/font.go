package pdf

import (
	"strings"

	"github.com/klippa-app/go-pdfium/requests"
)

// face is what is known of the font of one character.
type face struct {
	name string
	size float64
	bold bool
	mono bool
}

func (t *textReader) font(index int) face {
	var f face
	info, ok := ask(t.s, t.s.FPDFText_GetFontInfo, requests.FPDFText_GetFontInfo{TextPage: t.ref, Index: index})
	if ok {
		f.name = fontName(info.FontName)
	}
	weight, _ := ask(t.s, t.s.FPDFText_GetFontWeight, requests.FPDFText_GetFontWeight{TextPage: t.ref, Index: index})
	f.bold = weight.FontWeight >= boldWeight || hasAny(f.name, boldNames)
	f.mono = info.Flags&fixedPitch != 0 || hasAny(f.name, monoNames)

	size, _ := ask(t.s, t.s.FPDFText_GetFontSize, requests.FPDFText_GetFontSize{TextPage: t.ref, Index: index})
	m, ok := ask(t.s, t.s.FPDFText_GetMatrix, requests.FPDFText_GetMatrix{TextPage: t.ref, Index: index})
	f.size = size.FontSize
	if ok {
		f.size *= fromPDFium(m.Matrix).tall()
	}
	f.size = round(f.size)
	return f
}

const (
	fixedPitch = 1   // font descriptor flag (PDF 1.7, 9.8.2)
	boldWeight = 600 // CSS semi-bold and more
)

// Parts of PostScript names that tell more than the descriptors, which many producers leave empty. CM… are TeX's.
const (
	boldNames = "bold black heavy semibold demi -bd cmbx sfbx"
	monoNames = "mono courier consol menlo cascadia inconsolata typewriter cmtt sftt sourcecode firacode lettergothic"
)

// fontName cuts the tag of a subset ("ABCDEF+Name").
func fontName(name string) string {
	if tag, rest, ok := strings.Cut(name, "+"); ok && len(tag) == 6 {
		name = rest
	}
	return cutString(name, 100)
}

func hasAny(name, parts string) bool {
	name = strings.ToLower(name)
	for part := range strings.FieldsSeq(parts) {
		if strings.Contains(name, part) {
			return true
		}
	}
	return false
}
