// Package config unites flags, environment and files into one set of settings,
// and knows where each value came from.
//
// It reads nothing of the audited tree: the one under audit must not choose the
// gate, the rubric or a limit.
package config

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Key is one setting.
type Key struct {
	Name    string // in files; AUTOMATON_NAME in the environment
	Kind    Kind
	Default string
	Allowed []string // of a text; empty: anything
	Doc     string
}

// Kind is the type of a setting.
type Kind string

// The kinds of settings.
const (
	Text     Kind = "text"
	Number   Kind = "number"
	Switch   Kind = "switch"
	Duration Kind = "duration"
	List     Kind = "list"
	Money    Kind = "amount of money"
	Seats    Kind = "bench" // one name, or SEAT=NAME for each seat; in files also a mapping
)

// Keys lists the settings in the order in which they are shown.
var Keys = []Key{
	{Name: "rubric", Kind: Text, Default: "courtroom", Doc: "rubric: a built-in name or a file"},
	{Name: "out", Kind: Text, Default: "automaton-out", Doc: "folder that holds the case folders"},
	{Name: "cache", Kind: Text, Doc: "folder for caches (default: the cache folder of the user)"},
	{Name: "store", Kind: Text, Doc: "database of cohorts: the address of a Postgres server, without a password (default: a file in the cohort's folder)"},
	{Name: "jobs", Kind: Number, Default: "0", Doc: "number of jobs at once; 0 means one for each CPU"},
	{Name: "timeout", Kind: Duration, Default: "10m", Doc: "time limit for the whole audit"},
	{Name: "fail_under", Kind: List, Doc: "lowest scores that pass the gate: SCORE for the total, CRITERION=SCORE for one criterion"},
	{Name: "fail_on", Kind: List, Allowed: []string{"security_override", "contested", "insufficient", "substituted", "regression", "none"}, Doc: "conditions that fail the gate"},
	{Name: "allow_host", Kind: List, Doc: "further hosts that may be fetched from"},
	{Name: "require_sandbox", Kind: Switch, Default: "false", Doc: "refuse to run if a layer of the sandbox is missing"},
	{Name: "ocr", Kind: Switch, Default: "false", Doc: "read text in pictures of the document with tesseract, which must be installed"},
	{Name: "bench", Kind: Seats, Default: "embedded", Doc: "who judges: embedded, auto, a profile, PROVIDER:MODEL, or one for each seat"},
	{Name: "seat", Kind: List, Doc: "who takes one seat, SEAT=NAME"},
	{Name: "investigate", Kind: Text, Default: "generic", Allowed: []string{"generic", "unknown"}, Doc: "what a model in the seat RepoInvestigator looks into: criteria without checks of their own, or unanswered checks, too"},
	{Name: "budget", Kind: Money, Doc: "most US dollars that models may cost"},
	{Name: "budget_tokens", Kind: Number, Default: "0", Doc: "most tokens that models may use; 0 means no limit"},
	{Name: "redact", Kind: List, Allowed: []string{"names"}, Doc: "what models are not told"},
	{Name: "trace_content", Kind: Switch, Default: "false", Doc: "include questions and answers of models in traces"},
	{Name: "color", Kind: Text, Default: "auto", Allowed: []string{"auto", "always", "never"}, Doc: "when to use colours"},
	{Name: "progress", Kind: Text, Default: "auto", Allowed: []string{"auto", "live", "plain", "json", "none"}, Doc: "how to show progress"},
}

// Env is the variable of a key.
func (k Key) Env() string { return "AUTOMATON_" + strings.ToUpper(k.Name) }

func find(name string) (Key, bool) {
	i := slices.IndexFunc(Keys, func(k Key) bool { return k.Name == name })
	if i < 0 {
		return Key{}, false
	}
	return Keys[i], true
}

// BuiltIn is the origin of a value that nobody set.
const BuiltIn = "built-in"

// Setting is a value and where it came from.
type Setting struct {
	Values []string // one, but for lists
	Origin string   // built-in, a file's name, AUTOMATON_…, or --flag
	Dir    string   // of a file's value: the folder that the file lies in
}

// Config holds the settings that were read. Later layers replace earlier ones,
// key by key.
type Config struct {
	settings map[string]Setting
	profiles map[string]Profile
}

// New is the built-in configuration.
func New() *Config {
	c := &Config{settings: map[string]Setting{}, profiles: map[string]Profile{}}
	for _, k := range Keys {
		var v []string
		if k.Default != "" {
			v = []string{k.Default}
		}
		c.settings[k.Name] = Setting{Values: v, Origin: BuiltIn}
	}
	return c
}

// Set replaces a setting. The value must fit the key's kind.
func (c *Config) Set(name, origin string, values ...string) error {
	k, ok := find(name)
	if !ok {
		return fmt.Errorf("unknown key %q", name)
	}
	for _, v := range values {
		if err := k.check(v); err != nil {
			return err
		}
	}
	c.settings[name] = Setting{Values: slices.Clone(values), Origin: origin}
	return nil
}

func (k Key) check(v string) (err error) {
	switch k.Kind {
	case Number:
		var n int
		if n, err = strconv.Atoi(v); err == nil && n < 0 {
			err = fmt.Errorf("%d is negative", n)
		}
	case Switch:
		_, err = strconv.ParseBool(v)
	case Duration:
		var d time.Duration
		if d, err = time.ParseDuration(v); err == nil && d <= 0 {
			err = fmt.Errorf("%q is not a positive duration", v)
		}
	case Money:
		_, err = price(v)
	case Text, List, Seats: // held to Allowed alone
	}
	if err != nil {
		return fmt.Errorf("%q is not a valid %s, for example %s", v, k.Kind, map[Kind]string{Number: "4", Switch: "true", Duration: "10m", Money: "2.50"}[k.Kind])
	}
	if len(k.Allowed) > 0 && !slices.Contains(k.Allowed, v) {
		return fmt.Errorf("unknown value %q (have %s)", v, strings.Join(k.Allowed, ", "))
	}
	return nil
}

// Get is a setting with its origin.
func (c *Config) Get(name string) Setting { return c.settings[name] }

// Text is the value of a text setting.
func (c *Config) Text(name string) string {
	if v := c.settings[name].Values; len(v) > 0 {
		return v[0]
	}
	return ""
}

// Number is the value of a number setting.
func (c *Config) Number(name string) int {
	n, _ := strconv.Atoi(c.Text(name)) // checked by Set
	return n
}

// Switch is the value of a switch.
func (c *Config) Switch(name string) bool {
	on, _ := strconv.ParseBool(c.Text(name)) // checked by Set
	return on
}

// Duration is the value of a duration.
func (c *Config) Duration(name string) time.Duration {
	d, _ := time.ParseDuration(c.Text(name)) // checked by Set
	return d
}

// List is the value of a list.
func (c *Config) List(name string) []string { return c.settings[name].Values }

// Environment sets what the environment has of our keys, lists with commas.
func (c *Config) Environment(getenv func(string) string) error {
	for _, k := range Keys {
		v := getenv(k.Env())
		if v == "" {
			continue
		}
		values := []string{v}
		if k.Kind == List || k.Kind == Seats {
			values = strings.Split(v, ",")
		}
		if err := c.Set(k.Name, k.Env(), values...); err != nil {
			return fmt.Errorf("reading environment: %s: %w", k.Env(), err)
		}
	}
	return nil
}
