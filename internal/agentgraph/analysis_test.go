package agentgraph

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const full = `
START -> repo doc vision
repo -> agg
doc -> agg
vision -> agg
agg -> prosecutor defense tech
prosecutor -> chief
defense -> chief
tech -> chief
chief -> END
`

func TestBehind(t *testing.T) {
	tests := map[string]struct{ graph, others, want string }{
		"only by way of both": {`START -> agg
agg -> prosecutor defense
prosecutor -> chief
defense -> chief
chief -> END`, "prosecutor defense", "chief"},
		"one of two ways":          {"START -> prosecutor defense\nprosecutor -> chief\ndefense -> chief", "defense", ""},
		"a join waits for all":     {"START -> prosecutor defense\nprosecutor+defense => chief\nchief -> report", "defense", "chief report"},
		"a route around it":        {"START -> agg\nagg ? defense | handler\ndefense -> chief\nhandler -> chief", "defense", ""},
		"a loop back to the cause": {"START -> defense\ndefense -> chief\nchief -> defense", "defense", "chief"},
		"wiring that was not read": {"START -> defense\ndefense -> chief\nunresolved START chief", "defense", ""},
		"nothing stops":            {"START -> defense\ndefense -> chief", "", ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			others := map[string]bool{}
			for _, n := range strings.Fields(tt.others) {
				others[n] = true
			}
			var got []string
			for _, n := range sketch(t, tt.graph).Behind(others) {
				got = append(got, n.Name)
			}
			if s := strings.Join(got, " "); s != tt.want {
				t.Errorf("behind are %q, want %q", s, tt.want)
			}
		})
	}
}

func TestParallelLayers(t *testing.T) {
	tests := map[string]struct {
		graph       string
		detectives  string
		judges      string
		fanIn, join string
		linear      string
		width       int
	}{
		"both layers": {full, "yes [doc repo] [doc vision] [repo vision]", "yes [defense prosecutor] [defense tech] [prosecutor tech]", "yes [agg doc repo vision]", "yes [chief defense prosecutor tech]", "no", 3},
		"chain": {`START -> repo
repo -> doc
doc -> agg
agg -> prosecutor
prosecutor -> defense
defense -> chief
chief -> END`, "no", "no", "no", "no", "yes []", 1},
		"a handler on every way is a join": {`START -> agg
agg -> prosecutor defense tech
prosecutor -> handler
defense -> handler
tech -> handler
handler -> chief
chief -> END`, "no", "yes [defense prosecutor] [defense tech] [prosecutor tech]", "no", "yes [handler defense prosecutor tech]", "no", 3},
		"a handler beside the way is none": {`START -> agg
agg -> prosecutor defense
prosecutor ? chief | handler
defense ? END | handler
handler -> chief
chief -> END`, "no", "yes [defense prosecutor]", "no", "yes [chief defense prosecutor]", "no", 2},
		"exclusive route is no fork": {`START -> agg
agg ? prosecutor | defense
prosecutor -> chief
defense -> chief`, "no", "no", "no", "yes [chief defense prosecutor]", "yes []", 1},
		"exclusive route behind a join": {`START -> repo doc
repo -> agg
doc -> agg
agg ? prosecutor | defense
prosecutor -> chief
defense -> chief`, "yes [doc repo]", "no", "yes [agg doc repo]", "yes [chief defense prosecutor]", "no", 2},
		"list route": {`START ? repo&doc | END
repo -> agg
doc -> agg
agg -> chief`, "yes [doc repo]", "no", "yes [agg doc repo]", "no", "no", 2},
		"gates": {`START -> gate1 gate2
gate1 ? repo | skip1
gate2 ? doc | skip2
repo -> agg
skip1 -> agg
doc -> agg
skip2 -> agg
agg -> judge`, "yes [doc repo]", "no", "yes [agg doc repo]", "no", "no", 2},
		"plain edge beside a route": {`START -> agg
agg -> defense
agg ? prosecutor | END
prosecutor -> chief
defense -> chief`, "no", "yes [defense prosecutor]", "no", "yes [chief defense prosecutor]", "yes []", 2},
		"prosecutor first": {`START -> agg
agg -> prosecutor
prosecutor -> defense tech
defense -> chief
tech -> chief`, "no", "yes [defense tech]", "no", "yes [chief defense tech]", "no", 2},
		"sends": {`START -> agg
agg * judge
judge -> chief`, "no", "yes [judge]", "no", "yes [chief judge]", "no", 1},
		"sends of something": {`START -> agg
agg *? judge
judge -> chief`, "no", "unknown", "no", "yes [chief judge]", "no", 1},
		"pattern": {`START -> agg
agg -> judge_*
judge_* -> chief`, "no", "unknown", "no", "unknown", "unknown", 1},
		"retry loop": {`START -> agg
agg -> prosecutor defense
prosecutor -> chief
defense -> chief
chief ? agg | END`, "no", "yes [defense prosecutor]", "no", "yes [chief defense prosecutor]", "no", 2},
		"handler loop with two ways in": {`START ? repo&doc | handler
repo -> agg
doc -> agg
agg ? prosecutor&defense | handler
handler -> agg
prosecutor -> chief
defense -> chief`, "yes [doc repo]", "yes [defense prosecutor]", "yes [agg doc repo]", "yes [chief defense prosecutor]", "no", 2},
		"router not read": {`START -> agg
agg ?? prosecutor defense
prosecutor -> chief
defense -> chief`, "no", "unknown", "no", "yes [chief defense prosecutor]", "unknown", 1},
		"unresolved edge that could decide": {`START -> repo
repo -> agg
agg -> prosecutor
defense -> chief
prosecutor -> chief
unresolved agg _`, "no", "unknown", "no", "unknown", "unknown", 1},
		"unresolved edge that does not matter": {full + "\nunresolved chief END", "yes [doc repo] [doc vision] [repo vision]", "yes [defense prosecutor] [defense tech] [prosecutor tech]", "yes [agg doc repo vision]", "yes [chief defense prosecutor tech]", "no", 3},
		"END is not a join": {`START -> repo doc
repo -> END
doc -> END`, "yes [doc repo]", "no", "no", "no", "no", 2},
		"join over a handler": {`START -> repo doc
repo ? agg | handler
doc ? agg | handler
handler -> agg
agg -> judge`, "yes [doc repo]", "no", "yes [agg doc repo]", "no", "no", 2},
		"unreachable judge": {`START -> agg
agg -> prosecutor
defense -> chief`, "no", "no", "no", "no", "yes []", 1},
		"a tie that could be a judge": {`START -> prosecutor tie
prosecutor -> chief
tie -> chief`, "no", "unknown", "no", "unknown", "no", 2},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			g := sketch(t, tt.graph)
			slicesSortNodes(g)
			got := []any{said(g.RunTogether(detective)), said(g.RunTogether(judge)), said(g.Join(detective)), said(g.Join(judge)), said(g.Linear()), g.Width()}
			want := []any{tt.detectives, tt.judges, tt.fanIn, tt.join, tt.linear, tt.width}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error("detectives, judges, fan-in, join, linear, width (-want +got):\n" + diff)
			}
		})
	}
}
