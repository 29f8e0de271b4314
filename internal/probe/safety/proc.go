package safety

import (
	"cmp"
	"fmt"
	"path"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/facts"
	"github.com/automaton-auditor/automaton/internal/probe"
)

var procShell = probe.Probe{
	ID: "proc.shell", Version: "4", Target: court.GithubRepo,
	Title:  "No process is started through a shell",
	Doc:    "Looks at every call that starts a process, through aliases, partial, getattr, tables of names, derived classes and wrappers, and where such a function is handed on as a value: os.system and its kin, shell=True however it is passed, create_subprocess_shell, shells that are given a script; in Go os/exec, in JavaScript and TypeScript child_process and its kin, in Java ProcessBuilder and Runtime.exec, in Rust Command. Text that only mentions such calls is not looked at. A command with parts that are not constant is grave; it is an injection only when input is known to flow into it untested.",
	Remedy: "Pass the command as a list of arguments, without a shell.", Effort: 15,
	Run: probe.None[facts.ProcessStart]{
		Of: processStarts,
		Is: func(p facts.ProcessStart, _ probe.Args) facts.Answer {
			if p.Words {
				return facts.Yes
			}
			return p.Shell
		},
		Violation: shellFinding,
		Vendored:  func(p facts.ProcessStart) string { return p.API + " uses a shell" },
		Nothing:   "the code starts no process",
		Clean: func(_ probe.Args, n int) string {
			return fmt.Sprintf("%s that %s a process uses a shell", court.Of(0, n, "call"), court.Agree(0, n, "starts", "start"))
		},
	}.Run,
}

var procResult = probe.Probe{
	ID: "proc.result", Version: "2", Target: court.GithubRepo,
	Title:  "The result of every process is checked",
	Doc:    "Looks at every call that starts a process: check=True that nobody swallows, check_output, a test of the exit status here or in a caller that gets it. check=False with the error only printed is not checked. In Go the error of Run, Output or Wait is used; in JavaScript a callback's error, an awaited promise or the status; in Java the value of waitFor or exitValue; in Rust the status itself.",
	Remedy: "Test the result of every process, and turn a failure into an error.", Effort: 15,
	Run: probe.Share[facts.ProcessStart]{
		Of:    processStarts,
		Has:   func(p facts.ProcessStart) (facts.Answer, bool) { return p.Result, !p.Handed },
		Thing: "process", What: "a check of the result", Nothing: "the code starts no process",
		Ask: func(f facts.Fact[facts.ProcessStart]) string {
			p := f.Value
			if said, ok := exitOne[p.Program]; ok {
				return fmt.Sprintf("Test the exit status of %s at %s: 1 means %s, and a higher one is an error.", p.Program, at(f.At), said)
			}
			return fmt.Sprintf("Test the result of %s at %s, and turn a failure into an error%s.", p.API, at(f.At), inLanguage(f, map[string]string{".py": pythonWay(p.API, ": if result.returncode != 0: raise RuntimeError(result.stderr)", ": wait for it, and raise an error if its returncode is not 0", ": raise an error if it returns anything but 0"), ".go": ": if err != nil", ".java": ": process.waitFor() != 0", ".rs": ": status.success()"}))
		},
	}.Run,
}

var procTimeout = probe.Probe{
	ID: "proc.timeout", Version: "2", Target: court.GithubRepo,
	Title:  "Every process has a time limit",
	Doc:    "Looks at every call that starts a process: a timeout that reaches it, also from a wrapper's default, communicate and wait with a timeout, wait_for around it, or something that watches and kills it. A parameter called timeout that nothing uses is not a limit. In Go CommandContext with a context that can end, in JavaScript timeout or signal, in Java waitFor with a time, in Rust a timeout around it. There, a process that works at the user's terminal needs none.",
	Remedy: "Give every process a time limit, and handle its expiry.", Effort: 10,
	Run: probe.Share[facts.ProcessStart]{
		Of:    processStarts,
		Has:   func(p facts.ProcessStart) (facts.Answer, bool) { return p.Limit, !p.Handed && !p.Attended },
		Thing: "process", What: "a time limit", Nothing: "the code starts no process",
		Ask: func(f facts.Fact[facts.ProcessStart]) string {
			return fmt.Sprintf("Give %s at %s a time limit%s, and handle its expiry.", f.Value.API, at(f.At), inLanguage(f, map[string]string{".py": pythonWay(f.Value.API, ": timeout=60", ": wait for it with communicate, under a timeout of 60 seconds", ": subprocess.run takes timeout=60"), ".go": ": a context.WithTimeout for exec.CommandContext", ".js": ": timeout: 60000", ".ts": ": timeout: 60000", ".java": ": process.waitFor(60, TimeUnit.SECONDS)"}))
		},
	}.Run,
}

// shellFinding is the finding of a call that uses a shell, or cuts a text into
// words. What reaches a shell is grave unless it is surely harmless or the
// program's own user's.
func shellFinding(f facts.Fact[facts.ProcessStart]) probe.Finding {
	p := f.Value
	text := "a constant command"
	if !p.Command.Constant {
		text = map[facts.Origin]string{
			facts.Own:     "a command whose parts are the program's own, quoted or tested",
			facts.Unclear: "a command with parts that are not constant",
			facts.Open:    "a command with parts that are not constant",
			facts.User:    "a command with what the program's own user gives it",
			facts.Page:    "a command with input from outside",
			facts.Sender:  "a command with input from outside",
		}[p.Command.From]
	}
	out := probe.Finding{Security: &court.Flaw{Severity: court.Medium, Tainted: tainted(p.Command.From)}}
	if p.Words {
		out.Rationale = fmt.Sprintf("%s cuts %s into words: a value with a space in it adds arguments.", p.API, text)
		out.Certainty = half
		return out.Do("Pass %s at %s the words of the command one by one, as a list.", p.API, at(f.At))
	}
	out.Rationale = fmt.Sprintf("%s hands %s to %s.", p.API, text, cmp.Or(p.By, "a shell"))
	if grave(p.Command.From) {
		out.Security.Severity = court.High
	}
	return out.Do("%s", shellLess(f))
}

// exitOne is what exit status 1 of a program means that has failed at nothing.
var exitOne = map[string]string{"grep": "that nothing matched", "egrep": "that nothing matched", "fgrep": "that nothing matched", "rg": "that nothing matched",
	"pgrep": "that nothing matched", "diff": "that the files differ", "cmp": "that the files differ", "test": "that the test is false"}

// pythonWay is what is written for a call of Python: one that waits itself, one that gives a process to wait for, or one of
// os, which gives a status and takes no limit.
func pythonWay(api, waits, gives, status string) string {
	switch {
	case strings.HasPrefix(api, "asyncio."), strings.HasSuffix(api, "Popen"):
		return gives
	case strings.HasPrefix(api, "os."):
		return status
	}
	return waits
}

// inLanguage is what is written in the language of a fact's file, "" in others.
func inLanguage[T any](f facts.Fact[T], how map[string]string) string {
	if len(f.At) == 0 {
		return ""
	}
	return how[path.Ext(f.At[0].Path)]
}

// shellLess asks for the same command without a shell.
func shellLess(f facts.Fact[facts.ProcessStart]) string {
	p := f.Value
	switch {
	case p.By != "":
		return fmt.Sprintf("Do not let %s run text at %s: pass the values as arguments of a fixed script.", p.By, at(f.At))
	case p.API == "os.system" || p.API == "os.popen":
		return fmt.Sprintf("Replace %s at %s by subprocess.run with a list: subprocess.run([\"git\", \"clone\", url, target], check=True).", p.API, at(f.At))
	}
	return fmt.Sprintf("Pass the command of %s at %s as a list of arguments, without %s.", p.API, at(f.At), cmp.Or(inLanguage(f, map[string]string{".py": "shell=True"}), "a shell"))
}

// at is the first place of a fact, in a remedy.
func at(places []court.Place) string {
	if len(places) == 0 {
		return "its place"
	}
	return facts.Line(places[0])
}

// tainted is the word of a finding for where a value comes from.
func tainted(o facts.Origin) string {
	return map[facts.Answer]string{facts.Yes: "yes", facts.No: "no", facts.Unknown: "unknown"}[o.Tainted()]
}

// grave tells an origin that leaves a danger as grave as it is.
func grave(o facts.Origin) bool { return o != facts.Own && o != facts.Unclear && o != facts.User }

// half is the certainty of traces that are often harmless.
const half = court.One / 2
