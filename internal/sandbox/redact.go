package sandbox

import (
	"bytes"
	"encoding/base64"
	"strings"
)

// minSecret is the length from which a value is replaced: shorter ones would hit innocent text.
const minSecret = 8

// redact replaces the secrets of a header line in what a program said (security.md 5.4): the value, and of a Basic
// credential the password, which a server that was sent it can echo in clear.
func redact(said []byte, header string) []byte {
	for _, secret := range secretsOf(header) {
		if len(secret) >= minSecret {
			said = bytes.ReplaceAll(said, []byte(secret), []byte("[key]"))
		}
	}
	return said
}

func secretsOf(header string) []string {
	fields := strings.Fields(header)
	if len(fields) == 0 {
		return nil
	}
	value := fields[len(fields)-1]
	out := []string{value}
	if plain, err := base64.StdEncoding.DecodeString(value); err == nil {
		_, password, _ := strings.Cut(string(plain), ":")
		out = append(out, string(plain), password)
	}
	return out
}
