package config

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"os"
	"regexp"
	"strings"
)

var envLine = regexp.MustCompile(`^(?:export\s+)?([A-Za-z_][A-Za-z0-9_]*)\s*=(.*)$`)

// EnvFile is what a .env file says.
type EnvFile struct {
	Read    bool              // there was one
	Values  map[string]string // of the keys that are ours
	Ignored []string          // names of the other keys, in order
}

// DotEnv reads KEY=VALUE lines. Only keys that we know are taken; nothing is
// interpolated or run. A bad line is named by its number, never by its content.
func DotEnv(path, name string, must bool) (EnvFile, error) {
	raw, err := ReadFile(path, maxFile)
	if errors.Is(err, os.ErrNotExist) && !must {
		return EnvFile{}, nil
	}
	if err != nil {
		return EnvFile{}, fmt.Errorf("reading %s: %w", name, err)
	}
	out := EnvFile{Read: true, Values: map[string]string{}}
	sc := bufio.NewScanner(bytes.NewReader(raw))
	for n := 1; sc.Scan(); n++ {
		line := strings.TrimSpace(sc.Text())
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		m := envLine.FindStringSubmatch(line)
		value, ok := "", false
		if m != nil {
			value, ok = unquote(m[2])
		}
		if !ok {
			return EnvFile{}, fmt.Errorf("reading %s: line %d is not KEY=VALUE", name, n)
		}
		if taken(m[1]) || strings.HasPrefix(m[1], "AUTOMATON_") {
			out.Values[m[1]] = value
		} else {
			out.Ignored = append(out.Ignored, m[1])
		}
	}
	if err := sc.Err(); err != nil {
		return EnvFile{}, fmt.Errorf("reading %s: %w", name, err)
	}
	return out, nil
}

// unquote takes quotes off, or the comment behind a bare value.
func unquote(v string) (string, bool) {
	if quoted := strings.TrimSpace(v); quoted != "" && (quoted[0] == '"' || quoted[0] == '\'') {
		end := strings.IndexByte(quoted[1:], quoted[0])
		if end < 0 {
			return "", false
		}
		rest := strings.TrimSpace(quoted[end+2:])
		return quoted[1 : end+1], rest == "" || rest[0] == '#'
	}
	if i := strings.Index(v, " #"); i >= 0 { // also where there is no value
		v = v[:i]
	}
	return strings.TrimSpace(v), true
}
