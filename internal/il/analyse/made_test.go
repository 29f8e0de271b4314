package analyse_test

import (
	"strings"
	"testing"

	"github.com/automaton-auditor/automaton/internal/il"
	"github.com/automaton-auditor/automaton/internal/il/analyse"
)

// A line that ends in "# never" is in a block that no run enters, and no other is.
func TestWhatIsMade(t *testing.T) {
	const models = `
from dataclasses import dataclass
from pydantic import BaseModel
class Evidence(BaseModel):
    goal: str
    found: bool
    note: str = "none"
@dataclass
class Point:
    kind: str
    far: bool = False
`
	for name, text := range map[string]string{
		"fields together": `
def collect(facts: dict) -> list[Evidence]:
    return [Evidence(goal="tools", found=True), Evidence(goal="history", found=len(facts) > 0)]
def rule(evidence: list[Evidence]):
    for e in evidence:
        if e.goal == "tools" and e.found is False:
            use(1) # never
        if e.goal == "history" and not e.found:
            use(2)
        if e.goal == "tools" and e.found:
            use(3)
        if "security" in e.goal.lower():
            use(4) # never
        if "secure" in e.goal.lower() and e.found:
            use(8) # never
        if "TOOL" in e.goal.upper():
            use(5)
        if e.goal != "tools" and e.goal != "history":
            use(6) # never
        if e.note == "other":
            use(7) # never
`,
		"filled behind its own test": `
def rule(lines):
    told = []
    for line in lines:
        if told:
            told.append(line)
    left, right = [], []
    for line in lines:
        if left:
            right.append(line)
        if right:
            left.append(line)
    if left:
        use(1)
`,
		"asked of all at once": `
def collect() -> list[Evidence]:
    return [Evidence(goal="tools", found=True), Evidence(goal="history", found=False)]
def rule(evidence: list[Evidence], log):
    if any(e.goal == "security" and not e.found for e in evidence):
        use(1) # never
    if any(e.goal == "tools" and not e.found for e in evidence):
        use(2) # never
    if any(e.goal == "history" and not e.found for e in evidence):
        use(3)
    if any(e.goal == "security" or e.found for e in evidence):
        use(4)
    flaws = [e for e in evidence if e.goal == "security"]
    if flaws:
        use(5) # never
    told = []
    for e in evidence:
        if e.goal == "security":
            told.append(e)
    if told:
        use(6) # never
    kept = [e for e in evidence if e.goal == "history"]
    if kept:
        use(7)
    handed = [e for e in evidence if e.goal == "security"]
    log(handed)
    if handed:
        use(8)
    put = [e for e in evidence if e.goal == "security"]
    add = put.append
    add(evidence)
    if put:
        use(9)
    if any(e.goal == "security" for e in evidence) or log:
        use(10)
    if not any(e.goal == "security" for e in evidence):
        use(11)
`,
		"by position and by default": `
def make():
    return [Point("near"), Point(kind="wide", far=True)]
def rule(points: list[Point]):
    for p in points:
        if p.kind == "near" and p.far:
            use(1) # never
        if p.kind == "wide" and p.far:
            use(2)
`,
		"made from data": `
def collect(facts: dict):
    return [Evidence(goal="tools", found=True), Evidence(**facts)]
def rule(e: Evidence):
    if e.goal == "history":
        use(1)
`,
		"asked of a model": `
def collect(llm):
    one = Evidence(goal="tools", found=True)
    return llm.with_structured_output(Evidence)
def rule(e: Evidence):
    if e.goal == "history":
        use(1)
`,
		"validated": `
def collect(facts: dict):
    one = Evidence(goal="tools", found=True)
    return Evidence.model_validate(facts)
def rule(e: Evidence):
    if e.goal == "history":
        use(1)
`,
		"in a generic type": `
from pydantic import TypeAdapter
def collect(facts: dict):
    one = Evidence(goal="tools", found=True)
    return TypeAdapter(list[Evidence]).validate_python(facts)
def rule(e: Evidence):
    if e.goal == "history":
        use(1)
`,
		"set later": `
def collect(facts: dict):
    one = Evidence(goal="tools", found=True)
    one.goal = facts["goal"]
def rule(e: Evidence):
    if e.goal == "history":
        use(1)
    if e.found is False:
        use(2) # never
`,
		"a class below": `
class More(Evidence):
    extra: int = 0
def collect():
    return [Evidence(goal="tools", found=True), More(goal="history", found=True)]
def rule(e: Evidence):
    if e.goal == "history":
        use(1)
`,
		"of another object": `
def collect():
    return [Evidence(goal="tools", found=True), Evidence(goal="history", found=False)]
def rule(e: Evidence, d: Evidence):
    if e.goal == "tools":
        if d.found is False:
            use(1)
        if e.found is False:
            use(2) # never
`,
		"nothing is made": `
def rule(e: Evidence):
    if e.goal == "history":
        use(1)
`,
	} {
		t.Run(name, func(t *testing.T) {
			lines := strings.Split(models+text, "\n")
			all := analyse.Of(program(t, "-- m.py --\n"+models+text))
			for f := range all.Program.All() {
				for b, in := range f.Instructions() {
					if in.Op != il.Call || in.Kind != "use" {
						continue
					}
					at := f.Place(in.Span).Line
					if want := strings.HasSuffix(lines[at-1], "# never"); all.Values.Dead(f, b) != want {
						t.Errorf("line %d: %s: never is %v", at, lines[at-1], !want)
					}
				}
			}
		})
	}
}
