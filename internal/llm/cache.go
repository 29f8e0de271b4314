package llm

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

// maxCache bounds the cache, in bytes, and maxEntry one answer in it.
const (
	maxCache = 1 << 30
	maxEntry = 2 << 20
)

// cache answers a question that was answered before, in this run or another. It
// keeps what was accepted and nothing else.
type cache struct {
	next     Model
	shelf    *shelf
	provider string
}

func (c *cache) Complete(ctx context.Context, p Prompt) (Reply, error) {
	key, err := askedOf(c.provider, p).key()
	if err != nil {
		return Reply{}, err
	}
	begins, _ := first(ctx, c, func(o outcome) {
		if o.err == nil && !o.answered.Reply.Kept {
			c.shelf.put(key, keptOf(o.answered))
		}
	})
	if begins {
		if k, ok := c.shelf.get(key); ok {
			return k.reply(), nil
		}
	}
	return c.next.Complete(ctx, p)
}

// kept is an accepted answer as it lies in a cache or a cassette.
type kept struct {
	JSON  json.RawMessage `json:"json"`
	Model string          `json:"model,omitempty"`
	Usage Usage           `json:"usage"`
}

func keptOf(a Answered) kept {
	return kept{JSON: a.JSON, Model: a.Reply.Model, Usage: a.Reply.Usage}
}

func (k kept) reply() Reply {
	return Reply{Text: string(k.JSON), Stop: Done, Usage: k.Usage, Model: k.Model, Kept: true}
}

// shelf is the cache's folder: one file an answer, named by its key, the digest
// of its content in front. Nothing that goes wrong with it is worth an answer:
// what cannot be read is a miss, what cannot be written is not kept.
type shelf struct {
	dir string
	now func() time.Time
	cap int64

	mu   sync.Mutex
	size int64
}

func openShelf(dir string, now func() time.Time) (*shelf, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("opening the cache of answers: %w", err)
	}
	s := &shelf{dir: dir, now: now, cap: maxCache}
	for _, e := range s.list() {
		s.size += e.size
	}
	return s, nil
}

func (s *shelf) path(key string) string { return filepath.Join(s.dir, key) }

func (s *shelf) get(key string) (kept, bool) {
	raw, err := readSmall(s.path(key), maxEntry)
	if errors.Is(err, fs.ErrNotExist) {
		return kept{}, false
	}
	var k kept
	if sum, body, ok := bytes.Cut(raw, []byte{'\n'}); err == nil && ok && string(sum) == digest(body) && Decode(body, &k) == nil {
		now := s.now()
		_ = os.Chtimes(s.path(key), now, now) // it was used: only the order of leaving depends on it
		return k, true
	}
	s.drop(key, int64(len(raw)))
	return kept{}, false
}

func (s *shelf) drop(key string, size int64) {
	if os.Remove(s.path(key)) == nil {
		s.mu.Lock()
		s.size -= size
		s.mu.Unlock()
	}
}

func (s *shelf) put(key string, k kept) {
	body, err := json.Marshal(k)
	if err != nil || len(body) > maxEntry/2 {
		return
	}
	raw := append([]byte(digest(body)+"\n"), body...)
	if replace(s.path(key), raw) != nil {
		return
	}
	now := s.now()
	_ = os.Chtimes(s.path(key), now, now)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.size += int64(len(raw)); s.size > s.cap {
		s.clear()
	}
}

// clear removes what was not used for longest, until a tenth is free, and what
// a crash left behind.
func (s *shelf) clear() {
	all := s.list()
	slices.SortFunc(all, func(a, b entry) int {
		return cmp.Or(a.used.Compare(b.used), strings.Compare(a.name, b.name))
	})
	s.size = 0
	for _, e := range all {
		s.size += e.size
	}
	for _, e := range all {
		if s.size <= s.cap-s.cap/10 {
			return
		}
		if os.Remove(s.path(e.name)) == nil {
			s.size -= e.size
		}
	}
}

// entry is a file of the cache.
type entry struct {
	name string
	size int64
	used time.Time
}

func (s *shelf) list() (all []entry) {
	files, err := os.ReadDir(s.dir)
	if err != nil {
		return nil
	}
	for _, f := range files {
		ours := len(f.Name()) == 2*sha256.Size || strings.HasPrefix(f.Name(), ".automaton-")
		if info, err := f.Info(); err == nil && ours && info.Mode().IsRegular() {
			all = append(all, entry{f.Name(), info.Size(), info.ModTime()})
		}
	}
	return all
}

func digest(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// readSmall reads a regular file that is not larger than it may be.
func readSmall(path string, most int64) ([]byte, error) {
	info, err := os.Lstat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() || info.Size() > most {
		return nil, fmt.Errorf("reading %s: not a file of at most %d bytes", filepath.Base(path), most)
	}
	return os.ReadFile(path)
}
