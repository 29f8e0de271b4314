package safety

import (
	"fmt"
	"maps"
	"slices"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/code/syntax"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/facts"
	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
)

// unsafeBlocks are the facts of Rust's unsafe blocks, by scope.
func (x *lowered) unsafeBlocks() (out []facts.Fact[facts.Dangerous]) {
	unsafe := map[code.Scope][]syntax.Node{}
	for _, f := range x.survey.trees.Files {
		if !f.Parsed || f.Language != "rust" {
			continue
		}
		for n := range f.Root().Walk() {
			if n.Is("block") && n.Has(syntax.Unsafe) {
				scope := x.scope(f.Path, n.Start())
				unsafe[scope] = append(unsafe[scope], n)
			}
		}
	}
	for _, scope := range slices.Sorted(maps.Keys(unsafe)) {
		out = append(out, unexplained(scope, unsafe[scope])...)
	}
	return out
}

// unexplained is the danger of Rust's unsafe blocks that do not say why they are
// safe.
func unexplained(scope code.Scope, all []syntax.Node) []facts.Fact[facts.Dangerous] {
	found := slices.DeleteFunc(slices.Clone(all), saysSafe)
	if len(found) == 0 {
		return nil
	}
	at := facts.Fact[struct{}]{Answer: facts.Yes, Source: court.Structure, Scope: scope, Live: facts.Yes}
	f := facts.With(at, facts.Dangerous{Kind: "settings", Name: fmt.Sprintf("%d of %d unsafe blocks", len(found), len(all)),
		Instead: "say in a SAFETY comment above each block why it is safe",
		Why:     "have no comment that says why they are safe", From: facts.Unclear, Severity: court.Low, Certainty: half})
	f.At = places(found[:min(len(found), 10)]...)
	return []facts.Fact[facts.Dangerous]{f}
}

var safeWord = regexp.MustCompile(`(?i)\bsafe(ty|ly)?\b|\bsound(ness)?\b|\binvariant`)

// saysSafe tells a block with a comment about its safety inside, on its line,
// or in the lines before it.
func saysSafe(n syntax.Node) bool {
	f := n.File()
	for _, c := range f.Comments() {
		line := f.LineAt(int(c.From))
		end := f.LineAt(int(c.To))
		if end >= n.Line()-6 && line <= n.EndLine() && safeWord.MatchString(f.Text()[c.From:c.To]) {
			return true
		}
	}
	return false
}
