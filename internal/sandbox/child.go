package sandbox

import (
	"errors"
	"fmt"
	"net"
	"os"
	"runtime"

	"golang.org/x/sys/unix"
)

const (
	specFD = 3 // socket to the parent
	selfFD = 4 // this binary, open
)

// Exit codes of a child that did not become its program.
const (
	exitSpec   = 120
	exitRefuse = 121
	exitExec   = 124
)

// childMain takes the layers on and becomes the program. It runs before anything untrusted is read and never returns.
// All of it happens on one locked thread: Landlock and the rest belong to the thread that calls exec.
func childMain() {
	runtime.LockOSThread()
	conn, err := parentConn()
	if err != nil {
		os.Exit(exitSpec)
	}
	s, err := readSpec(conn)
	if err != nil {
		os.Exit(exitSpec)
	}
	var rep reply
	become, err := prepare(s, &rep)
	if err != nil {
		refuse(conn, err)
	}
	var rights []byte
	if s.NS && s.Port != 0 {
		if rights, err = listenInside(s.Port); err != nil {
			refuse(conn, err)
		}
	}
	msg, err := rep.encode()
	if err != nil {
		refuse(conn, err)
	}
	if _, _, err := conn.WriteMsgUnix(msg, rights, nil); err != nil {
		os.Exit(exitSpec)
	}
	become()
	os.Exit(exitExec)
}

func parentConn() (*net.UnixConn, error) {
	f := os.NewFile(specFD, "parent")
	c, err := net.FileConn(f) // a duplicate, closed on exec
	if err != nil {
		return nil, err
	}
	if err := f.Close(); err != nil {
		return nil, err
	}
	conn, ok := c.(*net.UnixConn)
	if !ok {
		return nil, errors.New("fd 3 is not a socket")
	}
	return conn, nil
}

// prepare applies all layers but those that would stop Go itself; the function it returns applies these and executes.
func prepare(s spec, rep *reply) (become func(), err error) {
	if err := setLimits(s); err != nil {
		return nil, err
	}
	unix.Umask(0o077)
	if s.Dir != "" {
		if err := os.Chdir(s.Dir); err != nil {
			return nil, err
		}
	}
	return applyLayers(s, rep)
}

// setLimits sets the limits under which Go itself can still work.
func setLimits(s spec) error {
	limits := []struct {
		which     int
		name      string
		soft, max uint64
	}{
		{unix.RLIMIT_FSIZE, "fsize", s.FileSize, s.FileSize},
		{unix.RLIMIT_NPROC, "nproc", s.Processes, s.Processes},
		{unix.RLIMIT_NOFILE, "nofile", s.OpenFiles, s.OpenFiles},
		{unix.RLIMIT_STACK, "stack", s.Stack, s.Stack},
		// PID 1 of a namespace does not get SIGXCPU; the hard limit a second later kills it
		{unix.RLIMIT_CPU, "cpu", s.CPU, s.CPU + 1},
	}
	for _, l := range limits {
		if l.soft == 0 {
			continue
		}
		if err := lower(l.which, l.soft, l.max); err != nil {
			return fmt.Errorf("setting limit %s: %w", l.name, err)
		}
	}
	if err := lower(unix.RLIMIT_CORE, 0, 0); err != nil {
		return fmt.Errorf("setting limit core: %w", err)
	}
	return nil
}

// lower sets a limit, but never above the inherited one.
func lower(which int, soft, hard uint64) error {
	var have unix.Rlimit
	if err := unix.Getrlimit(which, &have); err != nil {
		return err
	}
	hard = min(hard, have.Max)
	return unix.Setrlimit(which, &unix.Rlimit{Cur: min(soft, hard), Max: hard})
}

// listenInside opens the proxy's port inside the child's own network namespace and returns it as a message to the parent.
func listenInside(port int) (rights []byte, err error) {
	l, err := net.ListenTCP("tcp4", &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: port})
	if err != nil {
		return nil, fmt.Errorf("listening in namespace: %w", err)
	}
	f, err := l.File() // stays open until exec
	if err != nil {
		return nil, fmt.Errorf("listening in namespace: %w", err)
	}
	return unix.UnixRights(int(f.Fd())), nil
}

func refuse(conn *net.UnixConn, cause error) {
	msg, err := reply{Err: cause.Error()}.encode()
	if err == nil {
		_, err = conn.Write(msg)
	}
	if err != nil {
		os.Exit(exitSpec)
	}
	os.Exit(exitRefuse)
}
