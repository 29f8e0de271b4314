package sandbox

// The first arguments by which this binary knows that it is a child.
const (
	childArg  = "__sandbox"
	workerArg = "__worker"
)

// rung is one step of the fall-back order: which of the layers that can fail are tried.
type rung struct{ ns, uid, landlock, seccomp bool }

// Files of a child, and exit codes of one that did not become its program.
const (
	specFD = 3 // socket to the parent
	selfFD = 4 // this binary, open

	exitSpec   = 120
	exitRefuse = 121
	exitExec   = 124
)

// spec tells the child, on fd 3, what to become.
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
