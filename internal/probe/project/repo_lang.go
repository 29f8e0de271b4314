package project

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/probe"
)

func repoLang() probe.Probe {
	return probe.Probe{
		ID: "repo.lang", Version: "1", Target: court.GithubRepo,
		Title:  "There is code in a language that can be read",
		Doc:    "Counts production files by language, by their names, and the frameworks that manifests name. Languages that are read in structure at least: Python, Go, JavaScript, TypeScript, Java, Rust.",
		Remedy: "Put the program's source into the repository.",
		Effort: 60, Recall: court.One,
		Args: []probe.Arg{{Name: "min_lines", Type: "int", Default: 0, Doc: "so many lines of such code at least"},
			{Name: "else", Type: "string", Allowed: []string{"absent", "unknown"}, Default: "absent", Doc: "what fewer lines are: unknown where what follows is about code, and a text has none to be blamed for"}},
		Run: func(ctx context.Context, s *probe.Scene, a probe.Args) ([]probe.Finding, error) {
			inv, err := files(ctx, s)
			if err != nil {
				return nil, err
			}
			f := languages(inv, a.Int("min_lines", 0))
			if f.Outcome == court.Absent && a.String("else") == "unknown" {
				reason := court.NotSubmitted
				if inv.holds(code.Language.Code) {
					reason = court.NoDetector
				}
				gate := probe.Cannot(reason, nil, "%s", f.Rationale)
				if reason == court.NotSubmitted {
					gate = gate.Do("Put the program's source into the repository.")
				}
				gate.Data = f.Data
				f = gate
			}
			return []probe.Finding{f}, nil
		},
	}
}

func languages(inv *inventory, atLeast int) probe.Finding {
	bytes, lines := map[code.Language]int64{}, map[code.Language]int{}
	readable := 0
	var largest file
	for _, f := range inv.files {
		if f.scope != code.ScopeProduction || !f.lang.Code() {
			continue
		}
		n := code.File{Path: f.path, Bytes: []byte(f.text)}.Lines()
		bytes[f.lang] += f.size
		lines[f.lang] += n
		if level := f.lang.Level(); level == 'A' || level == 'B' {
			readable += n
		}
		if largest.path == "" || f.size > largest.size {
			largest = f
		}
	}
	order := slices.Collect(maps.Keys(bytes))
	slices.SortFunc(order, func(a, b code.Language) int {
		if bytes[a] != bytes[b] {
			return int(min(max(bytes[b]-bytes[a], -1), 1))
		}
		return strings.Compare(string(a), string(b))
	})
	var words []string
	for _, l := range order[:min(len(order), 6)] {
		words = append(words, fmt.Sprintf("%s of %s", court.Count(lines[l], "line"), l))
	}
	known := frameworks(inv)
	said := "The production code has " + orNone(words) + ". Frameworks in manifests: " + orNone(known) + "."
	if only := linesOnly(lines); only != "" {
		said += " Of " + only + " only the lines are counted, and its meaning is not read."
	}
	data := map[string]any{"bytes": bytes, "lines": lines, "frameworks": known}
	var f probe.Finding
	switch {
	case readable < atLeast:
		f = probe.Missing(court.One, court.Structure, "%s At least %d lines are asked for.", said, atLeast)
	case largest.path == "":
		f = probe.Missing(court.One, court.Structure, "%s", said)
	default:
		f = probe.Present(court.Structure, []court.Place{{Path: largest.path}}, "%s", said)
	}
	f.Data = data
	return f
}

// linesOnly names the languages that only lines are known of, where they are a
// fifth of the code or more: a script beside a program is not worth a word.
func linesOnly(lines map[code.Language]int) string {
	all := 0
	for _, n := range lines {
		all += n
	}
	var out []string
	for _, l := range slices.Sorted(maps.Keys(lines)) {
		if l.Level() == 'C' && lines[l]*5 >= all {
			out = append(out, string(l))
		}
	}
	return strings.Join(out, ", ")
}

// frameworks lists well-known names among the declared dependencies.
func frameworks(inv *inventory) []string {
	var out []string
	declared := inv.dependencies()
	for _, name := range []string{"angular", "axum", "crewai", "django", "express", "fastapi", "flask", "gin", "langchain", "langgraph", "next",
		"openai", "pydantic", "pytest", "react", "spring-boot", "sqlalchemy", "streamlit", "svelte", "tokio", "vue"} {
		if _, ok := declared[name]; ok {
			out = append(out, name)
		}
	}
	return out
}

func orNone(words []string) string {
	if len(words) == 0 {
		return "none"
	}
	return strings.Join(words, ", ")
}
