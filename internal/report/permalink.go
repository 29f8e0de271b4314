package report

import (
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
)

var hexCommit = regexp.MustCompile(`^[0-9a-f]{7,64}$`)

// webBase is the https address of the repository's pages, or empty. Only plain
// https addresses of a host and a path get links.
func webBase(c court.Case) string {
	if c.Snapshot != "" { // its files lie at no address
		return ""
	}
	u, err := url.Parse(c.RepoURL)
	if err != nil || u.Scheme != "https" || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" || u.Opaque != "" {
		return ""
	}
	if strings.ContainsFunc(u.Host, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune(".-:", r))
	}) {
		return ""
	}
	path := strings.TrimSuffix(strings.TrimRight(u.Path, "/"), ".git")
	if slices.Contains(strings.Split(path, "/"), "..") {
		return ""
	}
	return "https://" + u.Host + escapePath(path)
}

// escapePath percent-encodes everything in a path that is not a letter, digit or
// one of -._~ and /.
func escapePath(p string) string {
	var b strings.Builder
	for i := range len(p) {
		c := p[i]
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte("-._~/", c) >= 0 {
			b.WriteByte(c)
			continue
		}
		fmt.Fprintf(&b, "%%%02X", c)
	}
	return b.String()
}

// treeLink is the page of the repository at the audited commit.
func treeLink(c court.Case) string {
	base := webBase(c)
	if base == "" || !hexCommit.MatchString(c.Commit) {
		return ""
	}
	link := base + forgeOf(base).tree + c.Commit
	if c.Path != "" {
		link += "/" + escapePath(c.Path)
	}
	return link
}

// forge is how a host addresses files at a commit.
type forge struct{ tree, blob, lines, to string }

// forgeOf knows the paths of the well-known hosts; GitLab understands those of
// GitHub, and most others were made after them.
func forgeOf(base string) forge {
	switch {
	case strings.HasPrefix(base, "https://bitbucket.org/"):
		return forge{"/src/", "/src/", "#lines-%d", ":%d"}
	case strings.HasPrefix(base, "https://codeberg.org/"):
		return forge{"/src/commit/", "/src/commit/", "#L%d", "-L%d"}
	default:
		return forge{"/tree/", "/blob/", "#L%d", "-L%d"}
	}
}

// rooted is a file's path from the root of the repository, where forges and
// tools look for it: places are seen from the folder that was audited.
func rooted(c court.Case, p court.Place) string {
	if c.Path == "" {
		return p.File()
	}
	return c.Path + "/" + p.File()
}

// Permalink is the page that shows a place at the audited commit, or empty when
// there is none. A path that climbs has none: it would lead to another page.
func Permalink(c court.Case, p court.Place) string {
	base := webBase(c)
	switch {
	case base == "" || slices.Contains(strings.Split(rooted(c, p), "/"), ".."):
		return ""
	case p.Path != "" && p.Digest != "": // a document beside the repository
		return ""
	case p.Path != "" && hexCommit.MatchString(c.Commit):
		f := forgeOf(base)
		link := base + f.blob + c.Commit + "/" + escapePath(rooted(c, p))
		if p.Line > 0 {
			link += fmt.Sprintf(f.lines+f.to, p.Line, max(p.Line, p.EndLine))
		}
		return link
	case p.Path == "" && hexCommit.MatchString(p.Commit):
		return base + "/commit/" + p.Commit
	default:
		return ""
	}
}

// linkTo is the page of the web app that shows a place, where the report stands in it, and the permalink elsewhere.
func linkTo(app string, c court.Case, p court.Place) string {
	if app != "" && p.String() != "" {
		return app + p.Query()
	}
	return Permalink(c, p)
}

// link leads to what stands at a place.
func (d *docket) link(p court.Place) string { return linkTo(d.app, d.rec.Case, p) }

// linkOf leads to the first of places.
func (d *docket) linkOf(at []court.Place) string {
	if len(at) == 0 {
		return ""
	}
	return d.link(at[0])
}

// firstLink is the permalink of evidence or of a remedy.
func firstLink(c court.Case, at []court.Place) string {
	if len(at) == 0 {
		return ""
	}
	return Permalink(c, at[0])
}

// link makes text lead to an address of ours where links are wanted. Blanks at
// its end stay outside: they fill a column.
func (o TextOptions) link(url, text string) string {
	shown := strings.TrimRight(text, " ")
	if !o.Links || shown == "" || !printable.MatchString(url) {
		return text
	}
	return "\x1b]8;;" + url + "\x1b\\" + shown + "\x1b]8;;\x1b\\" + text[len(shown):]
}

// printable is an address that can end no sequence of a terminal. Those of
// permalink are all such.
var printable = regexp.MustCompile(`^https://[!-~]+$`)
