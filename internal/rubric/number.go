package rubric

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
)

const numeral = `(\d{1,4}|two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen|twenty|thirty|fifty)`

var (
	numerals = []string{"two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"}
	tens     = map[string]int{"twelve": 12, "fifteen": 15, "twenty": 20, "thirty": 30, "fifty": 50}

	atLeast  = regexp.MustCompile(`(?:\bat least|\bno (?:fewer|less) than|\b(?:a )?minimum(?: of)?|>=|≥)\s*` + numeral + `\s+(?:[a-z-]+ ){0,2}commits\b|\b` + numeral + `\s*(?:\+|or more)\s+(?:[a-z-]+ ){0,2}commits\b`)
	moreThan = regexp.MustCompile(`(?:\bmore than|>)\s*` + numeral + `\s+(?:[a-z-]+ ){0,2}commits\b`)
)

// numbered gives a check that counts commits the first number that the criterion
// asks for. "Fewer than" and "up to" ask for something else.
func numbered(found []want, texts []passage) {
	n := 0
	for _, p := range texts {
		if n > 0 || p.fault || p.loose {
			continue
		}
		if m := atLeast.FindStringSubmatch(p.low); m != nil {
			n = number(m[1] + m[2])
		} else if m := moreThan.FindStringSubmatch(p.low); m != nil {
			n = number(m[1]) + 1
		}
	}
	const usual = 4 // what the probe wants by itself
	for i := range found {
		if w := &found[i]; n > 0 && n != usual && len(w.Asks) == 1 && w.Asks[0].Probe == "git.count" {
			w.Asks[0].Args = map[string]any{"min": float64(n)}
			w.Text = fmt.Sprintf("The history has at least %d commits of its own", n)
		}
	}
}

// number reads a numeral in figures or letters.
func number(s string) int {
	if n, err := strconv.Atoi(s); err == nil {
		return n
	}
	if i := slices.Index(numerals, strings.TrimSpace(s)); i >= 0 {
		return i + 2
	}
	return tens[s]
}
