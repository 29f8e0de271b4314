package pdf

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
)

// The rule that finds drawings, measured on 74 real PDFs: what lies closer than 14 points belongs together, and
// eight objects with four slanted segments are not a table, no frame and no underlining.
const (
	drawingGap     = 14.0
	drawingObjects = 8
	drawingSlanted = 4
	// shapesMax bounds the comparison of every shape with every other.
	shapesMax = 5000
)

// shape is a path or shading as far as drawings need it.
type shape struct {
	box             Box
	slanted         int
	filled, stroked bool
	object          object // 0 for a shading
	ctm             matrix // of the form that it is in
}

// drawings groups the shapes of one page. Page-wide rules and backgrounds are left out, because they would tie
// everything together that they cross.
func drawings(shapes []shape, page Box) []Drawing {
	kept := make([]shape, 0, len(shapes))
	for _, s := range shapes {
		if !isBackground(s, page) {
			kept = append(kept, s)
		}
	}
	slices.SortStableFunc(kept, func(a, b shape) int {
		return cmp.Or(cmp.Compare(a.box.Y0, b.box.Y0), cmp.Compare(a.box.X0, b.box.X0))
	})
	var found []Drawing
	for _, group := range groups(kept) {
		if d := drawing(group); d.Objects >= drawingObjects && d.Slanted >= drawingSlanted {
			found = append(found, d)
		}
	}
	return found
}

// isBackground: a rule across most of the page, or an area that covers most of it.
func isBackground(s shape, page Box) bool {
	const thin, most = 2.0, 0.6
	if s.slanted > 0 {
		return false
	}
	if min(s.box.width(), s.box.height()) < thin {
		return s.box.width() > most*page.width() || s.box.height() > most*page.height()
	}
	return s.box.area() > most*page.area()
}

// groups ties near shapes together. Shapes are sorted by their upper edge, groups come in the order of their first.
func groups(shapes []shape) [][]shape {
	parent := make([]int, len(shapes))
	for i := range parent {
		parent[i] = i
	}
	root := func(i int) int {
		for parent[i] != i {
			parent[i] = parent[parent[i]]
			i = parent[i]
		}
		return i
	}
	for i := range shapes {
		for j := i + 1; j < len(shapes) && shapes[j].box.Y0-drawingGap < shapes[i].box.Y1; j++ {
			if shapes[i].box.near(shapes[j].box, drawingGap) {
				a, b := root(i), root(j)
				parent[max(a, b)] = min(a, b)
			}
		}
	}
	var result [][]shape
	place := map[int]int{}
	for i, s := range shapes {
		r := root(i)
		if _, ok := place[r]; !ok {
			place[r] = len(result)
			result = append(result, nil)
		}
		result[place[r]] = append(result[place[r]], s)
	}
	return result
}

func drawing(group []shape) Drawing {
	d := Drawing{Box: group[0].box, Objects: len(group)}
	for _, s := range group {
		d.Box = d.Box.union(s.box)
		d.Slanted += s.slanted
	}
	hash := sha256.New()
	for _, s := range group {
		// Tenths of a point: the same picture placed elsewhere differs by rounding.
		fmt.Fprintf(hash, "%.1f %.1f %.1f %.1f %d\n", s.box.X0-d.Box.X0, s.box.Y0-d.Box.Y0,
			s.box.X1-d.Box.X0, s.box.Y1-d.Box.Y0, s.slanted)
	}
	d.Digest = hex.EncodeToString(hash.Sum(nil))
	return d
}
