package batch

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/probe/probetest"
)

// citing is a record whose evidence and remedies name places.
func citing(places ...court.Place) *court.Record {
	return &court.Record{Evidences: map[string][]court.Exhibit{"k": {{Evidence: court.Evidence{At: places}}}}}
}

// What a record cites is kept with all its lines and without secrets; nothing else is, and a large text only around its citation.
func TestCite(t *testing.T) {
	const secret = "AKIA" + "QYLPMN5HFIQR7XYA"
	f := &probetest.Fixture{Settings: map[string]string{}, Files: map[string]string{
		"a.py": "import os\n\tkey = '" + secret + "'\n\x1b[2Jlast\n", "other.py": "pass\n", "large.py": strings.Repeat("pass\n", 2*mostTextLines)}}
	rec := citing(court.Place{Path: "a.py", Line: 3}, court.Place{Path: "large.py", Line: 4000}, court.Place{Path: "large.py", Line: 5000}, court.Place{Path: "../a.py", Line: 1}, court.Place{Commit: "c0ffee00"})
	raw, err := cite(t.Context(), f.Scene(t), rec)
	if err != nil {
		t.Fatal(err)
	}
	var list []Text
	if err := json.Unmarshal(raw, &list); err != nil || len(list) != 2 {
		t.Fatal(err, list)
	}
	if diff := cmp.Diff(Text{Path: "a.py", First: 1, Lines: []string{"import os", "    key = '[redacted:aws_key]'", `\u{1b}[2Jlast`}}, list[0]); diff != "" {
		t.Error(diff)
	}
	large := list[1]
	if last := large.First + len(large.Lines) - 1; large.Path != "large.py" || !large.Cut || len(large.Lines) != mostTextLines || large.First > 4000-linesBefore || last < 4000 {
		t.Errorf("%s: lines %d to %d", large.Path, large.First, last)
	}
}

func TestTextHas(t *testing.T) {
	for name, test := range map[string]struct {
		text Text
		at   court.Place
		want bool
	}{
		"file":             {Text{Path: "a.py"}, court.Place{Path: "a.py", Line: 9}, true},
		"another":          {Text{Path: "a.py"}, court.Place{Path: "b.py"}, false},
		"document":         {Text{Path: "a.md", Digest: "d"}, court.Place{Path: "a.md"}, false},
		"page":             {Text{Page: 2, Digest: "d"}, court.Place{Page: 2, Digest: "d"}, true},
		"page of any":      {Text{Page: 2, Digest: "d"}, court.Place{Page: 2}, true},
		"page of another":  {Text{Page: 2, Digest: "d"}, court.Place{Page: 2, Digest: "e"}, false},
		"commit":           {Text{Page: 2, Digest: "d"}, court.Place{Commit: "c0ffee00"}, false},
		"nothing of files": {Text{Path: "a.py"}, court.Place{}, false},
	} {
		if got := test.text.Has(test.at); got != test.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
