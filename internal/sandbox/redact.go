package sandbox

import (
	"encoding/base64"
	"strings"

	"github.com/automaton-auditor/automaton/internal/safetext"
)

// veil hides, in what a program says, the secrets that it was given for the
// network: the value of its header, of a Basic credential the password, which a
// server that was sent it can echo in clear, and those of the proxies.
func (g *gate) veil(header string) *safetext.Veil {
	secrets := secretsOf(header)
	if g != nil {
		secrets = append(secrets, g.token)
		if g.upstream != nil && g.upstream.User != nil {
			password, _ := g.upstream.User.Password()
			secrets = append(secrets, password)
		}
	}
	return safetext.NewVeil(secrets...)
}

func secretsOf(header string) []string {
	fields := strings.Fields(header)
	if len(fields) == 0 {
		return nil
	}
	value := fields[len(fields)-1]
	out := []string{value}
	if clear, err := base64.StdEncoding.DecodeString(value); err == nil {
		_, password, _ := strings.Cut(string(clear), ":")
		out = append(out, string(clear), password)
	}
	return out
}
