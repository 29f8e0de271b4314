package figure

import (
	"fmt"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
)

// rendered writes a graph as the fixtures have it.
func rendered(g *Graph) string {
	if g == nil {
		return "nothing\n"
	}
	var b strings.Builder
	for _, e := range g.Edges {
		fmt.Fprintf(&b, "%s -> %s\n", e.From, e.To)
	}
	fmt.Fprintf(&b, "loose %d\n", g.Loose)
	return b.String()
}

func TestReadArt(t *testing.T) {
	files, err := filepath.Glob("testdata/art/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("no fixtures", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			a, err := txtar.ParseFile(file)
			if err != nil || len(a.Files) != 2 {
				t.Fatal("not a drawing and a graph", err)
			}
			g := ReadArt(strings.Split(string(a.Files[0].Data), "\n"))
			sound(t, g)
			if diff := cmp.Diff(string(a.Files[1].Data), rendered(g)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// FuzzReadArt: any text is read in bounded time, twice alike, into a graph whose arrows have both their nodes.
func FuzzReadArt(f *testing.F) {
	files, err := filepath.Glob("testdata/art/*.txtar")
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range files {
		a, err := txtar.ParseFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(a.Files[0].Data))
	}
	f.Add(strings.Repeat("┌─┐┼", 100))
	f.Fuzz(func(t *testing.T, text string) {
		lines := strings.Split(text, "\n")
		first := ReadArt(lines)
		sound(t, first)
		if second := ReadArt(lines); !reflect.DeepEqual(first, second) {
			t.Errorf("read as %v, then as %v", first, second)
		}
		if first != nil && first.Loose < 0 {
			t.Errorf("loose %d", first.Loose)
		}
	})
}

// The worst that a drawing of the largest size can be: nothing but crossings, borders and
// heads. It is read to its end.
func TestReadArtBounded(t *testing.T) {
	for _, part := range []string{"┼", "┌", "┌─┐", "│", "▼", "─ a ─", "├ b ", "+-", "a  "} {
		row := strings.Repeat(part, maxColumns)
		lines := make([]string, 2*maxRows)
		for i := range lines {
			lines[i] = row
		}
		sound(t, ReadArt(lines))
	}
}
