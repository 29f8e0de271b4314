package document

import (
	"strings"

	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
)

var (
	branch = regexp.MustCompile(`^([\s│|]*)([├└]|\|--|\+--|` + "`" + `--)[─\-\s]*\s*([^\s#]+)`)
	folder = regexp.MustCompile(`^\s*([\w.\-/]+)/\s*$`)
)

// treeFile is a file in a drawn tree of folders, with its line.
type treeFile struct{ path, line string }

// maxTree bounds the depth of a drawn tree.
const maxTree = 12

// treeFiles reads the files of a tree of folders drawn by characters. The
// depth of a line is how many strokes pass it; since blanks at a line's begin
// get lost in print, what follows the last child of a folder (└) at the same
// depth lies in that child.
func treeFiles(text string, repo *against) []treeFile {
	var out []treeFile
	var open [maxTree + 1]string // folder at each depth
	var last [maxTree + 1]bool   // the entry at this depth was its folder's last
	root := ""
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		m := branch.FindStringSubmatch(line)
		if m == nil {
			if f := folder.FindStringSubmatch(line); f != nil {
				root = ""
				if _, ok := repo.layout.Find(f[1]); ok {
					root = f[1] + "/"
				}
				open, last = [maxTree + 1]string{}, [maxTree + 1]bool{}
			}
			continue
		}
		depth := min(strings.Count(m[1], "│")+strings.Count(m[1], "|"), maxTree)
		for depth < maxTree && last[depth] && strings.HasSuffix(open[depth], "/") {
			depth++
		}
		for d := depth; d <= maxTree; d++ {
			last[d], open[d] = false, ""
		}
		last[depth] = m[2] == "└" || m[2] == "`--"
		open[depth] = m[3]
		if strings.HasSuffix(m[3], "/") {
			continue
		}
		var dir strings.Builder
		dir.WriteString(root)
		for d := range depth {
			dir.WriteString(open[d])
		}
		for _, name := range pathsIn(dir.String() + m[3]) {
			out = append(out, treeFile{name, line})
		}
	}
	return out
}
