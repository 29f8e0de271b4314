package project

import (
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/court"
	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
	"github.com/automaton-auditor/automaton/internal/probe"
)

func repoIgnore() probe.Probe {
	return probe.Probe{
		ID: "repo.ignore", Version: "1", Target: court.GithubRepo,
		Title:  "Build output is kept out of the repository",
		Doc:    "Reads the .gitignore files for what the languages of the project leave behind: caches and environments of Python, node_modules, the target of Rust, class files and build folders of Java. The share is that of the languages whose leavings are named; languages that leave nothing in the tree, such as Go, ask for nothing.",
		Remedy: "Name in .gitignore what building and running leave behind.",
		Effort: 5, Recall: 9500,
		Run: probe.Of(files, (*inventory).ignoring),
	}
}

// leavings are what languages leave in a tree, as patterns name it.
var leavings = []struct {
	lang  code.Language
	named *regexp.Regexp
}{
	{"python", regexp.MustCompile(`(?m)__pycache__|\*\.py\[|\*\.pyc|^/?\.?v?env|\*\.py\[cod\]|^\*\.pyc?`)},
	{"javascript", regexp.MustCompile(`node_modules`)},
	{"typescript", regexp.MustCompile(`node_modules`)},
	{"rust", regexp.MustCompile(`(?m)^[*/]*target\b`)},
	{"java", regexp.MustCompile(`(?m)\*\.class|^[*/]*(?:target|build|out|bin)\b`)},
	{"kotlin", regexp.MustCompile(`(?m)^[*/]*(?:target|build|out)\b`)},
	{"c#", regexp.MustCompile(`(?im)^[*/]*\[?b?B?\]?(?:bin|obj)\b|\[Oo\]bj|obj/`)},
}

func (inv *inventory) ignoring() probe.Finding {
	var lists []file
	var all strings.Builder
	for _, f := range inv.files {
		if f.base == ".gitignore" && !f.blank() && f.scope != code.ScopeVendor {
			lists = append(lists, f)
			all.WriteString(f.text + "\n")
		}
	}
	var asked, open []string
	for _, l := range leavings {
		if l.lang == "javascript" && inv.first(func(f file) bool { return f.base == "package.json" && !f.foreign() }) == nil {
			continue // scripts of a page leave nothing
		}
		if l.lang == "typescript" && inv.holds(func(x code.Language) bool { return x == "javascript" }) || !inv.holds(func(x code.Language) bool { return x == l.lang }) {
			continue
		}
		asked = append(asked, string(l.lang))
		if !l.named.MatchString(all.String()) {
			open = append(open, string(l.lang))
		}
	}
	switch {
	case len(asked) == 0:
		return probe.Nothing(court.One, court.Config, "The languages of the project leave nothing in the tree that is known here.")
	case len(lists) == 0:
		return probe.Missing(court.One, court.Config, "There is no .gitignore, and %s leave files in the tree.", strings.Join(asked, ", ")).Do("Add a .gitignore that names what the tools of %s leave in the tree.", strings.Join(asked, ", "))
	case len(open) == 0:
		return probe.Present(court.Config, []court.Place{lists[0].place(1)}, "%s names what the tools of %s leave in the tree.", shown(lists[0].path), strings.Join(asked, ", "))
	}
	return probe.Partly(probe.Ratio(len(asked)-len(open), len(asked)), court.Config, []court.Place{lists[0].place(1)}, "%s does not name what the tools of %s leave in the tree.", shown(lists[0].path), strings.Join(open, ", ")).Do("Name in %s what the tools of %s leave in the tree.", shown(lists[0].path), strings.Join(open, ", "))
}
