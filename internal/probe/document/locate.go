package document

import (
	"path"
	"slices"
	"strings"

	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
	"github.com/automaton-auditor/automaton/internal/passage"
	"github.com/automaton-auditor/automaton/internal/repo"
)

// maxPath bounds a path of a hostile document, in bytes, maxPaths how many it
// may name, and maxJoined how often two pieces are put together.
const (
	maxPath   = 200
	maxPaths  = 1000
	maxJoined = 50_000
)

// whole takes the hyphen out that broke a path at the end of a line, where
// that gives the name of a file.
func (a *against) whole(p string) string {
	if _, f := a.locate(p); f == holds || !strings.Contains(p, "-") {
		return p
	}
	for i := range min(len(p), maxPath) {
		if p[i] != '-' {
			continue
		}
		joined := p[:i] + p[i+1:]
		if _, f := a.locate(joined); f == holds {
			return joined
		}
	}
	return p
}

// drawn is the path that a text means by a name: one with underscores in place of the blanks before it, where that is a file,
// or where what stands before it on its line begins in a folder and is none.
func (a *against) drawn(p *passage.Passage, text, name string) string {
	if whole := underscored(text, name, func(n string) bool { _, f := a.locate(n); return f == holds }); whole != name {
		return whole
	}
	folder := func(dir string) bool {
		return slices.ContainsFunc(a.entries, func(e repo.Entry) bool { return strings.HasPrefix(e.Path, dir+"/") })
	}
	before, _, ok := strings.Cut(text, name)
	m := wordBefore.FindStringSubmatch(before)
	if !ok || m == nil || !strings.Contains(m[1], "/") || strings.Contains(name, "/") || !folder(path.Dir(m[1])) || folder(m[1]) {
		return name
	}
	if slices.ContainsFunc(p.Lines, func(l passage.Line) bool { return strings.Contains(l.Text, m[1]+" "+name) }) {
		return m[1] + "_" + name
	}
	return name
}

// underscored puts the underscores back into a name that a page draws as lines, so that the text has blanks in their place:
// where that gives what is there.
func underscored(text, name string, there func(string) bool) string {
	before, _, ok := strings.Cut(text, name)
	whole := name
	for range mostDrawn {
		m := wordBefore.FindStringSubmatch(before)
		if !ok || m == nil || len(whole) > maxPath {
			break
		}
		if whole = m[1] + "_" + whole; there(whole) {
			return whole
		}
		before = strings.TrimSuffix(before, m[0])
	}
	return name
}

// mostDrawn is how many underscores a name may lack.
const mostDrawn = 4

var wordBefore = regexp.MustCompile(`([\w./]*\w) $`)

// pieced makes a path whole that a narrow column broke without a sign: what
// stands before it on the line above, or elsewhere in the cell, where that
// gives the name of a file. A name that may be the rest of a broken one is not
// sure.
func (a *against) pieced(name string, p *passage.Passage) (string, bool) {
	if _, f := a.locate(name); f == holds {
		return name, true
	}
	broken := false
	for i, l := range p.Lines {
		if i == 0 || !strings.HasPrefix(strings.TrimSpace(l.Text), name) {
			continue
		}
		above := strings.Fields(p.Lines[i-1].Text)
		if len(above) == 0 || !isWordByte(above[len(above)-1][len(above[len(above)-1])-1]) {
			continue
		}
		before := strings.TrimLeft(above[len(above)-1], "(\"'`")
		if _, f := a.locate(before + name); f == holds {
			return before + name, true
		}
		broken = broken || strings.Contains(before, "/")
	}
	for before := range strings.FieldsSeq(p.Text) {
		if before = strings.TrimLeft(before, "(\"'`"); len(before) > maxPath || !strings.Contains(before, "/") {
			continue
		}
		if a.joined++; a.joined > maxJoined {
			break
		}
		if _, f := a.locate(before + name); f == holds {
			return before + name, true
		}
	}
	if a.piece(name) {
		return name, false
	}
	const stem = 3 // letters of the shortest name that is one by itself
	return name, !broken && len(strings.TrimSuffix(name, path.Ext(name))) >= stem
}

// piece tells whether a name is the end of a file's that begins within a word,
// as a narrow column leaves it.
func (a *against) piece(name string) bool {
	low := strings.ToLower(name)
	if strings.Contains(name, "/") {
		return false
	}
	for base := range a.present {
		if n := len(base) - len(low); n > 0 && strings.HasSuffix(base, low) && isWordByte(base[n-1]) && base[n-1] != '_' && isWordByte(low[0]) && low[0] != '_' {
			return true
		}
	}
	return false
}

// exchanged tells whether a path is that of a file, or lies in a folder, of this repository for what
// is handed to and fro: such a path is of this repository, no matter who is spoken of.
func (a *against) exchanged(p string) bool {
	dir := "/" + path.Dir(p) + "/"
	if !strings.Contains(p, "bypeer") && !strings.Contains(p, "onpeer") && !strings.Contains(p, "onself") {
		return false
	}
	for f := range a.files {
		if strings.Contains("/"+f, dir) || path.Base(f) == p {
			return true
		}
	}
	return false
}

// exact is the file at a path, seen from the project root or the repository.
func (a *against) exact(p string) string {
	if first, rest, ok := strings.Cut(p, "/"); ok && strings.EqualFold(first, a.name) && !a.files[p] {
		p = rest // some begin with the repository's own folder
	}
	if found, ok := a.layout.Find(p); ok && a.files[found] {
		return found
	}
	return ""
}

// locate finds the file that a path means: exactly, in other case, as the end
// of a longer path, or in an earlier commit.
func (a *against) locate(p string) (string, fate) {
	if found := a.exact(p); found != "" {
		return found, holds
	}
	low := "/" + strings.ToLower(p)
	ends := func(whole string) bool { return strings.HasSuffix("/"+strings.ToLower(whole), low) }
	base := strings.ToLower(path.Base(p))
	if i := slices.IndexFunc(a.present[base], ends); i >= 0 {
		return a.present[base][i], holds
	}
	if slices.ContainsFunc(a.ever[base], ends) {
		return "", renamed
	}
	if there := a.present[base]; len(there) == 1 && strings.Contains(p, "/") && a.program.Module(there[0]) != nil && !strings.HasPrefix(base, "__") {
		return there[0], renamed // in another folder
	}
	if !a.history.Complete() {
		return "", undecided
	}
	return "", never
}
