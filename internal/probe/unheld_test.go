package probe_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/probe/probetest"
)

// A node that opens what the repository surely lacks ends every run; what someone may put
// there, or does, accuses nobody.
func TestOpensWhatIsNotThere(t *testing.T) {
	const opens = `    with open(name) as f:
        return {"questions": f.read()}
`
	const by = `    name = os.path.join(os.path.dirname(__file__), "../data/questions.json")
` + opens
	for name, tc := range map[string]struct {
		body, more, why string
	}{
		"beside its own file":      {by, "", "the repository has no file data/questions.json, and nothing in it makes one"},
		"by a path object":         {"    name = Path(__file__).resolve().parent / \"questions.json\"\n" + opens, "", "the repository has no file src/questions.json, and nothing in it makes one"},
		"where the program runs":   {"    name = \"questions.json\"\n" + opens, "", "the repository has no file questions.json, and nothing in it makes one"},
		"moves before":             {"    os.chdir(\"..\")\n    name = \"questions.json\"\n" + opens, "", ""},
		"is there":                 {by, "-- data/questions.json --\n[]\n", ""},
		"is at another place":      {"    name = \"questions.json\"\n" + opens, "-- old/Questions.json --\n[]\n", ""},
		"a text asks for it":       {by, "-- README.md --\nFirst write questions.json.\n", ""},
		"code makes it":            {by, "-- make.py --\nopen(\"data/questions.json\", \"w\").write(\"[]\")\n", ""},
		"git ignores its folder":   {by, "-- .gitignore --\n# local\n/data/\n", ""},
		"git ignores such files":   {by, "-- .gitignore --\n**/*.json\n", ""},
		"another repository":       {by, "-- .gitmodules --\n[submodule \"data\"]\n", ""},
		"outside":                  {"    name = os.path.join(os.path.dirname(__file__), \"../../questions.json\")\n" + opens, "", ""},
		"is written":               {strings.ReplaceAll(by, "open(name)", "open(name, \"w\")"), "", ""},
		"only where it is there":   {"    name = \"questions.json\"\n    if not os.path.exists(name):\n        return {}\n" + opens, "", ""},
		"a failure is handled":     {"    name = \"questions.json\"\n    try:\n    " + strings.ReplaceAll(opens, "\n ", "\n     ") + "    except OSError:\n        return {}\n", "", ""},
		"a failure is passed by":   {"    name = \"questions.json\"\n    with contextlib.suppress(OSError):\n        return {\"questions\": open(name).read()}\n    return {}\n", "", ""},
		"is made of the name":      {"    name = \"questions.json\"\n    if not state:\n        Path(name).write_text(\"[]\")\n" + opens, "", ""},
		"is made by a variable":    {"    name = \"questions.json\"\n    if not state:\n        open(name, \"w\").close()\n" + opens, "", ""},
		"something is copied":      {"    name = \"questions.json\"\n    shutil.copy(state[\"x\"], name)\n" + opens, "", ""},
		"a name that is given":     {"    name = \"questions.json\"\n    from src.make import make\n    make(name)\n" + opens, "-- src/make.py --\ndef make(p):\n    open(p, \"w\").close()\n", ""},
		"what is written is known": {"    open(\"log.txt\", \"w\").close()\n" + by, "", "the repository has no file data/questions.json, and nothing in it makes one"},
		"what a run is given":      {"    name = os.path.join(state[\"folder\"], \"questions.json\")\n" + opens, "", ""},
		"settings of who runs it":  {"    name = \".settings.json\"\n" + opens, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "case.txtar")
			text := `-- src/graph.py --
import contextlib
import os
import shutil
from pathlib import Path
from typing import TypedDict

from langgraph.graph import END, START, StateGraph


class Case(TypedDict):
    folder: str
    questions: str
    answer: str


def ask(state: Case) -> dict:
` + tc.body + `

def answer(state: Case) -> dict:
    return {"answer": state["questions"].upper()}


b = StateGraph(Case)
b.add_node("ask", ask)
b.add_node("answer", answer)
b.add_edge(START, "ask")
b.add_edge("ask", "answer")
b.add_edge("answer", END)
app = b.compile()
` + tc.more + "-- want --\n"
			if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			line := strings.Count(text[:strings.Index(text, "    return {\"answer\"")], "\n")
			why, at, err := probetest.Load(t, file).Scene(t).Crash(t.Context(), court.Place{Path: "src/graph.py", Line: line, EndLine: line})
			if err != nil || why != tc.why || why != "" && at.Path != "src/graph.py" {
				t.Errorf("got %q at %v, %v; want %q", why, at, err, tc.why)
			}
		})
	}
}
