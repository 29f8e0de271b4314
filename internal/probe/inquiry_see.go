package probe

import (
	"context"
	"fmt"
	"regexp/syntax"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/court"
	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
	"github.com/automaton-auditor/automaton/internal/repo"
	"github.com/automaton-auditor/automaton/internal/safetext"
)

// Bounds of what a call shows.
const (
	maxSeen   = 8 << 10 // bytes
	readLines = 200
	// maxQuery bounds what is asked, in bytes.
	maxQuery = 300
	// grepWork bounds a search, in bytes times instructions of the pattern.
	grepWork = 1 << 28
	// grepLine is how much of a line is searched, in bytes.
	grepLine = 2000
	// seenLine is how much of a line is shown, where lines are many, in runes.
	seenLine = 200
	// docHits is how many passages a search of the document shows.
	docHits = 8
)

// bounded is a call as it may stand in a question.
func (c Call) bounded() Call {
	cut := func(s string) string { return strings.ToValidUTF8(s[:min(len(s), maxQuery)], "") }
	return Call{Tool: cut(c.Tool), Query: cut(c.Query), Path: cut(c.Path), Where: cut(c.Where), From: max(c.From, 0), To: max(c.To, 0)}
}

// listing collects lines up to a bound and counts the rest.
type listing struct {
	b    strings.Builder
	room int
	more int
}

func (l *listing) add(line string) {
	if l.more > 0 || l.b.Len()+len(line)+1 > l.room {
		l.more++
		return
	}
	l.b.WriteString(line)
	l.b.WriteByte('\n')
}

// full tells whether a line that is added is only counted.
func (l *listing) full() bool { return l.more > 0 }

func (l *listing) String() string {
	switch {
	case l.more > 0:
		return fmt.Sprintf("%s… and %d more", l.b.String(), l.more)
	case l.b.Len() == 0:
		return "nothing"
	}
	return strings.TrimSuffix(l.b.String(), "\n")
}

// answer is what a call shows, in at most so many bytes. Whatever is asked, it
// reads the audited commit and the document and nothing else, and what went
// wrong is said in words.
func (s *Scene) answer(ctx context.Context, c Call, room int) string {
	tools := map[string]func(context.Context, Call, *listing) error{
		"list":       s.listFiles,  // Query: a glob
		"read":       s.readFile,   // Path, lines From to To
		"grep":       s.grepFiles,  // Query: RE2; Path: a glob; Where: any, code, string, comment
		"symbols":    s.symbols,    // Query: a name of Python code, * is any run of characters
		"calls":      s.calls,      // Query: a name, the same
		"commits":    s.commits,    // Path: those that touched it; empty: all
		"commit":     s.commit,     // Query: an id, seven digits or more
		"doc_search": s.docSearch,  // Query: words
		"doc_page":   s.docPage,    // From: the page
		"facts":      s.factsShown, // what the probes know
	}
	const end = 40 // for what is said at the end of a list
	l := &listing{room: max(room-end, 0)}
	tool := tools[c.Tool]
	if tool == nil {
		return fmt.Sprintf("there is no tool %q", court.Clean(c.Tool, 40))
	}
	if err := tool(ctx, c, l); err != nil {
		return safetext.Lines(court.Clean(s.mask(err.Error()), 300))
	}
	return bytesOf(safetext.Lines(l.String()), room)
}

// bytesOf is the beginning of a text, whole runes of it.
func bytesOf(text string, room int) string {
	if len(text) <= room {
		return text
	}
	return strings.ToValidUTF8(text[:room], "")
}

// path is a path as it is shown.
func (s *Scene) path(p string) string { return court.Clean(s.mask(p), 300) }

func (s *Scene) listFiles(_ context.Context, c Call, l *listing) error {
	glob, err := Glob(orElse(c.Query, "**"))
	if err != nil {
		return err
	}
	entries, err := s.Entries()
	if err != nil {
		return err
	}
	for _, e := range entries {
		if !glob.MatchString(e.Path) {
			continue
		}
		what := string(e.Kind) + ", never followed"
		if regular(e) {
			what = fmt.Sprintf("%d bytes", max(e.Size, 0))
		}
		l.add(fmt.Sprintf("%s (%s)", s.path(e.Path), what))
	}
	return nil
}

// regular tells files from links and submodules.
func regular(e repo.Entry) bool { return e.Kind == repo.File || e.Kind == repo.Executable }

// readable is a regular file as it is quoted.
func (s *Scene) readable(ctx context.Context, path string) (*quotable, error) {
	e, ok := s.entries[path]
	switch {
	case !ok:
		return nil, fmt.Errorf("there is no file %q at this commit", court.Clean(path, 200))
	case !regular(e):
		return nil, fmt.Errorf("%q is a %s, which is never followed", court.Clean(path, 200), e.Kind)
	}
	q, err := s.quotable(ctx, path)
	if err == nil {
		err = q.mustBeText(path)
	}
	return q, err
}

func (s *Scene) readFile(ctx context.Context, c Call, l *listing) error {
	q, err := s.readable(ctx, c.Path)
	if err != nil {
		return err
	}
	n, first := len(q.starts), max(c.From, 1)
	if n > 1 && q.starts[n-1] == len(q.text) {
		n-- // nothing stands after the last line's end
	}
	if first > n {
		return fmt.Errorf("%q has %d lines", court.Clean(c.Path, 200), n)
	}
	last := min(max(c.To, first), n, first+readLines-1)
	if c.To == 0 {
		last = min(n, first+readLines-1)
	}
	l.add(fmt.Sprintf("%s, lines %d to %d of %d", s.path(c.Path), first, last, n))
	for i := first; i <= last; i++ {
		if l.full() {
			l.more++
			continue
		}
		l.add(fmt.Sprintf("%d| %s", i, s.line(q, i)))
	}
	return nil
}

// line is a line of a file without secrets.
func (s *Scene) line(q *quotable, n int) string {
	text := s.o.Veil.Hide(q.masked(n, n))
	if len(text) > grepLine {
		text = strings.ToValidUTF8(text[:grepLine], "") + "…"
	}
	return text
}

// pattern compiles what is searched for and says what a byte costs.
func pattern(query string) (re *regexp.Regexp, cost int, err error) {
	tree, err := syntax.Parse(query, syntax.Perl)
	if err == nil && query != "" {
		var prog *syntax.Prog
		if prog, err = syntax.Compile(tree.Simplify()); err == nil {
			cost = len(prog.Inst)
			re, err = regexp.Compile(query)
		}
	}
	if err != nil || re == nil {
		return nil, 0, fmt.Errorf("the pattern %q cannot be read", court.Clean(query, 100))
	}
	return re, cost, nil
}

func (s *Scene) grepFiles(ctx context.Context, c Call, l *listing) error {
	re, cost, err := pattern(c.Query)
	if err != nil {
		return err
	}
	glob, err := Glob(orElse(c.Path, "**"))
	if err != nil {
		return err
	}
	entries, err := s.Entries()
	if err != nil {
		return err
	}
	work := grepWork
	for i, e := range entries {
		if !regular(e) || !glob.MatchString(e.Path) {
			continue
		}
		q, err := s.readable(ctx, e.Path)
		if over := ctx.Err(); over != nil {
			return over
		}
		if err != nil {
			continue // a picture, or too large; read says so
		}
		text, err := s.part(ctx, e.Path, q, c.Where)
		if err != nil {
			return err
		}
		if work -= len(text) * cost; work < 0 {
			l.add(fmt.Sprintf("the search ended before %s, with %d files to go: the pattern is too costly, or name fewer files", s.path(e.Path), len(entries)-i))
			return nil
		}
		n := 0
		for line := range strings.SplitSeq(text, "\n") {
			if n++; !re.MatchString(line[:min(len(line), grepLine)]) {
				continue
			}
			if l.full() { // to mask what nobody sees takes its time
				l.more++
			} else {
				l.add(fmt.Sprintf("%s:%d: %s", s.path(e.Path), n, clipped(s.line(q, n))))
			}
		}
	}
	return nil
}

// clipped is a line among many.
func clipped(text string) string {
	if runes := []rune(text); len(runes) > seenLine {
		return string(runes[:seenLine]) + "…"
	}
	return text
}

// part is the text of a file with all blanked that is not searched. Of a
// language that is not known, all is searched or nothing.
func (s *Scene) part(ctx context.Context, path string, q *quotable, where string) (string, error) {
	var keep []code.SegmentKind
	switch where {
	case "", "any":
		return q.text, nil
	case "code":
		keep = []code.SegmentKind{0}
	case "string":
		keep = []code.SegmentKind{code.Literal}
	case "comment":
		keep = []code.SegmentKind{code.Comment, code.Docs}
	default:
		return "", fmt.Errorf("where is any, code, string or comment, not %q", court.Clean(where, 40))
	}
	comments, isCode := code.File{Path: path}.Language().Lexed()
	if !comments || !isCode && where == "code" {
		return "", nil
	}
	stretches, err := s.stretches(ctx, path, q)
	if err != nil {
		return "", err
	}
	return blanked(q.text, stretches, keep...), nil
}

// blanked is a text of which only some kinds are left, with all its lines. The
// delimiters of a stretch go with it.
func blanked(text string, stretches []code.Segment, keep ...code.SegmentKind) string {
	b := []byte(text)
	blank := func(kind code.SegmentKind, from, to int) {
		if slices.Contains(keep, kind) {
			return
		}
		for i := from; i < to; i++ {
			if b[i] != '\n' {
				b[i] = ' '
			}
		}
	}
	at := 0
	for _, x := range stretches {
		blank(0, at, x.From)
		blank(x.Kind, x.From, x.To)
		at = x.To
	}
	blank(0, at, len(b))
	return string(b)
}
