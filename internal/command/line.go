package command

import (
	"path"
	"strings"

	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
)

// Kind is what a command names.
type Kind string

// The kinds of things that a command names.
const (
	File    Kind = "file"
	Folder  Kind = "folder"
	Module  Kind = "module"  // of python -m
	Target  Kind = "target"  // of make
	Script  Kind = "script"  // of package.json
	Service Kind = "service" // of a compose file; "" is the compose file itself
	Entry   Kind = "entry"   // a program that the project installs
	Flag    Kind = "flag"    // of a script or module of the project
)

// Named is one thing of the project that a command names.
type Named struct {
	Kind Kind
	Name string
	Of   string // of a flag: the file or module that must know it
}

// String is the thing as people speak of it.
func (n Named) String() string {
	if n.Kind == Service && n.Name == "" {
		return "compose file"
	}
	return string(n.Kind) + " " + n.Name
}

// Line is one command with what it names.
type Line struct {
	Text  string
	Named []Named
}

// maxLines bounds the commands of one text, maxWords the words of one command.
const (
	maxLines = 300
	maxWords = 60
	maxText  = 400
)

var (
	prompt   = regexp.MustCompile(`^\s*(?:\([\w.\-]+\)\s*)?(?:(?:PS [^>]*>|[\w.\-]+@[@:~/\w.\-]*[$%#]|[:~/\w.\-]*[$%]|[>❯])\s+)?`)
	settings = regexp.MustCompile(`^(?:(?:export|set|env)\s+)?(?:[A-Z_][A-Z0-9_]*=\S*\s+)+`)
	parts    = regexp.MustCompile(`\s*(?:&&|\|\||;|\|)\s*`)
	starts   = regexp.MustCompile(`^(?:python3?(?:\.\d+)?|py|uv|poetry|pipenv|pdm|hatch|rye|pytest|make|npm|pnpm|yarn|bun|node|docker|docker-compose|bash|sh|source|\.|streamlit|uvicorn|flask|langgraph|pip3?|cp|cd|chmod|go|\./[\w./\-]+)$`)
	// Within running text a command has no end; it is taken for one only where nothing else begins so.
	inText = regexp.MustCompile("(?:^|[\\s`\"'“(:])((?:uv run |poetry run |pipenv run )?python3? (?:-m [\\w.]+|[\\w./\\-]+\\.py)(?: --[a-z][\\w\\-]*)*|(?:uv|poetry|pipenv) run [\\w./\\-]+(?: --[a-z][\\w\\-]*)*|pytest (?:-\\w+ )*[\\w./\\-]+/[\\w./\\-:]*|(?:npm|pnpm|bun) run [\\w:\\-]+|docker[ \\-]compose up|pip3? install -r [\\w./\\-]+|streamlit run [\\w./\\-]+)")
	// The word make begins too many sentences: there it is a command only within marks.
	inMarks = regexp.MustCompile("[`\"'“‘](make [a-z][\\w\\-]*)[`\"'”’]")
)

// Listing finds the commands of a printed listing, line by line.
func Listing(text string) []Line {
	var out []Line
	text = regexp.MustCompile(`\\[ \t]*\r?\n\s*`).ReplaceAllString(text, " ")
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		line = line[len(prompt.FindString(line)):]
		if line == "" || len(line) > maxText || strings.HasPrefix(line, "#") {
			continue
		}
		for _, part := range parts.Split(line, -1) {
			if l, ok := read(part); ok && len(out) < maxLines {
				out = append(out, l)
			}
		}
	}
	return out
}

// Text finds the commands within running text.
func Text(text string) []Line {
	var out []Line
	found := append(inText.FindAllStringSubmatch(text, maxLines), inMarks.FindAllStringSubmatch(text, maxLines)...)
	for _, m := range found {
		if l, ok := read(strings.TrimRight(m[1], ".,:;/-")); ok {
			out = append(out, l)
		}
	}
	return out
}

// read takes one command apart; ok tells whether it names anything.
func read(text string) (Line, bool) {
	text = strings.TrimSpace(text)
	text = strings.TrimSpace(text[len(settings.FindString(text)):])
	if i := strings.Index(text, " #"); i >= 0 {
		text = strings.TrimSpace(text[:i])
	}
	words := strings.Fields(text)
	if len(words) < 2 || len(words) > maxWords || !starts.MatchString(words[0]) {
		if len(words) != 1 || !strings.HasPrefix(words[0], "./") {
			return Line{}, false
		}
	}
	for i, w := range words {
		words[i] = strings.Trim(w, "`\"'“”‘’")
	}
	l := Line{Text: text}
	l.words(words)
	return l, len(l.Named) > 0
}

// readersOwn are the names that texts give to a file of the reader's.
var readersOwn = regexp.MustCompile(`^(?:\./)?(?:my[-_]?\w+|script|foo|bar)\.\w+$`)

// open tells a word that stands for something to be filled in, or that a shell
// would make something of.
func open(w string) bool {
	return w == "" || strings.ContainsAny(w, "<>{}[]$*?|()=…,") || strings.Contains(w, "...") || strings.Contains(w, "://") ||
		strings.HasPrefix(w, "/") || strings.HasPrefix(w, "~") || strings.Contains(w, "path/to") || strings.HasPrefix(strings.ToLower(w), "your") ||
		strings.HasPrefix(w, "..") || readersOwn.MatchString(w) || strings.Contains(w, `:\`)
}

func (l *Line) add(k Kind, name string) {
	if !open(name) {
		l.Named = append(l.Named, Named{Kind: k, Name: name})
	}
}

// words goes by the program that a command starts.
func (l *Line) words(w []string) {
	rest := w[1:]
	switch name := strings.TrimSuffix(w[0], ".exe"); {
	case strings.HasPrefix(name, "python") || name == "py":
		l.python(rest)
	case name == "uv" || name == "poetry" || name == "pipenv" || name == "pdm" || name == "hatch" || name == "rye":
		l.runner(rest)
	case name == "pytest":
		l.tests(rest)
	case name == "make":
		for _, t := range rest {
			if strings.HasPrefix(t, "-") {
				return // what follows may be the flag's
			}
			l.add(Target, t)
		}
	case name == "npm" || name == "pnpm" || name == "yarn" || name == "bun":
		l.scripts(rest)
	case name == "docker" && len(rest) > 1 && rest[0] == "compose":
		l.compose(rest[1:])
	case name == "docker-compose" && len(rest) > 0:
		l.compose(rest)
	case name == "streamlit" && len(rest) > 1 && rest[0] == "run":
		l.add(File, rest[1])
	case name == "uvicorn":
		if mod, _, ok := strings.Cut(rest[0], ":"); ok && !open(mod) {
			l.add(Module, mod)
		}
	case (name == "bash" || name == "sh" || name == "source" || name == "node") && strings.Contains(rest[0], ".") && !strings.HasPrefix(rest[0], "-"):
		if !strings.Contains(rest[0], "venv") && !strings.Contains(rest[0], "activate") {
			l.add(File, rest[0])
		}
	case strings.HasPrefix(name, "pip"):
		l.valueOf(rest, "-r", "--requirement")
	case name == "cp" && strings.Contains(rest[0], "."):
		l.add(File, rest[0])
	case strings.HasPrefix(name, "./") && strings.Contains(path.Base(name), "."): // others are often the output of a build
		l.add(File, strings.TrimPrefix(name, "./"))
	}
}

// valueOf adds the files that stand after a flag.
func (l *Line) valueOf(w []string, flags ...string) {
	for i := range len(w) - 1 {
		for _, f := range flags {
			if w[i] == f {
				l.add(File, w[i+1])
			}
		}
	}
}

func (l *Line) python(w []string) {
	for i, x := range w {
		switch {
		case x == "-m" && i+1 < len(w):
			if w[i+1] == "pytest" {
				l.tests(w[i+2:])
			} else if l.add(Module, w[i+1]); len(l.Named) > 0 {
				l.flags(w[i+2:], w[i+1])
			}
			return
		case x == "-c" || strings.HasPrefix(x, "--"):
			return
		case strings.HasPrefix(x, "-"):
		default:
			if strings.HasSuffix(x, ".py") {
				if l.add(File, x); len(l.Named) > 0 {
					l.flags(w[i+1:], x)
				}
			}
			return
		}
	}
}

// flags adds the long flags that are given to a script or module.
func (l *Line) flags(w []string, of string) {
	for _, x := range w {
		if name, _, _ := strings.Cut(x, "="); flagShape.MatchString(name) && name != "--help" && name != "--version" {
			l.Named = append(l.Named, Named{Flag, name, of})
		}
	}
}

var flagShape = regexp.MustCompile(`^--[a-z][a-z0-9]+(?:[-_][a-z0-9]+)*$`)

// runner is what a program runs that keeps the project's environment.
func (l *Line) runner(w []string) {
	if len(w) > 2 && w[0] == "pip" {
		l.valueOf(w, "-r", "--requirement")
	}
	if len(w) < 2 || w[0] != "run" {
		return
	}
	for w = w[1:]; len(w) > 0 && strings.HasPrefix(w[0], "-"); w = w[1:] {
		if w[0] != "--frozen" && w[0] != "--no-sync" && w[0] != "--locked" {
			return // its value may follow
		}
	}
	switch {
	case len(w) == 0:
	case strings.HasSuffix(w[0], ".py"):
		l.python(w)
	case starts.MatchString(w[0]):
		if len(w) > 1 {
			l.words(w)
		}
	default:
		l.add(Entry, w[0])
	}
}

// tests adds the files and folders of tests that are named.
func (l *Line) tests(w []string) {
	for i, x := range w {
		if strings.HasPrefix(x, "-") || i > 0 && len(w[i-1]) == 2 && strings.HasPrefix(w[i-1], "-") && strings.ContainsAny(w[i-1][1:], "kmcpno") {
			continue
		}
		name, _, _ := strings.Cut(x, "::")
		if strings.HasSuffix(name, ".py") {
			l.add(File, name)
		} else if strings.Contains(name, "/") || name == "tests" {
			l.add(Folder, strings.TrimSuffix(name, "/"))
		}
	}
}

// quietFlag are the flags of npm and its kin that have no value.
var quietFlag = regexp.MustCompile(`^(?:-s|--(?:silent|if-present|ignore-scripts|quiet))$`)

func (l *Line) scripts(w []string) {
	switch {
	case len(w) > 1 && (w[0] == "run" || w[0] == "run-script"):
		for w = w[1:]; len(w) > 1 && quietFlag.MatchString(w[0]); w = w[1:] {
		}
		if !strings.HasPrefix(w[0], "-") { // its value may follow
			l.add(Script, w[0])
		}
	case len(w) == 1 && (w[0] == "test" || w[0] == "start"):
		l.add(Script, w[0])
	}
}

func (l *Line) compose(w []string) {
	l.valueOf(w, "-f", "--file")
	for i, x := range w {
		if x == "up" || x == "build" || x == "run" || x == "exec" {
			if len(l.Named) == 0 {
				l.Named = append(l.Named, Named{Kind: Service})
			}
			for _, s := range w[i+1:] {
				if strings.HasPrefix(s, "-") {
					continue
				}
				l.add(Service, s)
				if x == "run" || x == "exec" {
					break
				}
			}
			return
		}
	}
}
