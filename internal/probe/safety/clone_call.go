package safety

import (
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/probe"
)

var cloneCall = probe.Probe{
	ID: "clone.call", Version: "1", Target: court.GithubRepo,
	Title:  "The code fetches the repository that it audits",
	Doc:    "Looks for git's clone command in what processes are given, through variables, wrappers and helpers, for GitPython, pygit2, dulwich, and for archives and contents that are downloaded. The place that the graph runs counts first. A command that is put together at run time is not seen.",
	Remedy: cloneIt, Effort: 60,
	Run: asksClone(func(_ *lowered, s *site) probe.Finding {
		f := probe.Present(court.AST, places(s.at), "The code fetches the repository with %s in %s.", ways[s.how], where(s))
		f.Data = map[string]any{"how": s.how, "at": spot(s.at)}
		return f
	}),
}

// cloneIt is asked for whatever question about a clone there is no clone for.
const cloneIt = "Clone the repository with git into a temporary folder: subprocess.run([\"git\", \"clone\", \"--\", url, target], check=True, timeout=300)."

// ways name the ways to get at a repository.
var ways = map[string]string{bySubprocess: "the git program", byGitPython: "GitPython", byPygit2: "pygit2", byDulwich: "dulwich", byAPI: "a download"}

// where names the function of a site.
func where(s *site) string {
	if s.home == nil || !s.home.IsFunction() {
		return "the top level of " + court.Clean(s.at.Path(), 120)
	}
	return court.Clean(s.home.Name, 80) + "()"
}
