package passage

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestFromHTML(t *testing.T) {
	for name, test := range map[string]struct {
		page   string
		want   []Piece
		hidden []Line
	}{
		"structure": {
			page: "<html><head><title>No text</title><style>p{}</style><body>\n<h1>Moot\n court</h1>\n<p>One <b>bold</b>\nword.<p>Two &amp; three.\n<ul><li>first<li><p>second</p></ul>\n" +
				"<table><tr><th>File<th>What</tr>\n<tr><td>src/<wbr>graph.py<td>wires</tr></table><table><tr><td>alone</table>\n<pre><code>a = 1\n  b = 2</code></pre>\n<figcaption>Figure 1: the graph</figcaption>",
			want: []Piece{{Kind: Heading, Level: 1, Text: "Moot court", Number: 2}, {Kind: Body, Text: "One bold word.", Number: 4}, {Kind: Body, Text: "Two & three.", Number: 5},
				{Kind: List, Text: "first", Number: 6}, {Kind: List, Text: "second", Number: 6},
				{Kind: Table, Text: "File\tWhat", Number: 7, Begins: true}, {Kind: Table, Text: "src/graph.py\twires", Number: 8}, {Kind: Table, Text: "alone", Number: 8, Begins: true},
				{Kind: Code, Text: "a = 1", Number: 9, Begins: true}, {Kind: Code, Text: "  b = 2", Number: 10}, {Kind: Caption, Text: "Figure 1: the graph", Number: 11}},
			hidden: []Line{{Text: "No text", Number: 1}, {Text: "p{}", Number: 1}},
		},
		"what nobody sees": {
			page:   "<p>Seen.</p><div style='display: none'>gone <div>too</div> still</div>\n<!-- a note --><p hidden>away<p>Back.<script>let x = '<p>no</p>'</script>",
			want:   []Piece{{Kind: Body, Text: "Seen.", Number: 1}, {Kind: Body, Text: "Back.", Number: 2}},
			hidden: []Line{{Text: "gone", Number: 1}, {Text: "too", Number: 1}, {Text: "still", Number: 1}, {Text: "a note", Number: 2}, {Text: "away", Number: 2}, {Text: "let x = '<p>no</p>'", Number: 2}},
		},
		"tags that nobody closes": {page: strings.Repeat("<div><li>", 3) + "deep", want: []Piece{{Kind: List, Text: "deep", Number: 1}}},
	} {
		t.Run(name, func(t *testing.T) {
			got, hidden := FromHTML(test.page)
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(test.hidden, hidden); diff != "" {
				t.Errorf("hidden (-want +got):\n%s", diff)
			}
		})
	}
}

func TestFromPieces(t *testing.T) {
	got := FromPieces([]Piece{{Kind: Heading, Level: 1, Text: "A", Number: 1}, {Kind: Table, Text: "a\tb", Number: 2, Begins: true}, {Kind: Table, Text: "c\td", Number: 3},
		{Kind: Table, Text: "e", Number: 4, Begins: true}, {Kind: Heading, Level: 2, Text: "B", Number: 5}, {Kind: Body, Text: "Figure 2: a court", Number: 6}})
	var said []string
	for _, p := range got {
		said = append(said, string(p.Kind)+" "+strings.Join(p.Section, "/")+": "+strings.ReplaceAll(p.Text, "\n", "|"))
	}
	want := []string{"heading : A", "table A: a\tb|c\td", "table A: e", "heading A: B", "caption A/B: Figure 2: a court"}
	if diff := cmp.Diff(want, said); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// FuzzFromHTML: pieces come in the order of their lines, which the page has, and say something.
func FuzzFromHTML(f *testing.F) {
	f.Add("<h1>A</h1>\n<p>b<table><tr><td>c<td>d</table><pre>e\nf</pre>")
	f.Add("<p hidden>a<p>b<!-- c --><script>d</script>")
	f.Add("<head><title>x<body>y</h9><li></ul></table><td>")
	f.Add(strings.Repeat("<div hidden>", 50) + "x" + strings.Repeat("</div>", 20))
	f.Fuzz(func(t *testing.T, page string) {
		pieces, hidden := FromHTML(page)
		lines, before := 1+strings.Count(strings.ReplaceAll(page, "\r\n", "\n"), "\n")+strings.Count(strings.ReplaceAll(page, "\r\n", "\n"), "\r"), 1
		for _, p := range pieces {
			if p.Number < before || p.Number > lines || strings.TrimSpace(p.Text) == "" {
				t.Errorf("%+v after line %d of %d", p, before, lines)
			}
			before = p.Number
		}
		for _, l := range hidden {
			if l.Number < 1 || l.Number > lines {
				t.Errorf("hidden line %d of %d", l.Number, lines)
			}
		}
		FromPieces(pieces)
	})
}
