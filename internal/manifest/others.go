package manifest

import (
	"encoding/json"
	"encoding/xml"
	"io"
	"strings"

	"golang.org/x/mod/modfile"

	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
)

// packageJSON reads a manifest of npm.
func (m *Manifest) packageJSON(text string) {
	var top map[string]json.RawMessage
	if json.Unmarshal([]byte(text), &top) != nil || top["name"] != nil && json.Unmarshal(top["name"], &m.Name) != nil {
		return
	}
	c := counter{text: text}
	for _, key := range []string{"engines", "volta", "packageManager"} {
		if top[key] != nil {
			m.needs(c.of(strings.Index(text, `"`+key+`"`)))
		}
	}
	inObject(text, func(table, name, spec string, offset int) {
		d := Dependency{name, spec, c.of(offset), Named}
		local := strings.HasPrefix(spec, "file:") || strings.HasPrefix(spec, "link:") || strings.HasPrefix(spec, "workspace:") || strings.HasPrefix(spec, "portal:")
		switch table {
		case "dependencies":
			d.Role = Runtime
		case "devDependencies":
			d.Role = Development
		case "peerDependencies", "optionalDependencies":
		default:
			return
		}
		if local {
			d.Role = Named
		}
		m.add(d)
	})
}

// inObject hands out the strings of the objects in an object: the name of the
// object, of the string, what it says, and where its name ends.
func inObject(text string, each func(table, name, value string, offset int)) {
	d := json.NewDecoder(strings.NewReader(text))
	depth := 0
	var table, name string
	key := true // whether a string at this depth is a key
	for {
		t, err := d.Token()
		if err != nil {
			return
		}
		switch x := t.(type) {
		case json.Delim:
			if x == '{' || x == '[' {
				depth++
			} else {
				depth--
			}
			key = x != '[' // of arrays nothing is read that looks like a key at this depth
		case string:
			switch {
			case depth < 1 || depth > 2:
				continue
			case key && depth == 1:
				table = x
			case key:
				name = x
			case depth == 2:
				each(table, name, x, int(d.InputOffset()))
			}
			key = !key
		default:
			key = true
		}
	}
}

// goMod reads what a module of Go requires.
func (m *Manifest) goMod(text string) {
	m.Name = modfile.ModulePath([]byte(text))
	f, err := modfile.ParseLax("go.mod", []byte(text), nil)
	if err != nil {
		return
	}
	if f.Go != nil {
		m.needs(f.Go.Syntax.Start.Line)
	}
	for _, r := range f.Require {
		d := Dependency{Name: r.Mod.Path, Spec: r.Mod.Version, Line: r.Syntax.Start.Line}
		if r.Indirect {
			d.Role = Named
		}
		m.add(d)
	}
}

// pom reads a manifest of Maven: a dependency with a version is the project's
// choice, one without has it from a parent or a platform.
func (m *Manifest) pom(text string) {
	d := xml.NewDecoder(strings.NewReader(text))
	d.Strict = false
	d.CharsetReader = func(_ string, r io.Reader) (io.Reader, error) { return r, nil } // the text is decoded already
	var around []string
	var open Dependency
	given := false
	c := counter{text: text}
	for {
		at := int(d.InputOffset())
		t, err := d.Token()
		if err != nil {
			return
		}
		switch x := t.(type) {
		case xml.StartElement:
			around = append(around, x.Name.Local)
			switch x.Name.Local {
			case "maven.compiler.release", "maven.compiler.source", "maven.compiler.target", "java.version", "javaVersion", "release", "source":
				m.needs(c.of(at))
			}
			if isPackage(x.Name.Local) {
				open, given = Dependency{Line: c.of(at)}, false
			}
		case xml.CharData:
			n := len(around)
			if value := strings.TrimSpace(string(x)); value != "" && n > 1 && isPackage(around[n-2]) {
				switch around[n-1] {
				case "artifactId":
					open.Name = value
				case "version":
					open.Spec, given = value, true
				}
			}
		case xml.EndElement:
			if len(around) > 0 {
				around = around[:len(around)-1]
			}
			if name := x.Name.Local; isPackage(name) {
				if name != "dependency" || !given {
					open.Role = Named
				}
				m.add(open)
				open = Dependency{}
			}
		}
	}
}

func isPackage(element string) bool {
	return element == "dependency" || element == "plugin" || element == "parent"
}

var gradle = regexp.MustCompile(`["']([\w.-]+):([\w.-]+)(?::([^"']*))?["']`)

// gradle reads the coordinates in a script of Gradle: it is a program, and may
// compute others.
func (m *Manifest) gradle(text string) {
	lines(text, func(line string, n int) {
		for _, x := range gradle.FindAllStringSubmatch(line, -1) {
			m.add(Dependency{x[2], "", n, Named})
			if x[3] != "" && !strings.Contains(x[3], ":") {
				m.add(Dependency{x[1] + ":" + x[2], x[3], n, roleOf(strings.Contains(line, "test"))})
			}
		}
	})
}
