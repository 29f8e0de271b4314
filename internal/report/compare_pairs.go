package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
)

// moved is what each of two audits alone has on one check.
type moved struct {
	check, goal string
	gone, came  []Trace
}

// alike tells that both audits found the same, in other words or at other
// places.
func (m moved) alike() bool {
	return slices.EqualFunc(m.gone, m.came, func(a, b Trace) bool { return a.Outcome == b.Outcome })
}

// moves brings what is gone and what came together by check.
func (c Change) moves() []moved {
	var rows []moved
	row := func(t Trace) *moved {
		for i := range rows {
			if rows[i].check == t.Check {
				return &rows[i]
			}
		}
		rows = append(rows, moved{check: t.Check, goal: t.Goal})
		return &rows[len(rows)-1]
	}
	for _, t := range c.Gone {
		r := row(t)
		r.gone = append(r.gone, t)
	}
	for _, t := range c.Came {
		r := row(t)
		r.came = append(r.came, t)
	}
	return rows
}

// told is what became of the checks whose outcome is another one, in few words:
// at most so many of those that changed, and of those that only one audit has
// what does not speak for it. A word counts the rest.
func (c Change) told(changed, alone int, words func(moved) string) []string {
	kinds := []struct {
		word  string
		most  int
		rows  []string
		count int
	}{{word: "changed", most: changed}, {word: "was found in the first audit only", most: alone}, {word: "was found in the second audit only", most: alone}}
	for _, m := range c.moves() {
		m = m.apart()
		kind := 0
		switch {
		case len(m.came) == 0:
			kind = 1
		case len(m.gone) == 0:
			kind = 2
		}
		if m.good() {
			continue
		}
		k := &kinds[kind]
		if k.count++; k.count <= k.most {
			k.rows = append(k.rows, words(m))
		}
	}
	var list []string
	for _, k := range kinds {
		list = append(list, k.rows...)
		if k.count > k.most {
			n, word := k.count-k.most, k.word
			if n > 1 {
				word = strings.Replace(word, "was ", "were ", 1)
			}
			list = append(list, fmt.Sprintf("%s %s.", plural(n, "more check"), word))
		}
	}
	return list
}

// apart is what is left where evidence of the same outcome is paired off.
func (m moved) apart() moved {
	came := slices.Clone(m.came)
	m.gone = slices.DeleteFunc(slices.Clone(m.gone), func(t Trace) bool {
		i := slices.IndexFunc(came, func(c Trace) bool { return c.Outcome == t.Outcome })
		if i >= 0 {
			came = slices.Delete(came, i, i+1)
		}
		return i >= 0
	})
	m.came = came
	return m
}

// good tells that nothing of it speaks against the submission.
func (m moved) good() bool {
	return !slices.ContainsFunc(slices.Concat(m.gone, m.came), func(t Trace) bool { return t.Outcome != court.Present })
}
