package facts

import "github.com/automaton-auditor/automaton/internal/court"

// Origin says where what flows into a value comes from, the worst of it.
type Origin uint8

// The origins.
const (
	Own     Origin = iota // the program's own: constants, numbers, clocks
	Unclear               // not known, or tested on its way
	Open                  // not known, though the whole program was followed
	User                  // of whoever starts the program: its arguments, the terminal
	Page                  // of the address of a page, which a link names
	Sender                // of somebody else: a request, a message
)

// Tainted tells whether input from outside flows into the value.
func (o Origin) Tainted() Answer {
	switch o {
	case Own:
		return No
	case Unclear, Open:
		return Unknown
	case User, Page, Sender:
	}
	return Yes
}

// Command is what a start of a process is given to run.
type Command struct {
	Constant bool
	From     Origin
}

// ProcessStart is a call that starts another program, or a function that does,
// handed on as a value.
type ProcessStart struct {
	API      string
	Program  string  // its name, where the code tells it; of Python
	Handed   bool    // the function is handed on, to what calls it or may
	Shell    Answer  // whether a shell is handed the command
	Script   bool    // where one is: it is the program itself
	By       string  // another program that runs what it is given as text; "" for a shell
	Words    bool    // a text is cut into words: no shell, but what is in it may add arguments
	Command  Command // of a shell, or of what cuts into words
	Result   Answer  // whether the outcome is looked at
	Limit    Answer  // whether a time limit applies
	Attended bool    // it works at the user's terminal or is left alone, and needs no limit
}

// Dangerous is a call or a setting that runs, builds or opens more than it
// should.
type Dangerous struct {
	Kind      string // code, sql, settings
	Name, Why string // what is used, and what it does
	Instead   string // what is done in its place
	Input     bool   // whether something that it is given matters
	From      Origin // of that
	Severity  court.Severity
	Certainty court.Fixed // that it does harm; 0 is certain
}

// Opened is a call that opens a file or fetches an address.
type Opened struct {
	Name    string
	Address bool
	Request Answer // whether a part of a request names it, and nothing tests that
}
