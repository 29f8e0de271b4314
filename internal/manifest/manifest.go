// Package manifest reads the files in which a project says what it is called,
// what it depends on and how it is started: each by a parser of its format, all
// into one model. It runs nothing, looks at no other file, and takes any bytes:
// what cannot be read declares nothing.
package manifest

import (
	"path"
	"strings"
)

// Manifest is what one file declares.
type Manifest struct {
	Name         string // under which the project is published or imported
	Dependencies []Dependency
	Scripts      []Script
	Needs        int      // the line that says which version of the language is needed; 0 for none
	Edition      int      // Cargo: the line of the edition
	Library      string   // Cargo: the file of the library, where one is named
	Programs     []string // Cargo: files of programs, tests and examples that are named
}

// Dependency is one package that a file names.
type Dependency struct {
	Name string // as written
	Spec string // the versions that it may have; "" for any
	Line int
	Role Role
}

// Role says what a project wants a dependency for.
type Role uint8

// Roles of dependencies.
const (
	Runtime     Role = iota // for the program
	Development             // for its tests, its build, or an option
	Named                   // not the project's own choice of a version: indirect, local, a plugin, or no more than named
)

// Script is a command that a package installs.
type Script struct {
	Name   string
	Module string // of Python, with dots
	Object string // in the module
	Line   int
}

// maxSize bounds what is read of one file: manifests that people write are a
// hundredth of it.
const maxSize = 2 << 20

// Read reads a file by its path; one that is not a manifest declares nothing.
func Read(file, text string) Manifest {
	var m Manifest
	if len(text) > maxSize {
		return m
	}
	switch base := strings.ToLower(path.Base(file)); {
	case IsRequirements(file):
		m.requirements(text, strings.Contains(base, "dev") || strings.Contains(base, "test"))
	case base == "pyproject.toml":
		m.pyproject(text)
	case base == "pipfile":
		m.pipfile(text)
	case base == "cargo.toml":
		m.cargo(text)
	case base == "setup.py":
		m.setupPy(text)
	case base == "setup.cfg":
		m.setupCfg(text)
	case base == "environment.yml", base == "environment.yaml":
		m.conda(text)
	case base == "package.json":
		m.packageJSON(text)
	case base == "go.mod":
		m.goMod(text)
	case base == "pom.xml":
		m.pom(text)
	case base == "build.gradle", base == "build.gradle.kts":
		m.gradle(text)
	}
	return m
}

// IsRequirements tells a list of requirements of pip, by its name or its
// folder.
func IsRequirements(file string) bool {
	low := strings.ToLower(file)
	base := path.Base(low)
	if !strings.HasSuffix(base, ".txt") && !strings.HasSuffix(base, ".in") {
		return false
	}
	return strings.HasPrefix(base, "requirements") || strings.HasSuffix(base, "requirements.txt") || path.Base(path.Dir(low)) == "requirements"
}

// needs notes the first line that says which version of the language is needed.
func (m *Manifest) needs(line int) {
	if m.Needs == 0 {
		m.Needs = line
	}
}

func (m *Manifest) add(d Dependency) {
	if d.Name != "" {
		m.Dependencies = append(m.Dependencies, d)
	}
}

// lines hands out the lines of a text without their ends, with their numbers.
func lines(text string, do func(line string, n int)) {
	n := 0
	for line := range strings.Lines(text) {
		n++
		do(strings.TrimRight(line, "\r\n"), n)
	}
}

// counter gives the line of places in a text that are asked for in order.
type counter struct {
	text string
	at   int
	line int
}

func (c *counter) of(offset int) int {
	offset = min(max(offset, 0), len(c.text))
	if offset < c.at {
		c.at, c.line = 0, 0
	}
	c.line += strings.Count(c.text[c.at:offset], "\n")
	c.at = offset
	return c.line + 1
}
