package analyse

import (
	"math"
	"slices"
)

// rules are what a language's tests and operators mean. A rule that is not set is
// the more careful one.
type rules struct {
	strict   bool   // values of different types are not equal; what has no order with a number raises; truth has a meaning for all
	identity bool   // == of texts compares objects
	fixed    bool   // integers have a width, / of two is one, and a decimal may be shortened
	lacks    bool   // a test for none may be one for what is not there at all
	raises   bool   // reading a name that is not bound raises
	mod      bool   // % has the sign of the divisor
	types    bool   // declared types hold
	finals   bool   // no class below replaces a method that is found
	private  string // how names of methods begin that a class outside does not replace
	membered bool   // "in" asks for a key or an element
}

// rulesOf is the row of a language.
func rulesOf(language string) rules {
	switch language {
	case "python":
		return rules{strict: true, raises: true, mod: true, private: "_", membered: true}
	case "javascript", "typescript":
		return rules{lacks: true, private: "#"}
	case "go":
		return rules{fixed: true, types: true, finals: true}
	case "java", "c#":
		return rules{identity: true, fixed: true, types: true}
	case "rust":
		return rules{fixed: true, types: true, finals: true}
	}
	return rules{identity: true, fixed: true, lacks: true}
}

// swapped is the operator that means the same with its operands the other way.
var swapped = map[string]string{"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!=", "is": "is", "is not": "is not"}

// refine is v as it can be where "v op w" is truth. An operator that it does not
// know tells nothing. It only takes parts away.
func (r rules) refine(v Value, op string, truth bool, w Value) Value {
	if !truth {
		switch op {
		case "<", "<=", ">", ">=": // not-a-number has no order: it stays on this side
			return r.below(v, negated[op], w)
		}
		if op = negated[op]; op == "" {
			return v
		}
	}
	switch op {
	case "<", "<=", ">", ">=":
		if !w.numeric() {
			return v
		}
		if v.order = v.order.meet(v.ordering().side(op, w.Num)); r.strict || v.order.empty() { // what has no order with a number raises
			v.Strs, v.AnyStr, v.None, v.Other = nil, false, false, false
			v.True, v.False = v.True && r.strict, v.False && r.strict
			v.order = everyNumber()
		}
		return r.below(v, op, w)
	case "==", "is":
		return r.equals(v, w)
	case "!=", "is not":
		return r.differs(v, w, op == "is not")
	case "true":
		v.False, v.None = false, false
		if !r.fixed {
			v = v.without(0)
			v.Strs = slices.DeleteFunc(slices.Clone(v.Strs), func(s string) bool { return s == "" })
		}
	case "false":
		v.True = false
		if !r.fixed {
			v.Num = v.Num.meet(Interval{0, 0})
			v.Strs = slices.DeleteFunc(slices.Clone(v.Strs), func(s string) bool { return s != "" })
		}
	}
	return v.bounded()
}

// below narrows the numbers and truths of v by their order with w.
func (r rules) below(v Value, op string, w Value) Value {
	if !w.numeric() {
		return v
	}
	v.Num = v.Num.meet(v.side(op, w.Num))
	if r.strict {
		v.True, v.False = v.True && ordered(1, op, w.Num), v.False && ordered(0, op, w.Num)
	}
	return v
}

// ordering is a value whose numbers may be fractions.
func (v Value) ordering() Value {
	v.Int = false
	return v
}

// side is the numbers x for which "x op y" holds for some y of w.
func (v Value) side(op string, w Interval) Interval {
	switch op {
	case "<":
		return Interval{math.Inf(-1), v.next(w.Hi, math.Inf(-1))}
	case "<=":
		return Interval{math.Inf(-1), w.Hi}
	case ">":
		return Interval{v.next(w.Lo, math.Inf(1)), math.Inf(1)}
	}
	return Interval{w.Lo, math.Inf(1)}
}

// next is the number after x on the way to an end.
func (v Value) next(x, to float64) float64 {
	if v.Int && math.Abs(x) < wholeLimit {
		if to > 0 {
			return math.Floor(x) + 1
		}
		return math.Ceil(x) - 1
	}
	return math.Nextafter(x, to)
}

func ordered(x float64, op string, w Interval) bool {
	switch op {
	case "<":
		return x < w.Hi
	case "<=":
		return x <= w.Hi
	case ">":
		return x > w.Lo
	}
	return x >= w.Lo
}

// equals takes an object that equals a constant for the constant.
func (r rules) equals(v, w Value) Value {
	if w.Other {
		return v
	}
	loose := !r.strict && w.None && !w.numeric() && !w.text() && !w.True && !w.False
	if !r.strict && !loose {
		return r.sameKind(v, w)
	}
	if (w.True || w.False) && !v.Num.empty() || (v.True || v.False) && !w.Num.empty() {
		return v // True is 1
	}
	v.Num, v.None, v.Other = v.Num.meet(w.Num), v.None && w.None, v.Other && r.lacks && w.None
	v.True, v.False = v.True && w.True, v.False && w.False
	return v.sameText(w)
}

// sameKind narrows only the part that w has: across types, values may be equal.
func (r rules) sameKind(v, w Value) Value {
	switch {
	case w.numeric():
		v.Num = v.Num.meet(w.Num)
	case w.text() && w.Num.empty() && !w.True && !w.False && !w.None:
		return v.sameText(w)
	case w.Num.empty() && !w.text() && !w.None:
		v.True, v.False = v.True && w.True, v.False && w.False
	}
	return v
}

func (v Value) sameText(w Value) Value {
	switch {
	case v.AnyStr:
		v.AnyStr, v.Strs = w.AnyStr, w.Strs
	case !w.AnyStr:
		v.Strs = slices.DeleteFunc(slices.Clone(v.Strs), func(s string) bool { return !slices.Contains(w.Strs, s) })
	}
	return v.bounded()
}

// differs takes away what w certainly is. object: the test is for the same object,
// of which only none and truths have one each.
func (r rules) differs(v, w Value, object bool) Value {
	if w.Other || w.AnyStr || len(w.Strs) > 1 {
		return v
	}
	kinds := len(w.Strs)
	for _, has := range []bool{w.True, w.False, w.None, !w.Num.empty()} {
		if has {
			kinds++
		}
	}
	switch {
	case kinds != 1:
	case w.None:
		v.None = v.None && object && r.lacks
	case w.True:
		v.True = false
	case w.False:
		v.False = false
	case object:
	case len(w.Strs) == 1:
		if !r.identity {
			v.Strs = slices.DeleteFunc(slices.Clone(v.Strs), func(s string) bool { return s == w.Strs[0] })
		}
	case w.Num.Lo == w.Num.Hi:
		v = v.without(w.Num.Lo)
	}
	return v.bounded()
}

// without takes a number away where it is an end of the range.
func (v Value) without(x float64) Value {
	up, down := v.next(x, math.Inf(1)), v.next(x, math.Inf(-1))
	if v.Num.Lo == x {
		v.Num.Lo = up
	}
	if v.Num.Hi == x {
		v.Num.Hi = down
	}
	if v.Num.empty() {
		v.Num = noNumber()
	}
	return v
}
