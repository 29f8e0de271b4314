package provider

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/automaton-auditor/automaton/internal/llm"
	"github.com/automaton-auditor/automaton/internal/safetext"
)

// Config is all that an adapter needs. Nothing of it is read from the
// environment here.
type Config struct {
	Provider string
	Model    string
	BaseURL  string // empty: the provider's own
	Key      string // empty: it is asked without one
	RPM, TPM int    // of the profile; 0: no limit
	Proxy    func(*http.Request) (*url.URL, error)
}

// Open makes the adapter to a model. The endpoint goes to llm.Run with it.
func Open(c Config) (llm.Model, llm.Endpoint, error) {
	p, err := Find(c.Provider)
	if err != nil {
		return nil, llm.Endpoint{}, err
	}
	base, err := p.Endpoint(c.BaseURL)
	if err != nil {
		return nil, llm.Endpoint{}, err
	}
	switch {
	case c.Model == "":
		return nil, llm.Endpoint{}, fmt.Errorf("provider %s needs the name of a model", p.Name)
	case c.Key == "" && len(p.Keys) > 0:
		return nil, llm.Endpoint{}, fmt.Errorf("provider %s needs a key: set %s", p.Name, strings.Join(p.Keys, " or "))
	case c.Key != "" && len(c.Key) < safetext.MinSecret:
		return nil, llm.Endpoint{}, fmt.Errorf("the key of %s is shorter than %d characters: that is not a key", p.Name, safetext.MinSecret)
	case strings.ContainsFunc(c.Key, func(r rune) bool { return r <= ' ' || r > '~' }):
		return nil, llm.Endpoint{}, errors.New("the key of " + p.Name + " holds blanks or characters that no key has")
	}
	u, _ := url.Parse(base) // Endpoint has parsed it
	e := llm.Endpoint{
		Provider: p.Name, Model: c.Model, BaseURL: base, Modes: p.modes(), RPM: c.RPM, TPM: c.TPM,
		Local: p.Name == "ollama" && loopback(u.Hostname()),
	}
	w := newWire(c.Key, c.Proxy)
	if p.Dialect == Anthropic {
		return newMessages(base, c.Key, w), e, nil
	}
	return newChat(p, base, c.Key, w), e, nil
}
