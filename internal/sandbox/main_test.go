package sandbox

import (
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"
	"time"
)

func TestMain(m *testing.M) {
	Main(liars(map[string]Service{
		ProofKind: ProofService(),
		"probe":   {Handle: handleProbe},
		"cold":    {Warm: func() error { return errors.New("no grammar") }, Handle: handleProbe},
		"caching": {Warm: warmCache, Handle: handleCache},
		"frugal":  frugal(),
	}))
	if len(os.Args) == 3 && os.Args[1] == "hold" {
		hold()
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// handleProbe stands for a parser with every kind of bug, and for one that was taken over.
func handleProbe(request []byte) ([]byte, error) {
	word, rest, _ := strings.Cut(string(request), " ")
	switch word {
	case "echo":
		return []byte(rest), nil
	case "fail":
		return nil, errors.New("line 3: \x1b[31mbad token")
	case "panic":
		panic("parser bug")
	case "sleep":
		time.Sleep(time.Hour)
	case "overflow":
		return fmt.Append(nil, recurse(0)), nil
	case "exit":
		os.Exit(3)
	case "udp":
		c, err := net.Dial("udp", rest)
		if err == nil {
			err = c.Close()
		}
		return nil, err
	}
	return tryOut(request)
}

func recurse(n int) int {
	var frame [256]byte
	frame[n&255] = 1
	return recurse(n+1) + int(frame[7]) //nolint:staticcheck // without end, to use up the stack
}

func warmCache() error {
	path := filepath.Join(os.Getenv(CacheEnv), "deep", "compiled")
	if _, err := os.ReadFile(path); err == nil {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	return os.WriteFile(path, []byte("warm"), 0o600)
}

// handleCache reads the cache, and tells whether it could be changed.
func handleCache([]byte) ([]byte, error) {
	path := filepath.Join(os.Getenv(CacheEnv), "deep", "compiled")
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	if os.WriteFile(path, []byte("poisoned"), 0o600) == nil {
		return nil, errors.New("the cache can be written")
	}
	return b, nil
}

// frugal is a service that wants a narrower heap than a worker has, and that tidies up when it has answered. It answers
// with its limit and with how often it tidied up.
func frugal() Service {
	rests := 0
	return Service{
		Warm: func() error { debug.SetMemoryLimit(100 << 20); return nil },
		Handle: func([]byte) ([]byte, error) {
			return fmt.Appendf(nil, "%d %d", debug.SetMemoryLimit(-1)>>20, rests), nil
		},
		Rest: func() { rests++ },
	}
}
