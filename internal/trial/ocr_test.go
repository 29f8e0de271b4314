package trial

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/figure"
	"github.com/automaton-auditor/automaton/internal/probe"
	"github.com/automaton-auditor/automaton/internal/probe/probetest"
	"github.com/automaton-auditor/automaton/internal/repo"
	"github.com/automaton-auditor/automaton/internal/sandbox"
)

// Who asks for OCR is told when it cannot be had: nothing is left unread in
// silence.
func TestOpenWithoutOCR(t *testing.T) {
	box, err := sandbox.Open(sandbox.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := box.Close(); err != nil {
			t.Error(err)
		}
	})
	t.Setenv("PATH", t.TempDir())
	_, err = Open(t.Context(), box, Submission{Target: repo.Target{Local: t.TempDir()}, OCR: true})
	if !errors.Is(err, ErrNoOCR) {
		t.Errorf("%v", err)
	}
}

// pictured is the miniature with a document that is a picture of a page.
func pictured(t *testing.T) *probetest.Fixture {
	f := miniature(t)
	f.Settings["pdf"] = "pictured.txt"
	f.Files["pictured.txt"] = "[picture 0 0 600 800]\n---\n[picture 0 0 600 800]\n"
	return f
}

// A whole case whose document OCR reads: the record says who read it, every
// quote is found again, it is the same twice, and nothing that was not found
// counts as absent.
func TestHearWithOCR(t *testing.T) {
	text := []string{"# Fan-out and fan-in\n\nThe fan-out starts the detectives from START at once, and the fan-in collects what they bring in one node,\n" +
		"so that the judges begin when every branch has ended and the reducer has merged what the branches wrote.\n", "# Limits\n\nThe program reads Python only.\n"}
	ocr := func(o *probe.Options) { o.OCR, o.OCRName = probetest.Reader(text), "reader 1.0" }
	rec := try(t, hearing(t, pictured(t).Scene(t, ocr)))
	if rec.Origin.OCR != "reader 1.0" || rec.Case.PDF == nil && rec.Case.PDFPath != "" {
		t.Errorf("origin %+v", rec.Origin)
	}
	quoted := 0
	for _, list := range rec.Evidences {
		for _, x := range list {
			if strings.HasPrefix(x.Probe, "doc.claims/") && x.Outcome == court.Present && x.Source == court.Layout && x.Verified && x.Content != "" {
				quoted++
			}
			if x.Outcome == court.Absent && x.Detective == court.DocAnalyst && x.Check != court.Testimony && x.Source != court.AST {
				t.Errorf("%s is said to be absent: %s", x.Check, x.Rationale)
			}
		}
	}
	if quoted == 0 {
		t.Error("nothing that OCR read was quoted")
	}
	again := try(t, hearing(t, pictured(t).Scene(t, ocr)))
	if again.Digest != rec.Digest {
		t.Error("the second hearing is another")
	}
	without := try(t, hearing(t, pictured(t).Scene(t)))
	if without.Origin.OCR != "" || without.Digest == rec.Digest {
		t.Errorf("without OCR: %+v", without.Origin)
	}
}

// A model that reads every picture perfectly settles no contradiction and fills
// no fact.
func TestLookerFillsNoFact(t *testing.T) {
	f := miniature(t)
	f.Settings["pdf"] = "figure.txt"
	f.Files["figure.txt"] = "# Court\n\nThe way of a case is shown by the picture below, which somebody drew by hand for this report and photographed.\n" +
		"There is nothing else on this page that says how the parts of the program hang together, so that whoever wants to know\n" +
		"has to look at the picture, or at the code, which says the same in other words and at much greater length than this.\n" +
		"Both were made by the same people, at about the same time, and neither of them was changed much after the first week.\n\n[picture 100 300 300 200]\n"
	answer := figure.Drawn{Class: figure.Flow, Nodes: []figure.Node{{ID: "s", Label: "Start"}, {ID: "r", Label: "Repo Detective"}, {ID: "d", Label: "Doc Detective"}},
		Edges: []figure.Edge{{From: "s", To: "r"}, {From: "s", To: "d"}}}
	sheet := func(more ...func(*probe.Options)) string {
		s, faults := probe.Draw(t.Context(), f.Scene(t, more...), Sections())
		if len(faults) > 0 {
			t.Error(faults)
		}
		raw, err := s.JSON()
		if err != nil {
			t.Fatal(err)
		}
		return string(raw)
	}
	looker := func(o *probe.Options) { o.Looker = probetest.Looker{Answer: answer} }
	if d := cmp.Diff(sheet(), sheet(looker)); d != "" {
		t.Error("the facts differ", d)
	}
	rec := try(t, hearing(t, f.Scene(t, looker)))
	heard := 0
	for _, list := range rec.Evidences {
		for _, x := range list {
			if x.Source != court.ModelQuote {
				continue
			}
			heard++
			if x.Probe == "diagram.contradiction/1" || x.Outcome != court.Present && x.Outcome != court.Partial {
				t.Errorf("%s: %s %s", x.Probe, x.Outcome, x.Rationale)
			}
		}
	}
	if heard == 0 {
		t.Error("the model was not heard")
	}
}
