package project

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/probe"
)

func repoSecrets() probe.Probe {
	return probe.Probe{
		ID: "repo.secrets", Version: "1", Target: court.GithubRepo,
		Title:  "No key is committed",
		Doc:    "Looks through every file of the commit for keys of known providers, private keys, passwords in addresses and assigned random texts. Placeholders, tests, vendored and generated files, and example settings do not count. Keys without a known shape are not seen. Values are never shown.",
		Remedy: "Revoke the key at its provider, take it out of the file and read it from the environment.",
		Effort: 30, Recall: 9500,
		Run: func(ctx context.Context, s *probe.Scene, _ probe.Args) ([]probe.Finding, error) {
			inv, err := files(ctx, s)
			if err != nil {
				return nil, err
			}
			found, coverage := inv.keys(s)
			if len(found) == 0 && !slices.ContainsFunc(inv.files, func(f file) bool { return f.lang.Code() || f.scope == code.ScopeConfig }) {
				return []probe.Finding{probe.Nothing(court.One, court.Config, "The commit has no code and no configuration that could hold a key.")}, nil
			}
			if len(found) == 0 {
				return []probe.Finding{probe.Clean(coverage, court.Config, "No file of the commit holds a key.")}, nil
			}
			var at []court.Place
			var words []string
			for _, k := range found {
				at = append(at, k.file.place(k.line))
				if len(words) < 5 {
					words = append(words, fmt.Sprintf("%s at %s line %d", k.kind, shown(k.file.path), k.line))
				}
			}
			f := probe.Against(court.Config, at, "The commit holds %s: %s.", court.Count(len(found), "key"), strings.Join(words, "; ")).
				Do("Revoke these keys at their providers, take them out of the files and read them from the environment: %s.", strings.Join(words, "; "))
			f.Security = &court.Flaw{Severity: court.High, Tainted: "no", Scope: string(found[0].file.scope)}
			return []probe.Finding{f}, nil
		},
	}
}

// key is a key in a file of the commit.
type key struct {
	file file
	kind string
	line int
}

// keys lists the committed keys by path and line, and the share of the text
// files that was read.
func (inv *inventory) keys(s *probe.Scene) ([]key, court.Fixed) {
	type result struct {
		keys     []key
		coverage court.Fixed
	}
	r, _ := probe.Shared(s, "project.keys", func() (result, error) {
		var r result
		all, read := 0, 0
		for _, f := range inv.files {
			if !(probe.Secret{}).Counts(f.path, f.scope) || !f.read && picture(f.base) {
				continue
			}
			all++
			if f.read {
				read++
			}
			for _, k := range probe.Leaks(f.text) {
				r.keys = append(r.keys, key{f, k.Kind, k.Line})
			}
		}
		r.coverage = probe.Ratio(read, all)
		return r, nil
	})
	return r.keys, r.coverage
}

// picture tells files that hold no text by their names.
func picture(base string) bool {
	switch path.Ext(base) {
	case ".pdf", ".png", ".jpg", ".jpeg", ".gif", ".ico", ".zip", ".gz", ".woff", ".woff2", ".ttf", ".docx", ".pptx", ".xlsx", ".mp4", ".webm", ".pyc", ".db":
		return true
	}
	return false
}
