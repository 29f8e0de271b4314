package llm

import (
	"strings"
	"testing"
	"time"
)

// The table of models: every price has a source and a date, every default is in
// it with a price, and no number is out of the world.
func TestModels(t *testing.T) {
	m := Known()
	if _, err := time.Parse(time.DateOnly, m.Dated); err != nil {
		t.Error(err)
	}
	for provider, all := range m.Providers {
		seen := map[string]bool{}
		for _, l := range all {
			if seen[l.Name] {
				t.Errorf("%s stands twice", l.Name)
			}
			seen[l.Name] = true
			if _, err := time.Parse(time.DateOnly, l.Retires); l.Retires != "" && err != nil {
				t.Errorf("%s:%s: %v", provider, l.Name, err)
			}
			p := l.Price
			if p == nil {
				continue
			}
			if !strings.HasPrefix(p.Source, "https://") || !strings.Contains(p.Dated, "20") {
				t.Errorf("%s:%s: %q, %q is no source with a date", provider, l.Name, p.Source, p.Dated)
			}
			if p.In <= 0 || p.Out < p.In || p.Cached > p.In || p.Write != 0 && p.Write < p.In || p.Out > 200*dollar {
				t.Errorf("%s:%s: %+v", provider, l.Name, p)
			}
		}
	}
	for provider, name := range m.Defaults {
		l, ok := m.Find(provider, name)
		if !ok || l.Price == nil || l.Retires != "" {
			t.Errorf("%s:%s is a default without a price, or retires", provider, name)
		}
	}
}

// A model is known with and without the date of its snapshot, and its price no
// longer than it holds.
func TestFind(t *testing.T) {
	m := Known()
	for name, want := range map[string]string{
		"claude-haiku-4-5-20251001": "claude-haiku-4-5", "claude-haiku-4-5": "claude-haiku-4-5", "claude-haiku-4": "", "": "", "claude-haiku-4-5-2025": "",
	} {
		if l, ok := m.Find("anthropic", name); l.Name != want || ok != (want != "") {
			t.Errorf("%s: %s, %v", name, l.Name, ok)
		}
	}
	e := Endpoint{Provider: "gemini", Model: "gemini-3.8-flash"}
	last := time.Date(2026, 12, 31, 23, 0, 0, 0, time.UTC)
	if e.price(last) == nil || e.price(last.Add(2*time.Hour)) != nil {
		t.Error("a price holds on its last day and not after")
	}
}

// What a run would cost at worst, for the line before the first call.
func TestEstimate(t *testing.T) {
	now := time.Date(2026, 11, 22, 0, 0, 0, 0, time.UTC)
	prompts := make([]Prompt, 30)
	for i := range prompts {
		prompts[i] = ask("x")
		prompts[i].Messages[0].Text = strings.Repeat("y", 24_000)
	}
	in, out := worst(prompts[0])
	e := Endpoint{Provider: "anthropic", Model: "claude-sonnet-5-5"}
	got := e.Estimate(now, prompts)
	want := Bill{Calls: 30, In: int64(30 * in), Out: int64(30 * out), Cost: USD(30 * (in*25/10 + out*10))}
	if got.Calls != want.Calls || got.In != want.In || got.Out != want.Out || got.Cost < want.Cost || got.Cost > want.Cost+60 || got.Unknown {
		t.Errorf("%+v, want %+v", got, want)
	}
	e.Model = "unknown"
	if got := e.Estimate(now, prompts); !got.Unknown || got.Cost != 0 || got.In != want.In {
		t.Errorf("%+v", got)
	}
	e.Local = true
	if got := e.Estimate(now, prompts); got.Unknown || got.Cost != 0 {
		t.Errorf("%+v", got)
	}
}

// A prompt that is longer than its price holds is not asked under a budget.
func TestTooLongForPrice(t *testing.T) {
	o := options(newTime())
	o.Budget = 100 * dollar
	r := open(t, o)
	m := always(goodJSON)
	inner, err := r.Around(Endpoint{Provider: "openai", Model: "gpt-6-luna", BaseURL: "https://models.example"}, m)
	if err != nil {
		t.Fatal(err)
	}
	p := ask("x")
	if _, err := inner.Complete(t.Context(), p); err != nil {
		t.Error(err)
	}
	p.Messages[0].Text = strings.Repeat("y", 900_000)
	if _, err := inner.Complete(t.Context(), p); m.count() != 1 || !strings.HasPrefix(Why(err), "prompt too long: the price of") {
		t.Error(err)
	}
}

// Where the server does not say what it began to keep, all of it counts so.
func TestSilent(t *testing.T) {
	p := &Price{In: 2 * dollar, Cached: dollar / 10, Write: dollar * 5 / 2, Out: 10 * dollar}
	loud := billOf(Usage{In: 1000, Cached: 200}, p).Cost
	p.Silent = true
	if silent := billOf(Usage{In: 1000, Cached: 200}, p).Cost; loud != 1620 || silent != 2020 {
		t.Errorf("%d and %d", loud, silent)
	}
}
