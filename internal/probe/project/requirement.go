package project

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
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
	requires    = regexp.MustCompile(`^\s*([A-Za-z0-9][A-Za-z0-9._-]*)\s*(?:\[[^\]]*\])?\s*(.*)$`)
	installs    = regexp.MustCompile(`(?s)\b(?:install_requires|setup_requires|tests_require)\s*=\s*\[(.*?)\]`)
	quotedWhole = regexp.MustCompile(`"([^"\n]*)"|'([^'\n]*)'`)
	tomlEntry   = regexp.MustCompile(`^\s*["']?([A-Za-z0-9][A-Za-z0-9._-]*)["']?\s*=\s*(.*)$`)
	tomlVersion = regexp.MustCompile(`\bversion\s*=\s*["']([^"']*)["']`)
	pomVersion  = regexp.MustCompile(`(?s)<dependency>(.*?)</dependency>`)
	pomField    = regexp.MustCompile(`(?s)<(artifactId|version)>\s*([^<]*?)\s*</`)
	gradleWhole = regexp.MustCompile(`["']([\w.-]+):([\w.-]+):([^"':]+)["']`)
	bounded     = regexp.MustCompile(`>=|===?|~=|>|\^|~|^\s*[v=]?\d|^\s*\$|@|#|-SNAPSHOT`)
	moving      = regexp.MustCompile(`(?i)^\s*(?:\*|x|latest|next|canary|release|latest\.\w+|\+)\s*$|\+\s*$`)
)

// bounds tells whether the versions have a lower bound or a pin.
func (r requirement) bounds() bool { return bounded.MatchString(r.spec) && !moving.MatchString(r.spec) }

// requirements are the direct dependencies that the project's manifests
// declare. What lies beside the project on the same disk is left out, as is
// what a parent or a platform gives the version of.
func (inv *inventory) requirements() []requirement {
	var out []requirement
	for _, f := range inv.files {
		if f.foreign() || aside(f) || f.scope == code.ScopeDocs && !isRequirements(f) || f.blank() {
			continue
		}
		switch {
		case isRequirements(f):
			each(f, func(line string, n int) {
				out = addLine(out, f, n, line, strings.Contains(f.base, "dev") || strings.Contains(f.base, "test"))
			})
		case f.base == "pyproject.toml", f.base == "cargo.toml", f.base == "pipfile":
			out = append(out, inTables(f)...)
		case f.base == "setup.py":
			for _, m := range installs.FindAllStringSubmatchIndex(f.text, 10) {
				for _, q := range quotedWhole.FindAllStringSubmatchIndex(f.text[m[2]:m[3]], 200) {
					at := m[2] + q[0]
					out = addLine(out, f, lineOf(f.text, at), strings.Trim(f.text[at:m[2]+q[1]], `"'`), false)
				}
			}
		case f.base == "setup.cfg":
			out = append(out, inSetupConfig(f)...)
		case f.base == "package.json":
			out = append(out, inPackage(f)...)
		case f.base == "go.mod":
			each(f, func(line string, n int) {
				if m := required.FindStringSubmatch(line); m != nil && !strings.Contains(line, "// indirect") {
					out = append(out, requirement{name: m[1], spec: "v1", file: f, line: n})
				}
			})
		case f.base == "pom.xml":
			out = append(out, inPom(f)...)
		case f.base == "build.gradle", f.base == "build.gradle.kts":
			each(f, func(line string, n int) {
				for _, m := range gradleWhole.FindAllStringSubmatch(line, -1) {
					out = append(out, requirement{name: m[1] + ":" + m[2], spec: m[3], file: f, line: n, extra: strings.Contains(line, "test")})
				}
			})
		}
	}
	own := inv.ownNames()
	return slices.DeleteFunc(out, func(r requirement) bool { return own[folded(r.name)] })
}

var projectName = regexp.MustCompile(`(?m)^\s*name\s*=\s*["']([\w.-]+)["']`)

// ownNames are the names under which the project's manifests publish it: an
// extra of the project itself is no dependency.
func (inv *inventory) ownNames() map[string]bool {
	own := map[string]bool{}
	for _, f := range inv.files {
		if f.base == "pyproject.toml" || f.base == "setup.py" {
			if m := projectName.FindStringSubmatch(f.text); m != nil {
				own[folded(m[1])] = true
			}
		}
	}
	return own
}

// isRequirements tells a list of requirements of pip, by its name or its folder.
func isRequirements(f file) bool {
	text := strings.HasSuffix(f.base, ".txt") || strings.HasSuffix(f.base, ".in")
	return text && (strings.HasPrefix(f.base, "requirements") || strings.HasSuffix(f.base, "requirements.txt") || strings.HasSuffix("/"+strings.ToLower(f.dir()), "/requirements"))
}

// addLine adds a requirement as pip writes it; options and paths are none.
func addLine(out []requirement, f file, n int, line string, extra bool) []requirement {
	line, _, _ = strings.Cut(line, " #")
	line = strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(line), `\`))
	if line == "" || strings.HasPrefix(line, "#") || strings.HasPrefix(line, "-") || strings.HasPrefix(line, ".") || strings.Contains(strings.SplitN(line, " ", 2)[0], "/") {
		return out
	}
	line, _, _ = strings.Cut(line, ";")
	m := requires.FindStringSubmatch(line)
	if m == nil || m[2] != "" && !strings.ContainsAny(m[2][:1], "<>=~!@(") {
		return out
	}
	return append(out, requirement{name: m[1], spec: strings.Trim(m[2], "() "), file: f, line: n, extra: extra})
}

// inTables reads the tables and lists of a TOML manifest.
func inTables(f file) []requirement {
	var out []requirement
	table, list, extra := "", false, false
	each(f, func(line string, n int) {
		if strings.HasPrefix(strings.TrimSpace(line), "#") {
			return
		}
		if m := tomlTable.FindStringSubmatch(line); m != nil && !list && strings.HasPrefix(strings.TrimSpace(line), "[") {
			table = strings.ToLower(m[1])
			extra = strings.Contains(table, "dev") || strings.Contains(table, "optional") || strings.Contains(table, "group") || strings.Contains(table, "build")
			return
		}
		m := tomlEntry.FindStringSubmatch(line)
		last := table[strings.LastIndexByte(table, '.')+1:]
		inTable := f.base != "pyproject.toml" && (strings.HasSuffix(last, "dependencies") || table == "packages" || table == "dev-packages") ||
			f.base == "pyproject.toml" && strings.HasPrefix(table, "tool.poetry") && strings.HasSuffix(last, "dependencies")
		opens := m != nil && f.base == "pyproject.toml" && strings.HasPrefix(m[2], "[") &&
			(table == "project" && m[1] == "dependencies" || table == "project.optional-dependencies" || table == "dependency-groups")
		switch {
		case opens:
			list = true
			line = m[2]
		case !list && inTable && m != nil && !strings.EqualFold(m[1], "python"):
			if r, ok := inEntry(m[1], m[2]); ok {
				r.file, r.line, r.extra = f, n, extra
				out = append(out, r)
			}
		}
		if list {
			for _, q := range quotedWhole.FindAllStringSubmatch(line, -1) {
				out = addLine(out, f, n, q[1]+q[2], extra)
			}
			bare := strings.TrimRight(quotedWhole.ReplaceAllString(strings.SplitN(line, " #", 2)[0], ""), " \t,")
			list = !strings.HasSuffix(bare, "]")
		}
	})
	return out
}

// inEntry reads NAME = "VERSION" or NAME = { version = "VERSION", ... }.
func inEntry(name, value string) (requirement, bool) {
	r := requirement{name: name}
	switch {
	case strings.HasPrefix(value, "{"):
		if regexp.MustCompile(`\b(?:path|workspace)\s*=`).MatchString(value) {
			return r, false
		}
		if m := tomlVersion.FindStringSubmatch(value); m != nil {
			r.spec = m[1]
		} else if regexp.MustCompile(`\b(?:rev|tag|ref)\s*=`).MatchString(value) {
			r.spec = "@"
		}
		return r, true
	case strings.HasPrefix(value, `"`), strings.HasPrefix(value, "'"):
		if m := quotedWhole.FindStringSubmatch(value); m != nil {
			r.spec = m[1] + m[2]
		}
		return r, true
	}
	return r, false
}

// inSetupConfig reads the indented lists of requirements of a setup.cfg.
func inSetupConfig(f file) []requirement {
	var out []requirement
	inside, extra := false, false
	each(f, func(line string, n int) {
		indented := strings.HasPrefix(line, " ") || strings.HasPrefix(line, "\t")
		switch {
		case strings.HasPrefix(line, "["):
			extra = strings.Contains(line, "extras_require")
			inside = false
		case !indented && strings.TrimSpace(line) != "":
			key, _, _ := strings.Cut(line, "=")
			inside = extra || strings.TrimSpace(key) == "install_requires"
		case inside:
			out = addLine(out, f, n, line, extra)
		}
	})
	return out
}

func inPackage(f file) []requirement {
	var m struct {
		Normal map[string]string `json:"dependencies"`
		Dev    map[string]string `json:"devDependencies"`
	}
	if json.Unmarshal([]byte(f.text), &m) != nil {
		return nil
	}
	var out []requirement
	each(f, func(line string, n int) {
		k := jsonKey.FindStringSubmatch(line)
		if k == nil {
			return
		}
		spec, ok := m.Normal[k[1]]
		dev := !ok
		if dev {
			spec, ok = m.Dev[k[1]]
		}
		local := strings.HasPrefix(spec, "file:") || strings.HasPrefix(spec, "link:") || strings.HasPrefix(spec, "workspace:") || strings.HasPrefix(spec, "portal:")
		if ok && !local && strings.Contains(line, `"`+spec+`"`) && !slices.ContainsFunc(out, func(r requirement) bool { return r.name == k[1] }) {
			out = append(out, requirement{name: k[1], spec: spec, file: f, line: n, extra: dev})
		}
	})
	return out
}

func inPom(f file) []requirement {
	var out []requirement
	for _, m := range pomVersion.FindAllStringSubmatchIndex(f.text, 500) {
		r := requirement{file: f, line: lineOf(f.text, m[0])}
		given := false
		for _, x := range pomField.FindAllStringSubmatch(f.text[m[2]:m[3]], 20) {
			if x[1] == "version" {
				r.spec, given = x[2], true
			} else if r.name == "" {
				r.name = x[2]
			}
		}
		if given {
			out = append(out, r)
		}
	}
	return out
}
