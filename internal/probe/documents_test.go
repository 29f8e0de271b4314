package probe

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/automaton-auditor/automaton/internal/court"
)

// answersOf runs a probe over three documents, each of which answers with the
// findings of its name, and gives the outcomes with the rationales.
func answersOf(t *testing.T, way Several, by map[string]Finding) []string {
	t.Helper()
	s := NewScene(Options{PDF: []byte("1"), PDFPath: "a.md", Further: []Document{{Path: "b.md", Bytes: []byte("2")}, {Path: "c.md", Bytes: []byte("3")}}})
	p := Probe{ID: "x", Several: func(Args) Several { return way }, Run: func(_ context.Context, s *Scene, _ Args) ([]Finding, error) {
		if n := len(s.Documents()); n != 1 {
			t.Errorf("a probe of one document sees %d", n)
		}
		f, ok := by[s.PDFPath()]
		if !ok {
			return nil, &Unable{Reason: court.Encrypted, Why: "it is closed"}
		}
		return []Finding{f}, nil
	}}
	found, err := (&question{probe: p, known: true}).look(context.Background(), s)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, f := range found {
		out = append(out, string(f.Outcome)+" "+f.Rationale)
	}
	return out
}

func TestSeveralDocuments(t *testing.T) {
	good, half := Present(court.Structure, nil, "good"), Partly(court.One/2, court.Structure, nil, "half")
	bad, none := Against(court.Structure, nil, "bad"), Missing(court.One, court.Structure, "none")
	nobody := Cannot(court.NoArtifact, nil, "nobody")
	tests := map[string]struct {
		way  Several
		by   map[string]Finding
		want []string
	}{
		"the best is enough":                   {Enough, map[string]Finding{"a.md": none, "b.md": half, "c.md": good}, []string{"present c.md: good"}},
		"the first of equals":                  {Enough, map[string]Finding{"a.md": none, "b.md": good, "c.md": good}, []string{"present b.md: good"}},
		"it may stand where nobody can read":   {Enough, map[string]Finding{"a.md": none, "b.md": bad}, []string{"unknown c.md: It is closed."}},
		"missing in all":                       {Enough, map[string]Finding{"a.md": none, "b.md": none, "c.md": none}, []string{"absent a.md: none", "absent b.md: none", "absent c.md: none"}},
		"what is not a document hides nothing": {Enough, map[string]Finding{"a.md": none, "b.md": nobody, "c.md": none}, []string{"absent a.md: none", "absent c.md: none"}},
		"all must hold":                        {Every, map[string]Finding{"a.md": good, "b.md": good, "c.md": good}, []string{"present a.md: good", "present b.md: good", "present c.md: good"}},
		"a good one makes no other right":      {Every, map[string]Finding{"a.md": bad, "b.md": good, "c.md": half}, []string{"violation a.md: bad", "partial c.md: half"}},
		"one that is closed says nothing":      {Every, map[string]Finding{"a.md": good, "b.md": good}, []string{"present a.md: good", "present b.md: good", "unknown c.md: It is closed."}},
		"each for itself":                      {Apart, map[string]Finding{"a.md": good, "b.md": bad}, []string{"present a.md: good", "violation b.md: bad", "unknown c.md: It is closed."}},
		"in turns, without what has nothing":   {Turns, map[string]Finding{"a.md": none, "b.md": good}, []string{"present b.md: good"}},
		"in turns, where nobody has anything":  {Turns, map[string]Finding{"a.md": none, "b.md": none, "c.md": none}, []string{"absent a.md: none", "absent b.md: none", "absent c.md: none"}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, answersOf(t, tt.way, tt.by)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestPlacesNameTheirDocument(t *testing.T) {
	one := NewScene(Options{PDF: []byte("1"), PDFPath: "a.pdf"})
	two := NewScene(Options{PDF: []byte("1"), PDFPath: "a.pdf", Further: []Document{{Path: "b.pdf", Bytes: []byte("2")}}})
	other := two.Documents()[1]
	at := court.Place{Page: 3, Digest: other.PDFDigest()}
	if got := two.Named(at).String(); got != "b.pdf:page 3" {
		t.Errorf("a page of the second document is %s", got)
	}
	if got := other.Named(at).String(); got != "b.pdf:page 3" {
		t.Errorf("from within it is %s", got)
	}
	if got := one.Named(court.Place{Page: 3, Digest: one.PDFDigest()}).String(); got != "pdf:page 3" {
		t.Errorf("of one document it is %s", got)
	}
	if _, err := two.in(court.Place{Page: 3}); err == nil {
		t.Error("a page of nobody knows which document is taken")
	}
	if _, err := two.Documents()[0].in(at); err == nil {
		t.Error("the first document takes a page of the second for its own")
	}
	f := other.signed(Finding{Outcome: court.Present, Rationale: "x", Places: []court.Place{{Page: 1}}})
	if f.Places[0].Digest != other.PDFDigest() {
		t.Error("a page without a digest does not get that of its document")
	}
}
