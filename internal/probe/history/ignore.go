package history

import (
	"context"
	"path"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
	"github.com/automaton-auditor/automaton/internal/probe"
	"github.com/automaton-auditor/automaton/internal/repo"
)

// Bounds of the .gitignore files that are read.
const (
	maxIgnoreFiles = 50
	maxIgnoreRules = 500
	maxIgnoreTests = 2_000_000 // paths times rules
)

// ignoreRule is one line of a .gitignore.
type ignoreRule struct {
	dir   string         // of the file it stands in, with a final slash; "" for the root
	re    *regexp.Regexp // of the path itself; nil for a rule on folders
	below *regexp.Regexp // of what lies in the folder
	keeps bool           // "!": does not ignore after all
}

// ignores reads the .gitignore files of the commit. Rules that we cannot read
// ignore nothing; a "!" rule wins over an ignored folder, unlike in git: in
// doubt a file is not held against anybody. Coverage is 0 when there is more
// to test than we may.
func ignores(ctx context.Context, s *probe.Scene, entries []repo.Entry) (func(file string) bool, court.Fixed, error) {
	var rules []ignoreRule
	files := 0
	for _, e := range entries {
		if path.Base(e.Path) != ".gitignore" || files == maxIgnoreFiles {
			continue
		}
		f, err := s.Text(ctx, e.Path)
		if err != nil {
			continue // what is not there ignores nothing
		}
		files++
		text, _ := f.Text()
		dir := strings.TrimSuffix(e.Path, ".gitignore")
		for line := range strings.Lines(text) {
			if r, ok := ignoreLine(dir, strings.TrimRight(line, " \t\r\n")); ok && len(rules) < maxIgnoreRules {
				rules = append(rules, r)
			}
		}
	}
	coverage := court.One
	if len(rules)*len(entries) > maxIgnoreTests {
		rules, coverage = nil, 9000 // one of several searches is left out
	}
	return func(file string) bool {
		is := false
		for _, r := range rules {
			if rest, ok := strings.CutPrefix(file, r.dir); ok && r.keeps == is && r.fits(rest) {
				is = !r.keeps
			}
		}
		return is
	}, coverage, ctx.Err()
}

// ignoreLine reads one rule (gitignore(5)).
func ignoreLine(dir, line string) (ignoreRule, bool) {
	r := ignoreRule{dir: dir}
	line, r.keeps = strings.CutPrefix(line, "!")
	if line == "" || strings.HasPrefix(line, "#") || strings.ContainsAny(line, `\{}`) {
		return r, false
	}
	folder := strings.HasSuffix(line, "/")
	line = strings.TrimSuffix(line, "/")
	if !strings.Contains(line, "/") {
		line = "**/" + line
	}
	line = strings.TrimPrefix(line, "/")
	var err error
	if r.below, err = probe.Glob(line + "/**"); err != nil {
		return r, false
	}
	if !folder {
		r.re, err = probe.Glob(line)
	}
	return r, err == nil
}

func (r ignoreRule) fits(file string) bool {
	return r.re != nil && r.re.MatchString(file) || r.below.MatchString(file)
}
