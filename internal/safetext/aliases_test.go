package safetext

import (
	"math/rand/v2"
	"strings"
	"testing"
)

func TestAliases(t *testing.T) {
	a := NewAliases("Ada Byron", "ada@mill.example", "Ada", "Bo", " ", "ADA", "Kay", "Zoë Ray (guest)")
	cases := map[string]struct{ in, want string }{
		"a name":                    {"by Ada Byron, 2026", "by person 1, 2026"},
		"longest first":             {"Ada, Ada Byron", "person 3, person 1"},
		"an address":                {"Ada <ada@mill.example>", "person 3 <person 2>"},
		"other capitals":            {"ada ADA aDA", "person 3x1 person 3x011 person 3x111"},
		"a letter of three cases":   {"\u212aay kay", "person 4x2 person 4x1"},
		"within a word":             {"Canada, Adamant, Ada_x, xAda, Ada2", "Canada, Adamant, Ada_x, xAda, Ada2"},
		"beside signs":              {"(Ada)-Ada/Ada's", "(person 3)-person 3/person 3's"},
		"too short to hide":         {"Bo was here", "Bo was here"},
		"ends with a sign":          {"Zoë Ray (guest).", "person 5."},
		"a combining mark":          {"Ada\u0301", "Ada\u0301"},
		"invalid bytes around":      {"\xffAda\xfe", "\xffperson 3\xfe"},
		"a number behind":           {"Ada 7", "person 3 7"},
		"an alias before":           {"person Ada", "person person 3"},
		"no alias of ours restores": {"person 99, person 0, person 3x9, Xperson 3, person 31", "person 99, person 0, person 3x9, Xperson 3, person 31"},
		"nothing":                   {"", ""},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			if got := a.Hide(c.in); got != c.want {
				t.Errorf("hidden %q, want %q", got, c.want)
			}
			if got := a.Restore(c.want); got != c.in {
				t.Errorf("restored %q, want %q", got, c.in)
			}
		})
	}
	if a := NewAliases("Bo", ""); a != nil || a.Hide("Bo") != "Bo" || a.Restore("person 1") != "person 1" {
		t.Error("no names hide nothing")
	}
}

// Whatever is hidden comes back as it was, and no name stays.
func TestAliasesAreLossless(t *testing.T) {
	names := []string{"Ada Byron", "Ada", "byron", "ada@mill.example", "Kay-Lee", "Σοφία", "person"}
	pieces := append([]string{" ", " ", "-", "x1", "0", "\n", "_", "é", "\u0301", "\xff", "ADA", "aDa", "σΟΦΊΑ", "Kay", "@", "K", "k", "BYRON", "PERSON"}, names...)
	a := NewAliases(names...)
	r := rand.New(rand.NewPCG(7, 7))
	hidden := 0
	for range 20_000 {
		var b strings.Builder
		for range 1 + r.IntN(9) {
			b.WriteString(pieces[r.IntN(len(pieces))])
		}
		s := b.String()
		if alias.MatchString(s) {
			continue
		}
		got := a.Hide(s)
		if got != s {
			hidden++
		}
		if back := a.Restore(got); back != s {
			t.Fatalf("%q became %q and came back as %q", s, got, back)
		}
	}
	if hidden < 5_000 {
		t.Errorf("only %d texts held a name", hidden)
	}
}
