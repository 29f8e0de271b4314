package project

import (
	"context"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/court"
	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
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
		Args: []probe.Arg{{Name: "when", Type: "string", Allowed: []string{"always", "served"}, Default: "always", Doc: "served: only a program that listens for requests needs one; libraries and tools of the command line are installed by other means"}},
		Run: func(ctx context.Context, s *probe.Scene, a probe.Args) ([]probe.Finding, error) {
			inv, err := files(ctx, s)
			if err != nil {
				return nil, err
			}
			f := containers(inv)
			if f.Outcome != court.Absent || a.String("when") != "served" {
				return []probe.Finding{f}, nil
			}
			n, err := projectKindOf(ctx, s)
			if err != nil {
				return nil, err
			}
			switch {
			case n.library != nil:
				f = probe.Nothing(court.One, court.Structure, "By %s, the project is a library, which nobody runs in a container.", shown(n.library.path))
			case n.serves == nil:
				f = probe.Nothing(court.One, court.Structure, "No code listens for requests, so the project needs no image.")
			default:
				f = probe.Missing(court.One, court.Config, "The program listens for requests (%s), but no container file takes it into an image.", n.serves.place(n.at))
			}
			return []probe.Finding{f}, nil
		},
	}
}

var (
	imageFrom   = regexp.MustCompile(`(?im)^\s*FROM\s+\S`)
	imageTakes  = regexp.MustCompile(`(?im)^\s*(?:COPY|ADD)\s+(?:--\S+\s+)*[^\s-]|^\s*RUN\s[^\n]*(?:git clone|install\s)`)
	imageStarts = regexp.MustCompile(`(?im)^\s*(?:CMD|ENTRYPOINT)\s+\S`)
	// Servers whose official images start by themselves; the last stage counts.
	selfStarting = regexp.MustCompile(`(?i)^(?:\S+/)?(?:nginx\S*|httpd|caddy|tomcat|jetty|wordpress|php:\S*apache\S*|ghost|traefik)(?:[:@]\S*)?$`)
	imageBase    = regexp.MustCompile(`(?im)^\s*FROM\s+(?:--\S+\s+)*(\S+)`)
	composed     = regexp.MustCompile(`(?m)^\s+(?:command|entrypoint)\s*:`)
	otherImages  = regexp.MustCompile(`(?m)^dockers(?:_v2)?\s*:|^kos\s*:|jib-maven-plugin|com\.google\.cloud\.tools\.jib|build-image|dockerTools\.|buildpacks?/|\bpack build\b`)
)

// serverImage tells whether the last stage of an image is built on a server
// that starts by itself.
func serverImage(text string) bool {
	all := imageBase.FindAllStringSubmatch(text, 100)
	return len(all) > 0 && selfStarting.MatchString(all[len(all)-1][1])
}

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
			if imageStarts.MatchString(f.text) || serverImage(f.text) {
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
	shallow := func(a, b court.Place) int { return strings.Count(a.Path, "/") - strings.Count(b.Path, "/") }
	slices.SortStableFunc(whole, shallow)
	slices.SortStableFunc(half, shallow)
	switch {
	case len(whole) > 0:
		return probe.Present(court.Config, whole, "%s builds an image and starts it.", shown(whole[0].Path))
	case len(half) > 0 && starts:
		return probe.Present(court.Config, half, "%s builds an image, and a compose file starts it.", shown(half[0].Path))
	case len(half) > 0:
		return probe.Partly(5000, court.Config, half, "%s builds an image, but does not say what the image starts.", shown(half[0].Path)).Do("Add a CMD or ENTRYPOINT to %s.", shown(half[0].Path))
	case hint != nil:
		return probe.Cannot(court.NoDetector, []court.Place{{Path: hint.path}}, "No container file was found, but %s may make images by other means.", shown(hint.path))
	}
	return probe.Missing(court.One, court.Config, "No container file takes the program into an image.")
}
