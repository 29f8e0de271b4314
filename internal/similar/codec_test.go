package similar

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/automaton-auditor/automaton/internal/likeness"
)

func somePrints() *Prints {
	return &Prints{
		Code:    likeness.Work{Files: []likeness.File{{Path: "a.py", Marks: []likeness.Mark{{Hash: 1 << 63, At: 0, Line: 1, EndLine: 4}, {Hash: 7, At: 12, Line: 3, EndLine: 3}}}, {Path: "b/c.go"}}},
		Text:    likeness.Work{Files: []likeness.File{{Path: "document 1", Marks: []likeness.Mark{{Hash: 9, At: 5, Line: 2, EndLine: 2}}}}},
		Blobs:   []Blob{{Path: "a.py", Sum: 3, Since: 1_767_600_000}, {Path: "é.bin", Sum: 4}},
		Commits: likeness.Set{1, 2}, Trees: likeness.Set{5}, Unread: 2,
	}
}

func TestCodec(t *testing.T) {
	for _, want := range []*Prints{somePrints(), {}} {
		got, err := Decode(want.Encode())
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
	}
	raw := somePrints().Encode()
	for n := range len(raw) {
		if _, err := Decode(raw[:n]); err == nil {
			t.Fatalf("the first %d of %d bytes are taken for prints", n, len(raw))
		}
	}
	if _, err := Decode(append(raw, 0)); err == nil {
		t.Error("what follows is not seen")
	}
}

// Whatever is decoded is encoded again to what decodes alike.
func FuzzDecode(f *testing.F) {
	f.Add(somePrints().Encode())
	f.Add((&Prints{}).Encode())
	f.Fuzz(func(t *testing.T, raw []byte) {
		p, err := Decode(raw)
		if err != nil {
			return
		}
		again, err := Decode(p.Encode())
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(p, again); diff != "" {
			t.Fatal(diff)
		}
		if _, err := Compare([]Submission{{ID: "a", Prints: func() (*Prints, error) { return p, nil }}, {ID: "b", Prints: func() (*Prints, error) { return p, nil }}}, nil); err != nil {
			t.Fatal(err)
		}
	})
}
