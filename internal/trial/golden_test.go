package trial

import (
	"cmp"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/automaton-auditor/automaton/internal/probe"
	"github.com/automaton-auditor/automaton/internal/probe/probetest"
)

// A golden archive is one row of the table of fixtures: miniature repositories
// with what must be known about them. Its files are those of probetest, and
//
//	base: f01_perfect            setting: the files of that archive come first
//	edits                        changes lines of files, see edit
//	@NAME/FILE, @NAME/edits      a variant: these files over all others
//	@NAME/settings               settings of a variant
//	must, @NAME/must             what the row must show, by hand; see claims
//	want.sheet                   the whole fact sheet, byte for byte
//	want.differs, @NAME/…        instead of it, with a base or of a variant: all
//	                             facts that are not those of the base, or of
//	                             the archive itself
//
// A file of the one line "(gone)" is left out. The go test flag -update writes
// want.sheet and want.differs; nothing writes must.
type golden struct {
	name    string
	archive *txtar.Archive
	parts   map[string]*part // by name of the variant; "" is the archive itself
	base    *golden
}

// part is what an archive says of one variant.
type part struct {
	settings map[string]string
	files    map[string]string
	edits    string
	must     string
}

const gone = "(gone)\n"

func goldenFile(name string) string { return filepath.Join("testdata", "golden", name+".txtar") }

// loadGolden reads one archive with its base.
func loadGolden(t testing.TB, name string) *golden {
	t.Helper()
	raw, err := os.ReadFile(goldenFile(name))
	if err != nil {
		t.Fatal(err)
	}
	g := &golden{name: name, archive: txtar.Parse(raw), parts: map[string]*part{}}
	g.part("").settings = settings(string(g.archive.Comment))
	for _, f := range g.archive.Files {
		variant, file := "", f.Name
		if strings.HasPrefix(file, "@") {
			variant, file, _ = strings.Cut(file[1:], "/")
		}
		p := g.part(variant)
		switch file {
		case "settings":
			p.settings = settings(string(f.Data))
		case "edits":
			p.edits = string(f.Data)
		case "must":
			p.must = string(f.Data)
		case "want.sheet", "want.differs":
		default:
			p.files[file] = string(f.Data)
		}
	}
	if b := g.parts[""].settings["base"]; b != "" {
		g.base = loadGolden(t, b)
	}
	return g
}

func settings(text string) map[string]string {
	out := map[string]string{}
	for line := range strings.Lines(text) {
		if k, v, ok := strings.Cut(strings.TrimSpace(line), ": "); ok && !strings.Contains(k, " ") {
			out[k] = v
		}
	}
	return out
}

func (g *golden) part(variant string) *part {
	if g.parts[variant] == nil {
		g.parts[variant] = &part{settings: map[string]string{}, files: map[string]string{}}
	}
	return g.parts[variant]
}

// fixture is the miniature repository of a variant.
func (g *golden) fixture(t testing.TB, variant string) *probetest.Fixture {
	t.Helper()
	f := &probetest.Fixture{Settings: map[string]string{}, Files: map[string]string{}}
	if g.base != nil {
		f = g.base.fixture(t, "")
	}
	layers := []string{""}
	if variant != "" {
		layers = append(layers, variant)
	}
	for _, v := range layers {
		p := g.parts[v]
		maps.Copy(f.Settings, p.settings)
		maps.Copy(f.Files, p.files)
		maps.DeleteFunc(f.Files, func(_, text string) bool { return text == gone })
		edit(t, f, p.edits)
	}
	return f
}

// edit changes lines of files. A line without a sign names the file; lines
// after "- ", which must stand there exactly once, give way to those after
// "+ ". Without any "- " the file is made anew, or ends with the new lines; the
// line "(gone)" takes it away.
func edit(t testing.TB, f *probetest.Fixture, text string) {
	t.Helper()
	var file string
	var was, is strings.Builder
	flush := func() {
		if was.Len()+is.Len() > 0 {
			replace(t, f, file, was.String(), is.String())
		}
		was.Reset()
		is.Reset()
	}
	for line := range strings.Lines(text) {
		rest := strings.TrimPrefix(line[1:], " ")
		switch line[0] {
		case '-':
			if is.Len() > 0 {
				flush()
			}
			was.WriteString(rest)
		case '+':
			is.WriteString(rest)
		case '\n':
			flush()
		case '(':
			delete(f.Files, file)
		default:
			flush()
			file = strings.TrimSpace(line)
		}
	}
	flush()
}

func replace(t testing.TB, f *probetest.Fixture, file, was, is string) {
	t.Helper()
	text := "\n" + f.Files[file]
	switch n := strings.Count(text, "\n"+was); {
	case was == "":
		f.Files[file] += is
	case n != 1:
		t.Fatalf("%s has these lines %d times, once is wanted:\n%s", file, n, was)
	default:
		f.Files[file] = strings.Replace(text, "\n"+was, "\n"+is, 1)[1:]
	}
}

// Every fixture gives exactly its fact sheet, and what its row must show.
func TestGolden(t *testing.T) {
	files, err := filepath.Glob(goldenFile("*"))
	if err != nil || len(files) == 0 {
		t.Fatal("no golden fixtures", err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".txtar")
		if raced && name != "f01_perfect" {
			continue // what is found is the same; one whole case is watched
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := loadGolden(t, name)
			sheets := map[string]*probe.Sheet{}
			for _, v := range slices.Sorted(maps.Keys(g.parts)) {
				if v == "" && g.parts[v].must == "" {
					continue // only its variants are cases
				}
				t.Run(cmp.Or(v, "itself"), func(t *testing.T) { sheets[v] = g.try(t, v) })
			}
			g.compare(t, sheets)
		})
	}
}
