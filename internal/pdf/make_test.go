package pdf

import (
	"bytes"
	"compress/zlib"
	"crypto/md5"
	"crypto/rc4"
	"encoding/binary"
	"fmt"
	"strings"
	"testing"
)

// maker writes small PDFs, object by object. Object 1 is the catalogue, 2 the page tree, 3 to 5 are fonts.
type maker struct {
	objects []string
	kids    []int
	extra   string // entries of the trailer
	encrypt func(number int, text []byte) []byte
	// resources are further entries of the resources of the pages that follow.
	resources string
}

func newMaker() *maker {
	m := &maker{}
	m.add("") // catalogue, written by bytes
	m.add("") // page tree
	m.add("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>")
	m.add("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold /Encoding /WinAnsiEncoding >>")
	m.add("<< /Type /Font /Subtype /Type1 /BaseFont /Courier /Encoding /WinAnsiEncoding >>")
	return m
}

func (m *maker) add(object string) int {
	m.objects = append(m.objects, object)
	return len(m.objects)
}

func (m *maker) stream(dict string, data []byte) int {
	number := len(m.objects) + 1
	if m.encrypt != nil {
		data = m.encrypt(number, data)
	}
	return m.add(fmt.Sprintf("<< %s /Length %d >>\nstream\n%s\nendstream", dict, len(data), data))
}

// page adds a page of 600 by 800 points; more are further entries of its dictionary.
func (m *maker) page(content, more string) {
	m.pageOf(m.stream("", []byte(content)), more)
}

func (m *maker) pageOf(content int, more string) {
	number := m.add(fmt.Sprintf("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents %d 0 R %s"+
		" /Resources << /Font << /F1 3 0 R /F2 4 0 R /F3 5 0 R >> /XObject << %s >> %s >> >>",
		content, more, m.xobjects(), m.resources))
	m.kids = append(m.kids, number)
}

// xobjects names every image and form so far /X and its number.
func (m *maker) xobjects() string {
	var names strings.Builder
	for i, o := range m.objects {
		if strings.Contains(o, "/Type /XObject") {
			fmt.Fprintf(&names, "/X%d %d 0 R ", i+1, i+1)
		}
	}
	return names.String()
}

// image adds a grey picture and gives its number.
func (m *maker) image(width, height int, shade byte) int {
	return m.stream(fmt.Sprintf("/Type /XObject /Subtype /Image /Width %d /Height %d /ColorSpace /DeviceGray"+
		" /BitsPerComponent 8", width, height), bytes.Repeat([]byte{shade}, width*height))
}

func (m *maker) bytes() []byte {
	kids := make([]string, len(m.kids))
	for i, k := range m.kids {
		kids[i] = fmt.Sprintf("%d 0 R", k)
	}
	if m.objects[0] == "" {
		m.objects[0] = "<< /Type /Catalog /Pages 2 0 R >>"
	}
	if m.objects[1] == "" {
		m.objects[1] = fmt.Sprintf("<< /Type /Pages /Kids [%s] /Count %d >>", strings.Join(kids, " "), len(kids))
	}
	var b bytes.Buffer
	b.WriteString("%PDF-1.4\n%\xE2\xE3\xCF\xD3\n")
	offsets := make([]int, len(m.objects))
	for i, o := range m.objects {
		offsets[i] = b.Len()
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", i+1, o)
	}
	start := b.Len()
	fmt.Fprintf(&b, "xref\n0 %d\n0000000000 65535 f \n", len(m.objects)+1)
	for _, o := range offsets {
		fmt.Fprintf(&b, "%010d 00000 n \n", o)
	}
	fmt.Fprintf(&b, "trailer\n<< /Size %d /Root 1 0 R %s >>\nstartxref\n%d\n%%%%EOF\n", len(m.objects)+1, m.extra, start)
	return b.Bytes()
}

// text is a content stream that writes one line with its baseline y points above the page's lower edge.
func text(font string, size, x, y float64, line string) string {
	line = strings.NewReplacer(`\`, `\\`, "(", `\(`, ")", `\)`).Replace(line)
	return fmt.Sprintf("BT /%s %g Tf 1 0 0 1 %g %g Tm (%s) Tj ET\n", font, size, x, y, line)
}

func deflate(t *testing.T, data []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zlib.NewWriter(&b)
	if _, err := w.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// The padding of passwords (PDF 1.7, 7.6.3.3).
const passwordPadding = "\x28\xBF\x4E\x5E\x4E\x75\x8A\x41\x64\x00\x4E\x56\xFF\xFA\x01\x08" +
	"\x2E\x2E\x00\xB6\xD0\x68\x3E\x80\x2F\x0C\xA9\xFE\x64\x53\x69\x7A"

// withPassword encrypts everything that is added from now on with 40-bit RC4 (revision 2).
func (m *maker) withPassword(user, owner string) {
	pad := func(p string) []byte { return []byte((p + passwordPadding)[:32]) }
	cipher := func(key, data []byte) []byte {
		c, err := rc4.NewCipher(key)
		if err != nil {
			panic(err)
		}
		out := make([]byte, len(data))
		c.XORKeyStream(out, data)
		return out
	}
	id := "0123456789abcdef"
	ownerKey := md5.Sum(pad(owner))
	o := cipher(ownerKey[:5], pad(user))
	rights := int32(-4)
	sum := md5.Sum(bytes.Join([][]byte{pad(user), o, binary.LittleEndian.AppendUint32(nil, uint32(rights)), []byte(id)}, nil))
	key := sum[:5]
	u := cipher(key, []byte(passwordPadding))
	dict := m.add(fmt.Sprintf("<< /Filter /Standard /V 1 /R 2 /O <%x> /U <%x> /P %d >>", o, u, rights))
	m.extra = fmt.Sprintf("/Encrypt %d 0 R /ID [<%x> <%x>]", dict, id, id)
	m.encrypt = func(number int, text []byte) []byte {
		salted := append(append([]byte(nil), key...), byte(number), byte(number>>8), byte(number>>16), 0, 0)
		sum := md5.Sum(salted)
		return cipher(sum[:10], text)
	}
}
