package bench

import (
	"strings"
	"testing"

	"github.com/automaton-auditor/automaton/internal/court"
)

func TestProfile(t *testing.T) {
	p := current()
	if p.Name != "standard/1" || p.Proven != 9000 || p.Absence != 8500 || p.Examined != 2500 {
		t.Errorf("profile %q: proven %s, absence %s, examined %s", p.Name, p.Proven, p.Absence, p.Examined)
	}
	if got := p.Judges[court.TechLead]; got != (standard{Credit: 5000, Blame: 5000, Doubt: 4000, Curve: even, CoreHalves: 3, Gate: 34900}) {
		t.Errorf("standard of the TechLead: %+v", got)
	}
	if d := Digest(); len(d) != 64 || d != Digest() {
		t.Errorf("digest %q", d)
	}
}

// Another number is another profile: it shows in the digest of the file.
func TestProfileRefused(t *testing.T) {
	file := string(standardFile)
	tests := map[string]struct{ old, new, want string }{
		"no JSON":           {`{`, `<`, "decoding profile"},
		"a source missing":  {`"ast": 0.95, `, ``, `no reliability for source "ast"`},
		"a judge missing":   {`"Defense"`, `"Jury"`, "no usable standard for Defense"},
		"an unknown curve":  {`"lenient"`, `"steep"`, "no usable standard for Defense"},
		"a number as words": {`"proven": 0.9`, `"proven": "much"`, "decoding profile"},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			_, err := parseProfile([]byte(strings.Replace(file, tc.old, tc.new, 1)))
			if err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("error %v, want %q", err, tc.want)
			}
		})
	}
}
