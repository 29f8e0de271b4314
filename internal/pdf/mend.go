package pdf

import (
	"bytes"
	"compress/zlib"
	"errors"
	"io"
	"iter"
	"regexp"
)

// Bounds of mending a hostile file. A report has some dozen fonts, each with a map of a few kilobytes.
const (
	mendStreams = 20_000   // streams looked at
	mendPeek    = 2 << 10  // bytes of each that must show what it is
	mendMap     = 1 << 20  // bytes of one map
	mendTotal   = 32 << 20 // bytes read of streams in all
)

var (
	streamStart = regexp.MustCompile(`>>\s{0,8}stream\r?\n`)
	endStream   = []byte("endstream")
	mapMark     = regexp.MustCompile(`begin(?:cmap|bfchar|bfrange)\b`)
	mapSections = regexp.MustCompile(`(?s)\d+\s+begin(codespacerange|bfchar|bfrange)\b.*?\bend(?:codespacerange|bfchar|bfrange)\b`)
)

// mend takes the blanks out of the hexadecimal strings of the maps that say which letters a glyph stands for, within
// the bytes of a PDF. PDFium ends such a string at its first blank, and the format allows them anywhere (PDF 1.7,
// 7.3.4.3): where a writer puts one between the letters of a ligature, "config" would be read as "confg". No byte
// moves: a map takes at most the room that it had, and one that would not fit stays as it is. So does whatever
// cannot be read without a parser, encrypted streams for example.
func mend(data []byte) {
	read := 0
	for dictionary, stream := range streams(data) {
		if read > mendTotal {
			return
		}
		read += mendStream(stream, dictionary)
	}
}

// streams yields the dictionary of each stream of a PDF, and the bytes from the stream's first one on.
func streams(data []byte) iter.Seq2[[]byte, []byte] {
	return func(yield func(dictionary, stream []byte) bool) {
		at := 0
		for range mendStreams {
			m := streamStart.FindIndex(data[at:])
			if m == nil {
				return
			}
			at += m[1]
			dictionary := data[max(0, at-500):at]
			if i := bytes.LastIndex(dictionary, []byte("obj")); i >= 0 {
				dictionary = dictionary[i:]
			}
			if !yield(dictionary, data[at:]) {
				return
			}
		}
	}
}

// mendStream mends the stream that begins here, below its dictionary, and gives how many bytes of it were read.
func mendStream(data, dictionary []byte) int {
	switch {
	case bytes.Contains(dictionary, []byte("/DecodeParms")):
		return 0
	case bytes.Contains(dictionary, []byte("/FlateDecode")):
		return mendDeflated(data)
	case bytes.Contains(dictionary, []byte("/Filter")):
		return 0
	}
	return mendPlain(data[:min(len(data), mendMap)])
}

func mendPlain(data []byte) int {
	if !mapMark.Match(data[:min(len(data), mendPeek)]) {
		return mendPeek
	}
	if stream, _, ok := bytes.Cut(data, endStream); ok {
		overwrite(stream, squeezed(stream), ' ')
	}
	return len(data)
}

func mendDeflated(data []byte) int {
	source := bytes.NewReader(data)
	r, err := zlib.NewReader(source)
	if err != nil {
		return 0
	}
	text := make([]byte, mendPeek, 2*mendPeek)
	n, err := io.ReadFull(r, text)
	text = text[:n]
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) || !mapMark.Match(text) {
		return n
	}
	rest, err := io.ReadAll(io.LimitReader(r, mendMap))
	text = append(text, rest...)
	if err != nil || len(rest) == mendMap {
		return len(text)
	}
	room := data[:len(data)-source.Len()]
	better := squeezed(text)
	if bytes.Equal(better, text) {
		return len(text)
	}
	for _, t := range [][]byte{better, bytes.Join(mapSections.FindAll(better, -1), []byte("\n"))} {
		if packed := deflated(t); len(packed) <= len(room) {
			overwrite(room, packed, 0) // what follows the end of deflated data is not looked at
			break
		}
	}
	return len(text)
}

// overwrite puts a shorter text in the place of another and fills the rest.
func overwrite(room, text []byte, fill byte) {
	if len(text) > len(room) {
		return
	}
	for i := copy(room, text); i < len(room); i++ {
		room[i] = fill
	}
}

func deflated(text []byte) []byte {
	var b bytes.Buffer
	w, err := zlib.NewWriterLevel(&b, zlib.BestCompression)
	if err != nil {
		return nil // the level is a constant
	}
	_, _ = w.Write(text) // a buffer takes everything
	_ = w.Close()
	return b.Bytes()
}

var hexString = regexp.MustCompile(`<\s*[0-9A-Fa-f][0-9A-Fa-f\s]*>`)

// squeezed takes the blanks out of hexadecimal strings.
func squeezed(text []byte) []byte {
	return hexString.ReplaceAllFunc(text, func(s []byte) []byte { return bytes.Join(bytes.Fields(s), nil) })
}
