package safety

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/code/syntax"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/facts"
	"github.com/automaton-auditor/automaton/internal/il/intree"
	"github.com/automaton-auditor/automaton/internal/probe"
	"github.com/automaton-auditor/automaton/internal/tables"
)

// quoted is a constant text that a program of Python runs as code.
type quoted struct {
	at     code.Node
	starts []facts.ProcessStart // what it does that uses a shell
	wild   bool                 // it does more than what is looked at here
}

const (
	maxQuoted     = 64      // texts of a program that are read
	maxQuotedText = 1 << 16 // bytes of one
	maxQuotedIn   = 3       // texts in texts
)

// readQuoted reads the constant texts that are handed to exec and eval as the code that
// they are.
func (v *survey) readQuoted(ctx context.Context, s *probe.Scene) error {
	all, err := s.Analyses(ctx)
	if err != nil {
		return err
	}
	all.Lock()
	calls, texts := texts(v.p)
	all.Unlock()
	if len(texts) == 0 {
		return nil
	}
	v.quoted = map[stretch]*quoted{}
	for i, text := range texts {
		q := &quoted{at: calls[i].Node}
		if err := v.readText(ctx, s, text, q, maxQuotedIn); err != nil {
			return err
		}
		v.quoted[stretch{q.at.Path(), q.at.Start(), q.at.End()}] = q
	}
	return nil
}

// texts are the calls of a program that run a constant text as code, and these texts.
// The caller holds the lock of the analyses.
func texts(p *intree.Program) (calls []*intree.Call, out []string) {
	for _, c := range p.Calls("builtins.exec", "builtins.eval") {
		n := c.Arg("", 0)
		if inner := p.Call(n); inner != nil && inner.Matches("builtins.compile") {
			n = inner.Arg("source", 0)
		}
		if !n.Valid() || len(out) >= maxQuoted {
			continue
		}
		if text, ok := p.Text(n); ok && len(text) <= maxQuotedText {
			calls, out = append(calls, c), append(out, text)
		}
	}
	return calls, out
}

// readText notes what a text does that is run as code.
func (v *survey) readText(ctx context.Context, s *probe.Scene, text string, q *quoted, deep int) error {
	parsed, err := s.Parse(ctx, []code.File{{Path: "quoted.py", Bytes: []byte(text)}})
	if err != nil {
		return err
	}
	if len(parsed.Modules) == 0 || len(parsed.Faults) > 0 || deep == 0 {
		q.wild = true
		return nil
	}
	p, all, err := s.LowerOf(ctx, parsed)
	if err != nil {
		return err
	}
	for _, ways := range newLowered(all, &survey{p: p, file: v.file, trees: &syntax.Program{}}).processes() {
		x := ways[0]
		if q.wild = q.wild || x.open; x.shell {
			start := facts.ProcessStart{API: court.Clean(x.api, 60), Shell: facts.Yes, Handed: true, Command: facts.Command{From: facts.Open}}
			if !slices.ContainsFunc(x.argvs, func(line []operand) bool { return slices.ContainsFunc(line, func(w operand) bool { return !w.known }) }) && len(x.argvs) > 0 {
				start.Command = facts.Command{Constant: true}
			}
			q.starts = append(q.starts, start)
		}
	}
	calls, inner := texts(p)
	for _, t := range inner {
		if err := v.readText(ctx, s, t, q, deep-1); err != nil {
			return err
		}
	}
	for _, c := range p.Calls() {
		read := slices.ContainsFunc(calls, func(k *intree.Call) bool { return k.Node == c.Node })
		q.wild = q.wild || !read && (!c.Callee.Known() || c.Callee.In(tables.Of(tables.Danger), "code"))
	}
	return nil
}

// startsQuoted are the processes that texts start which are run as code.
func (x *lowered) startsQuoted() (out []facts.Fact[facts.ProcessStart]) {
	keys := slices.SortedFunc(maps.Keys(x.survey.quoted), func(a, b stretch) int { return cmp.Or(strings.Compare(a.path, b.path), a.from-b.from) })
	for _, k := range keys {
		q := x.survey.quoted[k]
		for _, p := range q.starts {
			f := x.survey.lies(q.at)
			f.Why = facts.Reason{Code: court.Dynamic, Text: fmt.Sprintf("whether %s uses a shell could not be determined", p.API)}
			out = append(out, facts.With(f, p))
		}
	}
	return out
}

// plain tells a call that runs a constant text whose effects are all known.
func (x *lowered) plain(c call) bool {
	q := x.survey.quoted[stretch{c.f.Module.Path, int(c.in.Span.From), int(c.in.Span.To)}]
	return q != nil && !q.wild
}
