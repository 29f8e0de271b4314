package history

import (
	"bytes"
	"context"
	"fmt"
	"hash/maphash"
	"path"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/probe"
	"github.com/automaton-auditor/automaton/internal/repo"
	"github.com/automaton-auditor/automaton/internal/safetext"
)

func gitSecrets() probe.Probe {
	return probe.Probe{
		ID: "git.secrets", Version: "1", Target: court.GithubRepo,
		Title:  "No commit ever brought a key",
		Doc:    "Reads the lines that each commit adds, up to 48 MiB, for keys of known providers, private keys, passwords in addresses and assigned random texts. Placeholders, tests, vendored and generated files do not count. Keys without a known shape, and those in binary files, are not seen. Values are never shown.",
		Remedy: "Revoke the key at its provider: the key stays in the history even when the file is deleted.",
		Effort: 30, Recall: 9000,
		Run: func(ctx context.Context, s *probe.Scene, _ probe.Args) ([]probe.Finding, error) {
			p, err := read(ctx, s)
			if err != nil {
				return nil, err
			}
			return leaked(ctx, s, p)
		},
	}
}

// leak is a key and the commit that brought it.
type leak struct {
	kind, path string
	at         int // position of the commit
	scope      code.Scope
	head       int // its line in today's file; 0: it is gone
}

func leaked(ctx context.Context, s *probe.Scene, p *past) ([]probe.Finding, error) {
	found, coverage, err := leaks(ctx, s, p)
	if err != nil {
		return nil, err
	}
	if len(found) == 0 {
		return p.holds(probe.Clean(coverage, court.Git, "%s added a line that holds a key; %s of the older versions were read.",
			safetext.Capital(court.Of(0, len(p.Commits), "commit")), percent(coverage)))
	}
	var at []court.Place
	var words []string
	for _, l := range found {
		if l.head > 0 {
			at = append(at, court.Place{Path: l.path, Line: l.head})
		} else {
			at = append(at, p.place(l.at))
		}
		if w := fmt.Sprintf("%s in %q since %s", l.kind, court.Clean(l.path, 120), p.name(l.at)); len(words) < 5 && !slices.Contains(words, w) {
			words = append(words, w)
		}
	}
	f := probe.Against(court.Git, at, "Commits added %s with a key: %s.", court.Count(len(found), "line"), strings.Join(words, "; ")).
		Do("Revoke the keys at their providers: they stay in the history even when the files are deleted. %s.", strings.Join(words, "; "))
	f.Coverage = coverage
	f.Security = &court.Flaw{Severity: court.High, Tainted: "no", Scope: string(found[0].scope)}
	return []probe.Finding{f}, nil
}

// maxRead bounds the older versions that are read for keys, in bytes; readBatch
// is how many are asked for at once.
const (
	maxRead   = 48 << 20
	readBatch = 400
)

// leaks reads each content once, in the order of the commits, and each line
// once, so that a key belongs to the commit that brought it.
func leaks(ctx context.Context, s *probe.Scene, p *past) (found []leak, coverage court.Fixed, err error) {
	todo := p.texts()
	total, done, size := len(todo), 0, 0
	seen := newMetLines()
	for len(todo) > 0 && size < maxRead {
		part := todo[:min(readBatch, len(todo))]
		todo = todo[len(part):]
		var oids []string
		for _, v := range part {
			oids = append(oids, v.oid)
		}
		texts, err := s.Objects(ctx, oids)
		if err != nil {
			return nil, 0, err
		}
		for _, v := range part {
			b, ok := texts[v.oid]
			if !ok || size >= maxRead {
				continue
			}
			size += len(b)
			done++
			found = append(found, p.search(v, b, seen)...)
		}
	}
	err = locate(ctx, s, found)
	return found, probe.Ratio(done, total), err
}

// texts lists every content that can hold a key that counts.
func (p *past) texts() []version {
	var out []version
	seen := map[string]bool{}
	for _, i := range p.Own {
		for _, ch := range p.Commits[i].Changes {
			if !regular(ch) || ch.Binary || seen[ch.OID] || blob(ch.Path) || !(probe.Secret{}).Counts(ch.Path, p.layout.Scope(ch.Path)) {
				continue
			}
			seen[ch.OID] = true
			out = append(out, version{i, ch.Path, ch.OID})
		}
	}
	return out
}

// blob tells files that are not text by their names.
func blob(file string) bool {
	switch strings.ToLower(path.Ext(file)) {
	case ".pdf", ".png", ".jpg", ".jpeg", ".gif", ".ico", ".svg", ".zip", ".gz", ".woff", ".woff2", ".ttf", ".docx", ".pptx", ".xlsx", ".mp4", ".pyc", ".db":
		return true
	}
	return false
}

// search looks at the lines that no earlier version had.
func (p *past) search(v version, text []byte, seen *metLines) []leak {
	var out []leak
	found := probe.Leaks(unseen(text, seen))
	if len(found) == 0 {
		return nil
	}
	whole := probe.Leaks(string(text)) // what stands around a key may make it none, and may be known
	for _, k := range found {
		if !slices.ContainsFunc(whole, func(w probe.Secret) bool { return w.Kind == k.Kind }) {
			continue
		}
		out = append(out, leak{kind: k.Kind, path: v.path, at: v.at, scope: p.layout.Scope(v.path)})
	}
	return out
}

// metLines are those that were looked at. Of a long history that is half a million, and kept as texts they would be most of
// what is in memory: two hashes of one are the same for another once in 2^128 times, whoever wrote them.
type metLines struct {
	seeds [2]maphash.Seed
	known map[[2]uint64]struct{}
}

func newMetLines() *metLines {
	return &metLines{[2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()}, map[[2]uint64]struct{}{}}
}

// met tells whether a line was looked at before, and notes it.
func (l *metLines) met(line []byte) bool {
	key := [2]uint64{maphash.Bytes(l.seeds[0], line), maphash.Bytes(l.seeds[1], line)}
	_, met := l.known[key]
	if !met {
		l.known[key] = struct{}{}
	}
	return met
}

// unseen is the text without the lines that are known. Only lines that are
// long enough for a key are remembered.
func unseen(text []byte, seen *metLines) string {
	var b strings.Builder
	mark := []byte("PRIVATE KEY-----") // alike for all private keys
	framed := bytes.Contains(text, mark)
	for line := range bytes.Lines(text) {
		if len(line) < leastKey && !framed {
			continue
		}
		key := bytes.TrimSpace(line)
		if framed && bytes.Contains(key, mark) || len(key) >= leastKey && !seen.met(key) {
			b.Write(line)
		}
	}
	return b.String()
}

// leastKey is how long the line of a key is at least.
const leastKey = 16

// locate finds the keys that still stand in today's files.
func locate(ctx context.Context, s *probe.Scene, found []leak) error {
	used := map[string]int{}
	for i := range found {
		e, ok := s.Entry(found[i].path)
		if !ok || e.Kind != repo.File && e.Kind != repo.Executable {
			continue
		}
		f, err := s.Text(ctx, found[i].path)
		if err != nil {
			continue // it is not readable today: the commit is named instead
		}
		text, _ := f.Text()
		n := 0
		for _, k := range probe.Leaks(text) {
			if k.Kind != found[i].kind {
				continue
			}
			if n == used[found[i].path+k.Kind] {
				found[i].head = k.Line
				used[found[i].path+k.Kind]++
				break
			}
			n++
		}
	}
	return ctx.Err()
}
