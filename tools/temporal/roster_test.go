package main

import (
	"archive/zip"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// makeRoster makes the submissions of a class and its roster: repositories, folders without git, archives and bundles, and one
// repository without a commit.
func makeRoster(t *testing.T, dir string, n int) string {
	t.Helper()
	roster := "id,name,email,repo_url\n"
	for i := range n {
		place := makeSubmission(t, dir, i, i == n-1)
		roster += fmt.Sprintf("s31415%d,Ada Lovelace %d,ada%d@school.example.org,%s\n", i, i, i, place)
	}
	path := filepath.Join(dir, "class.csv")
	if err := os.WriteFile(path, []byte(roster), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// makeSubmission makes the i-th and gives its place.
func makeSubmission(t *testing.T, dir string, i int, broken bool) string {
	t.Helper()
	name := fmt.Sprintf("team%d", i)
	at := filepath.Join(dir, name)
	files := []map[string]string{
		{"src/state.py": fmt.Sprintf(stateFile, i), "README.md": fmt.Sprintf("# Team %d\n\nRun it with `uv run main.py`.\n", i)},
		{"src/graph.py": fmt.Sprintf(graphFile, i)},
		{"src/tools.py": fmt.Sprintf("import subprocess\n\n\ndef clone(url: str) -> None:\n    subprocess.run([\"git\", \"clone\", url, \"target%d\"], check=True)\n", i)},
	}
	kind := i % 8 // most are repositories
	if kind != 5 && kind != 6 {
		git(t, at, i, "init", "-q", "-b", "main")
	}
	for step, set := range files {
		if broken {
			break
		}
		for path, text := range set {
			full := filepath.Join(at, path)
			if err := os.MkdirAll(filepath.Dir(full), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(full, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if kind != 5 && kind != 6 {
			git(t, at, i+step, "add", "-A")
			git(t, at, i+step, "commit", "-q", "-m", fmt.Sprintf("Step %d of team %d", step, i))
		}
	}
	if kind == 1 {
		git(t, at, i, "remote", "add", "origin", fmt.Sprintf("https://someone:%s@github.com/northwind/team%d.git", secret, i))
	}
	switch {
	case broken:
		return name
	case kind == 6:
		return zipped(t, at, name)
	case kind == 7:
		git(t, at, i, "bundle", "create", "-q", "../"+name+".bundle", "--all")
		return name + ".bundle"
	}
	return name
}

func git(t *testing.T, dir string, day int, args ...string) {
	t.Helper()
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	c := exec.Command("git", append([]string{"-c", "user.name=Ada", "-c", "user.email=ada@example.org"}, args...)...)
	date := fmt.Sprintf("2026-02-%02dT10:00:00Z", 1+day%28)
	c.Dir, c.Env = dir, append(os.Environ(), "GIT_AUTHOR_DATE="+date, "GIT_COMMITTER_DATE="+date)
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("git %s: %v: %s", strings.Join(args, " "), err, out)
	}
}

func zipped(t *testing.T, dir, name string) string {
	t.Helper()
	f, err := os.Create(dir + ".zip")
	if err != nil {
		t.Fatal(err)
	}
	z := zip.NewWriter(f)
	if err := z.AddFS(os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	return name + ".zip"
}

const stateFile = `import operator
from typing import Annotated, TypedDict

from pydantic import BaseModel, Field


class Evidence(BaseModel):
    goal: str
    found: bool
    confidence: float = Field(ge=0, le=1)


class AgentState(TypedDict):
    evidences: Annotated[dict, operator.ior]
    round%d: int
`

const graphFile = `from langgraph.graph import END, START, StateGraph

from .state import AgentState


def repo(state):
    return {"evidences": {"repo": %d}}


def document(state):
    return {"evidences": {"document": 1}}


g = StateGraph(AgentState)
g.add_node("repo", repo)
g.add_node("document", document)
g.add_edge(START, "repo")
g.add_edge(START, "document")
g.add_edge("repo", END)
g.add_edge("document", END)
graph = g.compile()
`
