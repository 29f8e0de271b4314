package config

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml/ast"

	"github.com/automaton-auditor/automaton/internal/llm"
)

// Profile is a model by a name of the user's: how it is reached and what it
// costs.
type Profile struct {
	Provider string // openai, anthropic, gemini, groq, openrouter, ollama, compatible
	Model    string
	BaseURL  string
	KeyEnv   string // the variable that holds the key; empty: the provider's own
	RPM, TPM int    // requests and tokens a minute; 0: no limit
	// PriceIn and PriceOut are for a million tokens; nil: the table's.
	PriceIn, PriceOut *llm.USD
	Origin            string // the file that has it
}

// profilesKey is the one key of a file that no flag and no variable sets.
const profilesKey = "profiles"

// Profile is the profile of a name.
func (c *Config) Profile(name string) (Profile, bool) {
	p, ok := c.profiles[name]
	return p, ok
}

// Profiles lists the names of all profiles, sorted.
func (c *Config) Profiles() []string {
	var names []string
	for name := range c.profiles {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// readProfiles merges the profiles of a file by name.
func (c *Config) readProfiles(n ast.Node, file string) error {
	all, ok := n.(ast.MapNode)
	if !ok {
		return place(n, file, "profiles: names with their settings are wanted", "")
	}
	seen := map[string]bool{}
	for it := all.MapRange(); it.Next(); {
		name := keyText(it.Key())
		switch {
		case seen[name]:
			return place(it.Key(), file, fmt.Sprintf("profile %q appears twice", name), "")
		case name == "embedded" || name == "auto" || name == "" || strings.ContainsAny(name, ":=, "):
			return place(it.Key(), file, fmt.Sprintf("%q cannot name a profile", name), "letters, digits, - and _ make a name")
		}
		seen[name] = true
		m, ok := it.Value().(ast.MapNode)
		if !ok {
			return place(it.Value(), file, fmt.Sprintf("profile %q: keys and values are wanted", name), "")
		}
		p, err := readProfile(m, file)
		if err != nil {
			return err
		}
		c.profiles[name] = p
	}
	return nil
}

func readProfile(m ast.MapNode, file string) (Profile, error) {
	p := Profile{Origin: file}
	seen := map[string]bool{}
	for it := m.MapRange(); it.Next(); {
		key := keyText(it.Key())
		v, err := scalar(it.Value())
		switch {
		case seen[key]:
			return p, place(it.Key(), file, fmt.Sprintf("key %q appears twice", key), "")
		case err == nil:
			err = p.set(key, v)
		}
		if unknown := (*unknownKey)(nil); errors.As(err, &unknown) {
			return p, place(it.Key(), file, err.Error(), "")
		}
		if err != nil {
			return p, place(it.Value(), file, key+": "+err.Error(), "")
		}
		seen[key] = true
	}
	missing := ""
	switch {
	case p.Provider == "":
		missing = "provider is missing"
	case (p.PriceIn == nil) != (p.PriceOut == nil): // half a price would keep half a budget
		missing = "price_in and price_out belong together"
	default:
		return p, nil
	}
	return p, place(m.(ast.Node), file, missing, "") //nolint:forcetypeassert // every MapNode of the parser is a node
}

// unknownKey is a key that no profile has.
type unknownKey struct{ key string }

func (u *unknownKey) Error() string {
	return fmt.Sprintf("unknown key %q (have provider, model, base_url, key_env, rpm, tpm, price_in, price_out)", u.key)
}

func (p *Profile) set(key, v string) (err error) {
	switch key {
	case "provider":
		p.Provider = v
	case "model":
		p.Model = v
	case "base_url":
		p.BaseURL = v
	case "key_env":
		p.KeyEnv = v
	case "rpm":
		p.RPM, err = positive(v)
	case "tpm":
		p.TPM, err = positive(v)
	case "price_in":
		p.PriceIn, err = price(v)
	case "price_out":
		p.PriceOut, err = price(v)
	default:
		return &unknownKey{key}
	}
	return err
}

func positive(v string) (int, error) {
	n, err := strconv.Atoi(v)
	if err != nil || n <= 0 {
		return 0, fmt.Errorf("%q is not a number above 0", v)
	}
	return n, nil
}

func price(v string) (*llm.USD, error) {
	var n llm.USD
	err := n.UnmarshalText([]byte(v))
	return &n, err
}

// pairs is a mapping as KEY=VALUE.
func pairs(m ast.MapNode) ([]string, error) {
	var out []string
	for it := m.MapRange(); it.Next(); {
		v, err := scalar(it.Value())
		if err != nil {
			return nil, err
		}
		seat := keyText(it.Key())
		if slices.ContainsFunc(out, func(s string) bool { return strings.HasPrefix(s, seat+"=") }) {
			return nil, fmt.Errorf("seat %q appears twice", seat)
		}
		out = append(out, seat+"="+v)
	}
	return out, nil
}

// keyText is a key without its quotes.
func keyText(n ast.Node) string {
	if s, ok := n.(*ast.StringNode); ok {
		return s.Value
	}
	return n.String()
}
