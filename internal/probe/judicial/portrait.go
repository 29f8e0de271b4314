package judicial

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/facts"
	"github.com/automaton-auditor/automaton/internal/probe"
)

// Portrait is the chain of the submission, for readers: from what it looks at to what it
// reports. Without detectives, judges and a chief justice there is none. An error means
// that nothing could be looked at.
func Portrait(ctx context.Context, s *probe.Scene) ([]court.Arrow, error) {
	b, err := study(ctx, s)
	if err != nil {
		return nil, err
	}
	links, err := b.chain(ctx, s)
	if err != nil {
		return nil, err
	}
	var out []court.Arrow
	some := false
	for _, f := range links {
		a, err := arrow(ctx, s, f)
		if err != nil {
			return nil, err
		}
		some = some || a.State != court.ArrowMissing
		out = append(out, a)
	}
	if !some {
		return nil, nil
	}
	return out, nil
}

// chain is every arrow, those apart that no run comes to.
func (b *bench) chain(ctx context.Context, s *probe.Scene) ([]facts.Fact[facts.Link], error) {
	out := make([]facts.Fact[facts.Link], len(arrows))
	func() {
		defer b.hold()()
		for i, on := range arrows {
			out[i] = b.link(on)
		}
	}()
	for i, f := range out {
		if f.Value.Lacks != "" || f.Answer == facts.No {
			continue
		}
		for _, end := range [][]court.Place{f.Value.From, f.Value.To} {
			if len(end) == 0 {
				continue
			}
			why, at, err := s.Crash(ctx, end[0])
			if _, unable := errors.AsType[*probe.Unable](err); err != nil && !unable {
				return nil, err
			}
			if why != "" && !facts.Broken(out[i]) {
				out[i].Answer, out[i].Why.Text = facts.No, fmt.Sprintf("no run gets by there: %s (%s)", why, at)
			}
		}
	}
	return out, nil
}

// arrow is a link as the record holds it.
func arrow(ctx context.Context, s *probe.Scene, f facts.Fact[facts.Link]) (court.Arrow, error) {
	a := court.Arrow{From: f.Value.Arrow.From, To: f.Value.Arrow.To, Why: shown(f.Why.Text)}
	switch {
	case f.Value.Lacks != "":
		a.State, a.Why = court.ArrowMissing, f.Value.Lacks
		return a, nil
	case f.Answer == facts.Yes:
		a.State, a.Why, a.Way = court.ArrowWhole, "", s.Located(f.Value.Way...)
	case f.Answer == facts.No:
		a.State = court.ArrowBroken
	default:
		a.State = court.ArrowLost
	}
	var err error
	if a.Source, err = quoted(ctx, s, f.Value.From); err == nil {
		a.Target, err = quoted(ctx, s, f.Value.To)
	}
	return a, err
}

// quoted are places with their first lines.
func quoted(ctx context.Context, s *probe.Scene, in []court.Place) (out []court.Quoted, err error) {
	for _, p := range s.Located(in...) {
		text, err := s.Quote(ctx, p)
		if err != nil {
			return nil, fmt.Errorf("quoting an end of the chain: %w", err)
		}
		first, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
		out = append(out, court.Quoted{At: p, Text: shown(first)})
	}
	return out, nil
}

// shown is a text of an arrow, bounded.
func shown(text string) string { return court.Clean(probe.Mask(text), maxShown) }

const maxShown = 200
