package safetext

import "strings"

// Nearest is the known word that is closest to a misspelt one, within limit
// edits and not another word altogether; the first in order on a tie, "" when
// none is near. Capitals do not count.
func Nearest(word string, known []string, limit int) string {
	best, at := "", limit+1
	for _, k := range known {
		if d := distance(strings.ToLower(word), strings.ToLower(k), at); d < at && d < len(k) {
			best, at = k, d
		}
	}
	return best
}

// distance is the Levenshtein distance of a and b in bytes, or at least stop
// when it is that large.
func distance(a, b string, stop int) int {
	if len(a)-len(b) >= stop || len(b)-len(a) >= stop {
		return stop
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost = 1 + min(diagonal, row[j], row[j+1])
			}
			diagonal, row[j+1] = row[j+1], cost
		}
	}
	return row[len(b)]
}
