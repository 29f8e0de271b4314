package rubric

import "strings"

// nearest is the known word that is closest to a misspelt one, within edit
// distance limit; the first in order on a tie, "" when none is near.
func nearest(word string, known []string, limit int) string {
	best, at := "", limit+1
	for _, k := range known {
		if d := distance(strings.ToLower(word), strings.ToLower(k), at); d < at {
			best, at = k, d
		}
	}
	return best
}

// didYouMean is the hint that offers the nearest known word, or lists them when
// there are few.
func didYouMean(word string, known []string) string {
	if near := nearest(word, known, max(2, len(word)/3)); near != "" {
		return "did you mean " + near
	}
	if len(known) > 0 && len(known) <= 12 {
		return "known are " + strings.Join(known, ", ")
	}
	return ""
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
