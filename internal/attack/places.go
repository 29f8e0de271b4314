package attack

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// places are repositories whose git directory leads elsewhere or holds what is not a file.
func places() []Repository {
	out := []Repository{
		{ID: "D26", Name: "odd-refs", build: oddRefs},
		{ID: "D26", Name: "empty", build: func(*maker) {}},
		{ID: "D26", Name: "head-detached", build: func(m *maker) {
			commit, _ := m.simple(map[string]string{"a.py": plainSrc})
			m.write("HEAD", commit+"\n")
		}},
	}
	for name, text := range map[string]string{
		"head-dangling": "ref: refs/heads/nope\n", "head-traversing": "ref: ../../../../etc/passwd\n", "head-traversing-below": "ref: refs/heads/../../../../../etc/passwd\n",
		"head-absolute": "ref: /etc/passwd\n", "head-loop": "ref: refs/heads/loop\n", "head-of-nothing": "", "head-escapes": "ref: refs/heads/\x1b[31m\x07\n",
		"head-long": "ref: refs/heads/" + strings.Repeat("x", 5000) + "\n", "head-option": "ref: refs/heads/--upload-pack=x\n", "head-revision": "main~1\n",
	} {
		out = append(out, Repository{ID: "D26", Name: name, Local: true, build: func(m *maker) {
			m.simple(map[string]string{"a.py": plainSrc})
			m.write("refs/heads/loop", "ref: refs/heads/loop2\n")
			m.write("refs/heads/loop2", "ref: refs/heads/loop\n")
			m.write("HEAD", text)
		}})
	}
	out = append(out, longLines()...)
	out = append(out, Repository{ID: "D26", Name: "head-folder", Local: true, build: func(m *maker) {
		m.simple(map[string]string{"a.py": plainSrc})
		m.remove(m.git("HEAD"))
		m.write("HEAD/refs", "ref: refs/heads/main\n")
	}}, Repository{ID: "D26", Name: "head-huge", Local: true, build: func(m *maker) { // a gigabyte that takes no room
		m.simple(map[string]string{"a.py": plainSrc})
		m.keep(os.Truncate(m.git("HEAD"), 1<<30))
	}})
	slices.SortFunc(out, func(a, b Repository) int { return strings.Compare(a.Name, b.Name) })
	return slices.Concat(out, borrowed(), pipes())
}

// longLines are files of one endless line where lines are expected.
func longLines() []Repository {
	long := strings.Repeat("f", 300_000)
	return []Repository{
		{ID: "D26", Name: "packed-refs-long", Local: true, build: func(m *maker) {
			commit, _ := m.simple(map[string]string{"a.py": plainSrc})
			m.remove(m.git("refs/heads/main"))
			m.write("packed-refs", commit+" refs/heads/"+long+"\n"+commit+" refs/heads/main\n")
		}},
		{ID: "D26", Name: "shallow-long", Local: true, build: func(m *maker) {
			m.simple(map[string]string{"a.py": plainSrc})
			m.write("shallow", long)
		}},
	}
}

func oddRefs(m *maker) {
	commit, _ := m.simple(map[string]string{"a.py": plainSrc})
	names := []string{
		"refs/heads/-x", "refs/heads/--upload-pack=touch", "refs/heads/a..b", "refs/heads/\x1b[31mred", "refs/heads/x.lock", "refs/tags/v\u202e1",
		"refs/replace/" + commit, "refs/heads/@{1}", "refs/heads/HEAD", "HEAD", "../../x", "refs/heads/\xff",
	}
	for i := range 20_000 {
		names = append(names, fmt.Sprintf("refs/heads/b%05d", i))
	}
	slices.Sort(names)
	var b strings.Builder
	b.WriteString("# pack-refs with: peeled fully-peeled sorted \n")
	for _, n := range names {
		b.WriteString(commit + " " + n + "\n")
	}
	m.write("packed-refs", b.String())
}

// borrowed are repositories whose objects, or whose whole git directory, are a neighbour's.
func borrowed() []Repository {
	of := func(name string, do func(m, n *maker, commit string)) Repository {
		return Repository{ID: "D27", Name: name, Local: true, build: func(m *maker) {
			n, commit := m.neighbour()
			m.head(commit)
			do(m, n, commit)
		}}
	}
	alternates := func(text func(n *maker) string) func(m, n *maker, _ string) {
		return func(m, n *maker, _ string) { m.write("objects/info/alternates", text(n)) }
	}
	return []Repository{
		of("alternates", alternates(func(n *maker) string { return n.git("objects") + "\n" })),
		of("alternates-relative", alternates(func(n *maker) string { return "../../../" + filepath.Base(n.dir) + "/.git/objects\n" })),
		of("alternates-empty", alternates(func(*maker) string { return "" })),
		of("alternates-folder", func(m, n *maker, _ string) { m.write("objects/info/alternates/x", n.git("objects")+"\n") }),
		of("http-alternates", func(m, _ *maker, _ string) { m.write("objects/info/http-alternates", "https://evil.example/\n") }),
		of("objects-link", func(m, n *maker, _ string) { m.link(n.git("objects"), m.git("objects")) }),
		of("objects-pack-link", func(m, n *maker, _ string) { m.link(n.git("objects/pack"), m.git("objects/pack")) }),
		of("objects-fanout-link", func(m, n *maker, commit string) { m.link(n.git("objects/"+commit[:2]), m.git("objects/"+commit[:2])) }),
		of("object-link", func(m, n *maker, commit string) { m.link(n.git(loose(commit)), m.git(loose(commit))) }),
		of("refs-link", func(m, n *maker, _ string) { m.link(n.git("refs"), m.git("refs")) }),
		of("ref-link", func(m, n *maker, _ string) { m.link(n.git("refs/heads/main"), m.git("refs/heads/main")) }),
		of("head-link", func(m, n *maker, _ string) { m.link(n.git("HEAD"), m.git("HEAD")) }),
		of("packed-refs-link", func(m, _ *maker, _ string) { m.link("/etc/passwd", m.git("packed-refs")) }),
		of("shallow-link", func(m, _ *maker, _ string) { m.link("/etc/passwd", m.git("shallow")) }),
		of("gitfile", func(m, n *maker, _ string) {
			m.remove(m.git(""))
			m.file(filepath.Join(m.dir, ".git"), "gitdir: "+n.git("")+"\n", 0o644)
		}),
		of("git-link", func(m, n *maker, _ string) { m.link(n.git(""), filepath.Join(m.dir, ".git")) }),
		of("commondir", func(m, n *maker, _ string) { m.write("commondir", n.git("")+"\n") }),
	}
}

// pipes are repositories with a FIFO where a file is expected: who opens it waits for ever.
func pipes() []Repository {
	at := func(name string, place func(m *maker, commit string, blobs map[string]string) string) Repository {
		return Repository{ID: "D28", Name: "fifo-" + name, Local: true, build: func(m *maker) {
			commit, blobs := m.simple(map[string]string{"a.py": plainSrc, "README.md": "# Read\n"})
			m.fifo(place(m, commit, blobs))
		}}
	}
	in := func(name string) func(m *maker, _ string, _ map[string]string) string {
		return func(m *maker, _ string, _ map[string]string) string { return m.git(name) }
	}
	return []Repository{
		at("config", in("config")), at("head", in("HEAD")), at("ref", in("refs/heads/main")), at("packed-refs", in("packed-refs")), at("shallow", in("shallow")),
		at("alternates", in("objects/info/alternates")), at("pack", in("objects/pack/pack-1.idx")), at("grafts", in("info/grafts")), at("index", in("index")),
		at("hook", in("hooks/post-checkout")), at("commondir", in("commondir")), at("modules", in("modules/x/config")),
		at("object", func(m *maker, _ string, blobs map[string]string) string { return m.git(loose(blobs["a.py"])) }),
		at("commit", func(m *maker, commit string, _ map[string]string) string { return m.git(loose(commit)) }),
		at("work-tree", func(m *maker, _ string, _ map[string]string) string { return filepath.Join(m.dir, "a.py") }),
		at("work-tree-settings", func(m *maker, _ string, _ map[string]string) string { return filepath.Join(m.dir, ".gitattributes") }),
		at("work-tree-env", func(m *maker, _ string, _ map[string]string) string { return filepath.Join(m.dir, ".env") }),
	}
}
