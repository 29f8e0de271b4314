package rubric

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/automaton-auditor/automaton/internal/court"
)

const digestBase = `{"name":"n","version":"1","dimensions":[
 {"id":"a","name":"A","target_artifact":"github_repo","forensic_instruction":"There is a license.","weight":2},
 {"id":"b","name":"B","target_artifact":"github_repo","forensic_instruction":"Tests exist.","judicial_logic":{"prosecutor":"hm"}}],
 "synthesis_rules":{"security_override":"Cap at 3."}}`

func TestDigestCoversWhatCanChangeAScore(t *testing.T) {
	base := mustLoad(t, digestBase)
	tests := map[string]struct {
		old, new string
		changes  bool
	}{
		"version":       {`"version":"1"`, `"version":"2"`, false},
		"unknown key":   {`"version":"1"`, `"version":"1","mood":"glad"`, false},
		"synonym":       {`"github_repo","forensic_instruction":"There`, `"repo","forensic_instruction":"There`, false},
		"key order":     {`"id":"a","name":"A"`, `"name":"A","id":"a"`, false},
		"escapes":       {`"There`, `"\u0054here`, false},
		"name":          {`"name":"A"`, `"name":"AA"`, true},
		"id":            {`"id":"a"`, `"id":"c"`, true},
		"instruction":   {`There is a`, `Is there a`, true},
		"weight":        {`"weight":2`, `"weight":3`, true},
		"same weight":   {`"weight":2`, `"weight":2.0e0`, false},
		"artifact":      {`"github_repo","forensic_instruction":"There`, `"all","forensic_instruction":"There`, true},
		"guidance":      {`"hm"`, `"hmm"`, true},
		"rule text":     {`Cap at 3.`, `Cap at three.`, true},
		"typed rule":    {`"Cap at 3."}`, `"Cap at 3."},"synthesis":{"dissent":{"gt":1}}`, true},
		"typed as is":   {`"Cap at 3."}`, `"Cap at 3."},"synthesis":{"dissent":{"gt":2}}`, false},
		"scale":         {`"weight":2`, `"weight":2,"max_score":4`, true},
		"anchors":       {`"weight":2`, `"weight":2,"score_1":"none"`, true},
		"words shown":   {`"weight":2`, `"weight":2,"statute":"law"`, true},
		"own checks":    {`"weight":2`, `"weight":2,"checks":[{"probe":"repo.license"}]`, true},
		"preamble":      {`"version":"1"`, `"version":"1","forensic_instruction":"Look."`, true},
		"guide":         {`"version":"1"`, `"version":"1","scoring_guide":{"1":"x"}`, true},
		"rubric's name": {`"name":"n"`, `"name":"m"`, true},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			text := strings.Replace(digestBase, tt.old, tt.new, 1)
			if text == digestBase {
				t.Fatal("the edit changes nothing")
			}
			if got := mustLoad(t, text).Digest != base.Digest; got != tt.changes {
				t.Errorf("digest changed: %v, want %v", got, tt.changes)
			}
		})
	}
}

func TestChecksDigestCoversProbeVersions(t *testing.T) {
	known := catalogue(t)
	a, err := Load("r.json", strings.NewReader(digestBase), known)
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(known.Probes, func(p ProbeInfo) bool { return p.ID == "repo.license" })
	known.Probes[i].Version = "2"
	b, err := Load("r.json", strings.NewReader(digestBase), known)
	if err != nil {
		t.Fatal(err)
	}
	if a.Digest != b.Digest || a.Checks == b.Checks {
		t.Errorf("rubric digest equal: %v, want true; checks digest equal: %v, want false", a.Digest == b.Digest, a.Checks == b.Checks)
	}
}

// A record keeps the rubric as JSON; the one who verifies it computes the digests
// again from that.
func TestDigestsSurviveARecord(t *testing.T) {
	for _, name := range Builtins() {
		r, err := Builtin(name, catalogue(t))
		if err != nil {
			t.Fatal(err)
		}
		raw, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		var back court.Rubric
		if err := json.Unmarshal(raw, &back); err != nil {
			t.Fatal(err)
		}
		rubric, checks, err := Digests(&back, catalogue(t))
		if err != nil || rubric != r.Digest || checks != r.Checks {
			t.Errorf("%s: %s %s %v, want %s %s", name, rubric, checks, err, r.Digest, r.Checks)
		}
	}
}

func TestOrderOfCriteriaChangesOrderOnly(t *testing.T) {
	text := func(order ...string) string {
		return `{"name":"n","version":"1","dimensions":[` + strings.Join(order, ",") + `]}`
	}
	parts := []string{
		`{"id":"a","name":"A","target_artifact":"all","forensic_instruction":"Licenses and the file NOTICE.md."}`,
		`{"id":"graph_orchestration","name":"G","target_artifact":"repo","forensic_instruction":"Nodes and edges."}`,
		`{"id":"c","name":"State Management","forensic_instruction":"Typed state.","total":7}`,
		`{"id":"d","name":"D","target_artifact":"manual","forensic_instruction":"Ask.","levels":{"x":{"score":1},"y":{"score":0}}}`,
	}
	want := byID(mustLoad(t, text(parts...)))
	for range parts {
		parts = append(parts[1:], parts[0])
		if diff := cmp.Diff(want, byID(mustLoad(t, text(parts...)))); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
}

func byID(r *court.Rubric) map[string]court.Criterion {
	out := map[string]court.Criterion{}
	for _, c := range r.Criteria {
		c.Pos = court.Pos{}
		out[c.ID] = c
	}
	return out
}
