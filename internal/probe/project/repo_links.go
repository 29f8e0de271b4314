package project

import (
	"context"
	"net/url"
	"path"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/court"
	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
	"github.com/automaton-auditor/automaton/internal/passage"
	"github.com/automaton-auditor/automaton/internal/probe"
)

func repoLinks() probe.Probe {
	return probe.Probe{
		ID: "repo.links", Version: "1", Target: court.GithubRepo,
		Title: "Links within the repository lead somewhere",
		Doc: "Takes the relative links and images of the Markdown files at the root and of every README, and looks for the file or folder that they lead to, as the host shows them: from the file's own folder, or from the root after a stroke. " +
			"Addresses of the web, places within a page, links out of the repository and pages of the host (issues, releases, wiki) are left out, as are the pages of documentation sites, whose links are made when the site is built.",
		Remedy: "Correct the link, or add what it leads to.",
		Effort: 10, Recall: 9000,
		Run: func(ctx context.Context, s *probe.Scene, _ probe.Args) ([]probe.Finding, error) {
			inv, err := files(ctx, s)
			if err != nil {
				return nil, err
			}
			entries, err := s.Entries()
			if err != nil {
				return nil, err
			}
			there := map[string]bool{"": true, ".": true}
			for _, e := range entries { // links and submodules are there, too
				for p := e.Path; p != "." && !there[p]; p = path.Dir(p) {
					there[p] = true
				}
			}
			return []probe.Finding{inv.links(there)}, nil
		},
	}
}

var (
	markdownLink = regexp.MustCompile(`\]\(\s*<?([^)\s>]+)>?(?:\s+["'(][^)]*)?\)|^\s{0,3}\[[^\]]+\]:\s+<?([^\s>]+)>?\s*(?:["'(].*)?$|(?i)\b(?:href|src)\s*=\s*["']([^"']+)["']`)
	hostPage     = regexp.MustCompile(`^(?:issues|pulls?|releases|wiki|actions|discussions|commits?|compare|blob|tree|raw|security|projects|stargazers|network|graphs|edit)(?:/|$)`)
	codeSpan     = regexp.MustCompile("`[^`]*`")
)

func (inv *inventory) links(there map[string]bool) probe.Finding {
	var gone []court.Place
	var names []string
	var good *court.Place
	total := 0
	for _, f := range inv.files {
		readme := strings.HasPrefix(f.base, "readme")
		if f.lang != "markdown" || f.dir() != "" && !readme || f.scope == code.ScopeVendor || f.scope == code.ScopeTest || strings.HasPrefix(f.base, "changelog") || aside(f) || strings.HasSuffix(f.base, ".mdx") {
			continue
		}
		for _, line := range proseLines(f.text) {
			for _, m := range markdownLink.FindAllStringSubmatch(codeSpan.ReplaceAllString(line.Text, ""), 50) {
				to, ok := within(f.dir(), m[1]+m[2]+m[3])
				if !ok || total > 5000 {
					continue
				}
				total++
				here := f.place(line.Number)
				if there[to] {
					if good == nil {
						good = &here
					}
					continue
				}
				gone = append(gone, here)
				names = append(names, to)
			}
		}
	}
	switch {
	case total == 0:
		return probe.Nothing(court.One, court.Crossref, "No README and no Markdown file at the root links to a file of the repository.")
	case len(gone) == 0:
		return probe.Present(court.Crossref, []court.Place{*good}, "All %s within the repository lead to something that exists.", court.Count(total, "link"))
	}
	return probe.Partly(probe.Ratio(total-len(gone), total), court.Crossref, gone, "%[2]d of %[1]s within the repository lead to nothing: %[3]s.", court.Count(total, "link"), len(gone), shown(strings.Join(names[:min(len(names), 5)], ", "))).
		Do("Correct the links, or add their targets: %s.", few(names, 5))
}

// proseLines are the lines of a Markdown text that can hold links: comments and listings cannot.
func proseLines(text string) []passage.Line {
	var lines []passage.Line
	for _, p := range passage.FromMarkdown(text) {
		for _, l := range p.Lines {
			if p.Kind != passage.Code && len(l.Text) <= 10000 {
				lines = append(lines, l)
			}
		}
	}
	return lines
}

// within is where a link of a file in a folder leads in the repository; ok is
// false for what leads elsewhere or is not a link yet.
func within(dir, link string) (string, bool) {
	if strings.ContainsAny(link, "{}$|\\*") || strings.HasPrefix(link, "#") || strings.HasPrefix(link, "//") {
		return "", false
	}
	u, err := url.Parse(link)
	if err != nil || u.Scheme != "" || u.Host != "" || u.Path == "" || strings.Contains(u.Path, "@") {
		return "", false
	}
	to := path.Join(dir, u.Path)
	if rooted, ok := strings.CutPrefix(u.Path, "/"); ok {
		if to = path.Clean(rooted); path.Ext(to) == "" { // an address on the project's site, more often than a folder
			return "", false
		}
	}
	if to == ".." || strings.HasPrefix(to, "../") || hostPage.MatchString(strings.TrimLeft(u.Path, "./")) {
		return "", false
	}
	return to, true
}
