package safety

import (
	"path"
	"slices"
	"strconv"
	"strings"

	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
)

// reach is a part of a command line that some program runs as text.
type reach struct {
	word int    // the word, the first of several where rest is set; -1 for what the process reads
	rest bool   // every word from there on
	by   string // what runs it, as a finding names it
	here bool   // a shell of this machine: it is one for a constant script, too
}

// commandLine is a command line that is looked through for the program that is
// started in the end, and for what that runs as text.
type commandLine struct {
	words []string // with "*" for what is not known
	known []bool
	file  func(path string) string // the text of a file of the submission, "" for none
	found []reach
}

// maxPrefixes bounds the programs that start another one in one command line.
const maxPrefixes = 8

// reaches are the parts of a command line that a shell or another program runs as
// text.
func reaches(words []string, known []bool, file func(string) string) []reach {
	l := &commandLine{words: words, known: known, file: file}
	l.program(0, 0, true)
	return l.found
}

func (l *commandLine) add(word int, by string, here bool) {
	if word < len(l.words) {
		l.found = append(l.found, reach{word: word, by: by, here: here})
	}
}

// program looks at the program that a word names, with the words behind it.
func (l *commandLine) program(at, deep int, here bool) {
	if at >= len(l.words) || deep > maxPrefixes {
		return
	}
	name := base(l.words[at])
	if bare := strings.TrimRight(name, "0123456789."); isWord("interpreter", bare) {
		if name = bare; strings.HasSuffix(name, "awk") {
			name = "awk"
		}
	}
	switch {
	case name == "" || name == "*":
	case isWord("shell", name):
		l.shell(at, here)
	case isWord("launcher", name):
		l.program(l.past(at), deep+1, here)
	case isWord("container", name):
		l.container(at, deep)
	case isWord("interpreter", name):
		l.interpreter(at, name)
	case isWord("remote shell", name):
		l.remote(at, name)
	case name == "find":
		for i := at + 1; i < len(l.words); i++ {
			if isWord("runs what follows", l.words[i]) {
				l.program(i+1, deep+1, here)
			}
		}
	case name == "make" || name == "gmake":
		l.make(at)
	case name == "git":
		l.git(at)
	case l.known[at] && strings.Contains(l.words[at], "/"):
		if text := l.script(l.words[at]); text != "" && shebang.MatchString(text) {
			l.evaluated(text, at)
		}
	}
}

var shebang = regexp.MustCompile(`^#!.*\b(ba|z|da|k)?sh\b`)

// past is where the program stands that a launcher starts: behind its options, their
// values, and what it sets.
func (l *commandLine) past(at int) int {
	option := false
	for at++; at < len(l.words); at++ {
		w := l.words[at]
		switch {
		case strings.HasPrefix(w, "-"):
			option = w != "--" && !strings.Contains(w, "=")
			continue
		case strings.Contains(w, "=") || w != "" && w[0] >= '0' && w[0] <= '9':
		case option && !l.starts(w):
		default:
			return at
		}
		option = false
	}
	return at
}

// starts tells the name of a program that is looked at.
func (l *commandLine) starts(w string) bool {
	w = base(w)
	return isWord("shell", w) || isWord("launcher", w) || isWord("container", w) || isWord("remote shell", w) || w == "git" || w == "find" || w == "make" ||
		isWord("interpreter", strings.TrimRight(w, "0123456789."))
}

// shell looks at a shell: its script is a word, a file, or what it reads.
func (l *commandLine) shell(at int, here bool) {
	if i := scriptAt(l.words[at:]); i > 0 {
		l.found = append(l.found, reach{word: at + i, rest: windows(l.words[at]), by: "a shell", here: here})
		if l.known[at+i] && at+i+1 < len(l.words) {
			l.evaluated(l.words[at+i], at+i+1)
		}
		return
	}
	for i := at + 1; i < len(l.words); i++ {
		if w := l.words[i]; !strings.HasPrefix(w, "-") && w != "pipefail" {
			if text := l.script(w); l.known[i] && text != "" {
				l.evaluated(text, i)
			}
			return
		}
	}
	l.found = append(l.found, reach{word: -1, by: "a shell", here: here})
}

// windows tells a shell that takes all that follows as its script.
func windows(program string) bool {
	b := base(program)
	return strings.HasPrefix(b, "cmd") || strings.HasPrefix(b, "power") || strings.HasPrefix(b, "pwsh")
}

// interpreter looks at a program that runs code: of an option, of its first argument
// as awk has it, or of what it reads.
func (l *commandLine) interpreter(at int, name string) {
	for i := at + 1; i < len(l.words); i++ {
		w := l.words[i]
		switch {
		case isWord("code option of "+name, w):
			l.add(i+1, name, false)
			return
		case isWord("file option of "+name, w):
			return
		case isWord("valued option of "+name, w):
			i++
		case w == "-":
			l.found = append(l.found, reach{word: -1, by: name})
			return
		case strings.HasPrefix(w, "-"):
		case name == "awk":
			l.add(i, name, false)
			return
		default:
			return
		}
	}
	if at+1 == len(l.words) && name != "awk" {
		l.found = append(l.found, reach{word: -1, by: name})
	}
}

// remote looks at a program whose words behind the host are a script of the shell
// there.
func (l *commandLine) remote(at int, name string) {
	for i := at + 1; i < len(l.words); i++ {
		switch w := l.words[i]; {
		case isWord("valued option of "+name, w):
			i++
		case strings.HasPrefix(w, "-"):
		default:
			if i+1 < len(l.words) {
				l.found = append(l.found, reach{word: i + 1, rest: true, by: "the shell of another machine"})
			}
			return
		}
	}
}

// container looks at what is run in a container.
func (l *commandLine) container(at, deep int) {
	if at+1 >= len(l.words) || l.words[at+1] != "run" && l.words[at+1] != "exec" {
		return
	}
	for i := at + 2; i < len(l.words); i++ {
		switch w := l.words[i]; {
		case strings.HasPrefix(w, "-"):
			if !strings.Contains(w, "=") && !isWord("bare option of docker", w) {
				i++
			}
		default:
			l.program(i+1, deep+1, false)
			return
		}
	}
}

// git looks at what git runs: an alias that begins with "!", settings that are
// commands, a transport that is one.
func (l *commandLine) git(at int) {
	for i := at + 1; i < len(l.words); i++ {
		w := l.words[i]
		key, value, set := strings.Cut(w, "=")
		switch {
		case strings.HasPrefix(w, "ext::"), strings.HasPrefix(w, "--upload-pack="), strings.HasPrefix(w, "--receive-pack="), strings.HasPrefix(w, "--exec="):
			l.add(i, "git", false)
		case w == "-u" || w == "--upload-pack" || w == "--receive-pack":
			if i+1 < len(l.words) && at+1 < i {
				l.add(i+1, "git", false)
			}
		case !set || l.words[i-1] != "-c" && l.words[i-1] != "--config":
		case strings.HasPrefix(key, "alias.") && (strings.HasPrefix(value, "!") || strings.HasPrefix(value, "*")), isWord("setting that git runs", key):
			l.add(i, "git", false)
		}
	}
}

// script is the text of a file of the submission that a word names.
func (l *commandLine) script(w string) string {
	if l.file == nil || strings.Contains(w, "*") {
		return ""
	}
	return l.file(strings.TrimPrefix(path.Clean(w), "./"))
}

var (
	evaluates  = regexp.MustCompile(`(^|[;&|({]|\bthen|\bdo|\belse)\s*(eval|(\S*/)?(ba|z|da|k)?sh\s+(-\w+\s+)*-\w*c|source\s+/dev/stdin)\s(.*)$`)
	positional = regexp.MustCompile(`\$\{?([1-9@*])`)
	assigned   = regexp.MustCompile(`(^|[;\s])(?:local\s+|export\s+|readonly\s+)?([A-Za-z_]\w*)=("?[^;]*)`)
	variable   = regexp.MustCompile(`\$\{?([A-Za-z_]\w*)`)
)

// evaluated notes the arguments of a script that it runs as text: by eval, or as the
// script of another shell. What words it splits adds arguments and no command.
func (l *commandLine) evaluated(text string, zero int) {
	holds := map[string][]string{} // variables: the arguments that they hold
	for _, row := range strings.SplitN(text, "\n", maxScript) {
		row = strings.TrimSpace(row)
		if strings.HasPrefix(row, "#") {
			continue
		}
		for _, m := range assigned.FindAllStringSubmatch(row, -1) {
			holds[m[2]] = append(holds[m[2]], arguments(m[3], holds)...)
		}
		m := evaluates.FindStringSubmatch(row)
		if m == nil {
			continue
		}
		for _, a := range arguments(m[6], holds) {
			n, err := strconv.Atoi(a)
			r := reach{word: zero + n, by: "a shell", here: true}
			if err != nil {
				r.word, r.rest = zero+1, true
			}
			if r.word < len(l.words) && !slices.Contains(l.found, r) {
				l.found = append(l.found, r)
			}
		}
	}
}

// maxScript bounds the lines of a script that are looked at.
const maxScript = 2000

// arguments are the positional parameters in a text of a shell script, by themselves
// or through variables.
func arguments(text string, holds map[string][]string) (out []string) {
	for _, m := range positional.FindAllStringSubmatch(text, -1) {
		out = append(out, m[1])
	}
	for _, m := range variable.FindAllStringSubmatch(text, -1) {
		out = append(out, holds[m[1]]...)
	}
	return out
}

// make looks at the values that a makefile of the submission puts into its commands.
func (l *commandLine) make(at int) {
	dir, name := "", ""
	for i := at + 1; i+1 < len(l.words); i++ {
		switch l.words[i] {
		case "-C":
			dir = l.words[i+1]
		case "-f":
			name = l.words[i+1]
		}
	}
	text := ""
	for _, n := range []string{name, "GNUmakefile", "Makefile", "makefile"} {
		if n != "" && text == "" {
			text = l.script(path.Join(dir, n))
		}
	}
	for i := at + 1; i < len(l.words); i++ {
		key, _, set := strings.Cut(l.words[i], "=")
		if !set || l.known[i] || strings.Contains(key, "*") {
			continue
		}
		for row := range strings.Lines(text) {
			if strings.HasPrefix(row, "\t") && (strings.Contains(row, "$("+key+")") || strings.Contains(row, "${"+key+"}")) {
				l.add(i, "make", true)
				break
			}
		}
	}
}
