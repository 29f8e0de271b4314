package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/automaton-auditor/automaton/internal/batch"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/llm"
	"github.com/automaton-auditor/automaton/internal/trace"
)

// bill counts what models were asked, and tells the run's log of each call.
type bill struct {
	content bool // events hold what was asked and answered

	mu      sync.Mutex
	log     *trace.Log
	used    court.Models
	cost    llm.USD
	unknown bool     // a call had no price
	missing []string // who asked what a cassette has no answer to
}

// to tells a log from now on.
func (b *bill) to(log *trace.Log) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.log = log
}

// tell takes one call.
func (b *bill) tell(c llm.Call) {
	b.mu.Lock()
	u := c.Reply.Usage
	if c.Reply.Kept {
		b.used.Kept++
	} else {
		b.used.Calls += c.Tries
		b.used.In, b.used.Cached, b.used.Out = b.used.In+u.In, b.used.Cached+u.Cached, b.used.Out+u.Out
		b.cost += c.Cost
		b.unknown = b.unknown || !c.Priced
	}
	if c.Missed {
		b.missing = append(b.missing, c.Prompt.For)
	}
	log := b.log
	b.mu.Unlock()
	if log != nil {
		log.Emit(b.event(c))
	}
}

// event is a call as the log has it. Who asked stands in front of what for.
func (b *bill) event(c llm.Call) trace.Event {
	node, rest, _ := strings.Cut(c.Prompt.For, " ")
	item, _, _ := strings.Cut(rest, " ")
	u := c.Reply.Usage
	call := &trace.Call{Provider: c.Provider, Model: c.Prompt.Model, Answered: c.Reply.Model, Host: c.Host, Mode: c.Prompt.Answer.Mode.String(),
		Stop: string(c.Reply.Stop), Error: llm.Why(c.Err), Tries: c.Tries, Kept: c.Reply.Kept, In: u.In, Cached: u.Cached, Out: u.Out}
	if c.Priced && !c.Reply.Kept {
		call.USD = strings.TrimPrefix(c.Cost.String(), "$")
	}
	if b.content {
		var turns []string
		for _, m := range c.Prompt.Messages {
			turns = append(turns, string(m.Role)+": "+m.Text)
		}
		call.Question = c.Prompt.Instruction() + "\n\n" + strings.Join(turns, "\n\n")
		if call.Answer = c.Reply.Text; call.Answer == "" {
			call.Answer = string(c.Reply.Args)
		}
	}
	return trace.Event{Kind: trace.ModelCall, Node: node, Item: item, Ms: c.Took.Milliseconds(), Call: call}
}

// use is what was asked so far.
func (b *bill) use() *court.Models {
	b.mu.Lock()
	defer b.mu.Unlock()
	out := b.used
	out.Prices = llm.Known().Dated
	if !b.unknown {
		out.USD = strings.TrimPrefix(b.cost.String(), "$")
	}
	return &out
}

// lacks are the questions that a cassette has no answer to, each once.
func (b *bill) lacks() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	list := slices.Clone(b.missing)
	slices.Sort(list)
	return slices.Compact(list)
}

// forOne is the same bench for one case of several: what its models are shown is kept apart.
func (s *seated) forOne() *seated {
	if s == nil {
		return nil
	}
	one := *s
	return &one
}

// aside is forOne with a bill of its own. What the models may cost is shared.
func (s *seated) aside(ctx context.Context) (context.Context, *seated) {
	one := s.forOne()
	one.bill = &bill{content: s.bill.content}
	if one.run != nil {
		ctx = one.run.Telling(ctx, one.bill.tell)
	}
	return ctx, one
}

// forCase keeps apart what the models of a class are asked for one case.
func (s *seated) forCase(ctx context.Context) (context.Context, batch.Asked) {
	ctx, one := s.aside(ctx)
	return ctx, batch.Asked{Log: one.bill.to, Use: one.bill.use, Missed: func() error {
		list := one.bill.lacks()
		if len(list) == 0 {
			return nil
		}
		return fmt.Errorf("%s has no answer to %s: %s", shown(s.tape), counted(len(list), "question", "questions"), few(list))
	}}
}
