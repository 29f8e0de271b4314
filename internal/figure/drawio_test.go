package figure

import (
	"bytes"
	"compress/flate"
	"encoding/base64"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const ioPage = `<mxGraphModel><root><mxCell id="0"/><mxCell id="1" parent="0"/>
<mxCell id="k" value="&lt;b&gt;Kitchen&lt;/b&gt;" vertex="1" parent="1"/>
<mxCell id="room" value="Cellar" style="swimlane" vertex="1" parent="1"/>
<mxCell id="o" value="Oven" vertex="1" parent="room"/>
<object id="t" label="Table"><mxCell vertex="1" parent="1"/></object>
<mxCell id="n" value="a remark" style="text;html=1" vertex="1" parent="1"/>
<mxCell id="x" edge="1" source="k" target="o" value="dough" parent="1"/>
<mxCell id="y" edge="1" source="t" target="o" style="startArrow=classic;endArrow=none" parent="1"/>
%s</root></mxGraphModel>`

func page(more string) string { return strings.Replace(ioPage, "%s", more, 1) }

// packed is how draw.io stores a page by default.
func packed(t testing.TB, page string) string {
	t.Helper()
	var b bytes.Buffer
	w, err := flate.NewWriter(&b, flate.BestCompression)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write([]byte(url.PathEscape(page))); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return "<mxfile><diagram id=\"a\" name=\"b\">" + base64.StdEncoding.EncodeToString(b.Bytes()) + "</diagram></mxfile>"
}

func TestParseDrawio(t *testing.T) {
	want := &Graph{Kind: Flow,
		Nodes: []Node{{ID: "k", Label: "Kitchen"}, {ID: "o", Label: "Oven", Group: "Cellar"}, {ID: "t", Label: "Table"}},
		Edges: []Edge{{From: "k", To: "o", Label: "dough"}, {From: "o", To: "t"}}}
	loose := *want
	loose.Loose = 2
	empty := "<mxGraphModel><root><mxCell id=\"0\"/></root></mxGraphModel>"
	tests := map[string]struct {
		source string
		want   *Graph
	}{
		"plain":            {"<mxfile><diagram name=\"a\">" + page("") + "</diagram></mxfile>", want},
		"without a file":   {page(""), want},
		"packed":           {packed(t, page("")), want},
		"second page":      {"<mxfile><diagram>" + empty + "</diagram><diagram>" + page("") + "</diagram></mxfile>", want},
		"loose lines":      {page(`<mxCell id="z" edge="1" source="k"/><mxCell id="zz" edge="1" source="k" target="t" style="endArrow=none"/>`), &loose},
		"both ends":        {`<mxGraphModel><root><mxCell id="a" vertex="1"/><mxCell id="b" vertex="1"/><mxCell id="c" edge="1" source="a" target="b" style="startArrow=open"/></root></mxGraphModel>`, &Graph{Kind: Flow, Nodes: []Node{{ID: "a", Label: "a"}, {ID: "b", Label: "b"}}, Edges: []Edge{{From: "a", To: "b"}, {From: "b", To: "a"}}}},
		"own entities":     {`<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/hostname">]><mxGraphModel><root><mxCell id="a" value="&e;" vertex="1"/></root></mxGraphModel>`, nil},
		"no XML":           {"graph TD\nA --> B", nil},
		"other XML":        {"<svg><rect/></svg>", nil},
		"cell out of page": {`<mxCell id="a" vertex="1"/>`, nil},
		"bad base64":       {"<mxfile><diagram>!!!</diagram></mxfile>", nil},
		"packed twice":     {packed(t, packed(t, page(""))), nil},
		"bomb":             {packed(t, strings.Repeat(" ", 2*maxInflated)), nil},
		"too long":         {strings.Repeat(" ", maxInflated+1), nil},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			got, err := ParseDrawio(test.source)
			if (err == nil) != (test.want != nil) {
				t.Fatal("error", err)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestFromFile(t *testing.T) {
	tests := map[string]struct {
		name, text string
		want       Origin
	}{
		"Mermaid":  {"docs/a.mmd", "graph TD\n A --> B", Mermaid},
		"Graphviz": {"a.GV", "digraph { a -> b }", DOT},
		"PlantUML": {"a.puml", "@startuml\n[a] --> [b]\n@enduml", PlantUML},
		"draw.io":  {"a.drawio.xml", page(""), Drawio},
		"Markdown": {"a.md", "```mermaid\ngraph TD\nA --> B\n```", Mermaid},
		"other":    {"a.py", "graph TD\n A --> B", ""},
		"empty":    {"a.dot", " \n", ""},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			got := FromFile(test.name, test.text)
			if test.want == "" {
				if len(got) > 0 {
					t.Errorf("figures %+v", got)
				}
				return
			}
			if len(got) != 1 || got[0].Origin != test.want || !got[0].Readable || got[0].Line < 1 || !HasFigures(test.name) {
				t.Errorf("figures %+v", got)
			}
		})
	}
}

func TestShots(t *testing.T) {
	tests := map[string]bool{
		"Figure 1: Screenshot of the console": true, "Fig. 2: Trace of one run": true, "Figure 3: The dashboard while it runs": true,
		"Figure 4: Screenshot of the flow diagram": false, "Figure 5: Architecture of the logger": false, "Figure 6: What comes out": false, "": false,
	}
	for text, want := range tests {
		if got := isShot(text); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func FuzzParseDrawio(f *testing.F) {
	f.Add(page(""))
	f.Add(packed(f, page("")))
	f.Add("<mxfile><diagram>" + page("<mxCell/>") + "</diagram></mxfile>")
	f.Fuzz(func(t *testing.T, source string) {
		g, err := ParseDrawio(source)
		if g == nil && err == nil {
			t.Fatal("neither a graph nor an error")
		}
		sound(t, g)
	})
}
