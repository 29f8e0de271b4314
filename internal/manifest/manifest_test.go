package manifest

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestRead(t *testing.T) {
	for name, x := range map[string]struct {
		file, text string
		want       Manifest
	}{
		"requirements": {"requirements/dev.txt", "a==1 # why\n-r base.txt\n./local\nb[x] >= 2 ; python_version > '3'\nnot a name\n", Manifest{
			Dependencies: []Dependency{{"a", "==1", 1, Development}, {"b", ">= 2", 4, Development}}}},
		"pyproject": {"pyproject.toml", "[project]\nname = \"mine\"\ndependencies = [\n  \"a>=1\", # one\n  'b',\n]\n[project.optional-dependencies]\nx = [\"c\"]\n[project.scripts]\nrun = \"mine.cli:main\"\n[dependency-groups]\ndev = [\"d\", {include-group = \"e\"}]\n", Manifest{
			Name:         "mine",
			Dependencies: []Dependency{{"a", ">=1", 4, Runtime}, {"b", "", 5, Runtime}, {"c", "", 8, Development}, {"d", "", 12, Development}},
			Scripts:      []Script{{"run", "mine.cli", "main", 10}}}},
		"poetry": {"pyproject.toml", "[tool.poetry.dependencies]\npython = \"^3.12\"\na = \"^1\"\nb = {git = \"x\", tag = \"v1\"}\nc = {path = \"../c\"}\nd = [{version = \"1\", python = \"3\"}]\n[tool.poetry.group.dev.dependencies]\ne = \"*\"\n", Manifest{
			Dependencies: []Dependency{{"a", "^1", 3, Runtime}, {"b", "@", 4, Runtime}, {"c", "", 5, Named}, {"d", "1", 6, Runtime}, {"e", "*", 8, Development}}, Needs: 2}},
		"uv": {"pyproject.toml", "[tool.uv]\ndev-dependencies = [\"a>=1\"]\n", Manifest{Dependencies: []Dependency{{"a", ">=1", 2, Named}}}},
		"cargo": {"Cargo.toml", "[package]\nname = \"p\"\n[lib]\npath = \"x.rs\"\n[[bin]]\nname = \"q\"\npath = \"y.rs\"\n[dependencies]\na = \"1\"\nb = { workspace = true }\n[dependencies.serde]\nversion = \"1.0\"\nfeatures = [\"derive\"]\n[dev-dependencies]\nc.version = \"2\"\n", Manifest{
			Name: "p", Library: "x.rs", Programs: []string{"y.rs"},
			Dependencies: []Dependency{{"a", "1", 9, Runtime}, {"b", "", 10, Named}, {"serde", "1.0", 12, Runtime}, {"c", "2", 15, Development}}}},
		"broken": {"Cargo.toml", "[dependencies]\na = \"1\"\nb = = 2\nc = \"3\"\n", Manifest{Dependencies: []Dependency{{"a", "1", 2, Runtime}}}},
		"setup.py": {"setup.py", "setup(\n    name=\"mine\",\n    install_requires=[\"a>1\"],\n    entry_points={\"console_scripts\": [\"run=mine.cli:main\"]},\n)\n", Manifest{
			Name:         "mine",
			Dependencies: []Dependency{{"a", ">1", 3, Runtime}, {"mine", "", 2, Named}, {"a", "", 3, Named}, {"console_scripts", "", 4, Named}, {"run", "", 4, Named}},
			Scripts:      []Script{{"run", "mine.cli", "main", 4}}}},
		"setup.cfg": {"setup.cfg", "[metadata]\nname = mine\n[options]\ninstall_requires =\n    a>=1\n    b\npython_requires = >=3\n[options.extras_require]\ntest =\n    c\n[options.entry_points]\nconsole_scripts =\n    run = mine.cli:main\n", Manifest{
			Name:         "mine",
			Dependencies: []Dependency{{"a", ">=1", 5, Runtime}, {"b", "", 6, Runtime}, {"c", "", 10, Development}},
			Scripts:      []Script{{"run", "mine.cli", "main", 13}},
			Needs:        7}},
		"conda": {"environment.yml", "name: x\nchannels:\n  - defaults\ndependencies:\n  - a=1.2\n  - b>=2\n  - pip:\n    - c==3\n", Manifest{
			Dependencies: []Dependency{{"a", "==1.2", 5, Named}, {"b", ">=2", 6, Named}, {"c", "==3", 8, Named}}}},
		"npm": {"package.json", "{\n  \"name\": \"mine\",\n  \"files\": [\"a\", \"b\"],\n  \"scripts\": {\"dependencies\": \"x\"},\n  \"dependencies\": {\n    \"@o/a\": \"^1\",\n    \"b\": \"file:../b\"\n  },\n  \"devDependencies\": {\"c\": \"2\"}, \"peerDependencies\": {\"d\": \"*\"}\n}\n", Manifest{
			Name: "mine", Dependencies: []Dependency{{"@o/a", "^1", 6, Runtime}, {"b", "file:../b", 7, Named}, {"c", "2", 9, Development}, {"d", "*", 9, Named}}}},
		"go": {"go.mod", "module example.org/m\n\ngo 1.24\n\nrequire (\n\texample.org/a v1.2.0\n\texample.org/b v0.1.0 // indirect\n)\n", Manifest{
			Name: "example.org/m", Needs: 3, Dependencies: []Dependency{{"example.org/a", "v1.2.0", 6, Runtime}, {"example.org/b", "v0.1.0", 7, Named}}}},
		"maven": {"pom.xml", "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>\n<project>\n <artifactId>mine</artifactId>\n <parent><artifactId>up</artifactId><version>3</version></parent>\n <dependencies>\n  <dependency>\n   <artifactId>a</artifactId> <version>1</version>\n   <exclusions><exclusion><artifactId>z</artifactId></exclusion></exclusions>\n  </dependency>\n  <dependency><artifactId>b</artifactId></dependency>\n </dependencies>\n</project>\n", Manifest{
			Dependencies: []Dependency{{"up", "3", 4, Named}, {"a", "1", 6, Runtime}, {"b", "", 10, Named}}}},
		"gradle": {"build.gradle.kts", "implementation(\"g:a:1\")\ntestImplementation(\"g:b:2\")\nimplementation(\"g:c\")\n", Manifest{
			Dependencies: []Dependency{{"a", "", 1, Named}, {"g:a", "1", 1, Runtime}, {"b", "", 2, Named}, {"g:b", "2", 2, Development}, {"c", "", 3, Named}}}},
		"rust": {"Cargo.toml", "[workspace.package]\nedition = \"2021\"\nrust-version = \"1.80\"\n[package]\nedition.workspace = true\n", Manifest{Needs: 3, Edition: 2}},
		"none": {"notes.txt", "a==1", Manifest{}},
		"huge": {"requirements.txt", strings.Repeat("a==1\n", maxSize/5+1), Manifest{}},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(x.want, Read(x.file, x.text)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// Formats nest; nobody's manifest does so deeply that a reader's stack ends.
func TestDeepNesting(t *testing.T) {
	deep := strings.Repeat("[", maxSize-100)
	for file, text := range map[string]string{"pyproject.toml": "a = " + deep, "environment.yml": "dependencies: " + deep, "package.json": `{"dependencies": ` + deep, "pom.xml": strings.Repeat("<a>", maxSize/3-100)} {
		if m := Read(file, text); len(m.Dependencies) > 0 {
			t.Errorf("%s: %v", file, m.Dependencies)
		}
	}
}

// FuzzRead asks that no bytes make a reader panic or name a line that is not
// there.
func FuzzRead(f *testing.F) {
	for _, text := range []string{"a==1\n", "[project]\ndependencies = [\n\"a\",\n]", "[a.b]\nc = {d = [1, {e = \"f\"}]}\n", `{"dependencies": {"a": "1"}, "x": [[{}]]}`, "module x\nrequire example.org/x v1.0.0\n",
		"<project><dependency><artifactId>a</artifactId><version>1</version></dependency>", "dependencies:\n  - a=1\n  - pip:\n    - b\n", "[options]\ninstall_requires =\n  a\n", "implementation 'a:b:1'\n", "setup(install_requires=['a'])"} {
		for _, file := range []string{"requirements.txt", "pyproject.toml", "Pipfile", "package.json", "go.mod", "pom.xml", "setup.py", "setup.cfg", "Cargo.toml", "build.gradle", "environment.yml"} {
			f.Add(file, text)
		}
	}
	f.Fuzz(func(t *testing.T, file, text string) {
		m := Read(file, text)
		last := 1 + strings.Count(text, "\n")
		for _, d := range m.Dependencies {
			if d.Line < 1 || d.Line > last || d.Name == "" {
				t.Errorf("%+v of %d lines", d, last)
			}
		}
		for _, s := range m.Scripts {
			if s.Line < 1 || s.Line > last {
				t.Errorf("%+v of %d lines", s, last)
			}
		}
	})
}
