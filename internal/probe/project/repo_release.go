package project

import (
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/court"
	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
	"github.com/automaton-auditor/automaton/internal/probe"
)

func repoRelease() probe.Probe {
	return probe.Probe{
		ID: "repo.release", Version: "1", Target: court.GithubRepo,
		Title:  "Releases are made by a pipeline",
		Doc:    "Looks in the pipelines for a command or action that publishes: to a package index, a registry of images, the releases of the host or a server; and for the settings of GoReleaser, semantic-release, release-please or changesets. A script or a written procedure for releases counts half. Releases that somebody makes by hand without writing down how are not seen.",
		Remedy: "Add a pipeline that builds and publishes a release when a version is tagged.",
		Effort: 60, Recall: 8500,
		Run: probe.Of(files, (*inventory).released),
	}
}

var (
	publishing  = regexp.MustCompile(`(?i)\b(?:cargo publish|(?:npm|yarn|pnpm|bun|deno)(?: \w+)? publish[\w:-]*|(?:npm|yarn|pnpm|bun)(?: run)? release|node \S*publish\S*|tox [^\n]*-e ?(?:publish|release)|publish-on-tag|lerna publish|changeset publish|changesets/action|semantic-release|release-please|twine upload|pypi-publish|poetry publish|uv publish|flit publish|hatch publish|maturin publish|goreleaser|docker push|build-push-action|buildx[^\n]*--push|mvn[^\n]* deploy|mvnw[^\n]* deploy|central-publishing|gradlew?[^\n]* publish\w*|gem push|dotnet nuget push|gh release|action-gh-release|release-action|upload-release-asset|create-release|vsce publish|flutter pub publish|dart pub publish|mix hex\.publish|helm push|cosign sign|deploy-pages|vercel deploy|netlify deploy|kubectl apply|fly deploy|sentry-cli releases|release\.sh)\b|actions/deploy-pages|autorelease`)
	releaseBase = regexp.MustCompile(`^(?:releas(?:e|ing)(?:[-_ ]?(?:process|guide|checklist))?|publishing|make[-_]?release|bump[-_]?version|prepare[-_]?release)$`)
)

func (inv *inventory) released() probe.Finding {
	var half *file
	o := orders{inv: inv, seen: map[string]bool{}}
	for i := range inv.files {
		f := &inv.files[i]
		if f.blank() || f.scope == code.ScopeVendor || f.foreign() || aside(*f) {
			continue
		}
		switch f.base {
		case ".goreleaser.yml", ".goreleaser.yaml", "goreleaser.yml", ".releaserc", ".releaserc.json", ".releaserc.yml", "release-please-config.json", "release.config.js", "release-plz.toml", "dist-workspace.toml":
			return probe.Present(court.Config, []court.Place{{Path: f.path}}, "%s makes releases.", shown(f.path))
		}
		if _, ok := jobsOf(f.path); ok {
			lines := strings.Split(f.text, "\n")
			for _, c := range ordersOf(f, lines) {
				clear(o.seen)
				if slices.ContainsFunc(o.follow(c.text, 2), publishing.MatchString) {
					return probe.Present(court.Config, []court.Place{f.place(c.line)}, "%s publishes the build.", shown(f.path))
				}
			}
		}
		stem, _, _ := strings.Cut(f.base, ".")
		if half == nil && releaseBase.MatchString(stem) && f.text != "" {
			half = f
		}
	}
	if half != nil {
		return probe.Partly(court.One/2, court.Config, []court.Place{{Path: half.path}}, "%s describes or makes a release, but no pipeline publishes one.", shown(half.path))
	}
	return probe.Missing(court.One, court.Config, "No pipeline and no release tool publishes anything.")
}
