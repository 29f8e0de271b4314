package lazyregexp

import (
	"regexp/syntax"
	"slices"
	"sync"
	"sync/atomic"
	"unicode"
	"unicode/utf8"
)

// machine tells whether a text has a match of a pattern, with one step of a table for each character: a state is the set
// of places in the pattern at which a match may be. States are made when a text first comes to them.
type machine struct {
	prog   *syntax.Prog
	bounds []rune      // where classes begin: the pattern cannot tell characters of one class apart
	ascii  [128]uint8  // the classes of the characters that are most of a text
	kinds  []character // of each class, one of its characters
	starts [4]*state   // before anything of a match, by what is before
	first  [256]bool   // bytes with which a match may begin

	mu    sync.Mutex
	known map[string]*state
	full  atomic.Bool
}

// state is where a match may be, after the characters so far.
type state struct {
	next   []atomic.Pointer[state] // by class, and at last for the end of the text
	at     []uint32                // instructions, before what is empty at this place is passed
	before character
	idle   bool // nothing of a match is there yet
}

// character is what an empty part of a pattern looks at.
type character rune

const none = character(-1) // there is none: the text begins or ends

// Limits of machines: a pattern with more classes or states is left to the standard library.
const (
	mostClasses = 200
	mostStates  = 400
)

// Ends of a search.
var (
	matched  = new(state)
	tooLarge = new(state)
)

// machineOf is the machine of a pattern; nil where it would be too large.
func machineOf(pattern string) *machine {
	tree, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return nil
	}
	prog, err := syntax.Compile(tree.Simplify())
	if err != nil {
		return nil
	}
	m := &machine{prog: prog, known: map[string]*state{}}
	m.classes()
	if len(m.bounds) > mostClasses {
		return nil
	}
	for k, before := range []character{none, '\n', 'a', ' '} {
		m.starts[k] = m.state([]uint32{uint32(prog.Start)}, before)
	}
	m.begin()
	return m
}

// begin finds the bytes with which a match may begin: all, where it may be empty.
func (m *machine) begin() {
	var classes [mostClasses]bool
	to, empty := m.pass([]uint32{uint32(m.prog.Start)}, ^syntax.EmptyOp(0))
	for class, r := range m.kinds {
		classes[class] = empty || slices.ContainsFunc(to, func(pc uint32) bool { return m.prog.Inst[pc].MatchRune(rune(r)) })
	}
	for c := range m.first {
		m.first[c] = c >= utf8.RuneSelf || classes[m.ascii[c]]
	}
	for _, s := range m.known {
		s.idle = true
	}
}

// idle is the state in which nothing of a match is there yet, at a place of a text.
func idle[T string | []byte](m *machine, text T, at int) *state {
	switch {
	case at == 0:
		return m.starts[0]
	case text[at-1] == '\n':
		return m.starts[1]
	case syntax.IsWordChar(rune(text[at-1])):
		return m.starts[2]
	}
	return m.starts[3]
}

// classes parts the characters by all ranges of the pattern, and by what its empty parts look at.
func (m *machine) classes() {
	bounds := []rune{0, '\n', '\n' + 1, '0', '9' + 1, 'A', 'Z' + 1, '_', '_' + 1, 'a', 'z' + 1}
	for i := range m.prog.Inst {
		in := &m.prog.Inst[i]
		if in.Op != syntax.InstRune && in.Op != syntax.InstRune1 {
			continue
		}
		if len(in.Rune) != 1 {
			for k := 0; k < len(in.Rune); k += 2 {
				bounds = append(bounds, in.Rune[k], in.Rune[k+1]+1)
			}
			continue
		}
		bounds = append(bounds, in.Rune[0], in.Rune[0]+1)
		if syntax.Flags(in.Arg)&syntax.FoldCase != 0 {
			for r := unicode.SimpleFold(in.Rune[0]); r != in.Rune[0]; r = unicode.SimpleFold(r) {
				bounds = append(bounds, r, r+1)
			}
		}
	}
	slices.Sort(bounds)
	m.bounds = slices.Compact(bounds)
	for _, r := range m.bounds {
		m.kinds = append(m.kinds, character(r))
	}
	if len(m.bounds) > mostClasses {
		return
	}
	for c := range m.ascii {
		m.ascii[c] = uint8(m.class(rune(c)))
	}
}

func (m *machine) class(r rune) int {
	i, found := slices.BinarySearch(m.bounds, r)
	if !found {
		i--
	}
	return i
}

// match tells whether a text has a match; false, false where only the standard library knows.
func match[T string | []byte](m *machine, text T) (found, known bool) {
	if m == nil || m.full.Load() {
		return false, false
	}
	s := m.starts[0]
	for i := 0; i < len(text); {
		if s.idle && !m.first[text[i]] {
			for i++; i < len(text) && !m.first[text[i]]; i++ {
			}
			s = idle(m, text, i)
			continue
		}
		class := 0
		if c := text[i]; c < utf8.RuneSelf {
			class = int(m.ascii[c])
			i++
		} else {
			r, n := utf8.DecodeRuneInString(string(text[i:min(i+utf8.UTFMax, len(text))]))
			class = m.class(r)
			i += n
		}
		next := s.next[class].Load()
		if next == nil {
			next = m.step(s, class)
		}
		switch next {
		case matched:
			return true, true
		case tooLarge:
			return false, false
		}
		s = next
	}
	end := s.next[len(m.bounds)].Load()
	if end == nil {
		end = m.step(s, len(m.bounds))
	}
	return end == matched, end != tooLarge
}

// step makes the state behind another, after a character of a class or at the end of the text.
func (m *machine) step(s *state, class int) *state {
	m.mu.Lock()
	defer m.mu.Unlock()
	if made := s.next[class].Load(); made != nil {
		return made
	}
	next := none
	if class < len(m.kinds) {
		next = m.kinds[class]
	}
	made := m.after(s, next)
	s.next[class].Store(made)
	return made
}

func (m *machine) after(s *state, next character) *state {
	at, done := m.pass(s.at, syntax.EmptyOpContext(rune(s.before), rune(next)))
	if done {
		return matched
	}
	to := []uint32{uint32(m.prog.Start)} // a match may begin anywhere
	for _, pc := range at {
		if in := &m.prog.Inst[pc]; next != none && in.MatchRune(rune(next)) {
			to = append(to, in.Out)
		}
	}
	return m.state(to, next)
}

// pass follows instructions to those that take a character, through what is empty; done: a match ends there.
func (m *machine) pass(from []uint32, empty syntax.EmptyOp) (to []uint32, done bool) {
	seen := make([]bool, len(m.prog.Inst))
	for work := slices.Clone(from); len(work) > 0; {
		pc := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[pc] {
			continue
		}
		seen[pc] = true
		switch in := &m.prog.Inst[pc]; in.Op {
		case syntax.InstMatch:
			return nil, true
		case syntax.InstAlt, syntax.InstAltMatch:
			work = append(work, in.Out, in.Arg)
		case syntax.InstCapture, syntax.InstNop:
			work = append(work, in.Out)
		case syntax.InstEmptyWidth:
			if syntax.EmptyOp(in.Arg)&^empty == 0 {
				work = append(work, in.Out)
			}
		case syntax.InstRune, syntax.InstRune1, syntax.InstRuneAny, syntax.InstRuneAnyNotNL:
			to = append(to, pc)
		case syntax.InstFail:
		}
	}
	return to, false
}

// state is the state of these instructions. The caller has the lock, or nobody else has the machine.
func (m *machine) state(at []uint32, before character) *state {
	slices.Sort(at)
	at = slices.Compact(at)
	if before != none { // only so much of it matters, and it makes fewer states
		switch r := rune(before); {
		case r == '\n':
		case syntax.IsWordChar(r):
			before = 'a'
		default:
			before = ' '
		}
	}
	key := make([]byte, 0, 4*len(at)+1)
	key = append(key, byte(before))
	for _, pc := range at {
		key = append(key, byte(pc), byte(pc>>8), byte(pc>>16), byte(pc>>24))
	}
	if s := m.known[string(key)]; s != nil {
		return s
	}
	if len(m.known) >= mostStates {
		m.full.Store(true)
		return tooLarge
	}
	s := &state{next: make([]atomic.Pointer[state], len(m.bounds)+1), at: at, before: before}
	m.known[string(key)] = s
	return s
}
