package trial

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/probe/probetest"
)

// runningCriteria are the criteria that ask what a program does.
var runningCriteria = []string{"state_management_rigor", "graph_orchestration", "safe_tool_engineering", "structured_output_enforcement",
	"judicial_nuance", "chief_justice_synthesis"}

var mainBlock = regexp.MustCompile(`(?s)\nif __name__ == "__main__":\n.*`)

// sources are the Python files of the miniature, without the block that runs it.
func sources(f *probetest.Fixture) map[string]string {
	out := map[string]string{}
	for name, text := range f.Files {
		if strings.HasSuffix(name, ".py") {
			out[name] = mainBlock.ReplaceAllString(text, "")
		}
	}
	return out
}

// lazy is a submission that does nothing, with files beside what it runs.
func lazy(t *testing.T, beside map[string]string) *court.Record {
	t.Helper()
	f := miniature(t)
	maps.DeleteFunc(f.Files, func(name, _ string) bool { return strings.HasSuffix(name, ".py") })
	f.Files["main.py"] = "print(\"ok\")\n"
	maps.Copy(f.Files, beside)
	return try(t, hearing(t, f.Scene(t)))
}

// indented puts every file into a block.
func indented(files map[string]string, head, foot string) map[string]string {
	out := map[string]string{}
	for name, text := range files {
		var b strings.Builder
		for line := range strings.Lines(text) {
			if strings.TrimSpace(line) != "" {
				b.WriteString("    ")
			}
			b.WriteString(line)
		}
		out[name] = head + "    pass\n" + b.String() + foot
	}
	return out
}

func prefixed(files map[string]string, head string) map[string]string {
	out := map[string]string{}
	for name, text := range files {
		out[name] = head + text
	}
	return out
}

// prosecuted is the Prosecutor's own score of a criterion.
func prosecuted(rec *court.Record, criterion string) court.Fixed {
	for _, h := range rec.Hearings {
		if h.Criterion == criterion {
			return h.Bench[court.Prosecutor]
		}
	}
	return 0
}

// A good program that is only carried along earns a submission nothing where no
// run can reach it, and not more than doubt where nobody is known to run it (M4):
// none of its checks is met, and no criterion comes near to what the same program
// earns when it runs.
func TestD37CarriedAlong(t *testing.T) {
	if testing.Short() {
		t.Skip("hears a case many times")
	}
	start := lazy(t, nil)
	nothing, honest := scores(start), scores(try(t, hearing(t, miniature(t).Scene(t))))
	files := sources(miniature(t))
	moved := map[string]string{}
	for name, text := range files {
		moved["legacy/"+name] = text
	}
	never := map[string]map[string]string{
		"constant false":     indented(files, "if False:\n", ""),
		"a false comparison": indented(files, "if 1 == 2:\n", ""),
		"an empty loop":      indented(files, "for _ in ():\n", ""),
		"after raise":        indented(files, "try:\n    raise ValueError\n", "except ValueError:\n    pass\n"),
		"after SystemExit":   prefixed(files, "raise SystemExit\n"),
	}
	idle := map[string]map[string]string{
		"unimported package":   files,
		"after sys.exit":       prefixed(files, "import sys\nsys.exit(0)\n"),
		"in another folder":    moved,
		"uncalled functions":   indented(files, "def _never():\n", ""),
		"unimported flag":      indented(files, "import os\nif os.environ.get(\"NEVER\"):\n", ""),
		"under a false import": with(files, "main.py", "if False:\n    from src.graph import build\n    build()\nprint(\"ok\")\n"),
		"for types only":       with(files, "main.py", "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from src.graph import build\nprint(\"ok\")\n"),
		"run by tests":         with(files, "tests/test_graph.py", "from src.graph import build\n\n\ndef test_build():\n    assert build().invoke({})\n"),
		"named in talk":        with(files, "README.md", "# Mini\n\nThe Python file `src/graph.py` builds the graph with `build()`.\n"),
	}
	for name, beside := range never {
		t.Run(name, func(t *testing.T) {
			rec := lazy(t, beside)
			got := scores(rec)
			for _, c := range runningCriteria {
				if got[c] > nothing[c]+1500 {
					t.Errorf("%s is worth %s; without the code %s", c, got[c], nothing[c])
				}
				if p := prosecuted(rec, c); p >= prosecuted(start, c)+1500 {
					t.Errorf("%s: the Prosecutor rises from %s to %s", c, prosecuted(start, c), p)
				}
			}
		})
	}
	for name, beside := range idle {
		t.Run(name, func(t *testing.T) {
			rec := lazy(t, beside)
			got := scores(rec)
			for _, c := range runningCriteria {
				if got[c] > honest[c]-court.One {
					t.Errorf("%s is worth %s; when it runs %s", c, got[c], honest[c])
				}
			}
			for _, c := range rec.Rubric.Criteria {
				if c.ID != "graph_orchestration" && c.ID != "structured_output_enforcement" {
					continue
				}
				for _, x := range rec.Evidences[c.ID] {
					asked := slices.IndexFunc(c.Checks, func(k court.Check) bool { return k.ID == x.Check && k.Polarity == court.Want })
					if x.Outcome == court.Present && asked >= 0 {
						t.Errorf("%s is met: %s", x.Check, x.Rationale)
					}
				}
			}
		})
	}
}

func with(files map[string]string, name, text string) map[string]string {
	out := maps.Clone(files)
	out[name] = text
	return out
}

// What may run for all that is known is not called idle: the same files keep
// what they earn as soon as something may lead to them.
func TestD37MayRun(t *testing.T) {
	if testing.Short() {
		t.Skip("hears a case many times")
	}
	files := sources(miniature(t))
	start := func() map[string]court.Fixed { // as a library, without a way in
		f := miniature(t)
		maps.Copy(f.Files, files)
		return scores(try(t, hearing(t, f.Scene(t))))
	}()
	for name, beside := range map[string]map[string]string{
		"library, exported":       {"main.py": "", "src/__init__.py": "from src.graph import build\n"},
		"library, called in text": {"main.py": "", "README.md": "# Mini\n\nCall `build()` for the graph.\n"},
		"library, tested":         {"main.py": "", "tests/test_graph.py": "from src.graph import build\n\n\ndef test_build():\n    assert build()\n"},
		"called":                  {"main.py": "from src.graph import build\n\nprint(build().invoke({}))\n"},
		"called by alias":         {"main.py": "import src.graph as g\n\nmake = g.build\nprint(make().invoke({}))\n"},
		"called in a function":    {"main.py": "def main():\n    from src.graph import build as make\n    return make()\n\n\nif __name__ == \"__main__\":\n    main()\n"},
		"by a path":               {"main.py": "import sys\n\nsys.path.append(\"src\")\nfrom graph import build\n\nbuild()\n"},
		"by name":                 {"main.py": "import importlib\n\nimportlib.import_module(\"src.graph\").build()\n"},
		"by a made name":          {"main.py": "import importlib\nimport sys\n\nimportlib.import_module(sys.argv[1])\n"},
		"by getattr":              {"main.py": "import sys\n\nimport src.graph\n\ngetattr(src.graph, sys.argv[1])()\n"},
		"as a child":              {"main.py": "import subprocess\nimport sys\n\nsubprocess.run([sys.executable, \"-m\", sys.argv[1]], check=True, timeout=9)\n"},
		"by a command":            {"README.md": "# Mini\n\n```\npython -c \"from src.graph import build; build().invoke({})\"\n```\n"},
		"by an example":           {"README.md": "# Mini\n\n```python\nfrom src.graph import build\n\nbuild().invoke({})\n```\n"},
		"by a makefile":           {"Makefile": "run:\n\tpython -c 'import src.graph as g; g.build()'\n"},
		"by a notebook":           {"run.ipynb": `{"cells": [{"cell_type": "code", "source": ["from src.graph import build\n", "build().invoke({})"]}], "nbformat": 4}`},
		"by a configuration":      {"langgraph.json": `{"graphs": {"mini": "./src/graph.py:build"}}`},
		"by a script":             {"scripts/go.sh": "#!/bin/sh\npython -m src.run_it build src.graph\n"},
		"as a tool's server":      {"src/api.py": "from fastapi import FastAPI\n\nfrom src.graph import build\n\napp = FastAPI()\n\n\n@app.get(\"/\")\ndef root():\n    return build().invoke({})\n"},
		"by an unread file":       {"main.py": "import src\n" + strings.Repeat("(", 600) + "1" + strings.Repeat(")", 600) + "\n"},
	} {
		t.Run(name, func(t *testing.T) {
			f := miniature(t)
			maps.Copy(f.Files, files)
			f.Files["main.py"] = "print(\"ok\")\n"
			maps.Copy(f.Files, beside)
			if f.Files["main.py"] == "" { // a library
				delete(f.Files, "main.py")
			}
			rec := try(t, hearing(t, f.Scene(t)))
			for _, list := range rec.Evidences {
				for _, e := range list {
					if strings.Contains(e.Rationale, "leads there (the program") {
						t.Errorf("%s: %s", e.Check, e.Rationale)
					}
				}
			}
			if got := scores(rec); len(rec.Faults) == 0 && got["state_management_rigor"] < start["state_management_rigor"] {
				t.Errorf("the state is worth %s, and was %s", got["state_management_rigor"], start["state_management_rigor"])
			}
		})
	}
}

var functionBody = regexp.MustCompile(`(?m)^(def \w+\(.*\).*:)\n(?:(?:    .*)?\n)+`)

// A program whose functions were emptied is not better than it was, and its
// judges and chief justice are found, empty.
func TestD37Hollow(t *testing.T) {
	if testing.Short() {
		t.Skip("hears a case many times")
	}
	honest := scores(try(t, hearing(t, miniature(t).Scene(t))))
	nothing := scores(lazy(t, nil))
	for name, body := range map[string]string{"empty": "    return {}", "pass": "    pass", "dots": "    ...", "logged": "    print(\"working\")\n    return {}"} {
		t.Run(name, func(t *testing.T) {
			f := miniature(t)
			for _, file := range []string{"src/nodes.py", "src/tools/git_tools.py"} {
				f.Files[file] = functionBody.ReplaceAllString(f.Files[file]+"\n", "$1\n"+body+"\n\n\n")
			}
			if !strings.Contains(f.Files["src/nodes.py"], body) {
				t.Fatal("nothing was emptied")
			}
			got := scores(try(t, hearing(t, f.Scene(t))))
			for _, c := range runningCriteria {
				if got[c] >= honest[c] {
					t.Errorf("%s rose from %s to %s", c, honest[c], got[c])
				}
			}
			for _, c := range []string{"safe_tool_engineering", "structured_output_enforcement", "chief_justice_synthesis"} {
				if got[c] > nothing[c]+3000 {
					t.Errorf("%s is worth %s, and no code at all %s", c, got[c], nothing[c])
				}
			}
		})
	}
}
