package main

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// A miniature auditor in five commits. What differs in the linear one is the
// wiring.
const stateFile = `import operator
from typing import Annotated, Dict, List, Literal, TypedDict

from pydantic import BaseModel, Field


class Evidence(BaseModel):
    goal: str
    found: bool
    location: str
    rationale: str
    confidence: float = Field(ge=0.0, le=1.0)


class JudicialOpinion(BaseModel):
    judge: Literal["Prosecutor", "Defense", "TechLead"]
    criterion_id: str
    score: int = Field(ge=1, le=5)
    argument: str
    cited_evidence: List[str]


class AgentState(TypedDict):
    repo_url: str
    evidences: Annotated[Dict[str, List[Evidence]], operator.ior]
    opinions: Annotated[List[JudicialOpinion], operator.add]
    report: str
`

const toolsFile = `import subprocess
import tempfile


def clone(url: str) -> str:
    if not url.startswith("https://"):
        raise ValueError("only https")
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(["git", "clone", "--", url, folder], capture_output=True, timeout=60)
        if done.returncode != 0:
            raise RuntimeError(done.stderr)
        return subprocess.run(["git", "log"], cwd=folder, capture_output=True, timeout=60, check=True).stdout.decode()
`

const nodesFile = `from langchain_openai import ChatOpenAI

from src.state import AgentState, JudicialOpinion
from src.tools.git_tools import clone

PROMPTS = {
    "Prosecutor": "You are the prosecutor. Assume the work is lazy. Look for gaps, flaws and security holes; reject what is not shown.",
    "Defense": "You defend the author. Reward effort and intent, be generous with creative and partial solutions, mitigate.",
    "TechLead": "You inherit this code. Judge whether it works, is modular, pragmatic and can be maintained in production.",
}


def repo_investigator(state: AgentState) -> dict:
    return {"evidences": {"repo": [clone(state["repo_url"])]}}


def doc_analyst(state: AgentState) -> dict:
    return {"evidences": {"doc": []}}


def evidence_aggregator(state: AgentState) -> dict:
    return {}


def judge(state: AgentState, name: str) -> dict:
    model = ChatOpenAI(model="m").with_structured_output(JudicialOpinion)
    for _ in range(3):
        try:
            return {"opinions": [model.invoke([("system", PROMPTS[name]), ("user", str(state["evidences"]))])]}
        except ValueError:
            continue
    return {"opinions": []}


def prosecutor(state: AgentState) -> dict:
    return judge(state, "Prosecutor")


def defense(state: AgentState) -> dict:
    return judge(state, "Defense")


def tech_lead(state: AgentState) -> dict:
    return judge(state, "TechLead")


def chief_justice(state: AgentState) -> dict:
    scores = [o.score for o in state["opinions"]]
    final = sum(scores) / max(len(scores), 1)
    return {"report": "# Report\n\n## Summary\n\nScore %.2f\n" % final}
`

const graphHead = `from langgraph.graph import END, START, StateGraph

from src import nodes
from src.state import AgentState


def build():
    b = StateGraph(AgentState)
    b.add_node("repo_investigator", nodes.repo_investigator)
    b.add_node("doc_analyst", nodes.doc_analyst)
    b.add_node("evidence_aggregator", nodes.evidence_aggregator)
    b.add_node("prosecutor", nodes.prosecutor)
    b.add_node("defense", nodes.defense)
    b.add_node("tech_lead", nodes.tech_lead)
    b.add_node("chief_justice", nodes.chief_justice)
`

const graphFoot = `    b.add_edge("chief_justice", END)
    return b.compile()


if __name__ == "__main__":
    build().invoke({"repo_url": "https://example.org/a/b"})
`

// wiring writes add_edge calls: each line is "FROM... > TO".
func wiring(lines ...string) string {
	var b strings.Builder
	for _, l := range lines {
		from, to, _ := strings.Cut(l, " > ")
		fs := strings.Fields(from)
		switch {
		case from == "START":
			fmt.Fprintf(&b, "    b.add_edge(START, %q)\n", to)
		case len(fs) > 1:
			fmt.Fprintf(&b, "    b.add_edge([\"%s\"], %q)\n", strings.Join(fs, `", "`), to)
		default:
			fmt.Fprintf(&b, "    b.add_edge(%q, %q)\n", from, to)
		}
	}
	return b.String()
}

func program(ts *testscript.TestScript, args []string, parallel bool) {
	if len(args) != 1 {
		ts.Fatalf("usage: courtroom|linear DIR")
	}
	ts.Check(makeProgram(ts.MkAbs(args[0]), parallel, func(when string, args ...string) error {
		ts.Setenv("GIT_AUTHOR_DATE", when)
		ts.Setenv("GIT_COMMITTER_DATE", when)
		return ts.Exec("git", args...)
	}))
}

// makeProgram makes the repository with git, which is run at the times given.
func makeProgram(dir string, parallel bool, git func(when string, args ...string) error) error {
	wires := wiring("START > repo_investigator", "repo_investigator > doc_analyst", "doc_analyst > evidence_aggregator",
		"evidence_aggregator > prosecutor", "prosecutor > defense", "defense > tech_lead", "tech_lead > chief_justice")
	if parallel {
		wires = wiring("START > repo_investigator", "START > doc_analyst", "repo_investigator doc_analyst > evidence_aggregator",
			"evidence_aggregator > prosecutor", "evidence_aggregator > defense", "evidence_aggregator > tech_lead",
			"prosecutor defense tech_lead > chief_justice")
	}
	if err := git(at(0), "init", "-q", "-b", "main", dir); err != nil {
		return err
	}
	for i, step := range []map[string]string{
		{"pyproject.toml": "[project]\nname = \"mini\"\ndependencies = [\"langgraph\", \"langchain-openai\", \"pydantic\"]\n", "README.md": "# Mini auditor\n"},
		{"src/__init__.py": "", "src/state.py": stateFile},
		{"src/tools/__init__.py": "", "src/tools/git_tools.py": toolsFile},
		{"src/nodes.py": nodesFile},
		{"src/graph.py": graphHead + wires + graphFoot},
	} {
		for _, name := range keys(step) {
			p := filepath.Join(dir, filepath.FromSlash(name))
			if err := os.MkdirAll(filepath.Dir(p), 0o700); err != nil {
				return err
			}
			if err := os.WriteFile(p, []byte(step[name]), 0o600); err != nil {
				return err
			}
		}
		subject := []string{"Add manifest and readme", "Add the typed state", "Clone into a temporary folder", "Add detectives and judges", "Wire the graph"}[i]
		if err := errors.Join(git(at(i), "-C", dir, "add", "."), git(at(i), "-C", dir, "commit", "-q", "-m", subject)); err != nil {
			return err
		}
	}
	return nil
}

// at is the time of a step: some hours after the one before.
func at(step int) string { return fmt.Sprintf("2026-01-0%dT1%d:17:31+0100", 1+step, step) }

func keys(m map[string]string) []string {
	var out []string
	for k := range m {
		out = append(out, k)
	}
	sort.Strings(out)
	return out
}

// writePDF writes a small PDF with lines of text: "pdf FILE LINE...".
func writePDF(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) < 2 {
		ts.Fatalf("usage: pdf FILE LINE...")
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), pdfText("", args[1:]...), 0o600))
}

// writeWord writes a small DOCX file: "word FILE PARAGRAPH...". One that begins with "# "
// is a heading.
func writeWord(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) < 2 {
		ts.Fatalf("usage: word FILE PARAGRAPH...")
	}
	var body, file bytes.Buffer
	for _, text := range args[1:] {
		style := "Normal"
		if heading, ok := strings.CutPrefix(text, "# "); ok {
			style, text = "Heading1", heading
		}
		fmt.Fprintf(&body, `<w:p><w:pPr><w:pStyle w:val="%s"/></w:pPr><w:r><w:t>%s</w:t></w:r></w:p>`, style, text)
	}
	packed := zip.NewWriter(&file)
	part, err := packed.Create("word/document.xml")
	ts.Check(err)
	_, err = fmt.Fprintf(part, `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>%s</w:body></w:document>`, body.String())
	ts.Check(err)
	ts.Check(packed.Close())
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), file.Bytes(), 0o600))
}

// writeEncrypted writes one that wants a password that nobody has.
func writeEncrypted(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) < 2 {
		ts.Fatalf("usage: encrypted FILE LINE...")
	}
	locked := strings.Repeat("5A", 32)
	more := fmt.Sprintf(" /ID [<%[1]s> <%[1]s>] /Encrypt << /Filter /Standard /V 1 /R 2 /P -4 /O <%[2]s> /U <%[2]s> >>", locked[:32], locked)
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), pdfText(more, args[1:]...), 0o600))
}

// pdfText is a PDF of lines of text, with more entries in its trailer.
func pdfText(more string, lines ...string) []byte {
	var text strings.Builder
	for i, l := range lines {
		fmt.Fprintf(&text, "BT /F1 11 Tf 50 %d Td (%s) Tj ET\n", 780-20*i, strings.NewReplacer("(", `\(`, ")", `\)`, `\`, `\\`).Replace(l))
	}
	objects := []string{
		"<< /Type /Catalog /Pages 2 0 R >>",
		"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
		"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>",
		fmt.Sprintf("<< /Length %d >>\nstream\n%sendstream", text.Len(), text.String()),
		"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
	}
	return pdfOf(objects, more)
}

// pdfOf is a document of numbered objects, the first of which is its root; more
// stands in its trailer.
func pdfOf(objects []string, more string) []byte {
	var b bytes.Buffer
	b.WriteString("%PDF-1.4\n")
	var offsets []int
	for i, o := range objects {
		offsets = append(offsets, b.Len())
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", i+1, o)
	}
	xref := b.Len()
	fmt.Fprintf(&b, "xref\n0 %d\n0000000000 65535 f \n", len(objects)+1)
	for _, off := range offsets {
		fmt.Fprintf(&b, "%010d 00000 n \n", off)
	}
	fmt.Fprintf(&b, "trailer\n<< /Size %d /Root 1 0 R%s >>\nstartxref\n%d\n%%%%EOF\n", len(objects)+1, more, xref)
	return b.Bytes()
}
