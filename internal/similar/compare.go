package similar

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/automaton-auditor/automaton/internal/likeness"
	"github.com/automaton-auditor/automaton/internal/report"
)

// Submission is one submission as it is compared. Its prints and texts are asked for when they are needed, and not held.
type Submission struct {
	ID      string
	Old     bool // of an earlier cohort: it is compared with new ones only
	Prints  func() (*Prints, error)
	Sources func() (Sources, error) // nil: they were not kept
}

// What is listed. The shares and the longest passage are design choices: of independent submissions of one size, the two
// nearest had 0.18 in common; of a small one and one twenty times as large, 0.47, but at most 0.06 in passages. What has
// fewer than leastShared fingerprints in common is too short for a share to say anything.
const (
	listedContained = 2000
	listedSolid     = 1000
	listedLongest   = 150 // tokens
	listedDocument  = 1500
	leastShared     = 8
	clustered       = 5000
	mostListed      = 500
	mostTried       = 4000 // pairs in which the longest passage is looked for
)

// Compare compares submissions of a class. Code of the base, which everybody was given, does not count. The order in which
// submissions are given changes nothing.
func Compare(list []Submission, base []*Prints) (*report.Similarity, error) {
	c := &comparison{list: slices.Clone(list)}
	slices.SortStableFunc(c.list, func(a, b Submission) int {
		if a.Old != b.Old {
			return cmp.Compare(btoi(a.Old), btoi(b.Old))
		}
		return cmp.Compare(a.ID, b.ID)
	})
	if err := c.index(base); err != nil {
		return nil, err
	}
	if err := c.measure(); err != nil {
		return nil, err
	}
	return c.listed()
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// comparison is a comparison at work. Its results are by the numbers of c.list.
type comparison struct {
	list              []Submission
	unread            []string
	fresh             int
	code, text, blobs likeness.Result
	commits, trees    likeness.Result
	found             map[[2]int]*common
	last              *Prints // of number at: pairs come in the order of their first
	at                int
}

// common is what two submissions have in common.
type common struct {
	a, b           int
	code, text     likeness.Pair
	longest        int
	commits, trees int
}

// side is one of the ways in which submissions are compared.
type side struct {
	of     func(p *Prints) likeness.Set
	result *likeness.Result
}

// index compares all with all.
func (c *comparison) index(base []*Prints) error {
	sides := []side{
		{func(p *Prints) likeness.Set { return p.Code.Set() }, &c.code},
		{func(p *Prints) likeness.Set { return p.Text.Set() }, &c.text},
		{(*Prints).blobs, &c.blobs},
		{func(p *Prints) likeness.Set { return p.Commits }, &c.commits},
		{func(p *Prints) likeness.Set { return p.Trees }, &c.trees},
	}
	sets := make([][]likeness.Set, len(sides))
	for _, s := range c.list {
		p, err := s.Prints()
		if err != nil {
			return fmt.Errorf("comparing %s: %w", s.ID, err)
		}
		if !s.Old {
			c.fresh++
		}
		if p.Unread > 0 {
			c.unread = append(c.unread, s.ID)
		}
		for i, side := range sides {
			sets[i] = append(sets[i], side.of(p))
		}
	}
	for i, side := range sides {
		var given []likeness.Set
		for _, p := range base {
			given = append(given, side.of(p))
		}
		*side.result = likeness.Compare(sets[i], c.fresh, given)
		sets[i] = nil
	}
	return nil
}

// measure finds the pairs that are to be listed.
func (c *comparison) measure() error {
	c.found = map[[2]int]*common{}
	for _, p := range c.text.Pairs {
		if p.Shared >= leastShared && p.Contained >= listedDocument {
			c.pair(p).text = p
		}
	}
	for _, p := range c.commits.Pairs {
		c.pair(p).commits = p.Shared
	}
	for _, p := range c.trees.Pairs {
		c.pair(p).trees = p.Shared
	}
	tried := slices.DeleteFunc(slices.Clone(c.code.Pairs), func(p likeness.Pair) bool { return p.Shared < leastShared })
	for _, p := range tried {
		if x := c.found[[2]int{p.A, p.B}]; x != nil {
			x.code = p
		}
	}
	slices.SortStableFunc(tried, func(a, b likeness.Pair) int {
		return cmp.Or(cmp.Compare(c.promise(b), c.promise(a)), cmp.Compare(b.Shared, a.Shared))
	})
	tried = tried[:min(len(tried), mostTried)]
	slices.SortFunc(tried, func(a, b likeness.Pair) int { return cmp.Or(cmp.Compare(a.A, b.A), cmp.Compare(a.B, b.B)) })
	for _, p := range tried {
		if err := c.try(p); err != nil {
			return err
		}
	}
	return nil
}

// promise is 1 for pairs that are listed for something else already, or would be for how much of one is in the other.
func (c *comparison) promise(p likeness.Pair) int {
	return btoi(c.found[[2]int{p.A, p.B}] != nil || p.Contained >= listedContained)
}

// try looks for passages that two have in common. Much of a small submission is in a very large one by chance, a
// few lines here and a few there, so that a share says something only where a part of it stands in passages.
func (c *comparison) try(p likeness.Pair) error {
	one, two, err := c.both(p.A, p.B)
	if err != nil {
		return err
	}
	matches := c.code.Matches(one.Code, two.Code, likeness.Code)
	if len(matches) == 0 {
		return nil
	}
	copied := matches[0].Tokens >= listedLongest || p.Contained >= listedContained && c.code.Solid(one.Code, two.Code, likeness.Code) >= listedSolid
	if copied || c.found[[2]int{p.A, p.B}] != nil {
		x := c.pair(p)
		x.code, x.longest = p, matches[0].Tokens
	}
	return nil
}

func (c *comparison) pair(p likeness.Pair) *common {
	key := [2]int{p.A, p.B}
	if c.found[key] == nil {
		c.found[key] = &common{a: p.A, b: p.B}
	}
	return c.found[key]
}

func (c *comparison) both(a, b int) (one, two *Prints, err error) {
	if c.last == nil || c.at != a {
		if c.last, err = c.list[a].Prints(); err != nil {
			return nil, nil, fmt.Errorf("comparing %s: %w", c.list[a].ID, err)
		}
		c.at = a
	}
	if two, err = c.list[b].Prints(); err != nil {
		return nil, nil, fmt.Errorf("comparing %s: %w", c.list[b].ID, err)
	}
	return c.last, two, nil
}
