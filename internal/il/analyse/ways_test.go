package analyse_test

import (
	"strings"
	"testing"

	"github.com/automaton-auditor/automaton/internal/il"
	"github.com/automaton-auditor/automaton/internal/il/analyse"
)

func TestWays(t *testing.T) {
	p := program(t, `
-- m.py --
class Runner:
    @staticmethod
    def run(command, timeout=None):
        command = Runner.normal(command)
        start(command, timeout)

    @staticmethod
    def normal(command):
        first, *rest = command
        if first == "ls":
            return ["dir"] + rest
        return command

    @staticmethod
    def git(words):
        command = ["git"] + words
        return Runner.run(command, timeout=3)

def all(*words, **options):
    start(["git", *words], options)

def main(url):
    Runner.git(["clone", url])
    all("log", url, cwd=url)
    all("tag")
`)
	all := analyse.Of(p)
	var got []string
	for f := range p.All() {
		for _, in := range f.Instructions() {
			if in.Op != il.Call || in.Kind != "start" {
				continue
			}
			for _, way := range all.Names.Ways(f, in, func(analyse.Site) bool { return true }) {
				line := f.Name
				for _, s := range way {
					line += " < " + s.Function.Name
				}
				for _, o := range in.Args[1:] {
					for _, s := range all.Values.ShapesBy(way, f, o, in) {
						line += "\n  " + s.String()
					}
				}
				got = append(got, line)
			}
		}
	}
	want := `Runner.run < Runner.git < main
  ["git" "clone" {url#0}]
  ["dir" "clone" {url#0}]
  {3}
all < main
  ["git" "log" {url#0}]
  {cwd={url#0}}
all < main
  ["git" "tag"]
  {}`
	if text := strings.Join(got, "\n"); text != want {
		t.Errorf("%s\nwant\n%s", text, want)
	}
}
