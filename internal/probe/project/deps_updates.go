package project

import (
	"context"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/court"
	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
	"github.com/automaton-auditor/automaton/internal/probe"
)

func depsUpdates() probe.Probe {
	return probe.Probe{
		ID: "deps.updates", Version: "1", Target: court.GithubRepo,
		Title:  "A service or pipeline watches for newer dependencies",
		Doc:    "Looks for the settings of a service or job that proposes newer versions: Dependabot, Renovate, PyUp, Scala Steward, or a pipeline that updates or flawSearch dependencies. That is what OpenSSF Scorecard asks under Dependency-Update-Tool. A service that is set up only at the host is not seen.",
		Remedy: "Add a Dependabot or Renovate configuration.",
		Effort: 10, Recall: 8000,
		Run: func(ctx context.Context, s *probe.Scene, _ probe.Args) ([]probe.Finding, error) {
			inv, err := files(ctx, s)
			if err != nil {
				return nil, err
			}
			for _, f := range inv.files {
				if f.scope == code.ScopeVendor || aside(f) || f.blank() {
					continue
				}
				if line := watches(f); line > 0 {
					return []probe.Finding{probe.Present(court.Config, []court.Place{f.place(line)}, "%s sets up a service that proposes newer dependencies or looks for known flaws.", shown(f.path))}, nil
				}
			}
			return []probe.Finding{probe.Missing(court.One, court.Config, "No settings of a service and no pipeline watch the dependencies.")}, nil
		},
	}
}

var flawSearch = regexp.MustCompile(`(?i)\b(?:cargo (?:audit|deny)|npm audit|yarn (?:npm )?audit|pnpm audit|pip-audit|safety check|govulncheck|dependency-check|osv-scanner|snyk|trivy|grype|bundle[- ]audit|composer audit|dependency-review-action|renovatebot/|cargo update|npm-check-updates|ncu -u)\b|renovatebot/`)

func watches(f file) int {
	low := strings.ToLower(f.path)
	switch low {
	case ".github/dependabot.yml", ".github/dependabot.yaml", ".dependabot/config.yml", ".pyup.yml", ".scala-steward.conf", ".whitesource", ".snyk":
		return 1
	}
	switch f.base {
	case "renovate.json", "renovate.json5", ".renovaterc", ".renovaterc.json", ".renovaterc.json5":
		return 1
	case "package.json":
		for _, key := range []string{`"renovate"`, `"greenkeeper"`} {
			if f.dir() == "" && strings.Contains(f.text, key+":") {
				return lineWith(f.text, key)
			}
		}
	}
	if _, ok := jobsOf(f.path); ok {
		if m := flawSearch.FindStringIndex(uncommented(strings.Split(f.text, "\n"))); m != nil {
			return lineOf(uncommented(strings.Split(f.text, "\n")), m[0])
		}
	}
	return 0
}
