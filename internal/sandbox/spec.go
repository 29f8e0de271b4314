package sandbox

import (
	"bytes"
	"encoding/gob"
	"fmt"
	"io"
)

// The first arguments by which this binary knows that it is a child.
const (
	childArg  = "__sandbox"
	workerArg = "__worker"
)

// rung is one step of the fall-back order: which of the layers that can fail are tried.
type rung struct{ ns, uid, landlock, seccomp bool }

// spec tells the child, on fd 3, what to become. gob and not JSON, because arguments and paths are bytes, not text.
type spec struct {
	Program string // absolute path; empty: this binary again, as a worker
	Argv    []string
	Env     []string
	Dir     string
	Read    []string // what Landlock lets it read and execute
	Write   []string // what Landlock lets it change
	Port    int      // of the proxy on 127.0.0.1; 0: no network
	NS      bool     // it is in namespaces of its own, must bring up lo and listen on Port there
	// Landlock and Seccomp say what to try.
	Landlock, Seccomp bool
	// Worker forbids it every program, process and internet socket.
	Worker bool

	CPU, FileSize, Memory, Stack, Processes, OpenFiles uint64 // 0: as inherited
}

// reply is the child's answer before it becomes the program.
type reply struct {
	Landlock    int    // ABI in force, 0: none
	LandlockWhy string // why none
	Seccomp     bool
	SeccompWhy  string
	Err         string // why the child cannot go on
}

func readSpec(r io.Reader) (spec, error) {
	var s spec
	err := gob.NewDecoder(io.LimitReader(r, 64<<20)).Decode(&s)
	return s, err
}

func (r reply) encode() ([]byte, error) {
	var b bytes.Buffer
	if err := gob.NewEncoder(&b).Encode(r); err != nil {
		return nil, fmt.Errorf("encoding reply: %w", err)
	}
	return b.Bytes(), nil
}

func decodeReply(b []byte) (reply, error) {
	var r reply
	err := gob.NewDecoder(bytes.NewReader(b)).Decode(&r)
	return r, err
}
