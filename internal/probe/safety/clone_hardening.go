package safety

import (
	"fmt"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/probe"
)

var cloneHardening = probe.Probe{
	ID: "clone.hardening", Version: "2", Target: court.GithubRepo,
	Title:  "The clone takes no options from the URL and runs no hooks",
	Doc:    "Counts four protections: -- before the URL or a URL that cannot begin with a dash, protocols limited, hooks and templates off, no submodules. GitPython itself refuses options and foreign protocols unless told otherwise.",
	Remedy: "Put -- before the URL, pass -c protocol.allow=never -c protocol.https.allow=always -c core.hooksPath=/dev/null and no submodules.", Effort: 10,
	Run: asksClone(func(x *lowered, s *site) probe.Finding {
		var has, lacks []string
		for _, g := range x.protections(s) {
			if g.on {
				has = append(has, g.name)
			} else {
				lacks = append(lacks, g.name)
			}
		}
		share := probe.Ratio(len(has), len(has)+len(lacks))
		text := fmt.Sprintf("Of four protections, the clone in %s has: %s.", where(s), listed(has))
		if len(lacks) == 0 {
			return probe.Partly(share, court.AST, places(s.at), "%s", text)
		}
		lines := make([]string, len(lacks))
		for i, l := range lacks {
			lines[i] = protect[l]
			if own := protectGitPython[l]; own != "" && s.how == byGitPython {
				lines[i] = own
			}
		}
		return probe.Partly(share, court.AST, places(s.at), "%s It lacks: %s.", text, listed(lacks)).
			Do("Add to the clone in %s: %s.", where(s), strings.Join(lines, ", "))
	}),
}

// protect is what switches each protection on.
var protect = map[string]string{"options refused": "-- before the URL", "limited protocols": "-c protocol.allow=never -c protocol.https.allow=always",
	"hooks off": "-c core.hooksPath=/dev/null", "submodules off": "--no-recurse-submodules"}

// protectGitPython is the same for a clone by GitPython, which refuses -c and puts -- before
// the URL itself. Git takes settings from the environment from 2.31 on.
var protectGitPython = map[string]string{"options refused": "allow_unsafe_options=False", "limited protocols": "allow_unsafe_protocols=False",
	"hooks off": `env={"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "core.hooksPath", "GIT_CONFIG_VALUE_0": "/dev/null"}`}

// listed joins names, or says that there are none.
func listed(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, ", ")
}

// protection is one way to keep a clone from doing more than it should.
type protection struct {
	name string
	on   bool
}

// protections says which protections a site has.
func (x *lowered) protections(s *site) []protection {
	v := x.survey
	var all []string
	for _, w := range slices.Concat(s.cmd.options, s.cmd.args) {
		all = append(all, w.text)
	}
	for _, a := range s.call.Args {
		if s.how != bySubprocess && a.Name != "" {
			all = append(append(all, a.Name+"="+a.Value.Text()), v.p.Texts(a.Value)...)
		}
	}
	text := " " + strings.Join(all, " ") + " "
	scheme := false
	if s.url.valid() {
		for r := range x.testsOf(s.url) {
			scheme = scheme || r.demands
		}
	}
	library := s.how != bySubprocess
	has := func(words ...string) bool {
		for _, w := range words {
			if strings.Contains(text, w) || len(x.stored(w)) > 0 {
				return true
			}
		}
		return false
	}
	unsafe := has("allow_unsafe_protocols", "allow_unsafe_options")
	return []protection{
		{"options refused", strings.Contains(text, " -- ") || scheme || library && !unsafe},
		{"limited protocols", has("protocol.allow", "protocol.ext", "protocol.file", "GIT_ALLOW_PROTOCOL") || scheme || s.how == byAPI || s.how == byGitPython && !unsafe},
		{"hooks off", has("core.hooksPath", "--template", "GIT_TEMPLATE_DIR") || s.how == byAPI || s.how == byPygit2 || s.how == byDulwich},
		{"submodules off", !has("--recurse-submodules", "--recursive", "recurse_submodules=True")},
	}
}
