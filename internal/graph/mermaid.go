package graph

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/automaton-auditor/automaton/internal/safetext"
)

// Mermaid renders the drawing as a Mermaid flowchart: joins are hexagons, maps
// have doubled frames, branches dotted arrows.
func (d Drawing) Mermaid() string {
	var b strings.Builder
	ids := d.ids()
	fmt.Fprintf(&b, "flowchart TD\n  %s([START])\n  %s([END])\n", Start, End)
	for _, n := range d.Nodes {
		open, shut, text := "[", "]", n.Name
		if n.Waits != nil {
			open, shut = "{{", "}}"
		}
		if n.Map {
			open, shut, text = "[[", "]]", n.Name+" × n"
		}
		fmt.Fprintf(&b, "  %s%s\"%s\"%s\n", ids[n.Name], open, mermaidText(text), shut)
	}
	for _, e := range d.Edges {
		arrow := "-->"
		if label := e.label(); label != "" {
			arrow = fmt.Sprintf("-. \"%s\" .->", mermaidText(label))
		}
		fmt.Fprintf(&b, "  %s %s %s\n", ids[e.From], arrow, ids[e.To])
	}
	return b.String()
}

// mermaidName is a name that Mermaid takes for an identifier. Its keywords are
// in lower case.
var mermaidName = regexp.MustCompile(`^[A-Z][A-Za-z0-9_]*$`)

// ids gives every name an identifier: the name itself where Mermaid allows it.
func (d Drawing) ids() map[string]string {
	ids := map[string]string{Start: Start, End: End}
	give := func(name string) {
		if ids[name] != "" {
			return
		}
		ids[name] = name
		if !mermaidName.MatchString(name) {
			ids[name] = "n" + strconv.Itoa(len(ids))
		}
	}
	for _, n := range d.Nodes {
		give(n.Name)
	}
	for _, e := range d.Edges {
		give(e.From)
		give(e.To)
	}
	return ids
}

// mermaidText makes text harmless between double quotes: Mermaid has entities
// that begin with #, renders HTML, and obeys %%{directives} wherever they stand.
func mermaidText(s string) string {
	return strings.NewReplacer("%%", "#37;#37;", "#", "#35;", `"`, "#quot;", "&", "#amp;", "<", "#lt;", ">", "#gt;", "`", "#96;", "\\", "#92;").Replace(safetext.Text(s, 0))
}
