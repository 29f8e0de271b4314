package command

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func names(lines []Line) []string {
	var out []string
	for _, l := range lines {
		for _, n := range l.Named {
			out = append(out, string(n.Kind)+" "+n.Name)
		}
	}
	return out
}

func TestListing(t *testing.T) {
	tests := map[string]struct {
		text string
		want []string
	}{
		"module with flags": {"$ python -m moot.main --verdict x --help", []string{"module moot.main", "flag --verdict"}},
		"script":            {"(.venv) $ python3 tools/run.py -v in.json", []string{"file tools/run.py"}},
		"through a runner":  {"KEY=1 uv run --frozen python -m moot", []string{"module moot"}},
		"value of a flag":   {"uv run --with x y", nil},
		"entry":             {"poetry run moot", []string{"entry moot"}},
		"chain":             {"cd web && npm run dev; make a b", []string{"script dev", "target a", "target b"}},
		"tests":             {"pytest -k fast tests/ tests/test_a.py::test_b", []string{"folder tests", "file tests/test_a.py"}},
		"compose":           {"docker compose -f dev.yml up -d web", []string{"file dev.yml", "service web"}},
		"requirements":      {"pip install -r requirements.txt", []string{"file requirements.txt"}},
		"own script":        {"./run.sh --fast", []string{"file run.sh"}},
		"server":            {"uvicorn moot.app:app --reload", []string{"module moot.app"}},
		"to be filled in":   {"python <script>.py\nmake {target}\npython path/to/x.py\ncp your.env .env", nil},
		"one-liner":         {`python -c "import x"`, nil},
		"goes on":           {"python main.py \\\n  --rows 3", []string{"file main.py", "flag --rows"}},
		"remark":            {"make test # make lint", []string{"target test"}},
		"no command":        {"# make test\nmake_it = 1\nimport os\nGET /x", nil},
		"with directory":    {"make -C web build", nil},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			if d := cmp.Diff(tc.want, names(Listing(tc.text))); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestText(t *testing.T) {
	tests := map[string]struct {
		text string
		want []string
	}{
		"sentence":       {"Start it with python -m moot.main --rows and wait.", []string{"module moot.main", "flag --rows"}},
		"end":            {"It is started by python main.py.", []string{"file main.py"}},
		"only talk":      {"Python is used; we npm nothing, and pytest runs.", nil},
		"make in marks":  {"Then `make test` and make sure; make decisions.", []string{"target test"}},
		"within a word":  {"a cpython -m x", nil},
		"several at one": {"uv run app.py, then npm run build", []string{"file app.py", "script build"}},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			if d := cmp.Diff(tc.want, names(Text(tc.text))); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestCheck(t *testing.T) {
	files := map[string]string{
		"app/Makefile":       "a b: c\n\tx\nVAR := 1\n",
		"app/package.json":   `{"scripts": {"dev": "x"}}`,
		"app/moot/main.py":   "--rows",
		"app/pyproject.toml": "[project.scripts]\nmoot = \"moot.main:run\"\n",
		"tools/seed.py":      "",
	}
	p := Project{Roots: []string{"", "app"}, Text: func(f string) (string, bool) { s, ok := files[f]; return s, ok },
		Knows: func(s string) bool { return s == "--rows" }}
	for _, f := range []string{"app/Makefile", "app/package.json", "app/moot/main.py", "app/pyproject.toml", "tools/seed.py"} {
		p.Paths = append(p.Paths, f)
	}
	tests := map[string]struct {
		named Named
		want  Answer
	}{
		"target":            {Named{Kind: Target, Name: "b"}, There},
		"variable":          {Named{Kind: Target, Name: "VAR"}, Gone},
		"script":            {Named{Kind: Script, Name: "dev"}, There},
		"no script":         {Named{Kind: Script, Name: "test"}, Gone},
		"module":            {Named{Kind: Module, Name: "moot.main"}, There},
		"module elsewhere":  {Named{Kind: Module, Name: "pip"}, Open},
		"no module":         {Named{Kind: Module, Name: "moot.jury"}, Gone},
		"entry":             {Named{Kind: Entry, Name: "moot"}, There},
		"somebody's":        {Named{Kind: Entry, Name: "ruff"}, Open},
		"file elsewhere":    {Named{Kind: File, Name: "seed.py"}, Moved},
		"made by hand":      {Named{Kind: File, Name: ".env"}, Open},
		"no compose file":   {Named{Kind: Service}, Gone},
		"flag":              {Named{Flag, "--rows", "moot.main"}, There},
		"no flag":           {Named{Flag, "--jury", "moot.main"}, Gone},
		"somebody's flag":   {Named{Flag, "--jury", "pip"}, Open},
		"folder":            {Named{Kind: Folder, Name: "moot"}, There},
		"folder that is no": {Named{Kind: Folder, Name: "tests"}, Gone},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			if got := p.Check(Line{Named: []Named{tc.named}})[0].Answer; got != tc.want {
				t.Errorf("%+v is %s", tc.named, got)
			}
		})
	}
}

func FuzzListing(f *testing.F) {
	for _, s := range []string{"$ uv run python -m a --b", "make\\\n x", "docker compose up", "(v) PS C:\\> py a.py", "./a"} {
		f.Add(s)
	}
	p := Project{Roots: []string{""}, Text: func(string) (string, bool) { return "", false }, Knows: func(string) bool { return false }}
	f.Fuzz(func(t *testing.T, text string) {
		for _, l := range append(Listing(text), Text(text)...) {
			if len(p.Check(l)) != len(l.Named) || len(l.Named) == 0 {
				t.Errorf("%q", l.Text)
			}
		}
	})
}
