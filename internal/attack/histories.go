package attack

import (
	"fmt"
	"strings"
)

// histories are repositories whose commits are too long, too many or too odd.
func histories() []Repository {
	return []Repository{
		{ID: "D23", Name: "huge-subject", Heavy: true, build: hugeSubject},
		{ID: "D23", Name: "many-lines", Heavy: true, build: manyLines},
		{ID: "D23", Name: "huge-author", Heavy: true, build: hugeAuthor},
		{ID: "D23", Name: "odd-commits", build: oddCommits},
		{ID: "D24", Name: "commits-50k", Heavy: true, build: commits50k},
		{ID: "D24", Name: "octopus", Heavy: true, build: octopus},
	}
}

func (m *maker) onlyFile() string { return m.tree(entry{asFile, "a.py", m.blob(plainSrc)}) }

func hugeSubject(m *maker) { m.commit(m.onlyFile(), strings.Repeat("A", 50*mib)) }

func manyLines(m *maker) {
	who := "E\x1b[31mve\xff <script>@x> 1700000000 +0000"
	message := "\x1b[2Jsubject \u202e evil\n\n" + strings.Repeat("line\n", 2_000_000)
	m.head(m.object("commit", commitText(m.onlyFile(), who, message)))
}

func hugeAuthor(m *maker) {
	tree, last := m.onlyFile(), []string{}
	for i := range 20 {
		who := fmt.Sprintf("%s <a@example.org> %d +0000", strings.Repeat("X", mib), 1700000000+i)
		last = []string{m.object("commit", commitText(tree, who, "m\n", last...))}
	}
	m.head(last[0])
}

// oddCommits have impossible dates, bytes that are not text, and an encoding that nobody knows.
func oddCommits(m *maker) {
	tree, last := m.onlyFile(), []string{}
	for _, who := range []string{
		"A <a@x> 0 +0000", "A <a@x> 99999999999999999999 +9999", "A <a@x> -1 -0000", "A <a@x> 4102444800 +1400", "A <a@x>", "noemail 1 +0",
		"A <a@x> 18446744073709551615 +0000", "A <a@x> 1e9 +0000", "<> 1 +0000", "A <a@x> 1700000000 \x1b[31m",
	} {
		last = []string{m.object("commit", commitText(tree, who, "d\n", last...))}
	}
	odd := commitText(tree, "\xff\xc0 <\xff@x> 1700000000 +0000", "", last...)
	odd = strings.TrimSuffix(odd, "\n") + "encoding utf-99\ngpgsig -----BEGIN\n -----END\n\n\xff\xfe\x80 subject\x00 \u009b31m\n"
	m.head(m.object("commit", odd))
}

func commits50k(m *maker) {
	p := m.pack()
	blobs := []string{p.add(packBlob, "x\n"), p.add(packBlob, "y\n")}
	var roots [100]string
	for i := range roots {
		var files []entry
		for j := range roots {
			files = append(files, entry{asFile, fmt.Sprintf("f%02d.py", j), blobs[min(1, j/(i+1))]})
		}
		roots[i] = p.tree(files...)
	}
	var last []string
	for i := range 50_000 {
		who := fmt.Sprintf("Ada <ada@example.org> %d +0000", 1600000000+i)
		last = []string{p.add(packCommit, commitText(roots[i%100], who, fmt.Sprintf("c%d\n", i), last...))}
	}
	m.head(last[0])
	p.write()
}

func octopus(m *maker) {
	p := m.pack()
	tree := p.tree(entry{asFile, "a.py", p.add(packBlob, plainSrc)})
	var parents []string
	for i := range 2000 {
		parents = append(parents, p.add(packCommit, commitText(tree, ada, fmt.Sprintf("p%d\n", i))))
	}
	m.head(p.add(packCommit, commitText(tree, ada, "octopus\n", parents...)))
	p.write()
}
