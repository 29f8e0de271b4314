package provider

import (
	"fmt"
	"net"
	"net/url"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/llm"
)

// Dialect is the wire format that a server speaks.
type Dialect string

// The dialects: chat completions, and messages.
const (
	OpenAI    Dialect = "openai"
	Anthropic Dialect = "anthropic"
)

// Provider is one way to reach models. Variables are named in the order in
// which they count; the one who reads the environment looks them up.
type Provider struct {
	Name    string
	Dialect Dialect
	BaseURL string   // unless another is given; empty: it must be
	Keys    []string // variables that hold the key; none: it needs none
	Bases   []string // variables that hold another endpoint
	Models  []string // variables that name the model

	maxTokens bool // its documentation knows max_tokens only
	cacheKey  bool // it takes prompt_cache_key
}

// Providers are all that we know, in the order in which auto tries them.
func Providers() []Provider {
	return []Provider{
		{Name: "openai", Dialect: OpenAI, BaseURL: "https://api.openai.com/v1", cacheKey: true,
			Keys: []string{"OPENAI_API_KEY"}, Bases: []string{"OPENAI_BASE_URL"}, Models: []string{"OPENAI_MODEL"}},
		{Name: "anthropic", Dialect: Anthropic, BaseURL: "https://api.anthropic.com",
			Keys: []string{"ANTHROPIC_API_KEY"}, Bases: []string{"ANTHROPIC_BASE_URL"}, Models: []string{"ANTHROPIC_MODEL"}},
		{Name: "gemini", Dialect: OpenAI, BaseURL: "https://generativelanguage.googleapis.com/v1beta/openai",
			Keys: []string{"GEMINI_API_KEY", "GOOGLE_API_KEY"}, Models: []string{"GEMINI_MODEL"}},
		{Name: "groq", Dialect: OpenAI, BaseURL: "https://api.groq.com/openai/v1",
			Keys: []string{"GROQ_API_KEY"}, Models: []string{"GROQ_MODEL"}},
		{Name: "openrouter", Dialect: OpenAI, BaseURL: "https://openrouter.ai/api/v1",
			Keys: []string{"OPENROUTER_API_KEY"}, Models: []string{"OPENROUTER_MODEL"}},
		{Name: "ollama", Dialect: OpenAI, BaseURL: "http://localhost:11434/v1", maxTokens: true,
			Bases: []string{"OLLAMA_HOST", "OLLAMA_BASE_URL"}, Models: []string{"OLLAMA_MODEL"}},
		{Name: "compatible", Dialect: OpenAI},
	}
}

// Find is the provider of that name.
func Find(name string) (Provider, error) {
	all := Providers()
	i := slices.IndexFunc(all, func(p Provider) bool { return p.Name == name })
	if i >= 0 {
		return all[i], nil
	}
	names := make([]string, len(all))
	for i, p := range all {
		names[i] = p.Name
	}
	return Provider{}, fmt.Errorf("unknown provider %q (have %s)", name, strings.Join(names, ", "))
}

// Auto tells whether --bench auto may choose the provider by its key alone.
func (p Provider) Auto() bool { return len(p.Keys) > 0 }

// modes are the rungs that the dialect has.
func (p Provider) modes() []llm.Mode {
	if p.Dialect == Anthropic {
		return []llm.Mode{llm.Schema, llm.Tool, llm.Text}
	}
	return []llm.Mode{llm.Schema, llm.Tool, llm.Object, llm.Text}
}

// Endpoint is the address under which a provider is asked: what was given, or
// its own. A key travels with every request, so anything but https is refused
// unless it stays on this machine.
func (p Provider) Endpoint(given string) (string, error) {
	base := given
	if base == "" {
		base = p.BaseURL
	}
	if base == "" {
		return "", fmt.Errorf("provider %s needs a base_url", p.Name)
	}
	if p.Name == "ollama" {
		base = ollama(base)
	}
	u, err := url.Parse(base)
	if err != nil || u.Host == "" || u.Opaque != "" {
		return "", fmt.Errorf("base_url of %s is not an address such as https://host/v1", p.Name) // not quoted: it may hold a password
	}
	switch {
	case u.User != nil:
		return "", fmt.Errorf("base_url of %s holds a user or a password: give the key by its variable", p.Name)
	case u.RawQuery != "" || u.ForceQuery || u.Fragment != "":
		return "", fmt.Errorf("base_url of %s holds a query or a fragment", p.Name)
	case u.Scheme != "https" && (u.Scheme != "http" || !loopback(u.Hostname())):
		return "", fmt.Errorf("base_url of %s must be https, or lie on this machine", p.Name)
	}
	return strings.TrimRight(u.String(), "/"), nil
}

// ollama completes what OLLAMA_HOST may hold: a host, a port, an address to
// listen on, and no path.
func ollama(base string) string {
	if !strings.Contains(base, "://") {
		base = "http://" + strings.TrimPrefix(base, "//")
	}
	u, err := url.Parse(base)
	if err != nil {
		return base
	}
	host, port := u.Hostname(), u.Port()
	if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
		host = "localhost" // where it listens everywhere, it is asked here
	}
	if port == "" && u.Scheme == "http" {
		port = "11434"
	}
	if u.Host = host; port != "" {
		u.Host = net.JoinHostPort(host, port)
	}
	if u.Path == "" || u.Path == "/" {
		u.Path = "/v1"
	}
	return u.String()
}

func loopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}
