package llm

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"
)

// tape is a cassette that is being played or recorded. It holds, for each
// question, the answer that was accepted or why there was none, so that a
// replay leads to the same record whatever the way there was. No endpoint, no
// header and no key is on it.
type tape struct {
	path string
	mode CassetteMode

	mu     sync.Mutex
	tracks map[string]track
	order  []string // keys of what was on it
	missed error    // the first prompt that it has not
	broken error    // what went wrong in recording
	out    *os.File // nil: nothing was recorded yet
}

var errNoHead = errors.New("not the head of a cassette of version 1")

// tapeHead is a cassette's first line.
type tapeHead struct {
	Cassette int `json:"automaton_cassette"`
}

// Bounds of a cassette: of the file, and of what one line may be.
const (
	maxTape  = 512 << 20
	maxTrack = 8 << 20
)

// openTape reads a cassette, or begins a new one.
func openTape(path string, mode CassetteMode) (*tape, error) {
	t := &tape{path: path, mode: mode, tracks: map[string]track{}}
	if mode != Record {
		err := t.read()
		if err != nil && (mode == Replay || !errors.Is(err, os.ErrNotExist)) {
			return nil, fmt.Errorf("reading the cassette %s: %w", path, err)
		}
	}
	if mode == Replay {
		return t, nil
	}
	// that it can be written is found out before anything is paid for; what was
	// on it stays until there is something new
	f, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err == nil {
		err = f.Close()
	}
	if err != nil {
		return nil, fmt.Errorf("recording the cassette: %w", err)
	}
	return t, nil
}

// begin leaves on the file what the recording goes on from.
func (t *tape) begin() (err error) {
	if t.out != nil {
		return nil
	}
	if err := replace(t.path, t.text()); err != nil {
		return err
	}
	t.out, err = os.OpenFile(t.path, os.O_APPEND|os.O_WRONLY, 0o600)
	return err
}

func (t *tape) read() error {
	f, err := os.Open(t.path)
	if err != nil {
		return err
	}
	defer f.Close() //nolint:errcheck // it was only read
	lines := bufio.NewScanner(io.LimitReader(f, maxTape))
	lines.Buffer(nil, maxTrack)
	lines.Split(whole)
	n := 0
	for n = 1; lines.Scan(); n++ {
		if err := t.line(n, lines.Bytes()); err != nil {
			return fmt.Errorf("line %d: %w", n, err)
		}
	}
	if err := lines.Err(); err != nil || n > 1 {
		return err
	}
	return errNoHead
}

// whole splits off lines that end; what a crash left of the last one is none.
func whole(data []byte, end bool) (int, []byte, error) {
	if i := bytes.IndexByte(data, '\n'); i >= 0 {
		return i + 1, data[:i], nil
	}
	if end {
		return len(data), nil, nil
	}
	return 0, nil, nil
}

func (t *tape) line(n int, raw []byte) error {
	if n == 1 {
		var h tapeHead
		if err := Decode(raw, &h); err != nil || h.Cassette != 1 {
			return errNoHead
		}
		return nil
	}
	var k track
	if err := strict(raw, &k); err != nil {
		return err
	}
	if key, err := k.Prompt.key(); err != nil || key != k.Key {
		return errors.New("the key is not the digest of the prompt")
	}
	if (k.Reply == nil) == (k.Lost == nil) {
		return errors.New("neither a reply nor a reason why there is none")
	}
	t.put(k)
	return nil
}

func (t *tape) put(k track) {
	if _, ok := t.tracks[k.Key]; !ok {
		t.order = append(t.order, k.Key)
	}
	t.tracks[k.Key] = k
}

// find is what the cassette has. What was lost is asked for again where that is
// possible.
func (t *tape) find(key string) (track, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	k, ok := t.tracks[key]
	return k, ok && (k.Reply != nil || t.mode == Replay)
}

// add records a question. The file is appended to at once, so that a run that
// ends badly leaves what it had.
func (t *tape) add(k track) {
	t.mu.Lock()
	defer t.mu.Unlock()
	err := t.begin()
	t.put(k)
	if raw, bad := json.Marshal(k); err == nil && bad == nil {
		_, err = t.out.Write(append(raw, '\n'))
	}
	t.broken = errors.Join(t.broken, err)
}

// close leaves the tracks in the order of their questions, whichever came
// first, so that two recordings of the same answers are the same file.
func (t *tape) close() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.mode == Replay {
		return nil
	}
	err := t.broken
	if t.out != nil {
		err = errors.Join(err, t.out.Close())
		t.out = nil
	}
	if err != nil {
		return fmt.Errorf("recording the cassette: %w", err)
	}
	return replace(t.path, t.text())
}

func (t *tape) text() []byte {
	all := make([]track, 0, len(t.order))
	for _, k := range t.order {
		all = append(all, t.tracks[k])
	}
	slices.SortFunc(all, func(a, b track) int {
		return strings.Compare(a.For+"\x00"+a.Key, b.For+"\x00"+b.Key)
	})
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	_ = enc.Encode(tapeHead{1}) // a buffer takes everything, and these types always have a text
	for _, k := range all {
		_ = enc.Encode(k)
	}
	return b.Bytes()
}
