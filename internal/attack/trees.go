package attack

import (
	"fmt"
	"strings"
)

// trees are repositories whose files have dangerous names or modes.
func trees() []Repository {
	return []Repository{
		{ID: "D13", Name: "symlinks", build: symlinks},
		{ID: "D14", Name: "case-collision", build: caseCollision},
		{ID: "D15", Name: "names", build: oddNames},
		{ID: "D16", Name: "dotgit-tree", build: dotgitTree},
		{ID: "D16", Name: "dotgit-spellings", build: dotgitSpellings},
		{ID: "D17", Name: "files-100k", Heavy: true, build: files100k},
		{ID: "D18", Name: "tree-bomb", Heavy: true, build: treeBomb},
		{ID: "D22", Name: "deep-tree", Heavy: true, build: deepTree},
		{ID: "D22", Name: "long-path", build: longPath},
	}
}

// Links are the symbolic links of the repository "symlinks", with what they lead to.
func Links() map[string]string {
	return map[string]string{
		"passwd.py": "/etc/passwd", "up.py": "../../../../../../etc/shadow", "self": ".", "loop": "loop", "env": "/proc/self/environ",
		"key.pdf": "/root/.ssh/id_rsa", "zero": "/dev/zero", "huge": strings.Repeat("A", 100_000), "README.md": "/etc/hostname",
		"empty": "", "odd.py": "\x1b[31m\n\x00", "requirements.txt": ".git/config",
	}
}

func symlinks(m *maker) {
	entries := []entry{{asFile, "a.py", m.blob(plainSrc)}}
	for name, target := range Links() {
		entries = append(entries, entry{asLink, name, m.blob(target)})
	}
	m.commit(m.tree(sorted(entries)...), "links\n")
}

func caseCollision(m *maker) {
	hook := m.tree(entry{asExec, "post-checkout", m.blob("#!/bin/sh\n" + m.touch("case") + "\n")})
	m.commit(m.tree(sorted([]entry{
		{asFile, "README.md", m.blob("one\n")}, {asFile, "readme.md", m.blob("two\n")}, {asFile, "ReadMe.md", m.blob("three\n")},
		{asLink, "A", m.blob(".git/hooks")}, {asTree, "a", hook},
		{asFile, "e\u0301.py", m.blob("four\n")}, {asFile, "\u00e9.py", m.blob("five\n")},
	})...), "collisions\n")
}

// Names are the file names of the repository "names", each with the flags that a reader should give it.
func Names() map[string][]string {
	control, bidi, dash, utf8 := []string{"control_char"}, []string{"bidi"}, []string{"leading_dash"}, []string{"invalid_utf8"}
	return map[string][]string{
		"new\nline.py": control, "\x1b[2J\x1b[31mred.py": control, "\x1b]0;title\x07.py": control, "tab\there": control, "\x7f.py": control, "\x01\x02": control,
		"cr\rover.py": control, "c1\u009b31m.py": control,
		"rtl\u202e\u2066yp.exe": bidi, "-rf": dash, "--upload-pack=x": dash, "inv\xff\xfe.py": utf8, "\xc0\xaf.py": utf8, "cut\xe2\x80": utf8,
		`quote"'` + "`$(touch X).py": nil, "<img src=x onerror=alert(1)>.py": nil, "=cmd|calc.csv": nil, strings.Repeat("a", 255): nil, "|table|.md": nil,
		"](javascript:alert(1)).md": nil, "nbsp\u00a0.py": nil, "zw\u200bsp.py": nil, "CON": nil, "con.py": nil, "trail.": nil, "trail ": nil,
		`back\slash`: nil, "col:on": nil, "\u2028ls.py": nil, "%00%2e%2e": nil, "tag\U000e0041.py": nil, "\ufeffbom.py": nil, ":(glob)*": nil, "HEAD": nil, "@{1}": nil,
	}
}

func oddNames(m *maker) {
	blob := m.blob(plainSrc)
	var entries []entry
	for name := range Names() {
		entries = append(entries, entry{asFile, name, blob})
	}
	m.commit(m.tree(sorted(entries)...), "names\n")
}

func dotgitTree(m *maker) {
	blob := m.blob(plainSrc)
	sub := m.tree(entry{asExec, "config", m.blob("[core]\n\tfsmonitor = " + m.touch("dotgit") + "\n")})
	m.commit(m.tree(
		entry{asTree, ".git", sub}, entry{asTree, ".GIT", sub}, entry{asTree, "git~1", sub}, entry{asTree, ".g\u200cit", sub},
		entry{asFile, "..", blob}, entry{asFile, ".", blob}, entry{asFile, "../../.." + m.canary + "-traversal", blob}, entry{asFile, "/abs", blob},
		entry{asTree, "...", m.tree(entry{asTree, "..", m.tree(entry{asFile, "..", blob})})},
		entry{asFile, "dup", blob}, entry{asFile, "dup", blob}, entry{"100666", "mode", blob}, entry{"777777", "mode2", blob}, entry{asFile, "a.py", blob},
	), "dots\n")
}

// dotgitSpellings are names that some file system takes for .git, and that git's own check lets pass or not.
func dotgitSpellings(m *maker) {
	sub := m.tree(entry{asExec, "config", m.blob("[core]\n\tpager = " + m.touch("spelling") + "\n")})
	entries := []entry{{asFile, "a.py", m.blob(plainSrc)}}
	for _, name := range []string{".git ", ".git.", ".git::$INDEX_ALLOCATION", "GIT~1", "git~2", ".Git", ".gi\u200dt", "\ufeff.git"} {
		entries = append(entries, entry{asTree, name, sub})
	}
	m.commit(m.tree(sorted(entries)...), "spellings\n")
}

func files100k(m *maker) {
	p := m.pack()
	blob := p.add(packBlob, plainSrc)
	var top []entry
	for i := range 100 {
		var files []entry
		for j := range 1000 {
			files = append(files, entry{asFile, fmt.Sprintf("f%04d_%03d.py", j, i), blob})
		}
		top = append(top, entry{asTree, fmt.Sprintf("d%03d", i), p.tree(files...)})
	}
	m.head(p.add(packCommit, commitText(p.tree(top...), ada, "many\n")))
	p.write()
}

// treeBomb is ten levels of ten names: ten thousand million files out of eleven objects.
func treeBomb(m *maker) {
	id, mode := m.blob("x"), asFile
	for range 10 {
		var entries []entry
		for i := range 10 {
			entries = append(entries, entry{mode, fmt.Sprintf("d%d", i), id})
		}
		id, mode = m.tree(entries...), asTree
	}
	m.commit(id, "bomb\n")
}

func deepTree(m *maker) { m.commit(m.nested(5000, "d"), "deep\n") }

func longPath(m *maker) { m.commit(m.nested(200, strings.Repeat("n", 200)), "long\n") }

// nested is one file below so many folders of one name.
func (m *maker) nested(levels int, name string) string {
	p := m.pack()
	tree := p.tree(entry{asFile, "f.py", p.add(packBlob, plainSrc)})
	for range levels {
		tree = p.tree(entry{asTree, name, tree})
	}
	p.write()
	return tree
}
