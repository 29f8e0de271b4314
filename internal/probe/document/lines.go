package document

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
)

// A file with the number of a line: path:88, path:88-92, path#L88-L92, path,
// lines 88–92, and lines 88–92 of path.
var (
	lineAfter  = regexp.MustCompile(`(` + pathShape.String() + `)["'\x60”)]*(?::L?|#L|,?\s*\(?(?:at |on )?lines?\s+|\s*\(L)(\d{1,6})(?:\s?[-–—]\s?L?(\d{1,6}))?`)
	lineBefore = regexp.MustCompile(`(?i)\blines?\s+(\d{1,6})(?:\s?(?:[-–—]|to)\s?(\d{1,6}))?\s+(?:of|in)\s+["'\x60“(]*(` + pathShape.String() + `)`)
)

// lineRef is a place in a file as a document gives it.
type lineRef struct {
	path        string
	first, last int
	at          int // position in the text
}

// lineRefs lists the places in files that a text gives.
func lineRefs(text string) []lineRef {
	var out []lineRef
	add := func(at int, printed, from, to string) {
		names := pathsIn(printed)
		first, err := strconv.Atoi(from)
		if len(names) != 1 || err != nil || first == 0 || len(names[0]) > maxPath {
			return
		}
		if at > 0 && (strings.ContainsRune(`/\:@`, rune(text[at-1])) || address.MatchString(text[lastBlank(text, at):at])) {
			return
		}
		last, err := strconv.Atoi(to)
		if err != nil || last < first {
			last = first
		}
		out = append(out, lineRef{names[0], first, last, at})
	}
	group := func(m []int, n int) string {
		if m[2*n] < 0 {
			return ""
		}
		return text[m[2*n]:m[2*n+1]]
	}
	for _, m := range lineAfter.FindAllStringSubmatchIndex(text, -1) {
		add(m[0], group(m, 1), group(m, 2), group(m, 3))
	}
	for _, m := range lineBefore.FindAllStringSubmatchIndex(text, -1) {
		add(m[6], group(m, 3), group(m, 1), group(m, 2))
	}
	return out
}

// lines holds the places in files that the document gives against the files.
func (l *ledger) lines() {
	for i := range l.passages {
		p := &l.passages[i]
		for _, st := range statements(p) {
			for _, r := range lineRefs(st.text) {
				if len(l.claims) > 2*maxClaims {
					return
				}
				name, sure := l.repo.pieced(l.repo.whole(r.path), p)
				if !sure {
					continue
				}
				c := claim{Kind: ofLine, Subject: fmt.Sprintf("%s:%d", name, r.first), Modality: mood(p, st.around), Page: p.Page, passage: p, sentence: st.text}
				if r.last > r.first {
					c.Subject += fmt.Sprintf("-%d", r.last)
				}
				if c.Modality == done && asExample(st.text, r.path) {
					c.Modality = example
				}
				r.path = name
				c.Fate, c.Why, c.proof = l.repo.line(r, st.text)
				l.claims = append(l.claims, c)
			}
		}
	}
}

// line says whether a place in a file is there, and whether what the text names
// beside it stands there.
func (a *against) line(r lineRef, text string) (fate, string, []court.Place) {
	found, f := a.locate(r.path)
	body, read := a.texts[found]
	switch {
	case f != holds:
		return undecided, "The file does not exist.", nil
	case !read || bytes.IndexByte(body, 0) >= 0:
		return undecided, "The file could not be read.", []court.Place{{Path: found}}
	}
	total := lineCount(body)
	if r.first > total {
		if once := a.longest(found); once >= r.first {
			return renamed, fmt.Sprintf("The file has %s now and had %d at an earlier commit.", court.Count(total, "line"), once), []court.Place{{Path: found}}
		}
		if !a.history.Complete() {
			return undecided, fmt.Sprintf("The file has %s, and the history is not complete.", court.Count(total, "line")), []court.Place{{Path: found}}
		}
		return untrue, fmt.Sprintf("The file has %s and never had so many.", court.Count(total, "line")), []court.Place{{Path: found}}
	}
	here := court.Place{Path: found, Line: r.first, EndLine: min(r.last, total, r.first+40)}
	names := a.beside(text, r.at, found)
	for _, name := range names {
		d := a.within(found, name)
		if r.first <= d.last && d.line <= r.last || spells(body, name, r.first, r.last) {
			return holds, fmt.Sprintf("%s is at this line.", name), []court.Place{here}
		}
	}
	shaped := symbolsIn(text)
	for _, name := range names { // only what cannot be a word of the language
		if first := a.within(found, name).line; slices.Contains(shaped, name) {
			return renamed, fmt.Sprintf("The line exists, but %s is at line %d.", name, first),
				[]court.Place{{Path: found, Line: first, EndLine: first}, here}
		}
	}
	return holds, "The file has these lines.", []court.Place{here}
}

// beside lists the names of a text that the file defines, those nearest to a
// position first.
func (a *against) beside(text string, at int, file string) []string {
	var out []string
	gap := map[string]int{}
	eachWord(text, func(name string) {
		if _, seen := gap[name]; seen || a.within(file, name) == nil {
			return
		}
		i := strings.Index(text, name)
		gap[name] = max(i-at, at-i)
		out = append(out, name)
	})
	slices.SortStableFunc(out, func(x, y string) int { return cmp.Compare(gap[x], gap[y]) })
	return out
}

// within is the one class or function of a name that a file defines.
func (a *against) within(file, name string) *declaration {
	var found *declaration
	for _, d := range a.defined[fold(name)] {
		if d.path != file || d.name != name {
			continue
		}
		if found != nil {
			return nil
		}
		found = d
	}
	return found
}

// spells tells whether a name stands within lines of a file.
func spells(body []byte, name string, first, last int) bool {
	n := 0
	for line := range bytes.Lines(body) {
		if n++; n >= first && n <= last && bytes.Contains(line, []byte(name)) {
			return true
		}
	}
	return false
}

func lineCount(body []byte) int {
	n := bytes.Count(body, []byte("\n"))
	if len(body) > 0 && body[len(body)-1] != '\n' {
		n++
	}
	return n
}

// longest is how many lines a file had at most, in any commit, 0 where nobody
// can tell.
func (a *against) longest(file string) int {
	most := 0
	for _, n := range a.lengths(file) {
		most = max(most, n)
	}
	return most
}

// lengths is how many lines a file had after each commit that changed it, by
// the position of the commit; nil where the history cannot tell.
func (a *against) lengths(file string) map[int]int {
	out, names, n := map[int]int{}, map[string]int{}, len(a.history.Commits)
	for i := range n {
		for _, ch := range a.history.Commits[i].Changes {
			if !ch.Counted {
				continue
			}
			from := ch.Path
			if ch.From != "" {
				from = ch.From
			}
			size := names[from] + ch.Added - ch.Deleted
			if ch.From != "" && ch.From != ch.Path && ch.OID != "" {
				delete(names, from)
			}
			names[ch.Path] = size
			if ch.Path == file {
				out[i] = size
			}
		}
	}
	return out
}
