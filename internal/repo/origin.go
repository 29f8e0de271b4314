package repo

import (
	"net/url"
	"os"
	"path/filepath"
	"strings"

	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
)

// origin is where a repository comes from, for names and links only.
type origin struct {
	slug string
	url  string
}

const maxConfig = 1 << 20

// localOrigin reads remote.origin.url out of their config as data, by a parser that knows nothing else. git never sees
// the file.
func localOrigin(root *os.Root, dir string) origin {
	content, err := readRegular(root, "config", maxConfig)
	if err == nil {
		if o, ok := parseOrigin(originURL(string(content))); ok {
			return o
		}
	}
	name := filepath.Base(dir)
	if name == ".git" {
		name = filepath.Base(filepath.Dir(dir))
	}
	return origin{slug: strings.TrimSuffix(name, ".git")}
}

// originURL finds the last url of [remote "origin"].
func originURL(config string) string {
	found, inside := "", false
	for line := range strings.Lines(config) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "[") {
			section, _, _ := strings.Cut(line, "]")
			name, sub, _ := strings.Cut(strings.TrimPrefix(section, "["), " ")
			inside = strings.EqualFold(name, "remote") && strings.TrimSpace(sub) == `"origin"`
			continue
		}
		key, value, ok := strings.Cut(line, "=")
		if ok && inside && strings.EqualFold(strings.TrimSpace(key), "url") {
			found = strings.Trim(strings.TrimSpace(value), `"`)
		}
	}
	return found
}

var (
	anyScp   = regexp.MustCompile(`^(?:[^@/:]+@)?([A-Za-z0-9.-]+):([^/].*)$`)
	slugForm = regexp.MustCompile(`^[A-Za-z0-9_~.][A-Za-z0-9._~-]*(/[A-Za-z0-9_~.][A-Za-z0-9._~-]*)+$`)
)

// parseOrigin takes host and path of an https or ssh address; user, password, port and query are dropped. Anything else
// is not an origin: a path of somebody's machine says nothing here.
func parseOrigin(raw string) (origin, bool) {
	var host, path string
	if m := anyScp.FindStringSubmatch(raw); m != nil && !strings.Contains(raw, "://") {
		host, path = m[1], m[2]
	} else {
		u, err := url.Parse(raw)
		if err != nil || u.Scheme != "https" && u.Scheme != "http" && u.Scheme != "ssh" && u.Scheme != "git" {
			return origin{}, false
		}
		host, path = u.Hostname(), u.Path
	}
	host = strings.ToLower(host)
	path = strings.TrimSuffix(strings.Trim(path, "/"), ".git")
	if !hostForm.MatchString(host) || !strings.Contains(host, ".") || numericHost.MatchString(host) ||
		!slugForm.MatchString(path) || strings.Contains(path, "..") || len(path) > 300 {
		return origin{}, false
	}
	return origin{slug: path, url: "https://" + host + "/" + path}, true
}
