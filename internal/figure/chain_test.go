package figure

import (
	"strings"
	"testing"

	"github.com/automaton-auditor/automaton/internal/pdf"
)

func TestChainsInFences(t *testing.T) {
	tests := map[string]struct {
		text string
		want string // "" when it is no figure
	}{
		"one line": {"START → scout → [cook ∥ baker] → waiter → END",
			"START -> scout\nscout -> cook\nscout -> baker\ncook -> waiter\nbaker -> waiter\nwaiter -> END\nloose 0\n"},
		"commas in parentheses": {"oven -> (cook, baker) -> waiter", "oven -> cook\noven -> baker\ncook -> waiter\nbaker -> waiter\nloose 0\n"},
		"arrows begin the rows": {"START\n  => scout\n  => {cook | baker}   (fan-out)\n  => waiter (fan-in)\n", "START -> scout\nscout -> cook\nscout -> baker\ncook -> waiter\nbaker -> waiter\nloose 0\n"},
		"arrows end the rows":   {"START -> scout ->\n  waiter -> END", "START -> scout\nscout -> waiter\nwaiter -> END\nloose 0\n"},
		"a list over two rows":  {"START -> [cook ||\n  baker] -> END", "START -> cook\nSTART -> baker\ncook -> END\nbaker -> END\nloose 0\n"},
		"marked as parallel":    {"START -> cook / baker (parallel) -> END", "START -> cook\nSTART -> baker\ncook -> END\nbaker -> END\nloose 0\n"},
		"list beside list":      {"START -> [cook | baker] -> [waiter | singer] -> END", "START -> cook\nSTART -> baker\nwaiter -> END\nsinger -> END\nloose 1\n"},
		"names for several":     {"START -> [cooks in parallel] -> waiter -> END", "START -> cooks\ncooks -> waiter\nwaiter -> END\nloose 1\n"},
		"several in a remark":   {"START -> kitchen (cook, baker) -> waiter", "START -> kitchen\nkitchen -> waiter\nloose 1\n"},
		"it goes on in words":   {"START\n → [cook ∥ baker]\n → tray\n → (decided: hungry?)\n   YES → waiter → END\n   NO → END", "START -> cook\nSTART -> baker\ncook -> tray\nbaker -> tray\nloose 4\n"},
		"too little before it":  {"START\n → scout\n → (decided: hungry?)\n   YES → END", ""},
		"a figure of speech":    {"idea → trial → doubt → habit", ""},
		"rows side by side":     {"START → cook → END\nSTART → baker → END", ""},
		"branches of a fork":    {"router → cook\n       → baker\n       → END", ""},
		"another column":        {"START\n  → cook\n     → baker\n  → END", ""},
		"a type":                {"def bake(flour) -> Bread:", ""},
		"names become names":    {"old_name -> new_name\nother -> better", ""},
		"conditions":            {"START -> router -> [yes | no] -> END", ""},
		"the same name twice":   {"START -> [cook | cook] -> END", ""},
		"an arrow in a list":    {"START -> [cook -> baker] -> END", ""},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			found := FromMarkdown("```\n" + test.text + "\n```\n")
			got := ""
			if len(found) > 0 {
				got = rendered(found[0].Graph)
				sound(t, found[0].Graph)
				if found[0].Origin != Chain || found[0].Readable != strings.Contains(got, "loose 0") || found[0].Drawn() {
					t.Errorf("%+v", found[0])
				}
			}
			if got != test.want {
				t.Errorf("read as\n%swanted\n%s", got, test.want)
			}
		})
	}
}

func TestChainsOnPages(t *testing.T) {
	const size, pitch, gap = 10.0, 13.0, 24.0
	tests := map[string]struct {
		lines []string // an empty one is space
		want  int
	}{
		"with space around it":   {[]string{"The kitchen works so.", "", "START → [cook ∥ baker] → END", "", "And nothing else."}, 1},
		"below a colon":          {[]string{"The order is this:", "START → [cook ∥ baker] → END", "", "And nothing else."}, 1},
		"over several rows":      {[]string{"", "START", "→ scout", "→ [cook ∥ baker]", "→ END", ""}, 1},
		"a sentence around it":   {[]string{"as the plan asks for it, from", "START → [cook ∥ baker] → END", "and so on, to the last guest."}, 0},
		"a sentence below it":    {[]string{"The plan asks for this:", "START → [cook ∥ baker] → END", "and then for silence."}, 0},
		"the end of a sentence":  {[]string{"", "We go from START → cook → END.", ""}, 0},
		"no start and no end":    {[]string{"", "oven → [cook ∥ baker] → waiter", ""}, 0},
		"steps of thought":       {[]string{"", "Watch → Understand → Act", ""}, 0},
		"an item of a list":      {[]string{"", "• Rationale: START → cook → END", ""}, 0},
		"words that do not name": {[]string{"", "START → the cook, who bakes → END", ""}, 0},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			doc := &pdf.Document{Status: pdf.Readable, Pages: []pdf.Page{{Number: 1, Width: 600, Height: 800}}}
			y := 200.0
			for _, text := range test.lines {
				if text == "" {
					y += gap
					continue
				}
				doc.Pages[0].Lines = append(doc.Pages[0].Lines, pdf.Line{Text: text, Size: size, Box: pdf.Box{X0: 70, X1: 400, Y0: y, Y1: y + size}})
				y += pitch
			}
			if got := Inventory(doc); len(got) != test.want {
				t.Errorf("found %+v", got)
			}
		})
	}
}

// FuzzChains: any text is read twice alike, into a graph whose arrows have both their nodes.
func FuzzChains(f *testing.F) {
	f.Add("START -> [a | b] -> c -> END")
	f.Add("START\n -> (a, b)\n -> c (x)\n -> END")
	f.Add(strings.Repeat("a -> ", 2000) + "END")
	f.Fuzz(func(t *testing.T, text string) {
		rows := strings.Split(text, "\n")
		first, ok := chainFigure(text, rows)
		second, again := chainFigure(text, rows)
		if ok != again || ok && rendered(first.Graph) != rendered(second.Graph) {
			t.Errorf("read as %v, then as %v", first.Graph, second.Graph)
		}
		sound(t, first.Graph)
	})
}
