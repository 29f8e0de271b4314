package manifest

import (
	"strconv"

	"github.com/pelletier/go-toml/v2/unstable"
)

// entry is one value of a TOML file: the names of the tables and keys that lead
// to it, the places in arrays among them as numbers.
type entry struct {
	path []string
	text string // of a string; of other values as they are written
	line int
}

// is tells a path: "*" is any one name, "**" at the end any further ones.
func (e entry) is(want ...string) bool {
	for i, w := range want {
		switch {
		case w == "**":
			return len(e.path) > i
		case i >= len(e.path) || w != "*" && w != e.path[i]:
			return false
		}
	}
	return len(want) == len(e.path)
}

func (e entry) at(i int) string {
	if i < 0 || i >= len(e.path) {
		return ""
	}
	return e.path[i]
}

// maxNesting bounds tables in tables.
const maxNesting = 32

// readTOML hands out the values of a file in order. Where the file breaks the
// rules of TOML, what came before stands.
func readTOML(text string, each func(entry)) {
	var p unstable.Parser
	p.Reset([]byte(text))
	r := tomlReader{parser: &p, lines: counter{text: text}, each: each}
	var table []string
	for p.NextExpression() {
		switch e := p.Expression(); e.Kind {
		case unstable.Table, unstable.ArrayTable:
			table, _ = r.keys(nil, e)
		case unstable.KeyValue:
			r.keyValue(table, e)
		default: // comments
		}
	}
}

type tomlReader struct {
	parser *unstable.Parser
	lines  counter
	each   func(entry)
}

// keys are the names of a node after those around it, and its line.
func (r *tomlReader) keys(around []string, n *unstable.Node) (path []string, line int) {
	path = append(path, around...)
	for it := n.Key(); it.Next(); {
		k := it.Node()
		if line == 0 {
			line = r.lines.of(int(k.Raw.Offset))
		}
		path = append(path, string(k.Data))
	}
	return path, line
}

func (r *tomlReader) keyValue(around []string, n *unstable.Node) {
	if path, line := r.keys(around, n); len(path) <= maxNesting {
		r.value(path, n.Value(), line)
	}
}

func (r *tomlReader) value(path []string, n *unstable.Node, line int) {
	switch n.Kind {
	case unstable.InlineTable:
		empty := true
		for it := n.Children(); it.Next(); empty = false {
			r.keyValue(path, it.Node())
		}
		if empty {
			r.each(entry{path, "", line})
		}
	case unstable.Array:
		i := 0
		for it := n.Children(); it.Next(); i++ {
			x := it.Node()
			at := line
			if x.Kind == unstable.String {
				at = r.lines.of(int(x.Raw.Offset))
			}
			if len(path) < maxNesting {
				r.value(append(append([]string(nil), path...), strconv.Itoa(i)), x, at)
			}
		}
	default:
		r.each(entry{path, string(n.Data), line})
	}
}

// cargo reads a manifest of Rust.
func (m *Manifest) cargo(text string) {
	packageName := ""
	readTOML(text, func(e entry) {
		switch {
		case e.is("package", "name"):
			packageName = e.text
		case e.is("package", "rust-version", "**"), e.is("package", "rust-version"), e.is("workspace", "package", "rust-version"):
			m.needs(e.line)
		case e.is("package", "edition", "**"), e.is("package", "edition"), e.is("workspace", "package", "edition"):
			if m.Edition == 0 {
				m.Edition = e.line
			}
		case e.is("lib", "name"):
			m.Name = e.text
		case e.is("lib", "path"):
			m.Library = e.text
		case e.is("bin", "path"), e.is("test", "path"), e.is("example", "path"), e.is("bench", "path"):
			m.Programs = append(m.Programs, e.text)
		case e.is("dependencies", "**"):
			m.versioned(e, 1, Runtime)
		case e.is("dev-dependencies", "**"), e.is("build-dependencies", "**"):
			m.versioned(e, 1, Development)
		case e.is("workspace", "dependencies", "**"):
			m.versioned(e, 2, Runtime)
		case e.is("target", "*", "dependencies", "**"):
			m.versioned(e, 3, Runtime)
		case e.is("target", "*", "dev-dependencies", "**"), e.is("target", "*", "build-dependencies", "**"):
			m.versioned(e, 3, Development)
		}
	})
	if m.Name == "" {
		m.Name = packageName
	}
}
