package history

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/court"
	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
	"github.com/automaton-auditor/automaton/internal/probe"
	"github.com/automaton-auditor/automaton/internal/repo"
	"github.com/automaton-auditor/automaton/internal/tables"
)

// largeBlob is how large a file may be that is not a document, in bytes.
const largeBlob = 5 << 20

func gitHygiene() probe.Probe {
	return probe.Probe{
		ID: "git.hygiene", Version: "1", Target: court.GithubRepo,
		Title:  "Only sources are tracked",
		Doc:    "Looks through every commit for what does not belong into one: a .env with content, caches, virtual environments, node_modules, files of the operating system; and today for files over 5 MiB that are not documents and tracked files that .gitignore names, when they are more than one in 500. Packages and settings that tests and examples need are none of it, nor are settings that a build puts into a web page. With aspect vendored only the installed packages count. Sizes of files that are gone are not known.",
		Effort: 10, Recall: court.One,
		Args: []probe.Arg{{Name: "aspect", Type: "string", Allowed: []string{"vendored"}, Doc: "only installed packages"}},
		Run: func(ctx context.Context, s *probe.Scene, a probe.Args) ([]probe.Finding, error) {
			p, err := read(ctx, s)
			if err != nil {
				return nil, err
			}
			found, coverage, err := junk(ctx, s, p)
			if err != nil {
				return nil, err
			}
			if a.String("aspect") == "vendored" {
				found = slices.DeleteFunc(found, func(j litter) bool { return j.kind != packages })
				return p.holds(untidy(p, found, court.One, packages), court.Violation)
			}
			return p.holds(untidy(p, found, coverage, "caches, "+packages+", settings with values or files of the operating system"), court.Violation)
		},
	}
}

// packages are what a package manager puts there again.
const packages = "installed packages"

// litter is one thing that should not be tracked: a folder or a file.
type litter struct {
	kind, path string
	file       string // one of its files today; "" when it is gone
	at         int    // position of the commit that brought it; -1 for today's files
	files      int
	named      bool // .gitignore names that file
}

func untidy(p *past, found []litter, coverage court.Fixed, what string) probe.Finding {
	if len(found) == 0 {
		return probe.Clean(coverage, court.Git, "No commit tracks %s.", what)
	}
	var at []court.Place
	var words []string
	for _, j := range found {
		if j.file != "" {
			at = append(at, court.Place{Path: j.file})
		} else {
			at = append(at, p.place(j.at))
		}
		if len(words) < 6 {
			when := "today"
			if j.file == "" {
				when = "once"
			}
			words = append(words, fmt.Sprintf("%s %q (%s, %s)", j.kind, court.Clean(j.path, 120), court.Count(j.files, "file"), when))
		}
	}
	if more := len(found) - len(words); more > 0 {
		words = append(words, fmt.Sprintf("%d more", more))
	}
	return probe.Against(court.Git, at, "Commits track files that are not sources: %s.", strings.Join(words, "; ")).Do("%s", untrack(found))
}

// untrack asks for what can be done about files that are tracked today: what only earlier
// commits have stays in the history.
func untrack(found []litter) string {
	var named, unnamed []string
	for _, j := range found {
		switch {
		case j.file == "" || len(named)+len(unnamed) == 6:
		case j.named:
			named = append(named, court.Clean(j.path, 120))
		default:
			unnamed = append(unnamed, court.Clean(j.path, 120))
		}
	}
	var out []string
	if len(unnamed) > 0 {
		out = append(out, fmt.Sprintf("Add these to .gitignore and stop tracking them: git rm -r --cached %s.", strings.Join(unnamed, " ")))
	}
	if len(named) > 0 {
		out = append(out, fmt.Sprintf("Stop tracking files that .gitignore names already: git rm -r --cached %s.", strings.Join(named, " ")))
	}
	return strings.Join(out, " ")
}

// junk collects the litter of all commits and of today, by kind and path.
func junk(ctx context.Context, s *probe.Scene, p *past) ([]litter, court.Fixed, error) {
	entries, err := s.Entries()
	if err != nil {
		return nil, 0, err
	}
	today := map[string]bool{}
	for _, e := range entries {
		today[e.Path] = true
	}
	all := map[string]*litter{}
	seen := map[string]bool{}
	envs := map[string][]version{}
	for _, i := range p.Own {
		for _, ch := range p.Commits[i].Changes {
			if !regular(ch) {
				continue
			}
			kind, root := kindOf(ch.Path, p.ever)
			if (kind == packages || kind == settings) && fixture(ch.Path, p.layout.Scope(ch.Path)) {
				continue
			}
			if kind == settings {
				envs[ch.Path] = append(envs[ch.Path], version{i, ch.Path, ch.OID})
			} else if kind != "" && !seen[ch.Path] {
				note(all, kind, root, ch.Path, i, today)
			}
			seen[ch.Path] = true
		}
	}
	if err := filled(ctx, s, envs, all, today); err != nil {
		return nil, 0, err
	}
	coverage, err := present(ctx, s, p, entries, all, today)
	if err != nil {
		return nil, 0, err
	}
	var out []litter
	for _, key := range slices.Sorted(maps.Keys(all)) {
		out = append(out, *all[key])
	}
	return out, coverage, nil
}

// note adds a file to the litter that it belongs to.
func note(all map[string]*litter, kind, root, file string, at int, today map[string]bool) {
	key := kind + "\x00" + root
	j := all[key]
	if j == nil {
		j = &litter{kind: kind, path: root, at: at}
		all[key] = j
	}
	j.files++
	if today[file] && (j.file == "" || file < j.file) {
		j.file = file
	}
}

const settings = "settings"

const ignoredKind = "file that .gitignore names"

// fewIgnored is the part of all files, one in so many, up to which tracked files
// that .gitignore names are taken for added on purpose. A design choice: in a
// tree of thousands a pattern meets a file that it was not made for.
const fewIgnored = 500

// kindOf names the litter that a path is, and where it lies. A folder called
// venv or env is an environment only with the files of one.
func kindOf(file string, ever func(string) bool) (kind, root string) {
	parts := strings.Split(file, "/")
	for i, part := range parts[:len(parts)-1] {
		dir := strings.Join(parts[:i+1], "/")
		low := strings.ToLower(part)
		switch tables.Meaning(low) {
		case "packages":
			return packages, dir
		case "caches":
			return "cache", dir
		}
		switch low {
		case "venv", ".venv", "env", ".env", "virtualenv":
			if ever(dir+"/pyvenv.cfg") || ever(dir+"/bin/activate") || ever(dir+"/Scripts/activate") {
				return packages, dir
			}
		}
	}
	base := parts[len(parts)-1]
	switch {
	case base == ".env" || base == ".env.local":
		return settings, file
	case base == ".DS_Store" || strings.EqualFold(base, "thumbs.db") || strings.EqualFold(base, "desktop.ini"):
		return "file of the operating system", file
	case strings.HasSuffix(base, ".pyc"):
		return "cache", path.Dir(file)
	}
	return "", ""
}

// filled keeps the settings files that once had content.
func filled(ctx context.Context, s *probe.Scene, envs map[string][]version, all map[string]*litter, today map[string]bool) error {
	for _, file := range slices.Sorted(maps.Keys(envs)) {
		var oids []string
		for _, v := range envs[file] {
			oids = append(oids, v.oid)
		}
		texts, err := s.Objects(ctx, oids)
		if err != nil {
			return err
		}
		for _, v := range envs[file] {
			if assigns(texts[v.oid]) && !published(file, texts[v.oid], today) {
				note(all, "settings with values", file, file, v.at, today)
				break
			}
		}
	}
	return nil
}

// assigns tells whether some line gives a name a value.
func assigns(b []byte) bool {
	for line := range bytes.Lines(b) {
		name, value, ok := bytes.Cut(bytes.TrimSpace(line), []byte("="))
		if ok && !bytes.HasPrefix(name, []byte("#")) && len(bytes.Trim(value, ` "'`)) > 0 {
			return true
		}
	}
	return false
}

// fixture tells litter that a test or an example needs: a folder of packages to
// resolve, a file of settings to read.
func fixture(file string, sc code.Scope) bool {
	return sc == code.ScopeTest || sc == code.ScopeExample || tables.Aside(file)
}

// bundled are the prefixes of settings that a build puts into what it serves to
// everybody, by the documentation of the build tools: no secret can be in them.
var bundled = regexp.MustCompile(`^(?:export\s+)?(?:VITE|REACT_APP|NEXT_PUBLIC|NUXT_PUBLIC|EXPO_PUBLIC|PUBLIC|GATSBY|VUE_APP|NG_APP|STORYBOOK)_`)

// published tells a file of settings that belongs to the source of a web page:
// every name is one that the build publishes, or the file lies beside a
// package.json, holds no key, and names nothing private.
func published(file string, b []byte, today map[string]bool) bool {
	all, open := true, true
	for line := range bytes.Lines(b) {
		name, value, ok := bytes.Cut(bytes.TrimSpace(line), []byte("="))
		if !ok || bytes.HasPrefix(name, []byte("#")) || len(bytes.TrimSpace(value)) == 0 {
			continue
		}
		all = all && bundled.Match(name)
		open = open && (!tables.MentionsPrivate(string(name)) || bytes.HasPrefix(bytes.Trim(value, ` "'`), []byte("http"))) // an address of a page about passwords
	}
	return all || open && today[path.Join(path.Dir(file), "package.json")] && len(probe.Leaks(string(b))) == 0
}

// present looks at today's files: their sizes, and what .gitignore says.
func present(ctx context.Context, s *probe.Scene, p *past, entries []repo.Entry, all map[string]*litter, today map[string]bool) (court.Fixed, error) {
	ignored, coverage, err := ignores(ctx, s, entries)
	if err != nil {
		return 0, err
	}
	named := 0
	for _, e := range entries {
		if e.Kind != repo.File && e.Kind != repo.Executable {
			continue
		}
		sc := p.layout.Scope(e.Path)
		if kind, _ := kindOf(e.Path, p.ever); kind != "" || document(e.Path) {
			continue
		}
		switch {
		case e.Size > largeBlob:
			note(all, "file over 5 MiB", e.Path, e.Path, -1, today)
		case sc != code.ScopeDocs && sc != code.ScopeAudit && sc != code.ScopeGenerated && ignored(e.Path):
			named++
			note(all, ignoredKind, e.Path, e.Path, -1, today)
		}
	}
	for _, j := range all {
		j.named = j.file != "" && ignored(j.file)
	}
	if named*fewIgnored <= len(entries) {
		maps.DeleteFunc(all, func(_ string, j *litter) bool { return j.kind == ignoredKind })
	}
	return coverage, nil
}

// document tells what may be large and is handed in on purpose.
func document(file string) bool {
	switch strings.ToLower(path.Ext(file)) {
	case ".pdf", ".docx", ".pptx", ".odt", ".md", ".html", ".svg", ".png", ".jpg", ".jpeg":
		return true
	}
	base := path.Base(file)
	return base == ".gitkeep" || base == ".gitignore"
}
