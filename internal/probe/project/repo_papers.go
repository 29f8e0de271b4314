package project

import (
	"context"
	"path"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
	"github.com/automaton-auditor/automaton/internal/probe"
)

// paper is a document that a project keeps beside its code under a usual name.
type paper struct {
	stem    *regexp.Regexp // of the file's name, lower case
	heading *regexp.Regexp // of a section of the README that stands for it; nil: none does
	is      string
	missing string
}

var (
	changesPaper = paper{regexp.MustCompile(`^(?:changelog|changes|history|news|release[-_ ]?notes[-_ v\d.]*|releases|what.?s[-_ ]?new|upgrad(?:e|ing)|\.?changesets?|changelog\.d)$`),
		regexp.MustCompile(`(?i)^\s{0,3}(?:#+\s*|=+\s+)(?:\S+\s+)?(?:change ?log|what.s new|release notes|releases?|history)\b`), "%s says what changed from one release to the next.", "No file and no section of the README says what changed from one release to the next. Notes that only the host keeps are not seen."}
	// deep are the names that say so much that the paper may lie in any folder of
	// the documents.
	deep              = regexp.MustCompile(`^(?:change[-_ ]?logs?|changes|news|release[-_ ]?notes[-_ v\d.]*|what.?s[-_ ]?new|contributing|how[-_ ]?to[-_ ]?contribute)$`)
	contributingPaper = paper{regexp.MustCompile(`^(?:contributing|hacking|development|developing|developer[-_ ]?guide|building|how[-_ ]?to[-_ ]?contribute)$`),
		regexp.MustCompile(`(?i)^\s{0,3}(?:#+\s*|=+\s+)(?:\S+\s+|how (?:to|can i|do i) )?(?:contribut\w*|develop\w*|hacking|building(?: from source)?|for developers|local (?:development|setup))\b`), "%s says how others can work on it.", "No file and no section of the README says how others can work on it."}
	securityPaper = paper{regexp.MustCompile(`^security$`),
		regexp.MustCompile(`(?i)^\s{0,3}(?:#+\s*|=+\s+)(?:\S+\s+)?(?:security polic\w+|report\w* (?:an? )?(?:security|vulnerabilit\w+).*|responsible disclosure)\s*$`), "%s says how a flaw is reported.", "No file and no section of the README says how a flaw is reported. A policy that an organisation keeps for all its projects is not seen."}
)

func repoChanges() probe.Probe {
	return probe.Probe{
		ID: "repo.changes", Version: "1", Target: court.GithubRepo,
		Title:  "A document says what changed from release to release",
		Doc:    "Looks for a change log under its usual names (CHANGELOG, CHANGES, HISTORY, NEWS, release notes) at the root or in the documents, for a folder of its pieces, and for a section of the README. Release notes that only the host keeps are not seen.",
		Remedy: "Keep a CHANGELOG that says for each release what changed.",
		Effort: 20, Recall: 7500,
		Run: changesPaper.look,
	}
}

func repoContributing() probe.Probe {
	return probe.Probe{
		ID: "repo.contributing", Version: "1", Target: court.GithubRepo,
		Title:  "A document says how others can work on the project",
		Doc:    "Looks for contributing or developers' notes under their usual names at the root, in .github or in the documents, and for a section of the README. What they say is not weighed.",
		Remedy: "Say in CONTRIBUTING or the README how to build, test and hand in a change.",
		Effort: 20, Recall: 9000,
		Run: contributingPaper.look,
	}
}

func repoPolicy() probe.Probe {
	return probe.Probe{
		ID: "repo.policy", Version: "1", Target: court.GithubRepo,
		Title:  "A document says how to report a flaw",
		Doc:    "Looks for SECURITY at the root, in .github or in docs, where GitHub and OpenSSF Scorecard (Security-Policy) look, and for a section of the README. A policy that an organisation keeps for all its projects is not seen.",
		Remedy: "Add a SECURITY file that says to whom a flaw is reported.",
		Effort: 10, Recall: 7500,
		Run: securityPaper.look,
	}
}

func (p paper) look(ctx context.Context, s *probe.Scene, _ probe.Args) ([]probe.Finding, error) {
	inv, err := files(ctx, s)
	if err != nil {
		return nil, err
	}
	for _, f := range inv.files {
		dir := strings.ToLower(f.dir())
		top, _, _ := strings.Cut(strings.ToLower(f.path), "/")
		stem := strings.TrimSuffix(f.base, path.Ext(f.base))
		kept := dir == "" || dir == ".github" || dir == "docs" || dir == "doc" || f.dir() == inv.layout.Root()
		if f.blank() || f.lang.Code() {
			continue
		}
		if p.stem == changesPaper.stem && inv.workspace() && strings.Count(f.path, "/") <= 3 && !f.foreign() {
			kept = kept || strings.HasPrefix(f.base, "changelog.")
		}
		if (top == "docs" || top == "doc") && !f.foreign() { // a folder may bear the name, too
			kept = kept || deep.MatchString(stem)
			if folder := path.Base(dir); deep.MatchString(folder) {
				kept, stem = true, folder
			}
		}
		if kept && p.stem.MatchString(stem) || top != strings.ToLower(f.path) && strings.Contains(top, "change") && p.stem.MatchString(top) {
			return []probe.Finding{probe.Present(court.Config, []court.Place{{Path: f.path}}, p.is, shown(f.path))}, nil
		}
	}
	if f, ok := inv.readme(); ok && p.heading != nil {
		lines := strings.Split(f.text, "\n")
		for i, line := range lines {
			if i+1 < len(lines) && underline.MatchString(lines[i+1]) && strings.TrimSpace(line) != "" {
				line = "# " + line
			}
			if p.heading.MatchString(line) {
				return []probe.Finding{probe.Present(court.Config, []court.Place{f.place(i + 1)}, p.is, shown(f.path))}, nil
			}
		}
	}
	return []probe.Finding{probe.Missing(court.One, court.Config, "%s", p.missing)}, nil
}
