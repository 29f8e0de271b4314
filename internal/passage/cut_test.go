package passage

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// sheet builds printed lines: each call moves down by a line, gap adds white space.
type sheet struct {
	lines []Line
	page  int
	y     float64
}

func newSheet() *sheet { return &sheet{page: 1, y: 100} }

func (s *sheet) put(text string, size, x float64, face string) *sheet {
	s.lines = append(s.lines, Line{
		Text: text, Page: s.page, Size: size, Bold: strings.Contains(face, "b"), Mono: strings.Contains(face, "m"),
		Box: Box{x, s.y, x + float64(len(text))*size/2, s.y + size},
	})
	s.y += size * 1.2
	return s
}

func (s *sheet) body(text string) *sheet    { return s.put(text, 10, 72, "") }
func (s *sheet) heading(text string) *sheet { return s.gap().put(text, 16, 72, "b").gap() }
func (s *sheet) gap() *sheet                { s.y += 8; return s }
func (s *sheet) turn() *sheet               { s.page++; s.y = 100; return s }

type brief struct {
	Kind    Kind
	Section string
	Page    int
	Text    string
}

func briefs(passages []Passage) []brief {
	var found []brief
	for _, p := range passages {
		found = append(found, brief{p.Kind, strings.Join(p.Section, " > "), p.Page, p.Text})
	}
	return found
}

func TestCut(t *testing.T) {
	tests := map[string]struct {
		lines *sheet
		want  []brief
	}{
		"paragraphs under headings": {
			newSheet().heading("Design").body("All nodes run at once and").body("meet in one place.").gap().
				body("Another paragraph.").put("Details of it", 13, 72, "b").gap().body("More text."),
			[]brief{
				{Heading, "", 1, "Design"},
				{Body, "Design", 1, "All nodes run at once and meet in one place."},
				{Body, "Design", 1, "Another paragraph."},
				{Heading, "Design", 1, "Details of it"},
				{Body, "Design > Details of it", 1, "More text."},
			},
		},
		"words and paths broken over lines": {
			newSheet().body("The aggrega-").body("tor in src/nodes/").body("join_all.py and in app/set-").
				body("up.py does fan-").body("in by itself."),
			[]brief{{Body, "", 1, "The aggregator in src/nodes/join_all.py and in app/set-up.py does fan-in by itself."}},
		},
		"paragraph over the page's end": {
			newSheet().body("A sentence that is not").turn().body("over yet. And one that is."),
			[]brief{{Body, "", 1, "A sentence that is not over yet. And one that is."}},
		},
		"new paragraph on a new page": {
			newSheet().body("A sentence.").turn().body("Another one."),
			[]brief{{Body, "", 1, "A sentence."}, {Body, "", 2, "Another one."}},
		},
		"list with marks": {
			newSheet().body("It has:").put("• a first item that goes", 10, 80, "").put("on here", 10, 88, "").put("2) a second item", 10, 80, ""),
			[]brief{{Body, "", 1, "It has:"}, {List, "", 1, "a first item that goes on here"}, {List, "", 1, "a second item"}},
		},
		"listing": {
			newSheet().body("Run it so:").put("def run(state):", 9, 72, "m").put("    return {}", 9, 72, "m").body("That is all."),
			[]brief{{Body, "", 1, "Run it so:"}, {Code, "", 1, "def run(state):\n    return {}"}, {Body, "", 1, "That is all."}},
		},
		"symbol in code font that fills its line": {
			newSheet().body("It is written to the file").put("out/report_of_this_run.md", 10, 72, "m").body("at the end."), []brief{{Body, "", 1, "It is written to the file out/report_of_this_run.md at the end."}},
		},
		"table by gaps": {
			newSheet().body("Scores follow.").gap().body("Name\tScore").body("Depth\t4").body("An average row without").body("Width\t3"),
			[]brief{{Body, "", 1, "Scores follow."}, {Table, "", 1, "Name\tScore\nDepth\t4\nAn average row without\nWidth\t3"}},
		},
		"contents": {
			newSheet().heading("Contents").body("1 Design ........ 2").body("1.1 Nodes . . . . . 3").gap().body("Text."),
			[]brief{{Heading, "", 1, "Contents"}, {Contents, "Contents", 1, "1 Design ........ 2"}, {Contents, "Contents", 1, "1.1 Nodes . . . . . 3"}, {Body, "Contents", 1, "Text."}},
		},
		"contents without leaders": {
			newSheet().body("Design\t2").body("Nodes\t3").body("Edges\t3").gap().body("Text."),
			[]brief{{Contents, "", 1, "Design 2"}, {Contents, "", 1, "Nodes 3"}, {Contents, "", 1, "Edges 3"}, {Body, "", 1, "Text."}},
		},
		"caption": {
			newSheet().body("As one sees.").gap().body("Figure 2: The graph with all").body("of its nodes").gap().body("It joins."),
			[]brief{{Body, "", 1, "As one sees."}, {Caption, "", 1, "Figure 2: The graph with all of its nodes"}, {Body, "", 1, "It joins."}},
		},
		"bold paragraph is no heading": {
			newSheet().body(strings.Repeat("word ", 40)).gap().put("These four lines are all", 10, 72, "b").put("set in bold type to make", 10, 72, "b").
				put("a point of what they say", 10, 72, "b").put("and nothing else", 10, 72, "b"),
			[]brief{{Body, "", 1, strings.TrimSpace(strings.Repeat("word ", 40))}, {Body, "", 1, "These four lines are all set in bold type to make a point of what they say and nothing else"}},
		},
		"numbers tell what is part of what": {
			newSheet().body(strings.Repeat("word ", 20)).heading("6. Gaps").heading("6.1 Of the graph").body("No retry.").heading("7. Plan").
				heading("Priority 1 - edges").body("Add one.").heading("Priority 2 - tests").body("Write one.").heading("End").body("Thanks."),
			[]brief{
				{Body, "", 1, strings.TrimSpace(strings.Repeat("word ", 20))},
				{Heading, "", 1, "6. Gaps"},
				{Heading, "6. Gaps", 1, "6.1 Of the graph"},
				{Body, "6. Gaps > 6.1 Of the graph", 1, "No retry."},
				{Heading, "", 1, "7. Plan"},
				{Heading, "7. Plan", 1, "Priority 1 - edges"},
				{Body, "7. Plan > Priority 1 - edges", 1, "Add one."},
				{Heading, "7. Plan", 1, "Priority 2 - tests"},
				{Body, "7. Plan > Priority 2 - tests", 1, "Write one."},
				{Heading, "", 1, "End"},
				{Body, "End", 1, "Thanks."},
			},
		},
		"numbered heading on top of bold lines": {
			newSheet().body(strings.Repeat("word ", 40)).gap().put("2. Judges", 10, 72, "b").gap().body("They argue.").gap().put("3. Plan", 10, 72, "b").
				put("First of all", 10, 72, "b").put("File: a.py", 10, 72, "b").put("Action: write it", 10, 72, "b"),
			[]brief{
				{Body, "", 1, strings.TrimSpace(strings.Repeat("word ", 40))},
				{Heading, "", 1, "2. Judges"},
				{Body, "2. Judges", 1, "They argue."},
				{Heading, "", 1, "3. Plan"},
				{Body, "3. Plan", 1, "First of all File: a.py Action: write it"},
			},
		},
		"outline in the face of the text": {
			newSheet().put("1. Design", 10, 72, "").gap().body("- fans out to all").body("of the detectives").body("at once").gap().
				put("2. Known gaps", 10, 72, "").gap().body("It has no retry").body("and no limit").body("of time.").gap().put("3. Plan", 10, 72, "").gap().body("- add both"),
			[]brief{
				{Heading, "", 1, "1. Design"}, {List, "1. Design", 1, "fans out to all of the detectives at once"},
				{Heading, "", 1, "2. Known gaps"}, {Body, "2. Known gaps", 1, "It has no retry and no limit of time."},
				{Heading, "", 1, "3. Plan"}, {List, "3. Plan", 1, "add both"},
			},
		},
		"list of numbers is no outline": {
			newSheet().body("In order,").body("as they come").body("in:").gap().put("1. Clone it", 10, 72, "").gap().put("2. Read it", 10, 72, "").gap().put("3. Judge it", 10, 72, "").gap().body("Done."),
			[]brief{{Body, "", 1, "In order, as they come in:"}, {List, "", 1, "Clone it"}, {List, "", 1, "Read it"}, {List, "", 1, "Judge it"}, {Body, "", 1, "Done."}},
		},
		"bullet before a heading": {
			newSheet().heading("● Design").body("It has parts."),
			[]brief{{Heading, "", 1, "Design"}, {Body, "Design", 1, "It has parts."}},
		},
		"fence that is never closed": {
			newSheet().body("It runs so:").body("```").body("run it").heading("Design").body("It has parts.").body("```").body("x = 1").body("```").body("That is all."),
			[]brief{{Body, "", 1, "It runs so: ``` run it"}, {Heading, "", 1, "Design"}, {Body, "Design", 1, "It has parts."},
				{Code, "Design", 1, "```\nx = 1\n```"}, {Body, "Design", 1, "That is all."}},
		},
		"fenced listing in the face of the text": {
			newSheet().body("It runs so:").body("```mermaid").body("A --> B").body("```").body("That is all."),
			[]brief{{Body, "", 1, "It runs so:"}, {Code, "", 1, "```mermaid\nA --> B\n```"}, {Body, "", 1, "That is all."}},
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, briefs(Cut(test.lines.lines))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// Browsers print the marks of all items of a page after its text.
func TestCutMarksApart(t *testing.T) {
	s := newSheet()
	s.put("first item, which is", 10, 90, "").put("long", 10, 90, "").put("second item", 10, 90, "")
	s.lines = append(s.lines, Line{Text: "1.", Page: 1, Size: 10, Box: Box{75, 100, 83, 110}},
		Line{Text: "•", Page: 1, Size: 10, Box: Box{78, 124, 83, 134}})
	want := []brief{{List, "", 1, "first item, which is long"}, {List, "", 1, "second item"}}
	if diff := cmp.Diff(want, briefs(Cut(s.lines))); diff != "" {
		t.Error(diff)
	}
}

func TestCutLeavesOutFurniture(t *testing.T) {
	s := newSheet()
	for page := 1; page <= 4; page++ {
		s.y = 20
		s.put("Report of the project", 8, 72, "")
		s.y = 400
		s.body("Paragraph of this page.")
		s.y = 800
		s.put("Page "+string(rune('0'+page)), 8, 300, "")
		s.turn()
	}
	var want []brief
	for page := 1; page <= 4; page++ {
		want = append(want, brief{Body, "", page, "Paragraph of this page."})
	}
	if diff := cmp.Diff(want, briefs(Cut(s.lines))); diff != "" {
		t.Error(diff)
	}
}

func TestCutIDs(t *testing.T) {
	s := newSheet().body("Same.").gap().body("Same.").gap().body("Other paragraph of").body("more than").body("one line.")
	a, b := Cut(s.lines), Cut(s.lines)
	if len(a) != 3 || a[0].ID == a[1].ID || a[0].ID == a[2].ID {
		t.Fatalf("ids of %+v", a)
	}
	if diff := cmp.Diff(a, b); diff != "" {
		t.Error(diff)
	}
	if a[0].Box != s.lines[0].Box || a[2].Page != 1 || len(a[2].Lines) != 3 || a[2].Box.Y1 != s.lines[4].Box.Y1 {
		t.Errorf("place of %+v", a[2])
	}
}

func TestSeam(t *testing.T) {
	tests := map[string]struct{ left, right, want string }{
		"broken word":         {"detec-", "tives work", "detectives work"},
		"soft hyphen":         {"detec\u00AD", "tives", "detectives"},
		"compound":            {"self-", "audit", "self-audit"},
		"compound with tail":  {"a fan-", "out", "a fan-out"},
		"second hyphen":       {"state-of-", "the-art", "state-of-the-art"},
		"proper name":         {"Mermaid-", "Diagram", "Mermaid-Diagram"},
		"dash":                {"so -", "it is", "so - it is"},
		"file with hyphen":    {"src/my-", "tool.py", "src/my-tool.py"},
		"folder at the end":   {"see src/", "tools/x.py", "see src/tools/x.py"},
		"folder, then a word": {"either /", "or", "either / or"},
		"extension":           {"src/tools/x", ".py shows", "src/tools/x.py shows"},
		"name goes on":        {"run_all_", "tests()", "run_all_tests()"},
		"underscore first":    {"safe_clone", "_repo()", "safe_clone_repo()"},
		"slash first":         {"src", "/tools/x.py", "src/tools/x.py"},
		"sentence":            {"It ends.", "It begins", "It ends. It begins"},
		"flag":                {"use --dry-", "run", "use --dry-run"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			if got := join([]Line{{Text: test.left}, {Text: test.right}}); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

func TestJoinPathOverThreeLines(t *testing.T) {
	got := join([]Line{{Text: "in src/very/"}, {Text: "deep/"}, {Text: "file.py there"}})
	if want := "in src/very/deep/file.py there"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func FuzzCut(f *testing.F) {
	f.Add("• item\n1.\nHeading\t3\n\nsrc/\nx.py", 12.0, 3.0)
	f.Add("a-\n\xFF-\n\u00AD\n│\n▼", 0.0, -5.0)
	f.Fuzz(func(t *testing.T, text string, size, step float64) {
		var lines []Line
		for i, l := range strings.Split(text, "\n") {
			y := float64(i%7) * step
			lines = append(lines, Line{Text: l, Page: i/9 + 1, Size: size, Box: Box{step, y, step + size, y + size}, Mono: i%5 == 0, Bold: i%3 == 0})
		}
		for _, passages := range [][]Passage{Cut(lines), FromMarkdown(text)} {
			seen := map[string]bool{}
			for _, p := range passages {
				if strings.TrimSpace(p.Text) == "" || p.Kind == "" || seen[p.ID] {
					t.Errorf("empty or repeated passage %+v", p)
				}
				seen[p.ID] = true
				Sentences(p.Text)
			}
		}
		NewIndex(Cut(lines)).Search(text, 3)
	})
}
