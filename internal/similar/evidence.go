package similar

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/likeness"
	"github.com/automaton-auditor/automaton/internal/report"
)

// Bounds of what is shown of one pair.
const (
	mostPlaces = 20
	mostTexts  = 5  // of the places, those of documents
	mostShown  = 40 // lines a side
	mostEqual  = 12 // equal files that are named
	nearby     = 3  // lines between passages that are shown as one
)

// listed is the list, those that have most in common first.
func (c *comparison) listed() (*report.Similarity, error) {
	out := &report.Similarity{Submissions: c.fresh, Old: len(c.list) - c.fresh, Unread: c.unread}
	all := slices.SortedFunc(maps.Values(c.found), func(x, y *common) int {
		return cmp.Or(cmp.Compare(y.code.Contained, x.code.Contained), cmp.Compare(y.longest, x.longest), cmp.Compare(y.text.Contained, x.text.Contained),
			cmp.Compare(y.commits, x.commits), cmp.Compare(x.a, y.a), cmp.Compare(x.b, y.b))
	})
	var near []likeness.Pair
	for _, x := range all {
		if x.code.Shared >= leastShared {
			near = append(near, x.code)
		}
	}
	for _, group := range likeness.Clusters(near, clustered) {
		var ids []string
		for _, i := range group {
			ids = append(ids, c.list[i].ID)
		}
		out.Clusters = append(out.Clusters, ids)
	}
	for i, n := range c.code.Common {
		if share := n * 10000 / max(n+c.code.Size[i], 1); n >= leastShared && share >= clustered {
			out.Common = append(out.Common, report.LikeMember{ID: c.list[i].ID, Share: court.Fixed(share)})
		}
	}
	slices.SortStableFunc(out.Common, func(a, b report.LikeMember) int { return cmp.Compare(b.Share, a.Share) })
	out.Left = max(len(all)-mostListed, 0)
	for _, x := range all[:len(all)-out.Left] {
		p, err := c.shown(x)
		if err != nil {
			return nil, err
		}
		out.Pairs = append(out.Pairs, p)
	}
	return out, nil
}

// shown is a pair with its places.
func (c *comparison) shown(x *common) (report.LikePair, error) {
	p := report.LikePair{A: c.list[x.a].ID, B: c.list[x.b].ID, Contained: court.Fixed(x.code.Contained), Alike: court.Fixed(x.code.Alike), Longest: x.longest,
		Document: court.Fixed(x.text.Contained), Commits: x.commits, States: x.trees}
	one, two, err := c.both(x.a, x.b)
	if err != nil {
		return p, err
	}
	p.Files, p.MoreFiles = c.equal(one, two)
	sources := [2]Sources{}
	for i, n := range [2]int{x.a, x.b} {
		if c.list[n].Sources == nil {
			continue
		}
		if sources[i], err = c.list[n].Sources(); err != nil {
			return p, fmt.Errorf("showing %s: %w", c.list[n].ID, err)
		}
	}
	place := func(m likeness.Match, text bool) {
		p.Places = append(p.Places, report.LikePlace{A: excerpt(one, sources[0], m.A), B: excerpt(two, sources[1], m.B), Tokens: m.Tokens, Text: text})
	}
	var texts []likeness.Match
	if x.text.Shared > 0 {
		texts = merged(c.text.Matches(one.Text, two.Text, likeness.Text), likeness.Text)
	}
	texts = texts[:min(len(texts), mostTexts)]
	code := merged(c.code.Matches(one.Code, two.Code, likeness.Code), likeness.Code)
	for _, m := range code[:min(len(code), mostPlaces-len(texts))] {
		place(m, false)
	}
	for _, m := range texts {
		place(m, true)
	}
	return p, nil
}

// equal are the files that both have.
func (c *comparison) equal(one, two *Prints) (names []string, more int) {
	has := map[uint64]string{}
	for _, b := range two.Blobs {
		if has[b.Sum] == "" {
			has[b.Sum] = b.Path
		}
	}
	for _, b := range one.Blobs {
		other := has[b.Sum]
		switch {
		case other == "" || c.blobs.Off(b.Sum):
		case len(names) == mostEqual:
			more++
		case other == b.Path:
			names = append(names, b.Path)
		default:
			names = append(names, b.Path+" and "+other)
		}
	}
	return names, more
}

// merged are passages of which those that follow one another closely in both are one, the longest first. A place that a
// longer passage shows is not shown again.
func merged(list []likeness.Match, g likeness.Grain) []likeness.Match {
	slices.SortStableFunc(list, func(x, y likeness.Match) int {
		return cmp.Or(cmp.Compare(x.A.Path, y.A.Path), cmp.Compare(x.B.Path, y.B.Path), cmp.Compare(x.A.Line, y.A.Line), cmp.Compare(x.B.Line, y.B.Line))
	})
	var all []likeness.Match
	for _, m := range list {
		if n := len(all); n > 0 && follows(all[n-1].A, m.A) && follows(all[n-1].B, m.B) {
			last := &all[n-1]
			last.A.EndLine, last.B.EndLine = max(last.A.EndLine, m.A.EndLine), max(last.B.EndLine, m.B.EndLine)
			last.Tokens += max(m.Tokens-g.Gram, 0) // they may overlap
			continue
		}
		all = append(all, m)
	}
	slices.SortStableFunc(all, func(x, y likeness.Match) int { return cmp.Compare(y.Tokens, x.Tokens) })
	var out []likeness.Match
	for _, m := range all {
		if len(out) < mostPlaces && !slices.ContainsFunc(out, func(x likeness.Match) bool { return within(m.A, x.A) || within(m.B, x.B) }) {
			out = append(out, m)
		}
	}
	return out
}

func follows(x, y likeness.Span) bool {
	return x.Path == y.Path && y.Line > x.Line && y.Line <= x.EndLine+nearby
}

func within(x, y likeness.Span) bool {
	return x.Path == y.Path && x.Line >= y.Line && x.EndLine <= y.EndLine
}

func excerpt(p *Prints, s Sources, at likeness.Span) report.LikeExcerpt {
	e := report.LikeExcerpt{Path: at.Path, From: at.Line, To: at.EndLine}
	if t := p.since(at.Path); t > 0 {
		e.Since = time.Unix(t, 0).UTC().Format(time.DateOnly)
	}
	if lines := s[at.Path]; at.Line >= 1 && at.Line <= len(lines) {
		e.Lines = lines[at.Line-1 : min(len(lines), at.EndLine, at.Line-1+mostShown)]
	}
	return e
}
