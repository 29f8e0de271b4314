package sandbox

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"strings"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

import "C" // first_linux.c

// order is struct order of first_linux.c: all that is decided about a child, but for its texts and its filter.
type order struct {
	Size                                         uint64
	Namespaces, Port, Worker                     uint64
	FileSize, Processes, OpenFiles, Stack, CPU   uint64
	Memory                                       uint64
	Ruleset, Files, Net, Scoped                  uint64
	ReadAccess, WriteAccess, FileAccess, Connect uint64
	Filter, Argv, Env, Read, Write               uint64
}

// answer is struct answer of first_linux.c.
type answer struct {
	Refused, Error    uint64
	Unlocked, Missing uint64
	Step, Lock        [240]byte
}

// message is the order of a child in the form in which its first stage reads it, and what is known of its answer: what
// the system has of the layers is the same for parent and child.
func (s spec) message() ([]byte, reply, error) {
	var known reply
	o := order{
		Namespaces: number(s.NS), Port: uint64(s.Port), Worker: number(s.Program == ""), FileSize: s.FileSize, Processes: s.Processes,
		OpenFiles: s.OpenFiles, Stack: s.Stack, CPU: s.CPU, Memory: s.Memory,
	}
	readable := append([]string{"/dev/urandom", "/dev/zero"}, s.Read...)
	writable := append([]string{"/dev/null"}, s.Write...)
	if s.Landlock {
		if known.Landlock, known.LandlockWhy = landlock(); known.Landlock > 0 {
			o.restrict(known.Landlock, s.Port)
		}
	}
	var filter []unix.SockFilter
	if s.Seccomp {
		known.SeccompWhy = seccompMissing()
		known.Seccomp = known.SeccompWhy == ""
		if known.Seccomp && s.Program != "" { // a worker sets its own when it is warm
			prog, err := seccompFilter(s.Port != 0, s.Worker)
			if err != nil {
				return nil, known, fmt.Errorf("building filter: %w", err)
			}
			filter = unsafe.Slice(prog.Filter, prog.Len)
		}
	}
	o.Filter, o.Argv, o.Env, o.Read, o.Write = uint64(len(filter)), uint64(len(s.Argv)), uint64(len(s.Env)), uint64(len(readable)), uint64(len(writable))
	var body bytes.Buffer
	if err := binary.Write(&body, binary.NativeEndian, filter); err != nil {
		return nil, known, fmt.Errorf("encoding filter: %w", err)
	}
	for _, list := range [][]string{{s.Program, s.Dir}, s.Argv, s.Env, readable, writable} {
		for _, text := range list {
			if strings.IndexByte(text, 0) >= 0 {
				return nil, known, fmt.Errorf("a zero in %q: %w", text, syscall.EINVAL)
			}
			body.WriteString(text)
			body.WriteByte(0)
		}
	}
	o.Size = uint64(body.Len())
	head, err := binary.Append(nil, binary.NativeEndian, o)
	return append(head, body.Bytes()...), known, err
}

func number(yes bool) uint64 {
	if yes {
		return 1
	}
	return 0
}

// hear completes what is known of an answer.
func (r *reply) hear(message []byte) error {
	var a answer
	if n, err := binary.Decode(message, binary.NativeEndian, &a); err != nil || n != len(message) {
		return errors.Join(errors.New("it is not an answer"), err)
	}
	if a.Refused != 0 {
		r.Err = because(a.Step[:], a.Error)
	}
	if a.Unlocked != 0 {
		r.Landlock, r.LandlockWhy = 0, because(a.Lock[:], a.Missing)
	}
	return nil
}

func because(step []byte, errno uint64) string {
	return unix.ByteSliceToString(step) + ": " + syscall.Errno(errno).Error()
}

// openSelf opens this binary for a worker: only to execute it, which it may allow without being readable.
func openSelf() (*os.File, error) {
	fd, err := unix.Open("/proc/self/exe", unix.O_PATH|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	return os.NewFile(uintptr(fd), "self"), nil
}

// childMain is not reached: the first stage has become something else by then.
func childMain() { os.Exit(exitSpec) }
