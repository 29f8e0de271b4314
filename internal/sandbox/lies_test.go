package sandbox

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"os"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"
)

// liar is a worker that keeps to no rule: it takes over before the locks close and speaks for itself. It is given
// requests as they come, with their tickets, and what leads to the parent.
type liar func(in *bufio.Reader, out io.Writer)

// lies are the workers that lie, by kind.
func lies() map[string]liar {
	after := func(words func(ticket []byte) []byte, then func(in *bufio.Reader)) liar {
		return func(in *bufio.Reader, out io.Writer) {
			_ = writeFrame(out, []byte{frameReady}, nil)
			for {
				request, err := readFrame(in, MaxFrame)
				if err != nil {
					return
				}
				if _, _ = out.Write(words(request[:ticketSize])); then != nil {
					then(in)
				}
			}
		}
	}
	always := func(b ...byte) func([]byte) []byte { return func([]byte) []byte { return b } }
	framed := func(parts ...[]byte) []byte {
		var b bytes.Buffer
		_ = writeFrame(&b, nil, slices.Concat(parts...))
		return b.Bytes()
	}
	answer := func(ticket []byte) []byte { return framed([]byte{frameAnswer}, ticket, []byte("true")) }
	hang := func(*bufio.Reader) { select {} }
	quit := func(*bufio.Reader) { os.Exit(0) }
	length := func(n uint32) []byte { return binary.BigEndian.AppendUint32(nil, n) }
	return map[string]liar{
		"long":            after(always(length(maxWorkerFrame+1)...), nil),
		"negative":        after(always(length(1<<32-1)...), nil),
		"words":           after(always([]byte("hello\n")...), nil),
		"huge, then ends": after(always(append(length(maxWorkerFrame), 0, 1)...), quit),
		"huge, then none": after(always(append(length(maxWorkerFrame), 0, 1)...), hang),
		"cut":             after(func(ticket []byte) []byte { return answer(ticket)[:9] }, quit),
		"cut length":      after(always(0, 0), quit),
		"empty":           after(always(length(0)...), nil),
		"kind alone":      after(always(framed([]byte{frameAnswer})...), nil),
		"no ticket":       after(always(framed([]byte{frameAnswer}, []byte("false"))...), nil),
		"ready again":     after(func(ticket []byte) []byte { return framed([]byte{frameReady}, ticket, []byte("false")) }, nil),
		"unknown kind":    after(func(ticket []byte) []byte { return framed([]byte{9}, ticket, []byte("false")) }, nil),
		"other request": after(func(ticket []byte) []byte {
			ticket[7] ^= 1
			return framed([]byte{frameAnswer}, ticket, []byte("false"))
		}, nil),
		"escapes": after(func(ticket []byte) []byte {
			return framed([]byte{frameError}, ticket, []byte("\x1b[31mred\r\n\x00goroutine"+strings.Repeat("x", 4000)))
		}, nil),
		"two answers": after(func(ticket []byte) []byte {
			return append(answer(ticket), framed([]byte{frameAnswer}, ticket, []byte("false"))...)
		}, nil),
		"answer and a half": after(func(ticket []byte) []byte { return append(answer(ticket), 0, 0) }, nil),
		"silence":           after(always(), hang),
		"deaf": func(_ *bufio.Reader, out io.Writer) {
			_ = writeFrame(out, []byte{frameReady}, nil)
			select {}
		},
		"ends": func(_ *bufio.Reader, out io.Writer) { _ = writeFrame(out, []byte{frameReady}, nil) },
		"early": func(_ *bufio.Reader, out io.Writer) {
			_, _ = out.Write(framed([]byte{frameAnswer}, make([]byte, 8), []byte("false")))
			select {}
		},
		"unasked": func(in *bufio.Reader, out io.Writer) {
			_ = writeFrame(out, []byte{frameReady}, nil)
			_, _ = out.Write(framed([]byte{frameAnswer}, make([]byte, 8), []byte("false")))
			_, _ = io.Copy(io.Discard, in)
		},
		"never ready": func(*bufio.Reader, io.Writer) { select {} },
		"never there": func(*bufio.Reader, io.Writer) { os.Exit(0) },
		"complains": after(func(ticket []byte) []byte {
			_, _ = os.Stderr.WriteString(strings.Repeat("\x1b[31mpanic: no\n", 1<<16))
			return answer(ticket)
		}, nil),
		"complains without end": after(always(), func(*bufio.Reader) {
			for {
				_, _ = os.Stderr.WriteString("\x1b[31mon and on\n")
			}
		}),
	}
}

// liars makes services of them. They never come to be ready in the way that others do.
func liars(services map[string]Service) map[string]Service {
	for kind, lie := range lies() {
		services["lie: "+kind] = Service{Warm: func() error {
			lie(bufio.NewReader(os.Stdin), os.NewFile(1, "answers"))
			os.Exit(0)
			return nil
		}}
	}
	return services
}

// Whatever a worker says that keeps to no rule: the document gets its own answer or an error that names the reason, in
// time, and the next document gets its own.
func TestWorkerThatLies(t *testing.T) {
	wants := map[string]struct {
		reason Reason // "" for the true answer
		detail string
	}{
		"long": {Crashed, "answer over the limit"}, "negative": {Crashed, "answer over the limit"}, "words": {Crashed, "answer over the limit"},
		"huge, then ends": {Crashed, "exit status 0"}, "huge, then none": {TimedOut, ""}, "cut": {Crashed, "exit status 0"}, "cut length": {Crashed, "exit status 0"},
		"empty": {Crashed, ""}, "kind alone": {Crashed, "not an answer to this document"}, "no ticket": {Crashed, "not an answer to this document"},
		"ready again": {Crashed, "not an answer to this document"}, "unknown kind": {Crashed, "not an answer to this document"}, "other request": {Crashed, "not an answer to this document"},
		"escapes": {Failed, `\u{1b}[31mred`}, "two answers": {}, "answer and a half": {}, "silence": {TimedOut, ""}, "deaf": {TimedOut, ""},
		"ends": {Crashed, ""}, "early": {NoStart, ""}, "unasked": {Crashed, "not an answer to this document"}, "never ready": {NoStart, "timeout"}, "never there": {NoStart, "exit status 0"},
		"complains": {}, "complains without end": {TimedOut, ""},
	}
	b := open(t, Options{})
	for kind := range lies() {
		t.Run(kind, func(t *testing.T) {
			want, ok := wants[kind]
			if !ok {
				t.Fatal("nothing is said about it")
			}
			t.Parallel()
			o, documents := WorkerOptions{}, 2
			switch {
			case want.reason == TimedOut:
				o.Deadline, documents = 200*time.Millisecond, 1
			case kind == "never ready":
				o.WarmUp, documents = 200*time.Millisecond, 1
			}
			w := b.Worker("lie: "+kind, o)
			for range documents {
				got, err := w.Do(context.Background(), bytes.Repeat([]byte("document"), 1<<16))
				failure, _ := errors.AsType[*WorkerError](err)
				switch {
				case want.reason == "" && (err != nil || string(got) != "true"):
					t.Errorf("got %q, %v", got, err)
				case want.reason != "" && (failure == nil || failure.Reason != want.reason || !strings.Contains(failure.Detail, want.detail)):
					t.Errorf("got %q, %v, want %s (%s)", got, err, want.reason, want.detail)
				case err != nil && (len(err.Error()) > 400 || strings.ContainsFunc(err.Error(), unicode.IsControl)):
					t.Errorf("said %q", err)
				}
			}
		})
	}
}
