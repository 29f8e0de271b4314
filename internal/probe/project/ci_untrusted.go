package project

import (
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
	"github.com/automaton-auditor/automaton/internal/probe"
)

func ciUntrusted() probe.Probe {
	return probe.Probe{
		ID: "ci.untrusted", Version: "1", Target: court.GithubRepo,
		Title: "Pipelines run nothing that strangers write",
		Doc: "Reads the workflows and actions of GitHub for two ways in that its own security guide names: text that anybody may write (titles, bodies, comments, branch names, commit messages) put into a script by an expression, and code of a pull request that is checked out by a workflow started with pull_request_target. " +
			"What reaches a script through an environment variable is safe. Pipelines of other services, and what an action of others does with its inputs, are not read.",
		Remedy: "Hand the text to the script by an environment variable, and use pull_request instead of pull_request_target for code of others.",
		Effort: 15, Recall: 9000,
		Run: probe.Of(files, (*inventory).strangers),
	}
}

var (
	byStrangers = regexp.MustCompile(`\$\{\{[^}]*\bgithub\.(?:head_ref|event\.(?:issue\.(?:title|body)|pull_request\.(?:title|body|head\.(?:ref|label|repo\.default_branch))|comment\.body|review(?:_comment)?\.body|discussion\.(?:title|body)|pages\b[^}]*page_name|(?:head_)?commits?\b[^}]*(?:message|author\.(?:email|name))|workflow_run\.(?:head_branch|head_commit\.message|pull_requests\b[^}]*head\.ref)))\b[^}]*\}\}`)
	runKey      = regexp.MustCompile(`^(\s*)(?:- )?(?:run|script)\s*:\s*(.*)$`)
	targetEvent = regexp.MustCompile(`(?m)^\s*(?:- )?["']?pull_request_target["']?\s*(?::|$)|^["']?on["']?\s*:.*\bpull_request_target\b`)
	headCode    = regexp.MustCompile(`(?m)^\s*(?:ref|repository)\s*:\s*\$\{\{[^}]*github\.(?:event\.pull_request\.head\.|head_ref)`)
)

func (inv *inventory) strangers() probe.Finding {
	var at []court.Place
	looked := 0
	how := ""
	for _, f := range inv.files {
		action := strings.HasPrefix(f.path, ".github/") && (f.base == "action.yml" || f.base == "action.yaml")
		workflow := strings.HasPrefix(f.path, ".github/workflows/") && (strings.HasSuffix(f.base, ".yml") || strings.HasSuffix(f.base, ".yaml"))
		if !action && !workflow || f.text == "" {
			continue
		}
		looked++
		lines := strings.Split(f.text, "\n")
		for _, n := range scripted(lines) {
			if byStrangers.MatchString(uncommented([]string{lines[n]})) {
				at = append(at, f.place(n+1))
				how = "a script contains text that anybody may write"
			}
		}
		text := uncommented(lines)
		if m := headCode.FindStringIndex(text); m != nil && targetEvent.MatchString(text) && strings.Contains(text, "actions/checkout") {
			at = append(at, f.place(lineOf(text, m[1]-1)))
			if how == "" {
				how = "a workflow checks out code of a pull request with the rights of the repository"
			}
		}
	}
	if len(at) == 0 {
		return probe.Clean(court.One, court.Config, "No script of %s takes text that strangers write, and none runs their code with the rights of the repository.", court.Count(looked, "workflow"))
	}
	f := probe.Against(court.Config, at, "In %s, %s.", shown(at[0].Path), how)
	f.Security = &court.Flaw{Severity: court.Medium, Tainted: "yes", Scope: string(productionScope)}
	return f
}

// scripted lists the lines, from 0, that belong to a script of a pipeline.
func scripted(lines []string) []int {
	var out []int
	inside := -1
	for i, line := range lines {
		indent := len(line) - len(strings.TrimLeft(line, " "))
		if inside >= 0 && strings.TrimSpace(line) != "" && indent <= inside {
			inside = -1
		}
		if inside >= 0 {
			out = append(out, i)
			continue
		}
		m := runKey.FindStringSubmatch(strings.TrimRight(line, "\r"))
		switch {
		case m == nil:
		case strings.HasPrefix(m[2], "|") || strings.HasPrefix(m[2], ">"):
			inside = indent
		default:
			out = append(out, i)
		}
	}
	return out
}
