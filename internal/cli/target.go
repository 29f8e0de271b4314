package cli

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/automaton-auditor/automaton/internal/repo"
)

var (
	ownerName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9-]*/[A-Za-z0-9._-]+$`)
	webRef    = regexp.MustCompile(`^(https://[^/]+/[^/]+/[^/]+)/(?:tree|commit)/(.+?)/?$`)
	refText   = regexp.MustCompile(`^[A-Za-z0-9._/-]{1,200}$`)
)

// aim is a submission as the user named it: where it is and which revision.
type aim struct {
	raw      string // without the revision
	revision string
	local    string // existing folder or file, "" for a remote
	expanded bool   // OWNER/NAME was taken for a repository on github.com
}

// aimAt takes a REPO argument apart: /tree/REF, /commit/REV and @REF at its
// end, and OWNER/NAME where no such folder exists.
func (a *app) aimAt(arg, revision string) (aim, error) {
	t := aim{raw: arg, revision: revision}
	if m := webRef.FindStringSubmatch(arg); m != nil {
		t.raw, t.revision = m[1], m[2]
	}
	if i := strings.LastIndex(t.raw, "@"); i > 0 && !a.exists(t.raw) && !strings.HasPrefix(t.raw, "git@") && !inAddress(t.raw, i) {
		if rev := t.raw[i+1:]; refText.MatchString(rev) && !strings.Contains(rev, ":") {
			t.raw, t.revision = t.raw[:i], rev
		}
	}
	if revision != "" && t.revision != revision {
		return t, usage("name the revision once", "reading arguments: %q names revision %q and --commit %q", arg, t.revision, revision)
	}
	switch {
	case t.raw == "":
		return t, usage("automaton audit --help shows the forms", "reading arguments: no repository given")
	case a.exists(t.raw):
		t.local = a.path(t.raw)
	case ownerName.MatchString(t.raw):
		t.raw, t.expanded = "https://github.com/"+t.raw, true
	}
	return t, nil
}

// inAddress tells whether the @ at i stands before the path of a URL, where it
// ends a user's name or password and begins no revision.
func inAddress(raw string, i int) bool {
	_, rest, ok := strings.Cut(raw[:i], "://")
	return ok && strings.Count(rest, "/") < 2
}

func (a *app) exists(p string) bool {
	_, err := os.Stat(a.path(p))
	return err == nil
}

// target checks where a submission is before any process is started.
func (t aim) target(a *app, hosts []string) (repo.Target, error) {
	raw := t.raw
	if t.local != "" {
		raw = filepath.Clean(t.local)
	}
	target, err := repo.ParseTarget(raw, repo.TargetOptions{AllowHosts: hosts})
	if err != nil {
		name := ""
		if !strings.Contains(t.raw, "@") { // what may hold a password is not repeated
			name = fmt.Sprintf(" %q", t.raw)
		}
		return target, coded(exitUsage, fmt.Errorf("reading target%s: %w", name, err), targetHint(err))
	}
	if target.Rewritten != "" {
		a.note("%s", target.Rewritten)
	}
	if t.expanded {
		a.note("no folder %q here; taking %s", strings.TrimPrefix(t.raw, "https://github.com/"), t.raw)
	}
	return target, nil
}

func (a *app) note(format string, args ...any) {
	if !a.flags.quiet {
		fmt.Fprintf(a.Stderr, "automaton: %s\n", shown(fmt.Sprintf(format, args...)))
	}
}

func targetHint(err error) string {
	switch refusalCode(err) {
	case "url_host":
		return "--allow-host HOST allows one more host"
	case "url_userinfo":
		return "put the token into GITHUB_TOKEN or GITLAB_TOKEN"
	case "url_scheme":
		return "use https://HOST/OWNER/NAME, or a local clone"
	case "local_missing":
		return "give a folder with a git repository, a bundle, or https://HOST/OWNER/NAME"
	case "local_gitfile":
		return "this is a linked work tree or a submodule; give the main repository's folder"
	}
	return ""
}

// token gives the access token for a host.
func (a *app) token(host string) string {
	switch {
	case host == "github.com":
		for _, k := range []string{"GITHUB_TOKEN", "GH_TOKEN"} {
			if v := a.getenv(k); v != "" {
				return v
			}
		}
	case host == "gitlab.com" || strings.HasPrefix(host, "gitlab."):
		return a.getenv("GITLAB_TOKEN")
	}
	return ""
}

// cacheDir is where caches are kept; it is made when it is first used.
func (a *app) cacheDir() (string, error) {
	dir := a.config.Text("cache")
	if dir == "" {
		base := a.Getenv("XDG_CACHE_HOME")
		if base == "" {
			home := a.Getenv("HOME")
			if home == "" {
				return "", errors.New("neither AUTOMATON_CACHE, XDG_CACHE_HOME nor HOME is set")
			}
			base = filepath.Join(home, ".cache")
		}
		dir = filepath.Join(base, "automaton")
	}
	return a.path(dir), nil
}
