package bench

import (
	"context"
	"strings"
	"testing"

	"github.com/automaton-auditor/automaton/internal/court"
)

func TestAdmit(t *testing.T) {
	c, list := workedExample()
	brief := NewBrief(c, 1, list)
	id := map[string]string{}
	for _, x := range list {
		id[x.Label] = x.ID
	}
	against := court.Citation{ID: id["E2"], Quote: "os.system(f\"git  log", Stance: Against, Text: "The URL reaches a shell."}
	favour := court.Citation{ID: id["E5"], Quote: "if not url.startswith", Stance: For, Text: "The address is tested."}
	model := func(score int, claims ...court.Citation) court.Opinion {
		return court.Opinion{Judge: court.Defense, Criterion: c.ID, Round: 1, Score: score, Exact: court.Fixed(score) * court.One,
			Argument: strings.Repeat("A sentence. ", 6), Cited: cited(claims), Citations: claims, Source: "a model"}
	}
	tests := map[string]struct {
		o    court.Opinion
		want string // part of the error; empty: admitted
	}{
		"one claim stands":                  {model(3, against), ""},
		"absence can be cited":              {model(2, court.Citation{ID: id["E4"], Quote: "No handler", Stance: Against, Text: "Nobody handles it."}), ""},
		"unknown is open":                   {model(3, court.Citation{ID: id["E6"], Quote: "computed at run time", Stance: Open, Text: "Nobody can tell."}), ""},
		"a claim that fell is struck":       {withStruck(model(3, against), court.Citation{ID: "ev-none", Why: "no such exhibit"}), ""},
		"a claim that fell is kept":         {withCited(model(3, against, court.Citation{ID: "ev-none"}), id["E2"]), "is not in the brief"},
		"a claim that is not cited":         {withCited(model(3, against, favour), id["E2"]), "quoted and not cited"},
		"an exact score between integers":   {withExact(model(4, against, favour), 42000), "is its integer"},
		"a fallen claim is cited":           {model(3, against, court.Citation{ID: id["E5"], Quote: "no such words", Stance: For, Text: "It is tested."}), "without a claim that stands"},
		"no claim":                          {model(3), "no claim stands"},
		"invented evidence":                 {model(3, court.Citation{ID: "ev-000000000000000000000000", Stance: For, Text: "It is all there."}), "does not exist"},
		"a quote that is not there":         {model(3, court.Citation{ID: id["E2"], Quote: "subprocess.run(", Stance: Against, Text: "A shell is used."}), "does not stand in evidence"},
		"a quote too short to tell":         {model(3, court.Citation{ID: id["E2"], Quote: "os", Stance: Against, Text: "A shell is used."}), "does not stand in evidence"},
		"praise of a violation":             {model(3, court.Citation{ID: id["E2"], Quote: "os.system(f", Stance: For, Text: "Elegant use of os.system."}), "cannot speak"},
		"a violation left open":             {model(3, court.Citation{ID: id["E2"], Quote: "os.system(f", Stance: Open, Text: "Elegant use of os.system."}), "cannot speak"},
		"unknown as a charge":               {model(3, court.Citation{ID: id["E6"], Quote: "computed at run time", Stance: Against, Text: "Nobody can tell."}), "cannot speak"},
		"nothing said":                      {model(3, court.Citation{ID: id["E2"], Quote: "os.system(f", Stance: Against, Text: "Bad."}), "has 4 characters"},
		"4 with charges only":               {model(4, against), "contradicts"},
		"2 with praise only":                {model(2, favour), "contradicts"},
		"4 with both":                       {model(4, against, favour), ""},
		"a score of 6":                      {model(6, against, favour), "not in 1..5"},
		"an integer that is not its exact":  {withExact(model(3, against), 44000), "does not fit"},
		"another criterion":                 {withCriterion(model(3, against), "git_forensics"), "the brief on"},
		"a short argument":                  {withArgument(model(3, against), "Bad. "), "under 50 characters"},
		"an embedded opinion is never torn": {withSource(model(4, against), Speaker), ""},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			err := Admit(brief, tc.o)
			if tc.want == "" && err != nil || tc.want != "" && (err == nil || !strings.Contains(err.Error(), tc.want)) {
				t.Errorf("error %v, want %q", err, tc.want)
			}
		})
	}
}

func withCited(o court.Opinion, ids ...string) court.Opinion { o.Cited = ids; return o }
func withStruck(o court.Opinion, c court.Citation) court.Opinion {
	o.Struck = []court.Citation{c}
	return o
}
func withExact(o court.Opinion, exact court.Fixed) court.Opinion  { o.Exact = exact; return o }
func withCriterion(o court.Opinion, id string) court.Opinion      { o.Criterion = id; return o }
func withArgument(o court.Opinion, argument string) court.Opinion { o.Argument = argument; return o }
func withSource(o court.Opinion, source string) court.Opinion     { o.Source = source; return o }

func TestBlind(t *testing.T) {
	brief := NewBrief(court.Criterion{ID: "api_contracts"}, 1, nil)
	want := map[court.Persona]court.Fixed{court.Prosecutor: 11264, court.TechLead: 26000, court.Defense: 43020}
	for _, j := range court.Personas() {
		o, err := Embedded(j).Opine(t.Context(), brief)
		if err != nil {
			t.Fatal(err)
		}
		if o.Exact != want[j] || len(o.Cited) != 0 || o.Argument != blindText || Admit(brief, o) != nil {
			t.Errorf("%s: %+v, %v", j, o, Admit(brief, o))
		}
	}
	h := Assess(brief.Criterion, nil, 1)
	if !h.Blind || h.Low != court.One || h.High != 5*court.One || h.Doubt != court.One || len(h.Ledger[court.TechLead]) != 0 || len(h.Parted) != 0 {
		t.Errorf("%+v", h)
	}
}

func TestQuote(t *testing.T) {
	found := func(content string) court.Evidence {
		return court.Evidence{Outcome: court.Present, Content: content, Rationale: "the rationale of it"}
	}
	tests := map[string]struct {
		e    court.Evidence
		want string
	}{
		"a line":                   {found("  x = tempfile.mkdtemp()  \nmore"), "x = tempfile.mkdtemp()"},
		"a short first line":       {found("try:\n    clone(url, into)\n"), "clone(url, into)"},
		"short lines only":         {found("a\nb\n\nc"), "a b c"},
		"a long line":              {found(strings.Repeat("ä", 200)), strings.Repeat("ä", 80)},
		"spread by white space":    {found("ab" + strings.Repeat(" ", 100) + "cdefghij"), "ab cdefghij"},
		"no content":               {found(" \n"), "the rationale of it"},
		"absent quotes the search": {court.Evidence{Outcome: court.Absent, Content: "some(thing)", Rationale: "searched all 9 files"}, "searched all 9 files"},
		"nothing at all":           {court.Evidence{Outcome: court.Present}, ""},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			got := quote(tc.e)
			if got != tc.want || !Quoted(tc.e, got) {
				t.Errorf("quote %q, want %q; stands: %t", got, tc.want, Quoted(tc.e, got))
			}
		})
	}
}

func TestNewBriefLeavesOut(t *testing.T) {
	c, list := workedExample()
	list[0].Superseded = "ev-newer"
	list[1].Struck = "unverified"
	list = append(list, court.Exhibit{Evidence: court.Evidence{ID: "ev-foreign", Check: "of another criterion"}})
	said := court.Exhibit{Evidence: court.Evidence{ID: "ev-said", Check: court.Testimony}, Label: "P1"}
	lost := said
	lost.Label, lost.Struck = "P2", "unverified"
	b := NewBrief(c, 2, append(list, said, lost))
	if len(b.Testimony) != 1 || b.Testimony[0].Label != "P1" {
		t.Errorf("testimony %v", b.Testimony)
	}
	var labels []string
	for _, x := range b.Exhibits {
		labels = append(labels, x.Label)
	}
	if got := strings.Join(labels, " "); got != "E3 E4 E5 E6" || b.Round != 2 {
		t.Errorf("round %d, exhibits %s", b.Round, got)
	}
}

func TestOpineStops(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Embedded(court.Defense).Opine(ctx, Brief{}); err == nil {
		t.Error("a judge spoke in a cancelled case")
	}
	if _, err := Embedded("Jury").Opine(t.Context(), Brief{}); err == nil {
		t.Error("somebody spoke who has no seat")
	}
}
