package repo

import (
	"bytes"
	"os"
	"path/filepath"

	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
)

// rewrites tells attributes by which git gives files other bytes than it keeps.
var rewrites = regexp.MustCompile(`\b(?:filter|ident|working-tree-encoding)\b`)

// Uncommitted counts the files of the commit that lie in its work tree with other content, or not at all: changes that
// nobody sees who reads the commit. New files are not counted, as it is not known which of them git was told to ignore. It
// is 0 where there is no work tree, where a revision was asked for, and where git rewrites files or leaves some out.
func (r *Repo) Uncommitted() int {
	if r.workTree == "" || r.options.Revision != "" {
		return 0
	}
	root, err := os.OpenRoot(r.workTree)
	if err != nil {
		return 0
	}
	defer func() { _ = root.Close() }() // only read
	attributes, _ := readRegular(root, ".gitattributes", r.options.MaxBlob)
	_, whole := root.Lstat(".git/info/sparse-checkout")
	if rewrites.Match(attributes) || whole == nil {
		return 0
	}
	n, room := 0, r.options.MaxBlobs
	for _, e := range r.entries {
		if e.Kind != File && e.Kind != Executable || len(e.OID) != 40 || len(e.Flags) > 0 || e.Size > r.options.MaxBlob {
			continue
		}
		if room -= e.Size; room < 0 {
			break
		}
		b, err := readRegular(root, filepath.FromSlash(r.folder+e.Path), r.options.MaxBlob+1)
		if os.IsNotExist(err) || err == nil && !holds(b, e.OID) {
			n++
		}
	}
	return n
}

// holds tells whether a blob has this content, as it lies or with the line ends that git keeps.
func holds(b []byte, oid string) bool {
	return blobID(b) == oid || bytes.Contains(b, []byte("\r\n")) && blobID(bytes.ReplaceAll(b, []byte("\r\n"), []byte("\n"))) == oid
}
