package attack

import (
	"bytes"
	"cmp"
	"compress/zlib"
	"crypto/sha1" //nolint:gosec // git's object ids
	"encoding/binary"
	"encoding/hex"
	"hash/crc32"
	"slices"
)

// Types of objects in a pack.
const (
	packCommit = 1
	packTree   = 2
	packBlob   = 3
	packDelta  = 7 // against an object that is named
)

// pack is a pack file and its index, made by hand.
type pack struct {
	m       *maker
	body    bytes.Buffer
	objects []packed
	z       *zlib.Writer
}

type packed struct {
	id     string
	crc    uint32
	offset uint32
}

func (m *maker) pack() *pack {
	p := &pack{m: m}
	p.body.Write([]byte("PACK\x00\x00\x00\x02\x00\x00\x00\x00")) // the number comes at the end
	z, err := zlib.NewWriterLevel(nil, zlib.NoCompression)
	m.keep(err)
	p.z = z
	return p
}

// add stores an object as it is.
func (p *pack) add(kind int, content string) string {
	names := map[int]string{packCommit: "commit", packTree: "tree", packBlob: "blob"}
	id := objectID(names[kind], []byte(content))
	p.put(id, kind, int64(len(content)), nil, p.deflate(content))
	return id
}

func (p *pack) tree(entries ...entry) string { return p.add(packTree, p.m.treeText(entries)) }

func (p *pack) deflate(content string) []byte {
	var out bytes.Buffer
	p.z.Reset(&out)
	_, err := p.z.Write([]byte(content))
	p.m.keep(cmp.Or(err, p.z.Close()))
	return out.Bytes()
}

// put stores an entry: its header, what a delta refers to, and the deflated stream.
func (p *pack) put(id string, kind int, size int64, base, stream []byte) {
	at := p.body.Len()
	c := byte(kind<<4) | byte(size&15)
	for size >>= 4; size > 0; size >>= 7 {
		p.body.WriteByte(c | 0x80)
		c = byte(size & 0x7f)
	}
	p.body.WriteByte(c)
	p.body.Write(base)
	p.body.Write(stream)
	p.objects = append(p.objects, packed{id, crc32.ChecksumIEEE(p.body.Bytes()[at:]), uint32(at)})
}

// delta stores an object as copies of another.
func (p *pack) delta(id, base string, from, to int64) {
	var ops bytes.Buffer
	ops.Write(varint(from))
	ops.Write(varint(to))
	for done := int64(0); done < to; {
		at := done % from
		n := min(from-at, to-done, 0xff0000)
		ops.WriteByte(0xff) // offset in four bytes, size in three
		ops.Write(binary.LittleEndian.AppendUint32(nil, uint32(at)))
		ops.Write(binary.LittleEndian.AppendUint32(nil, uint32(n))[:3])
		done += n
	}
	raw, err := hex.DecodeString(base)
	p.m.keep(err)
	p.put(id, packDelta, int64(ops.Len()), raw, p.deflate(ops.String()))
}

func varint(n int64) []byte {
	var out []byte
	for ; n >= 0x80; n >>= 7 {
		out = append(out, byte(n&0x7f)|0x80)
	}
	return append(out, byte(n))
}

// write makes the two files, and returns their path without ending.
func (p *pack) write() string {
	body := p.body.Bytes()
	binary.BigEndian.PutUint32(body[8:], uint32(len(p.objects)))
	sum := sha1.Sum(body) //nolint:gosec // git's checksums
	name := "objects/pack/pack-" + hex.EncodeToString(sum[:])
	p.m.write(name+".pack", string(body)+string(sum[:]))
	p.m.write(name+".idx", p.index(sum[:]))
	return name
}

// index is version 2 of git's index of a pack.
func (p *pack) index(packSum []byte) string {
	slices.SortFunc(p.objects, func(a, b packed) int { return cmp.Compare(a.id, b.id) })
	p.objects = slices.CompactFunc(p.objects, func(a, b packed) bool { return a.id == b.id })
	out := []byte("\xfftOc\x00\x00\x00\x02")
	n := 0
	for first := range 256 {
		for n < len(p.objects) && p.objects[n].first() <= first {
			n++
		}
		out = binary.BigEndian.AppendUint32(out, uint32(n))
	}
	for _, o := range p.objects {
		raw, err := hex.DecodeString(o.id)
		p.m.keep(err)
		out = append(out, raw...)
	}
	for _, o := range p.objects {
		out = binary.BigEndian.AppendUint32(out, o.crc)
	}
	for _, o := range p.objects {
		out = binary.BigEndian.AppendUint32(out, o.offset)
	}
	out = append(out, packSum...)
	sum := sha1.Sum(out) //nolint:gosec // git's checksums
	return string(append(out, sum[:]...))
}

// first is the first byte of the id.
func (o packed) first() int {
	raw, err := hex.DecodeString(o.id[:2])
	if err != nil {
		return 0
	}
	return int(raw[0])
}
