package attack

import (
	"cmp"
	"encoding/hex"
	"fmt"
)

// bulky are repositories whose blobs are larger than they look.
func bulky() []Repository {
	return []Repository{
		{ID: "D19", Name: "zero-2g", Heavy: true, build: zero2g},
		{ID: "D20", Name: "many-zero", Heavy: true, build: manyZero},
		{ID: "D21", Name: "delta-bomb", Heavy: true, build: deltaBomb},
		{ID: "D21", Name: "delta-bomb-offered-small", Heavy: true, Local: true, build: lyingDelta},
	}
}

// zero2g has a blob of two gigabytes, which git takes piece by piece anyway, and one that it takes as a whole when nobody
// tells it otherwise.
func zero2g(m *maker) {
	p := m.pack()
	entries := []entry{{asFile, "a.py", p.add(packBlob, plainSrc)}}
	for _, n := range []int{2048, 256} { // by name
		stream, err := zeros(n)
		m.keep(err)
		p.put(zeroBlob(n), packBlob, int64(n)*mib, nil, closed(stream, n, ""))
		entries = append(entries, entry{asFile, fmt.Sprintf("zeros%d.py", n), zeroBlob(n)})
	}
	m.head(p.add(packCommit, commitText(p.tree(entries...), ada, "zeros\n")))
	p.write()
}

// manyZero has 200 blobs of 20 MiB: 4 GB in 4 MB.
func manyZero(m *maker) {
	const each = 20
	p := m.pack()
	var tails []string
	for i := range 200 {
		tails = append(tails, fmt.Sprintf("%03d", i))
	}
	stream, err := zeros(each)
	ids, idErr := tailedBlobs(each, tails)
	if m.keep(cmp.Or(err, idErr)); m.err != nil {
		return
	}
	entries := []entry{{asFile, "a.py", p.add(packBlob, plainSrc)}}
	for i, tail := range tails {
		p.put(ids[i], packBlob, int64(each*mib+len(tail)), nil, closed(stream, each, tail))
		entries = append(entries, entry{asFile, "z" + tail + ".py", ids[i]})
	}
	m.head(p.add(packCommit, commitText(p.tree(entries...), ada, "many\n")))
	p.write()
}

// deltaBomb is a chain of deltas, each of them many copies of what it builds on: 1 MiB, 16 MiB, 256 MiB, 2 GiB.
func deltaBomb(m *maker) {
	p := m.pack()
	stream, err := zeros(1)
	m.keep(err)
	entries := []entry{{asFile, "a.py", p.add(packBlob, plainSrc)}}
	p.put(zeroBlob(1), packBlob, mib, nil, closed(stream, 1, ""))
	last := 1
	for _, n := range []int{16, 256, 2048} {
		p.delta(zeroBlob(n), zeroBlob(last), int64(last)*mib, int64(n)*mib)
		entries = append(entries, entry{asFile, fmt.Sprintf("z%04d.py", n), zeroBlob(n)})
		last = n
	}
	m.head(p.add(packCommit, commitText(p.tree(entries...), ada, "bomb\n")))
	p.write()
}

// lyingDelta is a chain whose last delta says that it makes little: the base is what costs.
func lyingDelta(m *maker) {
	p := m.pack()
	stream, err := zeros(1)
	m.keep(err)
	p.put(zeroBlob(1), packBlob, mib, nil, closed(stream, 1, ""))
	p.delta(zeroBlob(16), zeroBlob(1), mib, 16*mib)
	p.delta(zeroBlob(256), zeroBlob(16), 16*mib, 256*mib)
	p.delta(zeroBlob(2048), zeroBlob(256), 256*mib, 2048*mib)
	small := objectID("blob", make([]byte, 1000))
	base, err := hex.DecodeString(zeroBlob(2048))
	m.keep(err)
	ops := string(varint(2048*mib)) + string(varint(1000)) + "\xb0\xe8\x03" // copy 1000 bytes from 0
	p.put(small, packDelta, int64(len(ops)), base, p.deflate(ops))
	m.head(p.add(packCommit, commitText(p.tree(
		entry{asFile, "a.py", p.add(packBlob, plainSrc)}, entry{asFile, "small.py", small}), ada, "small\n")))
	p.write()
}
