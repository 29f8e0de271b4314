package cli

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/automaton-auditor/automaton/internal/bench"
	"github.com/automaton-auditor/automaton/internal/config"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/docket"
	"github.com/automaton-auditor/automaton/internal/llm"
	"github.com/automaton-auditor/automaton/internal/llm/provider"
	"github.com/automaton-auditor/automaton/internal/trial"
)

// modelFlags are the flags of models that are not settings.
type modelFlags struct {
	cassette, mode string
	noCache        bool
}

// chair is one model as it is reached.
type chair struct {
	endpoint llm.Endpoint
	adapter  llm.Model // nil: no server is asked
	keyFrom  string    // the variable that holds the key; empty: it needs none
}

// source is who speaks, as records name it.
func (c chair) source() string { return c.endpoint.Provider + "/" + c.endpoint.Model }

// seated is the models of one audit. The zero value is the embedded bench.
type seated struct {
	chairs map[string]chair // by seat
	run    *llm.Run         // nil: no model sits
	asker  map[string]*llm.Ladder
	bill   *bill
	tape   string // the cassette that answers; empty: servers do

	unknown bool     // checks that nobody could tell are investigated, too
	saw     *gallery // what a model was shown; nil: none looks
}

// seat opens the models that flags and configuration name. What cannot work is
// refused before anything is fetched. Where no server will be asked, no key is
// needed.
func (a *app) seat(o modelFlags, silent bool) (*seated, error) {
	s := &seated{chairs: map[string]chair{}, asker: map[string]*llm.Ladder{}, bill: &bill{content: a.traceContent()}}
	names, err := a.seatNames()
	if err != nil {
		return nil, err
	}
	silent = silent || o.cassette != "" && o.mode == string(llm.Replay)
	for _, seat := range slices.Sorted(maps.Keys(names)) {
		c, model, err := a.chair(names[seat], silent)
		if err != nil {
			return nil, err
		}
		if model {
			s.chairs[seat] = c
		}
	}
	s.unknown = a.config.Text("investigate") == "unknown"
	if len(s.chairs) == 0 {
		if o.cassette != "" {
			return nil, usage("--bench NAME chooses a model", "reading flags: --cassette %q holds answers of models, and no model is asked", o.cassette)
		}
		return s, nil
	}
	if a.hidesNames() {
		for _, d := range detectiveSeats {
			if _, ok := s.chairs[d]; ok {
				return nil, usage("--redact names is for models that judge", "reading bench: names cannot be kept from %s: it is shown pictures or files", d)
			}
		}
	}
	if err := a.openModels(s, o); err != nil {
		return nil, err
	}
	return s, nil
}

// hidesNames tells whether people's names are kept from models and collectors.
func (a *app) hidesNames() bool { return slices.Contains(a.config.List("redact"), "names") }

// chair finds out who a name means; false: the embedded judge.
func (a *app) chair(name string, silent bool) (chair, bool, error) {
	switch name {
	case embeddedBench:
		return chair{}, false, nil
	case autoBench:
		return a.automatic(silent)
	}
	p, ok := a.config.Profile(name)
	if !ok {
		who, model, named := strings.Cut(name, ":")
		if !named {
			known := append(a.config.Profiles(), embeddedBench, autoBench)
			return chair{}, false, usage(cmp.Or(meant(name, known), "give a profile, or PROVIDER:MODEL"), "reading bench: unknown bench %q (have %s)", name, strings.Join(known, ", "))
		}
		p = config.Profile{Provider: who, Model: model}
	}
	c, err := a.reach(name, p, silent)
	return c, true, err
}

// automatic is the first provider that has a key.
func (a *app) automatic(silent bool) (chair, bool, error) {
	p, key, err := a.keyed()
	if err != nil {
		return chair{}, false, err
	}
	if key != "" {
		c, err := a.reach(autoBench, config.Profile{Provider: p.Name}, silent)
		return c, true, err
	}
	a.note("no key of a provider is set: the built-in judges are used")
	return chair{}, false, nil
}

// keyed is the first provider that has a key, and the variable that holds it;
// "": none has.
func (a *app) keyed() (provider.Provider, string, error) {
	for _, p := range provider.Providers() {
		if !p.Auto() {
			continue
		}
		if _, from, err := a.keyOf(p.Keys); err != nil || from != "" {
			return p, from, err
		}
	}
	return provider.Provider{}, "", nil
}

// reach fills in what a profile leaves open. A run that is answered without
// servers needs no key.
func (a *app) reach(name string, p config.Profile, silent bool) (c chair, err error) {
	table, err := provider.Find(p.Provider)
	if err != nil {
		return c, usage("", "reading bench %q: %w", name, err)
	}
	o := provider.Config{Provider: p.Provider, RPM: a.shareOf(p.RPM), TPM: a.shareOf(p.TPM), Proxy: a.wayTo,
		BaseURL: cmp.Or(p.BaseURL, a.firstSet(table.Bases)), Model: cmp.Or(p.Model, a.firstSet(table.Models), llm.Known().Defaults[p.Provider])}
	if o.Model == "" {
		return c, usage("name one, as in "+p.Provider+":MODEL", "reading bench %q: no model of %s is named", name, p.Provider)
	}
	keys := table.Keys
	if p.KeyEnv != "" {
		keys = []string{p.KeyEnv}
	}
	if o.Key, c.keyFrom, err = a.keyOf(keys); err != nil {
		return c, err
	}
	if o.Key == "" && len(keys) > 0 {
		if !silent {
			return c, usage("set "+strings.Join(keys, " or "), "reading bench %q: there is no key for %s", name, p.Provider)
		}
		o.Key = noKey
	}
	a.hideAlso(o.Key)
	adapter, endpoint, err := provider.Open(o)
	if err != nil {
		return c, usage("", "reading bench %q: %w", name, err)
	}
	c.endpoint = endpoint
	if price := priceOf(p); price != nil {
		c.endpoint.Price = price
	}
	if c.adapter = adapter; silent {
		c.adapter = nobody{}
	}
	return c, nil
}

// shareOf is this process's share of a rate; of one that is limited it is at least 1, as 0 is no limit.
func (a *app) shareOf(rate int) int {
	if a.modelShare == 0 || rate == 0 {
		return rate
	}
	return max(1, int(a.modelShare*float64(rate)))
}

// noKey stands for a key where no server is asked.
const noKey = "no-key-is-needed-here"

// nobody is a model that cannot be asked.
type nobody struct{}

// Complete says so.
func (nobody) Complete(context.Context, llm.Prompt) (llm.Reply, error) {
	return llm.Reply{}, &llm.Error{Kind: llm.KindPermanent, What: "offline"}
}

// wayTo is the operator's proxy to a model's server.
func (a *app) wayTo(r *http.Request) (*url.URL, error) { return a.upstream(r.URL.Hostname()) }

func priceOf(p config.Profile) *llm.Price {
	if p.PriceIn == nil || p.PriceOut == nil { // both or none
		return nil
	}
	return &llm.Price{Source: "profile of " + p.Origin, In: *p.PriceIn, Cached: *p.PriceIn, Out: *p.PriceOut}
}

// firstSet is the first variable that has a value.
func (a *app) firstSet(keys []string) string {
	for _, k := range keys {
		if v := a.getenv(k); v != "" {
			return v
		}
	}
	return ""
}

// keyOf is the first key that is set, or the first line of the file that its
// variable with _FILE names, which wins.
func (a *app) keyOf(keys []string) (key, from string, err error) {
	for _, k := range keys {
		if file := a.getenv(k + "_FILE"); file != "" {
			key, err := firstLine(a.path(file))
			if err != nil {
				return "", "", usage("", "reading environment: %s_FILE: %w", k, err)
			}
			return key, k + "_FILE", nil
		}
		if v := a.getenv(k); v != "" {
			return v, k, nil
		}
	}
	return "", "", nil
}

// maxKey bounds a file that holds a key, in bytes.
const maxKey = 4 << 10

func firstLine(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", config.Cause(err)
	}
	defer func() { _ = f.Close() }() // only read
	line, _, err := bufio.NewReaderSize(f, maxKey).ReadLine()
	if err != nil {
		return "", errors.New("the file has no first line")
	}
	return strings.TrimSpace(string(line)), nil
}

// budget is what models may cost.
func (a *app) budget() (most docket.Money, err error) {
	most.Tokens = int64(a.config.Number("budget_tokens"))
	if v := a.config.Text("budget"); v != "" {
		if err := most.Cost.UnmarshalText([]byte(v)); err != nil {
			return most, usage("", "reading budget: %w", err)
		}
	}
	return most, nil
}

// openModels opens what the chairs share, and an asker for each.
func (a *app) openModels(s *seated, o modelFlags) (err error) {
	most, err := a.budget()
	if err != nil {
		return err
	}
	opts := llm.Options{Clock: llm.Clock{Now: a.Now}, Random: rand.Int64N, Tell: s.bill.tell, Lend: a.lend, Budget: most.Cost, BudgetTokens: most.Tokens}
	if !o.noCache {
		if dir, err := a.cacheDir(); err == nil && dir != "" {
			opts.Cache = filepath.Join(dir, "models")
		}
	}
	if o.cassette != "" {
		if err := a.outsideTree(a.path(o.cassette), "reading cassette "+o.cassette); err != nil {
			return err
		}
		opts.Cassette, opts.CassetteMode, s.tape = a.path(o.cassette), llm.CassetteMode(o.mode), o.cassette
	}
	if s.run, err = llm.Open(opts); err != nil {
		return coded(exitUsage, fmt.Errorf("opening models: %w", err))
	}
	for seat, c := range s.chairs {
		if s.asker[seat], err = s.run.Ladder(c.endpoint, c.adapter); err != nil {
			return coded(exitUsage, fmt.Errorf("opening %s: %w", c.source(), err), hintOf(err)...)
		}
	}
	return nil
}

// hintOf is the advice that an error carries.
func hintOf(err error) []string {
	var h interface{ Hint() string }
	if errors.As(err, &h) {
		return []string{h.Hint()}
	}
	return nil
}

// bench is who sits, for the trial.
func (s *seated) bench(a *app) trial.Panel {
	b := trial.Panel{}
	if s == nil || s.run == nil {
		return b
	}
	b.Seats, b.Detectives, b.Prompts = map[court.Persona]trial.Seat{}, map[court.Detective]string{}, trial.Prompts()
	b.Redact, b.Use = a.hidesNames(), s.bill.use
	for _, j := range court.Personas() {
		if c, ok := s.chairs[string(j)]; ok {
			b.Seats[j] = trial.Seat{Source: c.source(), Sit: func(in trial.In) bench.Judge {
				return &bench.Counsel{Seat: j, Source: c.source(), Model: c.endpoint.Model, Asker: s.asker[string(j)], Case: in.Case, Names: in.Names}
			}}
		}
	}
	for _, d := range detectiveSeats {
		if c, ok := s.chairs[d]; ok {
			b.Detectives[court.Detective(d)] = c.source()
			if d == string(court.RepoInvestigator) && s.unknown {
				b.Detectives[court.Detective(d)] += ", on unknown checks too"
			}
		}
	}
	return b
}

// equip gives the detectives their models; a nil bench has none.
func (s *seated) equip(sub trial.Submission) trial.Submission {
	if s == nil {
		return sub
	}
	if l := s.asker[string(court.VisionInspector)]; l != nil {
		s.saw = &gallery{Looker: &trial.Assistant{Model: s.chairs[string(court.VisionInspector)].endpoint.Model, Asker: l}, seen: map[string][]byte{}}
		sub.Looker = s.saw
	}
	if l := s.asker[string(court.RepoInvestigator)]; l != nil {
		sub.Inquirer = &trial.Assistant{Model: s.chairs[string(court.RepoInvestigator)].endpoint.Model, Asker: l}
		sub.InquireUnknown = s.unknown
	}
	return sub
}

// missed says that a cassette did not have an answer: a case without it has no
// result.
func (s *seated) missed(what string) error {
	if s.run == nil || s.run.Missed() == nil {
		return nil
	}
	return coded(exitUsage, fmt.Errorf("judging the %s from %s: %w", what, s.tape, s.run.Missed()),
		"--cassette-mode extend asks and records what is missing")
}

// closed ends the models' run.
func (a *app) closed(s *seated) {
	if s == nil || s.run == nil {
		return
	}
	if err := s.run.Close(); err != nil && s.run.Missed() == nil { // that was told
		a.warn("closing the models: %v", err)
	}
}

// hintModels mentions a key that nobody asked to use.
func (a *app) hintModels(s *seated) {
	if len(s.chairs) > 0 || a.config.Get("bench").Origin != config.BuiltIn || len(a.config.List("seat")) > 0 {
		return
	}
	if p, from, err := a.keyed(); err == nil && from != "" {
		a.note("a key for %s is set; --bench auto would use it", p.Name)
	}
}

// modelFlag gives a command the flags of models.
func modelFlag(c *cobra.Command, o *modelFlags) {
	f := c.Flags()
	f.String("bench", "", "`NAME` who judges: embedded, auto, a profile, or PROVIDER:MODEL (default embedded)")
	f.StringArray("seat", nil, "`SEAT=NAME` who takes one seat: Prosecutor, Defense, TechLead, VisionInspector or RepoInvestigator (repeatable)")
	f.String("investigate", "", "`WHAT` what a model in the seat RepoInvestigator looks into: generic (criteria without checks of their own) or unknown (unanswered checks, too) (default generic)")
	f.String("budget", "", "`DOLLARS` most US dollars that models may cost")
	f.String("budget-tokens", "", "`TOKENS` most tokens that models may use")
	f.BoolVar(&o.noCache, "no-cache", false, "neither use nor keep cached answers of models")
	f.StringVar(&o.cassette, "cassette", "", "`FILE` file with recorded answers of models")
	o.mode = string(llm.Replay)
	f.Var(choice{&o.mode, []string{string(llm.Replay), string(llm.Record), string(llm.Extend)}, "mode %q for --cassette-mode"}, "cassette-mode", "`MODE` what to do with the cassette: replay, record or extend")
	f.StringArray("redact", nil, "`WHAT` what models are not told: names (repeatable)")
	f.Bool("trace-content", false, "include questions and answers of models in traces")
}
