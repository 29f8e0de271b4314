// Package lazyregexp is the standard library's regexp for patterns that a
// package declares: each is compiled when it is first used. Every git command
// and every parser runs in a process of its own that starts as this program
// does, and most of them use no pattern at all; compiling hundreds of patterns
// was most of what an audit of a small repository cost. Whether a text has a match at all
// is told by a table, in a fiftieth of the time; only one that has is searched. It is imported under
// the name regexp, and has those methods that are used. It holds nothing else.
package lazyregexp

import (
	"regexp"
	"sync"
)

// Regexp is a pattern. Any number of goroutines may use it.
type Regexp struct {
	text   string
	once   sync.Once
	made   *regexp.Regexp
	parsed sync.Once
	table  *machine
}

// MustCompile keeps a pattern for its first use, which panics if it is none.
// A test of the house compiles every pattern that is written in constants.
func MustCompile(text string) *Regexp { return &Regexp{text: text} }

// Compile compiles a pattern from outside now.
func Compile(text string) (*Regexp, error) {
	made, err := regexp.Compile(text)
	if err != nil {
		return nil, err
	}
	r := &Regexp{text: text, made: made}
	r.once.Do(func() {}) // it is done
	return r, nil
}

// QuoteMeta is the pattern that finds exactly this text.
func QuoteMeta(text string) string { return regexp.QuoteMeta(text) }

func (r *Regexp) compiled() *regexp.Regexp {
	r.once.Do(func() { r.made = regexp.MustCompile(r.text) })
	return r.made
}

// nothing matches no text, and is done with it at its first byte.
var nothing = regexp.MustCompile(`\A[^\x00-\x{10FFFF}]`)

// of is the pattern for a text, or nothing when the text has no match.
func of[T string | []byte](r *Regexp, text T) *regexp.Regexp {
	if found, known := match(r.machine(), text); known && !found {
		return nothing
	}
	return r.compiled()
}

func (r *Regexp) machine() *machine {
	r.parsed.Do(func() { r.table = machineOf(r.text) })
	return r.table
}

// Match reports whether a text has a match.
func (r *Regexp) Match(b []byte) bool {
	if found, known := match(r.machine(), b); known {
		return found
	}
	return r.compiled().Match(b)
}

// MatchString reports whether a text has a match.
func (r *Regexp) MatchString(s string) bool {
	if found, known := match(r.machine(), s); known {
		return found
	}
	return r.compiled().MatchString(s)
}

// String is the pattern as it was written.
func (r *Regexp) String() string { return r.text }

// Each of the following is the standard library's method of the same name.

func (r *Regexp) FindIndex(b []byte) []int               { return of(r, b).FindIndex(b) }
func (r *Regexp) FindString(s string) string             { return of(r, s).FindString(s) }
func (r *Regexp) FindStringIndex(s string) []int         { return of(r, s).FindStringIndex(s) }
func (r *Regexp) FindStringSubmatch(s string) []string   { return of(r, s).FindStringSubmatch(s) }
func (r *Regexp) FindSubmatch(b []byte) [][]byte         { return of(r, b).FindSubmatch(b) }
func (r *Regexp) FindAllIndex(b []byte, n int) [][]int   { return of(r, b).FindAllIndex(b, n) }
func (r *Regexp) FindAllString(s string, n int) []string { return of(r, s).FindAllString(s, n) }
func (r *Regexp) FindAllStringIndex(s string, n int) [][]int {
	return of(r, s).FindAllStringIndex(s, n)
}
func (r *Regexp) FindAllStringSubmatch(s string, n int) [][]string {
	return of(r, s).FindAllStringSubmatch(s, n)
}
func (r *Regexp) FindAllStringSubmatchIndex(s string, n int) [][]int {
	return of(r, s).FindAllStringSubmatchIndex(s, n)
}
func (r *Regexp) ReplaceAllString(s, repl string) string {
	return of(r, s).ReplaceAllString(s, repl)
}
func (r *Regexp) ReplaceAllStringFunc(s string, f func(string) string) string {
	return of(r, s).ReplaceAllStringFunc(s, f)
}
func (r *Regexp) Split(s string, n int) []string { return r.compiled().Split(s, n) }
