package analyse

import (
	"math"
	"slices"

	"github.com/automaton-auditor/automaton/internal/il"
)

// Interval is a range of numbers, both ends included; an end that is excluded is
// the next number after it. It is empty where Lo is over Hi.
type Interval struct{ Lo, Hi float64 }

// everyNumber and noNumber are the two ends of the lattice of intervals.
func everyNumber() Interval { return Interval{math.Inf(-1), math.Inf(1)} }
func noNumber() Interval    { return Interval{math.Inf(1), math.Inf(-1)} }

func (i Interval) empty() bool { return i.Lo > i.Hi }

func (i Interval) meet(j Interval) Interval {
	if m := (Interval{max(i.Lo, j.Lo), min(i.Hi, j.Hi)}); !m.empty() {
		return m
	}
	return noNumber()
}

func (i Interval) join(j Interval) Interval { return Interval{min(i.Lo, j.Lo), max(i.Hi, j.Hi)} }

// Value is what an operand can be: a sum with one part for each type, so that a
// test of one part leaves the others alone. It over-approximates: what is in no
// part never occurs. A Value without any part is that of code that does not run.
type Value struct {
	Num         Interval
	Int         bool     // Num holds only integers
	Strs        []string // sorted; nil where AnyStr
	AnyStr      bool
	True, False bool
	None        bool // none, null, nil
	Other       bool // any other object, not-a-number, and JavaScript's undefined
	Exact       bool // each part occurs: it was declared so, and only narrowed since

	order Interval // what the parts that are no numbers may count as where they are ordered
}

// maxStrings is how many strings are told apart.
const maxStrings = 16

func nothing() Value { return Value{Num: noNumber(), Int: true, Exact: true, order: everyNumber()} }

func anything() Value {
	return Value{Num: everyNumber(), AnyStr: true, True: true, False: true, None: true, Other: true, order: everyNumber()}
}

// any tells a value of which nothing is known.
func (v Value) any() bool {
	return v.equal(anything())
}

// Empty tells the value of code that does not run.
func (v Value) Empty() bool {
	return v.Num.empty() && !v.text() && !v.True && !v.False && !v.None && !v.Other
}

func (v Value) text() bool { return v.AnyStr || len(v.Strs) > 0 }

// numeric tells what can only be a number.
func (v Value) numeric() bool {
	return !v.Num.empty() && !v.text() && !v.True && !v.False && !v.None && !v.Other
}

// One is the only number that a value can be; false where it can be another, or
// something else.
func (v Value) One() (float64, bool) { return v.Num.Lo, v.numeric() && v.Num.Lo == v.Num.Hi }

// OneText is the only text that a value can be; false where it can be another, or is
// not known in part. Whether it can be a number, too, is not asked.
func (v Value) OneText() (string, bool) {
	if len(v.Strs) != 1 || v.AnyStr || v.Other {
		return "", false
	}
	return v.Strs[0], true
}

// texts are values that are one of some strings.
func texts(list ...string) Value {
	v := nothing()
	v.Strs = slices.Compact(slices.Sorted(slices.Values(list)))
	return v.bounded()
}

// numbers are values that are a number of a range.
func numbers(i Interval, whole bool) Value {
	v := nothing()
	v.Num, v.Int, v.Exact = i, whole, false
	return v
}

func truths() Value {
	v := nothing()
	v.True, v.False, v.Exact = true, true, false
	return v
}

func objects() Value {
	v := nothing()
	v.Other, v.Exact = true, false
	return v
}

func someText() Value {
	v := nothing()
	v.AnyStr, v.Exact = true, false
	return v
}

// wholeLimit is from where on not every integer is a number of its own.
const wholeLimit = 1 << 53

func constant(c il.Const) Value {
	v := nothing()
	switch c.Type {
	case il.NoneConst:
		v.None = true
	case il.BoolConst:
		v.True, v.False = c.Num != 0, c.Num == 0
	case il.StrConst:
		v.Strs = []string{c.Text}
	default:
		v.Num, v.Int = Interval{c.Num, c.Num}, c.Type == il.IntConst
		if math.Abs(c.Num) >= wholeLimit {
			v.Num = Interval{math.Nextafter(c.Num, math.Inf(-1)), math.Nextafter(c.Num, math.Inf(1))}
		}
	}
	return v
}

// bounded gives up telling strings apart where they are too many.
func (v Value) bounded() Value {
	if v.AnyStr || len(v.Strs) > maxStrings {
		v.Exact = v.Exact && len(v.Strs) <= maxStrings
		v.Strs, v.AnyStr = nil, true
	}
	if len(v.Strs) == 0 {
		v.Strs = nil
	}
	return v
}

// join is what is one or the other. It is not exact: which of the two it is may
// hang on what else is tested.
func (v Value) join(w Value) Value {
	switch {
	case v.Empty():
		return w
	case w.Empty() || v.equal(w):
		return v
	}
	out := Value{Num: v.Num.join(w.Num), order: v.order.join(w.order), AnyStr: v.AnyStr || w.AnyStr, True: v.True || w.True, False: v.False || w.False,
		None: v.None || w.None, Other: v.Other || w.Other, Int: (v.Int || v.Num.empty()) && (w.Int || w.Num.empty())}
	if !out.AnyStr {
		out.Strs = slices.Compact(slices.Sorted(slices.Values(slices.Concat(v.Strs, w.Strs))))
	}
	return out.bounded()
}

func (v Value) equal(w Value) bool {
	return v.Num == w.Num && v.order == w.order && v.Int == w.Int && v.AnyStr == w.AnyStr && v.True == w.True && v.False == w.False &&
		v.None == w.None && v.Other == w.Other && v.Exact == w.Exact && slices.Equal(v.Strs, w.Strs)
}

// within tells whether a value is part of another.
func (v Value) within(w Value) bool {
	j := w.join(v)
	j.Exact = w.Exact
	return j.equal(w)
}

// widen makes sure that a value which keeps growing stops to.
func (v Value) widen(old Value) Value {
	if v.Num.Lo < old.Num.Lo {
		v.Num.Lo = math.Inf(-1)
	}
	if v.Num.Hi > old.Num.Hi {
		v.Num.Hi = math.Inf(1)
	}
	v.order = everyNumber()
	return v
}
