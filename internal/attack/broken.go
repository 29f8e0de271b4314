package attack

import (
	"fmt"
	"strings"
)

// broken are repositories whose objects are missing, damaged or not what they say.
func broken() []Repository {
	return []Repository{
		{ID: "D25", Name: "missing-blob", build: missingBlob},
		{ID: "D25", Name: "flipped-byte", build: flippedByte},
		{ID: "D25", Name: "other-content", build: otherContent},
		{ID: "D25", Name: "truncated-pack", build: truncatedPack},
		{ID: "D25", Name: "damaged-index", build: damagedIndex},
		{ID: "D25", Name: "lying-size", build: lyingSize},
		{ID: "D25", Name: "bomb-in-blob", Heavy: true, Local: true, build: bombInBlob},
		{ID: "D25", Name: "bomb-in-commit", Heavy: true, Local: true, build: bombInCommit},
		{ID: "D25", Name: "bomb-in-tree", Heavy: true, Local: true, build: bombInTree},
		{ID: "D25", Name: "stray-caches", Local: true, build: strayCaches},
		{ID: "D25", Name: "all-missing", build: allMissing},
	}
}

func threeFiles() map[string]string {
	return map[string]string{"a.py": plainSrc, "b.py": "y = 2\n", "c.py": "z = 3\n"}
}

func missingBlob(m *maker) {
	_, blobs := m.simple(threeFiles())
	m.remove(m.git(loose(blobs["b.py"])))
}

func flippedByte(m *maker) {
	_, blobs := m.simple(threeFiles())
	m.corrupt(loose(blobs["b.py"]), func(raw []byte) []byte { raw[len(raw)/2] ^= 0xff; return raw })
}

// otherContent is a well-formed object under another's name.
func otherContent(m *maker) {
	_, blobs := m.simple(threeFiles())
	m.raw(blobs["b.py"], "blob 6\x00y = 9\n")
}

func truncatedPack(m *maker) {
	p := m.pack()
	tree := p.tree(entry{asFile, "a.py", p.add(packBlob, plainSrc)}, entry{asFile, "b.py", p.add(packBlob, strings.Repeat("y = 2\n", 1000))})
	m.head(p.add(packCommit, commitText(tree, ada, "one\n")))
	m.corrupt(p.write()+".pack", func(raw []byte) []byte { return raw[:len(raw)/2] })
}

// damagedIndex has the right objects and an index that leads nowhere.
func damagedIndex(m *maker) {
	p := m.pack()
	tree := p.tree(entry{asFile, "a.py", p.add(packBlob, plainSrc)})
	m.head(p.add(packCommit, commitText(tree, ada, "one\n")))
	m.corrupt(p.write()+".idx", func(raw []byte) []byte {
		for i := len(raw) - 60; i < len(raw); i++ {
			raw[i] = 0xff
		}
		return raw
	})
}

// lyingSize has objects that say another size than they have.
func lyingSize(m *maker) {
	_, blobs := m.simple(threeFiles())
	m.raw(blobs["b.py"], fmt.Sprintf("blob %d\x00y = 2\n", uint64(1)<<62))
	m.raw(blobs["c.py"], "blob 1000000\x00z = 3\n")
}

// bombInBlob is an object of six bytes by its own account, behind which a gigabyte follows.
func bombInBlob(m *maker) {
	_, blobs := m.simple(threeFiles())
	m.bomb(blobs["b.py"], "blob 6\x00", 1024)
}

// bombInCommit is a head whose message has two gigabytes.
func bombInCommit(m *maker) {
	head := commitText(m.onlyFile(), ada, "")
	id := objectID("commit", []byte(head))
	m.bomb(id, fmt.Sprintf("commit %d\x00%s", len(head)+2048*mib, head), 2048)
	m.head(id)
}

// bombInTree is a tree of two gigabytes.
func bombInTree(m *maker) {
	text := m.treeText([]entry{{asFile, "a.py", m.blob(plainSrc)}})
	id := objectID("tree", []byte(text))
	m.bomb(id, fmt.Sprintf("tree %d\x00%s", len(text)+2048*mib, text), 2048)
	m.commit(id, "tree\n")
}

// bomb writes a loose object that claims to be id: a beginning, and so many mebibytes of zeros.
func (m *maker) bomb(id, begin string, n int) {
	stream, err := zerosAfter(begin, n)
	m.keep(err)
	m.write(loose(id), string(stream))
}

// strayCaches are files beside the objects that git would read instead of them.
func strayCaches(m *maker) {
	m.simple(threeFiles())
	for _, name := range []string{"info/commit-graph", "info/commit-graphs/commit-graph-chain", "pack/multi-pack-index", "pack/pack-x.bitmap", "pack/pack-x.idx", "pack/pack-x.rev", "info/packs"} {
		m.write("objects/"+name, "CGPH\x01\x01\x01\x00"+strings.Repeat("\xff", 2000))
	}
	m.write("index", "DIRC\xff\xff\xff\xff\xff\xff\xff\xff")
}

func allMissing(m *maker) {
	commit, _ := m.simple(threeFiles())
	m.remove(m.git("objects"))
	m.write("objects/info/packs", "")
	m.head(commit)
}
