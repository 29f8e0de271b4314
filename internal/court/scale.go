package court

// This file maps exact scores to points and back. It is the only place where a
// score leaves the scale from 1 to 5.

// Key names a level in its scale: the id, or the name when it has none.
func (l Level) Key() string {
	if l.ID != "" {
		return l.ID
	}
	return l.Name
}

// Linear is the points of an exact score in [1,5] on a straight line from Min
// to Max, rounded half up to four decimals: 1 is Min, 5 is Max.
func (s Scale) Linear(e Fixed) Fixed {
	return s.Min + Fixed(Div(int64(e-One)*int64(s.Max-s.Min), 4*int64(One)))
}

// Score is the exact score in [1,5] of points, the inverse of Linear; points
// outside of the scale are its end. Max must be more than Min.
func (s Scale) Score(points Fixed) Fixed {
	p := min(max(points, s.Min), s.Max)
	return One + Fixed(Div(4*int64(One)*int64(p-s.Min), int64(s.Max-s.Min)))
}

// Level is the level whose anchor is nearest to an exact score, the lower one
// on a tie. The excluded level is never chosen. False: the scale has no levels.
func (s Scale) Level(e Fixed) (Level, bool) {
	var best Level
	var near int64
	found := false
	at := int64(e-One) * int64(s.Max-s.Min) // both sides times 4 (max − min), so that ties are exact
	for _, l := range s.Levels {            // lowest points first
		if s.Exclude != "" && l.Key() == s.Exclude {
			continue
		}
		d := 4*int64(One)*int64(l.Points-s.Min) - at
		if d < 0 {
			d = -d
		}
		if !found || d < near {
			best, near, found = l, d, true
		}
	}
	return best, found
}

// Points is what an exact score in [1,5] is worth: the points of the nearest
// level, points rounded half up to one decimal, or the score itself on the
// scale of five.
func (s Scale) Points(e Fixed) Fixed {
	if l, ok := s.Level(e); ok {
		return l.Points
	}
	if s.Kind != "points" {
		return e
	}
	switch { // the ends are what the scale says, however finely
	case e <= One:
		return s.Min
	case e >= 5*One:
		return s.Max
	}
	// Shifted, so that negative points round half up, too, and never leave the scale.
	tenth := One / 10
	shift := -floorTo(s.Min, tenth)
	p := Fixed(Div(int64(s.Linear(e)+shift), int64(tenth)))*tenth - shift
	return min(max(p, s.Min), s.Max)
}

// floorTo is the largest multiple of step that is not more than f.
func floorTo(f, step Fixed) Fixed {
	n := f / step
	if f%step < 0 {
		n--
	}
	return n * step
}
