package project

import (
	"context"
	"path"
	"slices"
	"strings"
	"unicode"

	"github.com/automaton-auditor/automaton/internal/court"
	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
	"github.com/automaton-auditor/automaton/internal/probe"
)

func repoReadme() probe.Probe {
	return probe.Probe{
		ID: "repo.readme", Version: "1", Target: court.GithubRepo,
		Title: "The README says what the project is for, how to set it up and how to run it, and shows an example",
		Doc: "Reads the README at the project or repository root for four things: a sentence of its own before any instruction; a heading or command that sets up; a heading or command that runs; and an example, as code, readmeImage or heading. " +
			"It knows headings in English and the usual commands; in a README in another script what is not found is unknown. Whether the words are true is not asked.",
		Remedy: "Say in the README what the project is for, how to set it up, how to run it, and show an example.",
		Effort: 20, Recall: 9500,
		Run: func(ctx context.Context, s *probe.Scene, _ probe.Args) ([]probe.Finding, error) {
			inv, err := files(ctx, s)
			if err != nil {
				return nil, err
			}
			f, ok := inv.readme()
			if !ok {
				entries, err := s.Entries()
				if err != nil {
					return nil, err
				}
				for _, e := range entries {
					if strings.HasPrefix(strings.ToLower(path.Base(e.Path)), "readme") && (path.Dir(e.Path) == "." || path.Dir(e.Path) == inv.layout.Root()) && e.Size != 0 {
						return []probe.Finding{probe.Cannot(court.NoDetector, []court.Place{{Path: e.Path}}, "%s could not be read as text.", shown(e.Path))}, nil
					}
				}
				return []probe.Finding{probe.Missing(court.One, court.Config, "There is no README with text at the root.")}, nil
			}
			return []probe.Finding{readReadme(f)}, nil
		},
	}
}

// readme is the README of the project, else of the repository; the longest
// where there are several.
func (inv *inventory) readme() (file, bool) {
	all := inv.pick(func(f file) bool {
		name := strings.TrimSuffix(f.base, path.Ext(f.base))
		at := f.dir() == "" || f.dir() == inv.layout.Root() || strings.EqualFold(f.dir(), ".github") || strings.EqualFold(f.dir(), "docs")
		return at && !f.blank() && f.text != "" && (name == "readme" || strings.HasPrefix(name, "readme.") || strings.HasPrefix(name, "readme_") || strings.HasPrefix(name, "readme-")) && !f.lang.Code()
	})
	if len(all) == 0 {
		return file{}, false
	}
	slices.SortStableFunc(all, func(a, b file) int {
		if (a.dir() == inv.layout.Root()) != (b.dir() == inv.layout.Root()) {
			if a.dir() == inv.layout.Root() {
				return -1
			}
			return 1
		}
		return len(b.text) - len(a.text)
	})
	return all[0], true
}

var (
	readmeHead  = regexp.MustCompile(`^\s{0,3}#{1,6}\s*(.+?)\s*#*\s*$|^=+\s+(\S.*)$|(?i)^<h[1-6][^>]*>(.*?)</h[1-6]>`)
	underline   = regexp.MustCompile(`^\s{0,3}(?:={3,}|-{3,}|~{3,}|\^{3,}|\*{3,}|\+{3,})\s*$`)
	fence       = regexp.MustCompile("^\\s*(?:[-*+]\\s+|\\d+[.)]\\s+|>\\s*)?(?:```|~~~)|^\\s*\\.\\. code(?:-block)?::|::\\s*$|(?i)<pre|\\{code")
	setupHead   = regexp.MustCompile(`(?i)\b(?:install\w*|set-?\s?up|getting started|get started|prerequisites?|requirements?|dependencies|build(?:ing)?|download|deploy\w*|compil\w*|configuration|environment|quick ?-?start|gradle|maven)\b`)
	runHead     = regexp.MustCompile(`(?i)\b(?:usage|run(?:ning)?|using|how to use|how it works|quick ?-?start|getting started|commands?|cli|start(?:ing)?|launch|execute|execution|demo|tutorial|examples?|how to)\b`)
	exampleHead = regexp.MustCompile(`(?i)\b(?:examples?|demo|screenshots?|samples?|showcase|tutorial|walkthrough|preview|sample output|what it looks like)\b`)
	setupLine   = regexp.MustCompile(`(?i)\b(?:pip3? install|uv (?:sync|pip|add|tool)|poetry (?:install|add)|pipx install|conda (?:install|env|create)|npm (?:ci|i|install)|yarn(?: install| add)?$|pnpm (?:i|install|add)|go (?:get|install|build|mod)|cargo (?:install|build|add)|brew install|apt(?:-get)? install|dnf install|pacman -S|docker(?:-| )(?:compose|build|pull)|git clone|mvn |gradlew? |make(?: install| build| setup)|python3? -m venv|implementation\s*\(?["']|<dependency>|gem install|composer (?:require|install)|dotnet (?:add|restore|build)|curl .*\|\s*(?:ba)?sh|pip-sync|bundle install)\b?`)
	runLine     = regexp.MustCompile(`(?i)(?:^|[\s$>])(?:uv run|poetry run|python3? (?:-m )?[\w./-]|uvicorn |gunicorn |streamlit run|flask run|npm (?:start|run)|npx |yarn (?:start|dev)|pnpm (?:start|dev)|node |go run|cargo run|docker(?:-| )(?:compose up|run)|java -jar|make (?:run|start|dev|serve|up)|\./[\w.-]+|langgraph (?:dev|up)|dotnet run|mvn .*run|bash |sh [\w./-]+\.sh|curl |open http)`)
	readmeImage = regexp.MustCompile(`!\[[^\]]*\]\(([^)\s]+)|(?i)<img[^>]+src=["']([^"']+)|^\s*\.\. (?:image|figure):: (\S+)`)
	badge       = regexp.MustCompile(`(?i)badge|shields\.io|travis|codecov|coveralls|/workflows/|circleci|\.svg\b.*(?:status|version)|pypi|npmjs|gitter|license`)
)

// contents is where the four things stand, 0 for what is not there.
type contents struct{ purpose, setup, run, example int }

func readReadme(f file) probe.Finding {
	c := readContents(f)
	var at []court.Place
	var missing []string
	for _, x := range []struct {
		line int
		what string
	}{{c.purpose, "what it is for"}, {c.setup, "how to set it up"}, {c.run, "how to run or use it"}, {c.example, "an example"}} {
		if x.line > 0 {
			at = append(at, f.place(x.line))
		} else {
			missing = append(missing, x.what)
		}
	}
	if len(missing) == 0 {
		return probe.Present(court.Config, at, "%s has a purpose, a setup, a way to run and an example.", shown(f.path))
	}
	if foreignScript(f.text) {
		return probe.Cannot(court.NoDetector, []court.Place{f.place(1)}, "The script of %s is not read in full; these parts were not found: %s.", shown(f.path), strings.Join(missing, ", "))
	}
	if len(at) == 0 {
		at = []court.Place{f.place(1)}
	}
	return probe.Partly(probe.Ratio(4-len(missing), 4), court.Config, at, "%s says %d of four things. These are missing: %s.", shown(f.path), 4-len(missing), strings.Join(missing, ", ")).Do("Add to %s: %s.", shown(f.path), strings.Join(missing, ", "))
}

// readContents goes through a README line by line.
func readContents(f file) contents {
	var c contents
	lines := strings.Split(f.text, "\n")
	note := func(at *int, n int) {
		if *at == 0 {
			*at = n
		}
	}
	inside, open, blocks := false, 0, 0
	for i, line := range lines {
		n := i + 1
		head := ""
		if m := readmeHead.FindStringSubmatch(line); m != nil && !inside {
			head = m[1] + m[2] + m[3]
		} else if i+1 < len(lines) && !inside && underline.MatchString(lines[i+1]) && strings.TrimSpace(line) != "" && len(line) < 80 && !underline.MatchString(line) {
			head = line
		}
		switch {
		case fence.MatchString(line):
			if inside = !inside || !strings.Contains(line, "```") && !strings.Contains(line, "~~~"); inside {
				open = n
				blocks++
			}
		case head != "":
			if setupHead.MatchString(head) {
				note(&c.setup, n)
			}
			if runHead.MatchString(head) {
				note(&c.run, n)
			}
			if exampleHead.MatchString(head) {
				note(&c.example, n)
			}
			continue
		case !inside && c.purpose == 0 && prose(line, lines, i):
			c.purpose = n
		}
		if setupLine.MatchString(line) {
			note(&c.setup, n)
		} else if inside && (runLine.MatchString(line) || c.setup > 0 && strings.TrimSpace(line) != "" && open != n && c.run > 0) {
			note(&c.run, n)
			note(&c.example, n)
		} else if inside && open != n && strings.TrimSpace(line) != "" && !setupLine.MatchString(line) && program(line) {
			note(&c.run, n)
			note(&c.example, n)
		}
		if runLine.MatchString(line) {
			note(&c.run, n)
		}
		for _, m := range readmeImage.FindAllStringSubmatch(line, 5) {
			if !badge.MatchString(m[1] + m[2] + m[3]) {
				note(&c.example, n)
			}
		}
	}
	return c
}

// program tells a line of code or a command from a tree of folders or a table.
func program(line string) bool {
	return !strings.ContainsAny(line, "├└│─╔║") && regexp.MustCompile(`^\s*(?:[$>#]\s*)?[A-Za-z@_.>$][\w.-]*(?:\(|\s*=|\s+[-\w.<"'/{[@]|\.\w+\()`).MatchString(line)
}

// prose tells a line that begins a sentence of some length.
func prose(line string, lines []string, i int) bool {
	text := strings.TrimLeft(strings.TrimSpace(line), "> *_")
	if text == "" || strings.HasPrefix(text, "[!") || strings.HasPrefix(text, "![") || strings.HasPrefix(text, "|") || strings.HasPrefix(text, "..") || strings.HasPrefix(text, "- [") {
		return false
	}
	if i+1 < len(lines) {
		text += " " + strings.TrimSpace(lines[i+1])
	}
	words := 0
	for w := range strings.FieldsSeq(regexp.MustCompile(`<[^>]*>|https?://\S+|[*_\x60]`).ReplaceAllString(text, " ")) {
		if strings.ContainsFunc(w, unicode.IsLetter) {
			words += 1
			if !isASCII(w) { // scripts without spaces
				words += len([]rune(w)) / 3
			}
		}
	}
	return words >= 6
}

func isASCII(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r > unicode.MaxASCII })
}

// foreignScript tells a text most of whose letters are not Latin.
func foreignScript(text string) bool {
	letters, other := 0, 0
	for _, r := range text {
		if unicode.IsLetter(r) {
			letters++
			if !unicode.Is(unicode.Latin, r) {
				other++
			}
		}
	}
	return other*4 > letters
}
