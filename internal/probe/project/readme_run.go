package project

import (
	"context"
	"path"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/command"
	"github.com/automaton-auditor/automaton/internal/court"
	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
	"github.com/automaton-auditor/automaton/internal/passage"
	"github.com/automaton-auditor/automaton/internal/probe"
	"github.com/automaton-auditor/automaton/internal/safetext"
)

func readmeRun() probe.Probe {
	return probe.Probe{
		ID: "readme.run", Version: "2", Target: court.GithubRepo,
		Title: "The commands name what exists",
		Doc: "Collects the command lines of the README, or of the document, and looks for what they name: scripts and files, modules of python -m, targets of make, scripts of package.json, compose files and services, flags of the project's own scripts. " +
			"What is to be filled in, what is installed from elsewhere, what is made by hand and a file that a listing before the command may show is left out. Nothing is run, and whether a command does what the text says is not asked.",
		Remedy: "Correct the command, or add what it names.", Effort: 15, Recall: 8500,
		Args: []probe.Arg{{Name: "over", Type: "string", Allowed: []string{"readme", "document"}, Default: "readme", Doc: "whose commands"}},
		Several: func(a probe.Args) probe.Several {
			if a.String("over") == "document" {
				return probe.Every
			}
			return probe.Once
		},
		Run: func(ctx context.Context, s *probe.Scene, a probe.Args) ([]probe.Finding, error) {
			tree, err := s.Commands(ctx)
			if err != nil {
				return nil, err
			}
			var found []printed
			if a.String("over") == "document" {
				found, err = inDocument(ctx, s)
			} else {
				found, err = inReadme(ctx, s)
			}
			if err != nil {
				return nil, err
			}
			return []probe.Finding{runnable(tree, found)}, nil
		},
	}
}

// printed is a command with the place at which it is printed, and the words
// there when that is a page.
type printed struct {
	command command.Line
	at      court.Place
	quote   string
	langs   []string // languages of the listings before it
}

// shows reports whether a file that a command names may be a listing that stands before it: a reader is to write it.
func (x printed) shows(n command.Named) bool {
	return n.Kind == command.File && !strings.Contains(n.Name, "/") && slices.ContainsFunc(x.langs, func(lang string) bool {
		return lang != "" && (lang == string(code.File{Path: n.Name}.Language()) || "."+lang == path.Ext(n.Name))
	})
}

// inReadme lists the commands of the README: of its listings, and of what it
// sets in code type within running text.
func inReadme(ctx context.Context, s *probe.Scene) ([]printed, error) {
	inv, err := files(ctx, s)
	if err != nil {
		return nil, err
	}
	f, ok := inv.readme()
	if !ok {
		return nil, &probe.Unable{Reason: court.NoArtifact, Why: "there is no README with text at the root"}
	}
	var out []printed
	var langs []string
	away := false // the reader was led to a folder outside
	for _, p := range passage.FromMarkdown(f.text) {
		if p.Kind == passage.Code {
			for _, l := range p.Lines {
				if leaves.MatchString(l.Text) || returns.MatchString(l.Text) {
					away = leaves.MatchString(l.Text)
				}
				if away {
					continue
				}
				for _, c := range command.Listing(l.Text) {
					out = append(out, printed{command: c, at: f.place(max(l.Number, 1)), langs: langs})
				}
			}
			langs = append(langs, p.Lang)
		}
	}
	makes := slices.ContainsFunc(inv.files, func(f file) bool { return f.lang == "make" })
	for i, line := range strings.Split(f.text, "\n") {
		for _, m := range inTicks.FindAllStringSubmatch(line, 10) {
			for _, c := range command.Listing(m[1]) {
				if !makes && slices.ContainsFunc(c.Named, func(n command.Named) bool { return n.Kind == command.Target }) {
					continue // a sentence may speak of another project
				}
				out = append(out, printed{command: c, at: f.place(i + 1)})
			}
		}
	}
	return out, nil
}

var (
	leaves  = regexp.MustCompile(`\bcd\s+["']?[/~]`)
	returns = regexp.MustCompile(`\bcd\s|\bgit clone\b`)
)

var inTicks = regexp.MustCompile("(?:^|[^`])`([^`\n]{3,200})`(?:[^`]|$)")

// inDocument lists the commands of the document.
func inDocument(ctx context.Context, s *probe.Scene) ([]printed, error) {
	r, err := s.Passages(ctx)
	if err != nil {
		return nil, err
	}
	var out []printed
	for i := range r.Passages {
		p := &r.Passages[i]
		find := command.Text
		if p.Kind == passage.Code {
			find = command.Listing
		}
		for _, l := range p.Lines { // a command is quoted by the line that it stands on
			for _, c := range find(l.Text) {
				if s.Written() {
					out = append(out, printed{command: c, at: s.WrittenAt(l.Number, l.Number)})
					continue
				}
				out = append(out, printed{command: c, at: court.Place{Page: l.Page, Digest: s.PDFDigest()}, quote: strings.TrimSpace(l.Text)})
			}
		}
	}
	return out, nil
}

// runnable weighs each command once. Those of which nothing could be looked up
// do not count.
func runnable(tree command.Project, found []printed) probe.Finding {
	seen := map[string]bool{}
	good := 0
	var bad, fine []court.Place
	var names []string
	quote := ""
	for _, x := range found {
		if seen[x.command.Text] || len(seen) > 200 {
			continue
		}
		seen[x.command.Text] = true
		var gone []string
		known := false
		for _, r := range tree.Check(x.command) {
			known = known || r.Answer == command.There || r.Answer == command.Moved
			if r.Answer == command.Gone && !x.shows(r.Named) {
				gone = append(gone, court.Clean(r.String(), 80))
			}
		}
		switch {
		case len(gone) > 0:
			if len(bad) == 0 {
				quote = x.quote
			}
			bad = append(bad, x.at)
			names = append(names, gone...)
		case known:
			good++
			fine = append(fine, x.at)
			if good == 1 && len(bad) == 0 {
				quote = x.quote
			}
		}
	}
	switch {
	case good+len(bad) == 0:
		return probe.Nothing(court.One, court.Crossref, "No command names anything of the project.")
	case len(bad) == 0:
		f := probe.Present(court.Crossref, fine[:min(len(fine), 5)], "Each command that names something of the project names what exists (%d).", good)
		f.Quote = quote
		return f
	}
	all := good + len(bad)
	f := probe.Partly(probe.Ratio(good, all), court.Crossref, bad, "%s that %s something of the project %s what does not exist: %s.",
		safetext.Capital(court.Of(len(bad), all, "command")), court.Agree(all, all, "names", "name"), court.Agree(len(bad), all, "names", "name"), strings.Join(names[:min(len(names), 5)], ", ")).
		Do("Correct these commands, or add what they name: %s.", few(names, 5))
	f.Quote = quote
	return f
}
