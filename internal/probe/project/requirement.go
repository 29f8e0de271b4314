package project

import (
	"slices"

	"github.com/automaton-auditor/automaton/internal/code"
	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
	"github.com/automaton-auditor/automaton/internal/manifest"
	"github.com/automaton-auditor/automaton/internal/tables"
)

// requirement is one dependency as a manifest declares it.
type requirement struct {
	name  string // as written
	spec  string // what versions it allows, "" for any
	file  file
	line  int
	extra bool // of a group for development or an option
}

var (
	installs = regexp.MustCompile(`\b(?:install_requires|setup_requires|tests_require)\s*=\s*\[`)
	bounded  = regexp.MustCompile(`>=|===?|~=|>|\^|~|^\s*[v=]?\d|^\s*\$|@|#|-SNAPSHOT`)
	moving   = regexp.MustCompile(`(?i)^\s*(?:\*|x|latest|next|canary|release|latest\.\w+|\+)\s*$|\+\s*$`)
)

// bounds tells whether the versions have a lower bound or a pin.
func (r requirement) bounds() bool { return bounded.MatchString(r.spec) && !moving.MatchString(r.spec) }

// requirements are the direct dependencies that the project's manifests
// declare. What lies beside the project on the same disk is left out, as is
// what a parent or a platform gives the version of, and an extra of the project
// itself.
func (inv *inventory) requirements() []requirement {
	var out []requirement
	own := map[string]bool{}
	for _, f := range inv.files {
		python := f.base == "pyproject.toml" || f.base == "setup.py"
		aside := f.foreign() || aside(f) || f.scope == code.ScopeDocs && !isRequirements(f)
		if f.blank() || aside && !python {
			continue
		}
		m := manifest.Read(f.path, f.text)
		if python && m.Name != "" {
			own[tables.Folded(m.Name)] = true
		}
		for _, d := range m.Dependencies {
			if !aside && d.Role != manifest.Named {
				out = append(out, requirement{d.Name, d.Spec, f, d.Line, d.Role == manifest.Development})
			}
		}
	}
	return slices.DeleteFunc(out, func(r requirement) bool { return own[tables.Folded(r.name)] })
}

func isRequirements(f file) bool { return manifest.IsRequirements(f.path) }
