package safety

import (
	"context"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/facts"
	"github.com/automaton-auditor/automaton/internal/probe"
	"github.com/automaton-auditor/automaton/internal/tables"
)

// spot is a place as the sheet writes it.
func spot(n code.Node) probe.Spot { return whole([]court.Place{place(n)}) }

// whole is the first of places as the sheet writes it: by its first line.
func whole(at []court.Place) probe.Spot {
	return probe.Spot{Place: court.Place{Path: at[0].Path, Line: at[0].Line, EndLine: at[0].Line}}
}

// toolFacts fills the tools section.
func toolFacts(ctx context.Context, s *probe.Scene, sheet *probe.Sheet) error {
	v, err := look(ctx, s)
	if err != nil {
		return err
	}
	if why := v.unseen(); why != "" {
		for _, key := range append([]string{"tools.os_system", "tools.shell_true", "tools.eval_exec"}, cloneKeys...) {
			sheet.Prove(key, "%s", why)
		}
		return nil
	}
	f := &sheet.Tools
	f.OSSystem, f.ShellTrue, f.EvalExec = []probe.Spot{}, []probe.Spot{}, []probe.Spot{}
	starts, err := processStarts(ctx, s)
	if err != nil {
		return err
	}
	started := 0
	for _, x := range starts.Facts {
		if !x.Value.Handed && strings.HasSuffix(x.At[0].Path, ".py") {
			started++
		}
		switch p := x.Value; {
		case !x.In("production") || x.Live == facts.No || p.Handed:
		case p.API == "os.system":
			f.OSSystem = append(f.OSSystem, whole(x.At))
		case p.Shell == facts.Yes && !p.Script && (tables.Of(tables.Process).Has(python, p.API, "option") || strings.HasSuffix(p.API, ".create_subprocess_shell")):
			f.ShellTrue = append(f.ShellTrue, whole(x.At))
		}
	}
	dangerous, err := dangers(ctx, s)
	if err != nil {
		return err
	}
	for _, d := range dangerous.Facts {
		if d.In("production") && (d.Value.Name == "builtins.eval" || d.Value.Name == "builtins.exec") {
			f.EvalExec = append(f.EvalExec, whole(d.At))
		}
	}
	for key, list := range map[string]*[]probe.Spot{"tools.os_system": &f.OSSystem, "tools.shell_true": &f.ShellTrue, "tools.eval_exec": &f.EvalExec} {
		slices.SortFunc(*list, func(a, b probe.Spot) int { return strings.Compare(a.String(), b.String()) })
		if len(*list) == 0 && len(v.unread) > 0 {
			*list = nil
			sheet.Prove(key, "none was found, but %s could not be read", court.Clean(v.unread[0].Path, 120))
		}
	}
	for _, key := range []string{"tools.os_system", "tools.shell_true", "tools.eval_exec"} {
		sheet.Prove(key, "%d calls looked at, %d of them start a process", len(v.p.Calls()), started)
	}
	x, err := lowerAll(ctx, s, v)
	if err != nil {
		return err
	}
	x.Lock()
	defer x.Unlock()
	cloneFacts(x, sheet)
	return nil
}

// cloneKeys are the facts of the clone.
var cloneKeys = []string{"tools.clone", "tools.clone_sandboxed", "tools.clone_cleanup", "tools.clone_errors_handled", "tools.clone_timeout", "tools.url_validated"}

// cloneFacts fills what is known of the clone that counts.
func cloneFacts(x *lowered, sheet *probe.Sheet) {
	v, f, all := x.survey, &sheet.Tools, x.clones()
	if len(all.sites) == 0 {
		if len(all.hidden) > 0 {
			for _, key := range cloneKeys {
				sheet.Prove(key, "the code speaks of cloning at %s, but no clone could be followed", all.hidden[0])
			}
			return
		}
		if len(v.unread) > 0 {
			sheet.Prove("tools.clone", "no clone was found, but %s could not be read", court.Clean(v.unread[0].Path, 120))
			return
		}
		f.Clone.How = new("none")
		for _, b := range []**bool{&f.CloneSandboxed, &f.CloneCleanup, &f.CloneErrorsHandled, &f.CloneTimeout, &f.URLValidated} {
			*b = new(false)
		}
		for _, key := range cloneKeys {
			sheet.Prove(key, "nothing clones: no process, library call or request fetches a repository")
		}
		return
	}
	s := all.sites[0]
	f.Clone.How, f.Clone.At = new(s.how), new(spot(s.at))
	sheet.Prove("tools.clone", "%s", spot(s.at))
	a := x.aim(s)
	if a.kind == aimUnknown {
		sheet.Prove("tools.clone_sandboxed", "where the clone goes could not be followed")
	} else {
		f.CloneSandboxed = new(a.kind == aimTemp)
		sheet.Prove("tools.clone_sandboxed", "%s: the clone goes %s", whole([]court.Place{a.proof}), goesTo(a.kind))
	}
	r := x.removal(s)
	f.CloneCleanup = r.complete.known()
	prove(sheet, "tools.clone_cleanup", r.why, r.proof)
	f.CloneErrorsHandled = x.siteNoticed(s).known()
	sheet.Prove("tools.clone_errors_handled", "%s: %s", spot(s.at), x.siteNoticed(s).say("a failure is noticed", "nobody notices a failure", "what becomes of the result could not be followed"))
	f.CloneTimeout = x.limitedSite(s).known()
	sheet.Prove("tools.clone_timeout", "%s: %s", spot(s.at), x.limitedSite(s).say("a time limit reaches the call", "no time limit reaches the call", "whether a time limit reaches the call could not be followed"))
	if test, tested, ok := x.urlTest(s); ok {
		f.URLValidated = new(tested)
		sheet.Prove("tools.url_validated", "on no way to %s is the URL tested and refused", spot(s.at))
		if tested {
			sheet.Prove("tools.url_validated", "%s", test.at)
		}
	} else {
		sheet.Prove("tools.url_validated", "which URL is cloned could not be followed")
	}
}

// prove notes places and a reason.
func prove(sheet *probe.Sheet, key, why string, at []code.Node) {
	var words []any
	for _, p := range places(at...) {
		words = append(words, p)
	}
	if why != "" {
		words = append(words, why)
	}
	if len(words) > 0 {
		sheet.Prove(key, "%s"+strings.Repeat(" %s", len(words)-1), words...)
	}
}
