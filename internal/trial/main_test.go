package trial

import (
	"bytes"
	"maps"
	"os"
	"syscall"
	"testing"

	"github.com/automaton-auditor/automaton/internal/code"

	"github.com/automaton-auditor/automaton/internal/sandbox"
)

// The test binary is its own parser workers, for the benchmarks, and one with
// every kind of bug.
func TestMain(m *testing.M) {
	all := maps.Clone(Workers())
	all["fragile"] = fragile()
	sandbox.Main(all)
	os.Exit(m.Run())
}

// blow begins the name of the bug that the parser has with a file.
const blow = "PARSER_DIES_OF_"

// fragile parses Python, and dies of some files.
func fragile() sandbox.Service {
	sound := code.Service()
	return sandbox.Service{Warm: sound.Warm, Handle: func(text []byte) ([]byte, error) {
		_, bug, _ := bytes.Cut(text, []byte(blow))
		switch {
		case bytes.HasPrefix(bug, []byte("DEPTH")):
			dig(0)
		case bytes.HasPrefix(bug, []byte("LOOP")):
			for n := 0; ; n++ {
			}
		case bytes.HasPrefix(bug, []byte("HOARD")):
			var hoard [][]byte
			for range 64 {
				hoard = append(hoard, bytes.Repeat([]byte{1}, 16<<20))
			}
			return hoard[0], nil
		case bytes.HasPrefix(bug, []byte("FAULT")): // as a bug in C would: nothing recovers from it
			page, err := syscall.Mmap(-1, 0, 4096, syscall.PROT_NONE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
			if err != nil {
				return nil, err
			}
			return bytes.Clone(page), nil
		case bytes.HasPrefix(bug, []byte("EXIT")):
			os.Exit(0)
		}
		return sound.Handle(text)
	}}
}

func dig(n int) int {
	var frame [256]byte
	frame[n&255] = 1
	return dig(n+1) + int(frame[7]) //nolint:staticcheck // without end, to use up the stack
}
