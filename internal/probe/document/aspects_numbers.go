package document

import (
	"slices"
	"strings"

	"github.com/automaton-auditor/automaton/internal/court"
	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
	"github.com/automaton-auditor/automaton/internal/passage"
	"github.com/automaton-auditor/automaton/internal/probe"
)

// enoughCounts is how many counts make a document one that can be held to its
// numbers. A design choice.
const enoughCounts = 3

var roughCount = regexp.MustCompile(`(?i)^(?:about|around|approx|roughly|some|up to|~|≈|nearly|almost|over|more than|at least|>|≥)|\+`)

// numbersAspect answers one question about the counts of a document.
func numbersAspect(l *ledger, aspect string) probe.Finding {
	all := l.of(ofNumber)
	has := func(noun string) []claim {
		return slices.DeleteFunc(slices.Clone(all), func(c claim) bool { return !strings.Contains(strings.ToLower(c.Subject), noun) })
	}
	switch aspect {
	case "named":
		given := once(all)
		if len(given) == 0 {
			return probe.Missing(court.One, l.source(court.Structure), "The document gives no count of what is in the repository.")
		}
		f := probe.Partly(probe.Ratio(min(len(given), enoughCounts), enoughCounts), l.source(court.Structure), nil, "The document gives %s: %s.", court.Count(len(given), "count"), subjects(given))
		return l.cited(f, given[:min(len(given), 5)]...)
	case "tests":
		return numbersFinding(l, once(has(" test")))
	case "commits":
		return numbersFinding(l, once(has("commit")))
	case "lines":
		return numbersFinding(l, once(has(" lines")))
	case "versions":
		return l.versions()
	case "current":
		return current(l, once(all))
	case "exact":
		return exactly(l, once(all))
	}
	rest := slices.DeleteFunc(slices.Clone(all), func(c claim) bool {
		low := strings.ToLower(c.Subject)
		return strings.Contains(low, " test") || strings.Contains(low, "commit") || strings.Contains(low, " lines")
	})
	return numbersFinding(l, once(rest))
}

// current asks for counts that were true once and are not any more.
func current(l *ledger, all []claim) probe.Finding {
	old, good := with(renamed, all), with(holds, all)
	if len(all) == 0 {
		return probe.Nothing(court.One, l.source(court.Crossref), "The document gives no count.")
	}
	if len(old) == 0 {
		return probe.Clean(court.One, l.source(court.Crossref), "No count was true at an earlier commit only. %d counts are right today.", len(good))
	}
	f := probe.Partly(probe.Ratio(len(good), len(good)+len(old)), l.source(court.Crossref), nil, "These counts were true at an earlier commit only: %s.", subjects(old))
	return l.cited(f, old...)
}

// exactly asks for counts that say how many, not about how many.
func exactly(l *ledger, all []claim) probe.Finding {
	if len(all) == 0 {
		return probe.Cannot(court.NoArtifact, nil, "The document gives no count.")
	}
	vague := slices.DeleteFunc(slices.Clone(all), func(c claim) bool { return !roughCount.MatchString(c.Subject) })
	if len(vague) == 0 {
		return l.cited(probe.Present(l.source(court.Structure), nil, "All %s are exact.", court.Count(len(all), "count")), all[0])
	}
	f := probe.Partly(probe.Ratio(len(all)-len(vague), len(all)), l.source(court.Structure), nil, "Of %s, these are approximate: %s.", court.Count(len(all), "count"), subjects(vague))
	return l.cited(f, vague[:min(len(vague), 5)]...)
}

// versioned is a name with a version behind it, as running text has them.
var versioned = regexp.MustCompile(`(?:^|[\s(*\x60"])([A-Za-z][A-Za-z0-9._@/-]{1,40})["'\x60]?\s*(?:version\s+|[vV]|==|>=|@|~=|\^)?\s?(\d{1,3}\.\d{1,4}(?:\.\d{1,4})?)\b`)

// pinnedTo is a version that a manifest fixes.
var pinnedTo = regexp.MustCompile(`(?:==\s*|:\s*"|=\s*"|<version>|\sv?)=?(\d[\w.]*)`)

// versions holds the versions that the document gives for packages against the
// manifests and lock files. A version that one of them names is right; another
// one is wrong only where the manifest fixes one.
func (l *ledger) versions() probe.Finding {
	var good, bad []claim
	open := 0
	seen := map[string]bool{}
	for i := range l.passages {
		p := &l.passages[i]
		if p.Kind == passage.Code {
			continue
		}
		for _, st := range statements(p) {
			for _, m := range versioned.FindAllStringSubmatch(st.text, 20) {
				key := strings.ToLower(m[1]) + " " + m[2]
				if seen[key] || mood(p, st.around) != done || len(seen) > 200 {
					continue
				}
				fate, at := l.repo.version(strings.ToLower(m[1]), m[2])
				c := claim{Kind: ofNumber, Subject: m[1] + " " + m[2], passage: p, sentence: st.text, proof: at}
				switch fate {
				case holds:
					good = append(good, c)
				case untrue:
					bad = append(bad, c)
				case undecided:
					open++
				default:
					continue
				}
				seen[key] = true
			}
		}
	}
	switch {
	case len(good)+len(bad)+open == 0:
		return probe.Nothing(court.One, l.source(court.Crossref), "The document gives no version of a package that a manifest declares.")
	case len(good)+len(bad) == 0:
		return probe.Cannot(court.Dynamic, nil, "The manifests allow the versions that the document gives, and others.")
	case len(bad) == 0:
		return l.cited(probe.Present(l.source(court.Crossref), nil, "The manifests name the versions that the document gives: %s.", subjects(good)), good[:min(len(good), 5)]...)
	}
	f := probe.Partly(probe.Ratio(len(good), len(good)+len(bad)), l.source(court.Crossref), nil, "The manifests fix another version than the document gives: %s.", subjects(bad))
	return l.cited(f, bad...)
}

// version looks a package's version up: never where no manifest declares it.
func (a *against) version(name, said string) (fate, []court.Place) {
	quoted := regexp.QuoteMeta(name)
	line := regexp.MustCompile(`(?im)^[^\n#]*(?:^|[\s"'/>])` + quoted + `(?:\[[^\]\n]*\])?["']?(?:[\s:=@<>~^!,{]|</artifactId>)[^\n]*$`)
	result, at := never, []court.Place(nil)
	for _, e := range a.entries {
		if !declares(e.Path) {
			continue
		}
		text := string(a.texts[e.Path])
		for _, m := range line.FindAllStringIndex(text, 10) {
			decl := text[m[0]:m[1]]
			here := court.Place{Path: e.Path, Line: 1 + strings.Count(text[:m[0]], "\n")}
			if after := decl[strings.Index(strings.ToLower(decl), name)+len(name):]; !strings.ContainsAny(after, "0123456789") {
				continue
			}
			if strings.Contains(decl, said) {
				return holds, []court.Place{here}
			}
			fixed := pinnedTo.FindStringSubmatch(decl)
			if fixed != nil && !strings.ContainsAny(decl, "<>~^*") && !strings.HasPrefix(fixed[1], said) {
				result, at = untrue, []court.Place{here}
			} else if result == never {
				result = undecided
			}
		}
	}
	return result, at
}

// declares tells the files that fix or bound versions.
func declares(file string) bool {
	low := strings.ToLower(file[strings.LastIndexByte(file, '/')+1:])
	switch low {
	case "pyproject.toml", "setup.py", "setup.cfg", "pipfile", "package.json", "go.mod", "cargo.toml", "pom.xml", "build.gradle", "build.gradle.kts", "composer.json", "gemfile", "pubspec.yaml":
		return true
	}
	return strings.HasPrefix(low, "requirements") && strings.HasSuffix(low, ".txt")
}
