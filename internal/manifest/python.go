package manifest

import (
	"slices"
	"strconv"
	"strings"

	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
)

// requirement is a name, extras and versions, as PEP 508 writes them.
var requirement = regexp.MustCompile(`^([A-Za-z0-9][A-Za-z0-9._-]*)\s*(?:\[[^\]]*\])?\s*(.*)$`)

// requirements reads a file of pip, a requirement a line.
func (m *Manifest) requirements(text string, dev bool) {
	lines(text, func(line string, n int) { m.require(line, n, roleOf(dev)) })
}

func roleOf(dev bool) Role {
	if dev {
		return Development
	}
	return Runtime
}

// require adds one requirement; options, addresses and paths are none.
func (m *Manifest) require(line string, n int, role Role) {
	line, _, _ = strings.Cut(line, " #")
	line = strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(line), `\`))
	if line == "" || strings.ContainsAny(line[:1], "#-.") || strings.Contains(strings.SplitN(line, " ", 2)[0], "/") {
		return
	}
	line, _, _ = strings.Cut(line, ";")
	x := requirement.FindStringSubmatch(line)
	if x == nil || x[2] != "" && !strings.ContainsAny(x[2][:1], "<>=~!@(") {
		return
	}
	m.add(Dependency{x[1], strings.Trim(x[2], "() "), n, role})
}

// pyproject reads the tables of PEP 621, PEP 735, Poetry, uv and PDM.
func (m *Manifest) pyproject(text string) {
	readTOML(text, func(e entry) {
		switch {
		case e.is("project", "name"), e.is("tool", "poetry", "name"):
			m.Name = e.text
		case e.is("project", "requires-python"):
			m.needs(e.line)
		case e.is("project", "dependencies", "*"):
			m.require(e.text, e.line, Runtime)
		case e.is("project", "optional-dependencies", "*", "*"), e.is("dependency-groups", "*", "*"):
			m.require(e.text, e.line, Development)
		case e.is("tool", "poetry", "dependencies", "**"):
			m.versioned(e, 3, Runtime)
		case e.is("tool", "poetry", "dev-dependencies", "**"):
			m.versioned(e, 3, Development)
		case e.is("tool", "poetry", "group", "*", "dependencies", "**"):
			m.versioned(e, 5, Development)
		case e.is("project", "scripts", "*"), e.is("project", "gui-scripts", "*"), e.is("tool", "poetry", "scripts", "*"):
			m.script(e.at(len(e.path)-1), e.text, e.line)
		case e.is("project", "entry-points", "console_scripts", "*"):
			m.script(e.at(3), e.text, e.line)
		case e.at(0) == "tool" && slices.ContainsFunc(e.path[1:], func(k string) bool { return strings.Contains(k, "dependencies") }):
			m.require(e.text, e.line, Named) // of uv, PDM, Hatch and their kin
		}
	})
}

// versioned adds NAME = "VERSION" or NAME = { version = "VERSION" }, whose name
// stands at a depth of the path.
func (m *Manifest) versioned(e entry, depth int, role Role) {
	name := e.at(depth)
	if strings.EqualFold(name, "python") && e.at(0) == "tool" {
		if role == Runtime {
			m.needs(e.line)
		}
		return
	}
	i := len(m.Dependencies) - 1
	if i < 0 || m.Dependencies[i].Name != name || m.Dependencies[i].Role != role && m.Dependencies[i].Role != Named {
		m.add(Dependency{Name: name, Line: e.line, Role: role})
		i = len(m.Dependencies) - 1
	}
	if i < 0 {
		return
	}
	key := e.at(depth + 1)
	if _, err := strconv.Atoi(key); err == nil { // several, each for another platform
		key = e.at(depth + 2)
	}
	d := &m.Dependencies[i]
	switch key {
	case "":
		d.Spec = e.text
	case "version":
		d.Spec = e.text
	case "path", "workspace":
		d.Role = Named
	case "rev", "tag", "ref":
		if d.Spec == "" {
			d.Spec = "@"
		}
	}
}

func (m *Manifest) pipfile(text string) {
	readTOML(text, func(e entry) {
		switch {
		case e.is("packages", "**"):
			m.versioned(e, 1, Runtime)
		case e.is("requires", "python_version"), e.is("requires", "python_full_version"):
			m.needs(e.line)
		case e.is("dev-packages", "**"):
			m.versioned(e, 1, Development)
		}
	})
}

// script adds a command of Python: NAME = "MODULE:OBJECT".
func (m *Manifest) script(name, target string, line int) {
	target, _, _ = strings.Cut(target, "[")
	module, object, ok := strings.Cut(strings.TrimSpace(target), ":")
	if ok && module != "" && object != "" {
		m.Scripts = append(m.Scripts, Script{name, strings.TrimSpace(module), strings.TrimSpace(object), line})
	}
}

var (
	installs    = regexp.MustCompile(`(?s)\b(?:install_requires|setup_requires|tests_require)\s*=\s*\[(.*?)\]`)
	quotedWhole = regexp.MustCompile(`"([^"\n]*)"|'([^'\n]*)'`)
	quotedName  = regexp.MustCompile(`["']([A-Za-z0-9][A-Za-z0-9._-]*)\s*(?:\[[^\]]*\])?\s*(?:[<>=~!;@][^"']*)?["']`)
	setupPython = regexp.MustCompile(`\bpython_requires\s*=`)
	setupName   = regexp.MustCompile(`(?m)^\s*name\s*=\s*["']([\w.-]+)["']`)
	setupScript = regexp.MustCompile(`["']([A-Za-z0-9_.-]+)\s*=\s*([A-Za-z0-9_.]+):([A-Za-z0-9_.]+)["']`)
)

// setupPy reads what a setup.py says in plain strings; it is a program, and may
// compute the rest.
func (m *Manifest) setupPy(text string) {
	if x := setupName.FindStringSubmatch(text); x != nil {
		m.Name = x[1]
	}
	c := counter{text: text}
	if x := setupPython.FindStringIndex(text); x != nil {
		m.needs(c.of(x[0]))
	}
	for _, x := range installs.FindAllStringSubmatchIndex(text, 10) {
		for _, q := range quotedWhole.FindAllStringIndex(text[x[2]:x[3]], 200) {
			m.require(strings.Trim(text[x[2]+q[0]:x[2]+q[1]], `"'`), c.of(x[2]+q[0]), Runtime)
		}
	}
	lines(text, func(line string, n int) {
		for _, x := range quotedName.FindAllStringSubmatch(line, -1) {
			m.add(Dependency{x[1], "", n, Named})
		}
		if strings.HasPrefix(strings.TrimSpace(line), "#") {
			return
		}
		for _, x := range setupScript.FindAllStringSubmatch(line, -1) {
			m.Scripts = append(m.Scripts, Script{x[1], x[2], x[3], n})
		}
	})
}

// setupCfg reads the sections of setuptools: a key, and under it a list of
// indented lines.
func (m *Manifest) setupCfg(text string) {
	section, key := "", ""
	lines(text, func(line string, n int) {
		value := line
		switch trimmed := strings.TrimSpace(line); {
		case trimmed == "" || strings.HasPrefix(trimmed, "#"):
			return
		case strings.HasPrefix(trimmed, "["):
			section, key = strings.Trim(trimmed, "[]"), ""
			return
		case line[0] != ' ' && line[0] != '\t':
			key, value, _ = strings.Cut(line, "=")
			key = strings.TrimSpace(key)
		}
		switch {
		case strings.TrimSpace(value) == "":
		case section == "metadata" && key == "name":
			m.Name = strings.TrimSpace(value)
		case section == "options" && key == "python_requires":
			m.needs(n)
		case section == "options" && key == "install_requires":
			m.require(value, n, Runtime)
		case section == "options.extras_require":
			m.require(value, n, Development)
		case section == "options" && (key == "tests_require" || key == "setup_requires"):
			m.require(value, n, Named)
		case section == "options.entry_points":
			name, target, _ := strings.Cut(value, "=")
			m.script(strings.TrimSpace(name), target, n)
		}
	})
}

// condaSpec is a version as conda fixes it, with one sign.
var condaSpec = regexp.MustCompile(`^([A-Za-z0-9._-]+)=([^=].*)$`)

// conda reads the list under dependencies, and that of pip in it, line by line:
// the reader of YAML that we have takes memory by the square of the nesting,
// and this file comes from anybody.
func (m *Manifest) conda(text string) {
	inside := false
	lines(text, func(line string, n int) {
		item, listed := strings.CutPrefix(strings.TrimSpace(line), "- ")
		switch {
		case !listed && line != "" && line[0] != ' ' && line[0] != '#':
			inside = strings.HasPrefix(line, "dependencies:")
		case listed && inside:
			item = strings.Trim(strings.TrimSpace(item), `"'`)
			m.require(condaSpec.ReplaceAllString(item, "$1==$2"), n, Named)
		}
	})
}
