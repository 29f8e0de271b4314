package passage

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// cells sets texts at a place: x from the left, the number of its line from above.
func (s *sheet) at(text string, x, line float64) *sheet {
	y := s.y + 12*line
	letters := float64(len(strings.TrimSpace(text)))
	s.lines = append(s.lines, Line{Text: text, Page: s.page, Size: 10, Box: Box{x, y, x + 5*letters, y + 10}})
	return s
}

// apart sets a line of cells, each at its place.
func (s *sheet) apart(text string, line float64, xs ...float64) *sheet {
	s.at(text, xs[0], line)
	l := &s.lines[len(s.lines)-1]
	for i, cell := range strings.Split(text, "\t") {
		x := xs[i]
		for word := range strings.FieldsSeq(cell) {
			l.Words = append(l.Words, x)
			x += 5 * float64(len(word)+1)
		}
		l.Box.X1 = xs[i] + 5*float64(len(cell))
	}
	return s
}

func TestCutWrappedRows(t *testing.T) {
	tests := map[string]struct {
		lines *sheet
		want  []brief
	}{
		"cells one after another": {
			newSheet().at("Tool", 72, 0).at("What it is", 150, 0).at("for", 150, 1).
				at("Cloner", 72, 3).at("(safe)", 72, 4).at("brings the", 150, 3).at("files of a", 150, 4).at("project", 150, 5).
				at("Reader", 72, 7).at("reads one", 150, 7).at("document", 150, 8),
			[]brief{{Table, "", 1, "Tool\tWhat it is for\nCloner (safe)\tbrings the files of a project\nReader\treads one document"}},
		},
		"cells on one line go on below": {
			newSheet().apart("Tool\tScore\tWhy", 0, 72, 150, 230).
				at("Cloner", 72, 2).at("(safe)", 72, 3).apart("4/5\tIt brings", 2, 150, 230).at("all files.", 230, 3).at("At once.", 230, 5).
				apart("Reader\t2/5\tIt reads", 7, 72, 150, 230).at("only one.", 230, 8),
			[]brief{{Table, "", 1, "Tool\tScore\tWhy\nCloner (safe)\t4/5\tIt brings all files. At once.\nReader\t2/5\tIt reads only one."}},
		},
		"cells in the middle of their row": {
			newSheet().apart("Tool\tState\tWhy", 0, 72, 150, 230).
				at("Cloner", 72, 2.5).at("done", 150, 2.5).at("It brings", 230, 2).at("all files.", 230, 3).
				at("Safe", 72, 5).apart("reader\tdone", 6, 72, 150).at("It reads", 230, 5).at("only one.", 230, 6),
			[]brief{{Table, "", 1, "Tool\tState\tWhy\nCloner\tdone\tIt brings all files.\nSafe reader\tdone\tIt reads only one."}},
		},
		"a justified cell": {
			newSheet().apart("Part\tState\tWhy", 0, 72, 150, 230).apart("Reader\tdone\tIt reads all of it", 2, 72, 150, 230).apart("without\ta break", 3, 230, 285),
			[]brief{{Table, "", 1, "Part\tState\tWhy\nReader\tdone\tIt reads all of it without a break"}},
		},
		"a path in a narrow cell": {
			newSheet().apart("Part\tFile", 0, 72, 150).at("Reader", 72, 2).at("src/tools/", 150, 2).at("pdf_", 150, 3).at("reader.py", 150, 4),
			[]brief{{Table, "", 1, "Part\tFile\nReader\tsrc/tools/pdf_reader.py"}},
		},
		"text below a table": {
			newSheet().apart("Tool\tScore", 0, 72, 150).at("Cloner", 72, 2).at("4/5, as it", 150, 2).at("is safe", 150, 3).
				at("The scores are of the last run.", 72, 5),
			[]brief{{Table, "", 1, "Tool\tScore\nCloner\t4/5, as it is safe"}, {Body, "", 1, "The scores are of the last run."}},
		},
		"a mark that is the end of a cell": {
			newSheet().apart("Rule\tScore\tWhy", 0, 72, 150, 230).at("(Documentatio", 72, 2).at("n)", 72, 3).apart("4/5\tIt is", 2, 150, 230).at("there.", 230, 3),
			[]brief{{Table, "", 1, "Rule\tScore\tWhy\n(Documentatio n)\t4/5\tIt is there."}},
		},
		"columns of a page": {
			newSheet().at("The left column of the page is read", 72, 0).at("first, from its top to its bottom,", 72, 1).at("as long as there is anything of it", 72, 2).
				at("that is left to be read by anyone", 72, 3).at("who likes to.", 72, 4).at("Another paragraph of it, which is", 72, 6).at("there to make the column as long as", 72, 7).at("columns are.", 72, 8).
				at("The right one comes after it, and", 320, 0).at("begins at the top.", 320, 1),
			[]brief{{Body, "", 1, "The left column of the page is read first, from its top to its bottom, as long as there is anything of it that is left to be read by anyone who likes to."},
				{Body, "", 1, "Another paragraph of it, which is there to make the column as long as columns are."}, {Body, "", 1, "The right one comes after it, and begins at the top."}},
		},
		"one gap in a sentence": {
			newSheet().at("All of the tests passed, as one", 72, 0).apart("sees here:\tall are green and", 1, 72, 150).at("none is red.", 72, 2),
			[]brief{{Body, "", 1, "All of the tests passed, as one sees here: all are green and none is red."}},
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			passages := Cut(test.lines.lines)
			if diff := cmp.Diff(test.want, briefs(passages)); diff != "" {
				t.Error(diff)
			}
			n := 0
			for _, p := range passages {
				n += len(p.Lines)
			}
			if n != len(test.lines.lines) {
				t.Errorf("%d of %d printed lines are kept", n, len(test.lines.lines))
			}
		})
	}
}

// Paragraphs are set wider than the lists of the same document.
func TestCutWideParagraphs(t *testing.T) {
	s := newSheet()
	for range 12 {
		s.at("• an item of a list that is set close to the next", 80, 0)
		s.y += 10
	}
	s.y += 20
	s.at("A paragraph has more white space between its lines, as", 72, 0)
	s.y += 3
	s.at("is common, and refers to what comes below (see section", 72, 1)
	s.y += 3
	s.at("5) and goes on to the end of this line and to the next", 72, 2)
	s.y += 3
	s.at("one.", 72, 3)
	s.y += 6
	s.at("Another paragraph.", 72, 4)
	got := briefs(Cut(s.lines))[12:]
	want := []brief{
		{Body, "", 1, "A paragraph has more white space between its lines, as is common, and refers to what comes below (see section 5) and goes on to the end of this line and to the next one."},
		{Body, "", 1, "Another paragraph."},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
