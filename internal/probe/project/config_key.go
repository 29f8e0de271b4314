package project

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/court"
	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
	"github.com/automaton-auditor/automaton/internal/probe"
)

func configKey() probe.Probe {
	return probe.Probe{
		ID: "config.key", Version: "1", Target: court.GithubRepo, Generic: true,
		Title:  "A configuration file sets the named key",
		Doc:    "Reads JSON in full, and the plain lines of TOML, YAML, INI and .env files: tables, indentation, name and value on one line. Inline tables, anchors and lists are not followed.",
		Remedy: "Set the key in the configuration file.",
		Effort: 10, Recall: 9000,
		Args: []probe.Arg{
			{Name: "file", Type: "string", Form: "glob", Default: "**/*", Doc: "glob"},
			{Name: "key", Type: "string", Required: true, Doc: "dotted, such as tool.ruff.line-length"},
			{Name: "equals", Type: "string", Doc: "the value that it should have"},
		},
		Run: func(ctx context.Context, s *probe.Scene, a probe.Args) ([]probe.Finding, error) {
			pattern := a.String("file")
			if pattern == "" {
				pattern = "**/*"
			}
			glob, err := probe.Glob(pattern)
			if err != nil {
				return nil, &probe.Unable{Reason: court.NoDetector, Why: err.Error()}
			}
			inv, err := files(ctx, s)
			if err != nil {
				return nil, err
			}
			return []probe.Finding{configured(inv, glob, a.String("key"), a.String("equals"))}, nil
		},
	}
}

// setting is one key with its value as text.
type setting struct {
	key, value string
	line       int
}

func configured(inv *inventory, glob *regexp.Regexp, key, equals string) probe.Finding {
	var right, wrong []court.Place
	read, other := 0, ""
	for _, f := range inv.files {
		if f.scope == code.ScopeVendor || f.scope == code.ScopeGenerated || !glob.MatchString(f.path) {
			continue
		}
		read++
		for _, v := range settings(f) {
			switch {
			case !strings.EqualFold(v.key, key):
			case equals == "" || strings.EqualFold(v.value, equals):
				right = append(right, f.place(v.line))
			default:
				wrong = append(wrong, f.place(v.line))
				other = v.value
			}
		}
	}
	switch {
	case len(right) > 0:
		return probe.Present(court.Config, right, "%s sets %s.", shown(right[0].Path), shown(key))
	case len(wrong) > 0:
		return probe.Against(court.Config, wrong, "%s sets %s to %s, not to %s.", shown(wrong[0].Path), shown(key), shown(other), shown(equals)).Do("Set %s to %s in %s.", shown(key), shown(equals), shown(wrong[0].Path))
	}
	return probe.Missing(court.One, court.Config, "None of %[2]s sets %[1]s.", shown(key), court.Count(read, "file")).Do("Set %s in the configuration file.", shown(key))
}

// settings reads the keys of one file by its name.
func settings(f file) []setting {
	switch f.lang {
	case "json":
		return jsonSettings(f)
	case "yaml":
		return yamlSettings(f)
	case "toml", "ini", "cfg":
		return tableSettings(f)
	}
	if strings.HasPrefix(f.base, ".env") || strings.HasSuffix(f.base, ".env") || f.base == "pipfile" {
		return tableSettings(f)
	}
	return nil
}

// jsonSettings flattens an object; the line is the first that holds the key's
// last name.
func jsonSettings(f file) []setting {
	var tree any
	if json.Unmarshal([]byte(f.text), &tree) != nil {
		return nil
	}
	var out []setting
	var walk func(prefix string, v any, depth int)
	walk = func(prefix string, v any, depth int) {
		m, ok := v.(map[string]any)
		if prefix != "" {
			last := prefix[strings.LastIndexByte(prefix, '.')+1:]
			line := 1
			if i := strings.Index(f.text, `"`+last+`"`); i >= 0 {
				line = lineOf(f.text, i)
			}
			out = append(out, setting{prefix, strings.Trim(fmt.Sprint(v), `"`), line})
		}
		if !ok || depth > maxNesting || len(out) > maxSettings {
			return
		}
		for _, k := range slices.Sorted(maps.Keys(m)) {
			walk(strings.TrimPrefix(prefix+"."+k, "."), m[k], depth+1)
		}
	}
	walk("", tree, 0)
	return out
}

const maxSettings = 2000

var (
	yamlLine  = regexp.MustCompile(`^( *)(?:- )?["']?([\w./@-]+)["']?\s*:(?:\s+(.*))?$`)
	tableLine = regexp.MustCompile(`^\s*\[+\s*([^\]]+?)\s*\]+`)
	pairLine  = regexp.MustCompile(`^\s*(?:export\s+)?["']?([\w.-]+)["']?\s*[=:]\s*(.*)$`)
)

// yamlSettings follows indentation.
func yamlSettings(f file) []setting {
	var out []setting
	type level struct {
		indent int
		key    string
	}
	var stack []level
	each(f, func(line string, n int) {
		m := yamlLine.FindStringSubmatch(line)
		if m == nil || len(out) > maxSettings {
			return
		}
		for len(stack) > 0 && stack[len(stack)-1].indent >= len(m[1]) {
			stack = stack[:len(stack)-1]
		}
		stack = append(stack, level{len(m[1]), m[2]})
		var keys []string
		for _, l := range stack {
			keys = append(keys, l.key)
		}
		out = append(out, setting{strings.Join(keys, "."), plain(m[3]), n})
	})
	return out
}

// tableSettings reads "[table]" and "key = value" lines.
func tableSettings(f file) []setting {
	var out []setting
	table := ""
	each(f, func(line string, n int) {
		trimmed := strings.TrimSpace(line)
		if strings.HasPrefix(trimmed, "#") || strings.HasPrefix(trimmed, ";") || len(out) > maxSettings {
			return
		}
		if m := tableLine.FindStringSubmatch(line); m != nil && !strings.Contains(line, "=") {
			table = strings.ReplaceAll(m[1], `"`, "")
			out = append(out, setting{table, "", n})
			return
		}
		if m := pairLine.FindStringSubmatch(line); m != nil {
			out = append(out, setting{strings.TrimPrefix(table+"."+m[1], "."), plain(m[2]), n})
		}
	})
	return out
}

// plain is a value without quotes and comment.
func plain(v string) string {
	v = strings.TrimSpace(v)
	if len(v) >= 2 && (v[0] == '"' || v[0] == '\'') {
		if i := strings.IndexByte(v[1:], v[0]); i >= 0 {
			return v[1 : 1+i]
		}
	}
	v, _, _ = strings.Cut(v, " #")
	return strings.TrimSpace(v)
}
