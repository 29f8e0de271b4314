package cli

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/automaton-auditor/automaton/internal/config"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/rubric"
	"github.com/automaton-auditor/automaton/internal/trial"
)

// offer is what a shell may complete a word to, and what it is.
type offer struct{ word, about string }

// completions lets every command of the tree offer what its flags and its
// argument take. A flag that is not named here takes files.
func (a *app) completions(c *cobra.Command) {
	hook := func(f *pflag.Flag) {
		if fn := a.completionOf(f); fn != nil {
			_ = c.RegisterFlagCompletionFunc(f.Name, fn) // it refuses flags that are not there, or twice
		}
	}
	c.PersistentFlags().VisitAll(hook)
	c.LocalNonPersistentFlags().VisitAll(hook)
	switch c.CommandPath() {
	case "automaton audit", "automaton facts", "automaton graph", "automaton code":
		c.ValidArgsFunction = folders
	case "automaton probe explain", "automaton probe run":
		c.ValidArgsFunction = a.offering(cobra.ShellCompDirectiveNoFileComp, func(_ *cobra.Command, args []string) []offer {
			if len(args) > 0 {
				return nil
			}
			return probeOffers()
		})
	case "automaton rubric show":
		c.ValidArgsFunction = a.offering(cobra.ShellCompDirectiveDefault, rubricOffers)
	case "automaton", "automaton version", "automaton doctor", "automaton probe list":
		c.ValidArgsFunction = cobra.NoFileCompletions
	}
	for _, sub := range c.Commands() {
		a.completions(sub)
	}
}

func folders(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return nil, cobra.ShellCompDirectiveFilterDirs
}

// completionOf is what a flag takes; nil: files.
func (a *app) completionOf(f *pflag.Flag) cobra.CompletionFunc {
	v := f.Value
	if o, ok := v.(*once); ok {
		v = o.Value
	}
	if p, ok := v.(placed); ok {
		v = p.Value
	}
	none := cobra.ShellCompDirectiveNoFileComp
	if known, ok := v.(choice); ok {
		return a.offering(none, func(*cobra.Command, []string) []offer { return words(known.allowed) })
	}
	switch f.Name {
	case "rubric":
		return a.offering(cobra.ShellCompDirectiveDefault, rubricOffers)
	case "pdf":
		return a.offering(cobra.ShellCompDirectiveDefault, func(*cobra.Command, []string) []offer {
			return []offer{{"auto", "the one that looks most like it"}, {"none", "no document"}, {"tree:", "a file of the audited commit"}}
		})
	case "fail-on":
		return a.offering(none, func(*cobra.Command, []string) []offer { return conditionOffers() })
	case "only":
		return listing(a.offering(none|cobra.ShellCompDirectiveNoSpace, a.criteriaOfRubric))
	case "fail-under":
		return a.offering(none|cobra.ShellCompDirectiveNoSpace, a.barOffers)
	case "criterion":
		return a.offering(none, a.criteriaOfRecord)
	case "evidence", "drop":
		return a.offering(none, a.evidenceOffers)
	case "fix":
		return a.offering(none, a.fixOffers)
	case "off":
		return a.offering(none, a.lawOffers(true))
	case "set":
		return a.offering(none|cobra.ShellCompDirectiveNoSpace, a.lawOffers(false))
	case "out", "save":
		return folders
	case "jobs", "timeout", "commit", "allow-host", "arg", "id":
		return cobra.NoFileCompletions
	}
	return nil
}

// offering makes a completion of what find gives. What a shell gets to see of a
// record or a rubric holds no character that means something to a shell.
func (a *app) offering(d cobra.ShellCompDirective, find func(c *cobra.Command, args []string) []offer) cobra.CompletionFunc {
	return func(c *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective) {
		a.flags.quiet = true // nobody reads warnings in the middle of a line
		var out []string
		for _, o := range find(c, args) {
			if strings.HasPrefix(o.word, begun) && o.word == mild(o.word) && !strings.Contains(o.word, " ") {
				out = append(out, cobra.CompletionWithDesc(o.word, mild(court.Clean(o.about, 60))))
			}
		}
		return out, d
	}
}

// mild is text without what a shell could act on.
func mild(s string) string {
	return strings.Join(strings.Fields(strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("._-,:/+=()", r) {
			return r
		}
		return ' '
	}, s)), " ")
}

// listing completes the last item of a list with commas.
func listing(one cobra.CompletionFunc) cobra.CompletionFunc {
	return func(c *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective) {
		head, last := "", begun
		if i := strings.LastIndex(begun, ","); i >= 0 {
			head, last = begun[:i+1], begun[i+1:]
		}
		all, d := one(c, args, last)
		var out []string
		for _, s := range all {
			if word, _, _ := strings.Cut(s, "\t"); !slices.Contains(strings.Split(head, ","), word) {
				out = append(out, head+s)
			}
		}
		return out, d
	}
}

func rubricOffers(*cobra.Command, []string) []offer {
	var out []offer
	for _, name := range rubric.Builtins() {
		out = append(out, offer{name, "built in"})
	}
	return out
}

func probeOffers() []offer {
	var out []offer
	for _, p := range trial.Probes() {
		out = append(out, offer{p.ID, p.Title})
	}
	return out
}

func conditionOffers() []offer {
	var out []offer
	for _, k := range config.Keys {
		if k.Name == "fail_on" {
			out = words(k.Allowed)
		}
	}
	return out
}

// words are offers that need no explanation.
func words(list []string) []offer {
	var out []offer
	for _, w := range list {
		out = append(out, offer{word: w})
	}
	return out
}

// criteriaOfRubric are the criteria that an audit would hear.
func (a *app) criteriaOfRubric(c *cobra.Command, _ []string) []offer {
	if a.settle(c, "", false) != nil || a.chosenRubric() == "-" {
		return nil
	}
	r, err := a.loadRubric(c.Context(), a.chosenRubric())
	if err != nil {
		return nil
	}
	return criteriaOffers(r.Criteria)
}

func criteriaOffers(list []court.Criterion) []offer {
	var out []offer
	for _, cr := range list {
		out = append(out, offer{cr.ID, cr.Name})
	}
	return out
}

func (a *app) barOffers(c *cobra.Command, args []string) []offer {
	out := a.criteriaOfRubric(c, args)
	for i := range out {
		out[i].word += "="
	}
	return out
}

// offered is the record that a command line is about; nil: there is none yet.
func (a *app) offered(c *cobra.Command, args []string) *court.Record {
	if len(args) > 0 && args[0] == "-" {
		return nil
	}
	rec, err := a.record(c, args[:min(len(args), 1)])
	if err != nil {
		return nil
	}
	return rec
}

func (a *app) criteriaOfRecord(c *cobra.Command, args []string) []offer {
	if rec := a.offered(c, args); rec != nil {
		return criteriaOffers(rec.Rubric.Heard(rec.Case.Only))
	}
	return nil
}

func (a *app) evidenceOffers(c *cobra.Command, args []string) []offer {
	var out []offer
	if rec := a.offered(c, args); rec != nil {
		for _, cr := range rec.Rubric.Heard(rec.Case.Only) {
			for _, x := range rec.Evidences[cr.ID] {
				out = append(out, offer{x.Label, string(x.Outcome) + ": " + x.Rationale})
			}
		}
	}
	slices.SortStableFunc(out, func(x, y offer) int { return len(x.word) - len(y.word) }) // E9 before E10
	return out
}

// fixOffers are the lines of the remediation list by number, and the checks.
func (a *app) fixOffers(c *cobra.Command, args []string) []offer {
	rec := a.offered(c, args)
	if rec == nil {
		return nil
	}
	var out []offer
	for i, m := range rec.Remedies {
		out = append(out, offer{strconv.Itoa(i + 1), m.Text})
	}
	for _, cr := range rec.Rubric.Heard(rec.Case.Only) {
		for _, check := range cr.Checks {
			out = append(out, offer{check.ID, check.Text})
		}
	}
	return out
}
