package code

// sliceValue evaluates a slice of a sequence or string that is fully known in
// length, with constant bounds.
func (q *query) sliceValue(n, slice Node) (Value, bool) {
	bounds, ok := q.sliceBounds(slice)
	if !ok {
		return Value{}, false
	}
	var out []Value
	for _, c := range q.eval(n.Field("value")).Choices() {
		v, ok := sliced(c, bounds, n)
		if !ok {
			return Value{}, false
		}
		out = append(out, v)
	}
	return choice(out, n), true
}

// sliceBounds reads start, stop and step of a slice; a part that is left out
// is nil.
func (q *query) sliceBounds(slice Node) (bounds [3]*int, ok bool) {
	i, end := 0, slice.Start()
	for c := range slice.Children() {
		for _, r := range slice.m.text[end:c.Start()] {
			if r == ':' {
				i++
			}
		}
		end = c.End()
		v := q.eval(c)
		if v.Kind == ValueNone {
			continue
		}
		if v.Kind != ValueInt || v.Int > maxText || v.Int < -maxText || i > 2 {
			return bounds, false
		}
		bound := int(v.Int)
		bounds[i] = &bound
	}
	return bounds, bounds[2] == nil || *bounds[2] != 0
}

// sliced applies a slice as Python does.
func sliced(v Value, bounds [3]*int, n Node) (Value, bool) {
	var runes []rune
	text, isText := v.Str()
	size := len(v.Items)
	switch {
	case isText:
		runes = []rune(text)
		size = len(runes)
	case v.Kind != ValueList && v.Kind != ValueTuple || v.open():
		return Value{}, false
	}
	out := Value{Kind: v.Kind, Node: n}
	var picked []rune
	for _, i := range sliceIndexes(bounds, size) {
		if isText {
			picked = append(picked, runes[i])
		} else {
			out.Items = append(out.Items, v.Items[i])
		}
	}
	out.Text = string(picked)
	return out, true
}

// sliceIndexes lists the positions that a slice takes from so many elements.
func sliceIndexes(bounds [3]*int, size int) []int {
	step, lowest, highest := 1, 0, size
	if bounds[2] != nil {
		step = *bounds[2]
	}
	if step < 0 {
		lowest, highest = -1, size-1
	}
	place := func(bound *int, absent int) int {
		switch {
		case bound == nil:
			return absent
		case *bound < 0:
			return max(*bound+size, lowest)
		}
		return min(*bound, highest)
	}
	start, stop := place(bounds[0], lowest), place(bounds[1], highest)
	if step < 0 {
		start, stop = place(bounds[0], highest), place(bounds[1], lowest)
	}
	var out []int
	for i := start; step > 0 && i < stop || step < 0 && i > stop; i += step {
		out = append(out, i)
	}
	return out
}
