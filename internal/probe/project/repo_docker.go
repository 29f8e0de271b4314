package project

import (
	"context"
	"regexp"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/probe"
)

func repoDocker() probe.Probe {
	return probe.Probe{
		ID: "repo.docker", Version: "1", Target: court.GithubRepo,
		Title: "A container file builds the program",
		Doc: "Looks for a Dockerfile or Containerfile that takes something of the repository into an image and says what it starts. One that starts nothing counts half, unless a compose file starts it. " +
			"Compose files that only run the images of others, and containers to develop in, build nothing. Whether the image can be built is not tried; images made by build tools are unknown.",
		Remedy: "Add a Dockerfile that installs the program and starts it.",
		Effort: 30, Recall: 9500,
		Run: func(ctx context.Context, s *probe.Scene, _ probe.Args) ([]probe.Finding, error) {
			inv, err := files(ctx, s)
			if err != nil {
				return nil, err
			}
			return []probe.Finding{containers(inv)}, nil
		},
	}
}

var (
	imageFrom   = regexp.MustCompile(`(?im)^\s*FROM\s+\S`)
	imageTakes  = regexp.MustCompile(`(?im)^\s*(?:COPY|ADD)\s+(?:--\S+\s+)*[^\s-]|^\s*RUN\s[^\n]*(?:git clone|install\s)`)
	imageStarts = regexp.MustCompile(`(?im)^\s*(?:CMD|ENTRYPOINT)\s+\S`)
	composed    = regexp.MustCompile(`(?m)^\s+(?:command|entrypoint)\s*:`)
	otherImages = regexp.MustCompile(`(?m)^dockers(?:_v2)?\s*:|^kos\s*:|jib-maven-plugin|com\.google\.cloud\.tools\.jib|build-image|dockerTools\.|buildpacks?/|\bpack build\b`)
)

func containers(inv *inventory) probe.Finding {
	var whole, half []court.Place
	starts := false
	var hint *file
	for _, f := range inv.files {
		if f.foreign() || aside(f) || f.blank() || strings.Contains("/"+strings.ToLower(f.dir())+"/", "/.devcontainer/") {
			continue
		}
		compose := strings.Contains(f.base, "compose") && f.lang == "yaml"
		switch {
		case f.lang == "docker" || strings.HasSuffix(f.base, ".dockerfile"):
			at := imageFrom.FindStringIndex(f.text)
			if at == nil || !imageTakes.MatchString(f.text) {
				continue
			}
			here := f.place(lineOf(f.text, at[0]+len(f.text[at[0]:at[1]])-len(strings.TrimLeft(f.text[at[0]:at[1]], " \t\n\r"))))
			if imageStarts.MatchString(f.text) {
				whole = append(whole, here)
			} else {
				half = append(half, here)
			}
		case compose:
			starts = starts || composed.MatchString(f.text)
		case hint == nil && f.scope != code.ScopeDocs && f.scope != code.ScopeProduction && otherImages.MatchString(f.text):
			hint = &f
		}
	}
	switch {
	case len(whole) > 0:
		return probe.Present(court.Config, whole, "%s builds an image and starts it.", shown(whole[0].Path))
	case len(half) > 0 && starts:
		return probe.Present(court.Config, half, "%s builds an image, and a compose file starts it.", shown(half[0].Path))
	case len(half) > 0:
		return probe.Partly(5000, court.Config, half, "%s builds an image, but says not what it starts.", shown(half[0].Path))
	case hint != nil:
		return probe.Cannot(court.NoDetector, []court.Place{{Path: hint.path}}, "No container file was found, but %s may make images by other means.", shown(hint.path))
	}
	return probe.Missing(court.One, court.Config, "No container file takes the program into an image.")
}
