package code

import (
	"bytes"
	"path"
	"slices"
	"strings"

	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
	"github.com/automaton-auditor/automaton/internal/tables"
)

// Scope is the class of a path: what a file is for.
type Scope string

// Scope classes, in the order in which the rules are tried, except that
// reports in an audit folder are tried before other documents. Other is a file
// that fits no rule.
const (
	ScopeVendor     Scope = "vendor"
	ScopeGenerated  Scope = "generated"
	ScopeTest       Scope = "test"
	ScopeExample    Scope = "example"
	ScopeDocs       Scope = "docs"
	ScopeAudit      Scope = "audit"
	ScopeConfig     Scope = "config"
	ScopeProduction Scope = "production"
	ScopeOther      Scope = "other"
)

var (
	generatedName = regexp.MustCompile(`\.pyc$|_pb2(_grpc)?\.pyi?$|\.pb\.go$`)
	testName      = regexp.MustCompile(`^test_.*\.py$|_test\.py$|^conftest\.py$|^tests\.py$|_test\.go$|\.(test|spec)\.[cm]?[jt]sx?$|_test\.rs$`)
	testScript    = regexp.MustCompile(`^tests?(\.\w+)?\.[cm]?[jt]sx?$`) // at the root; below it the word may mean another thing
	generatedHead = regexp.MustCompile(`(?i)generated\b.*\bdo not (edit|modify)`)
	requirements  = regexp.MustCompile(`^requirements([-_.].*)?\.(txt|in)$`)
)

// headLines is how many lines of a file are searched for the mark of a
// generator.
const headLines = 5

// classify applies the rules of a path; folder rules that need neighbours ask l.
func (l *Layout) classify(p string) Scope {
	lower := strings.ToLower(p)
	base := path.Base(lower)
	folders := strings.Split(lower, "/")
	folders = folders[:len(folders)-1]
	if scope, ok := l.native(p, base, folders); ok {
		return scope
	}
	switch {
	case l.vendored(p, folders) || strings.HasSuffix(base, ".min.js") || strings.HasSuffix(base, ".egg-info"):
		return ScopeVendor
	case tables.Within(folders, "caches") || generatedName.MatchString(base) || tables.Lock(base) != "":
		return ScopeGenerated
	case tables.Within(folders, "tests") || testName.MatchString(base) || len(folders) == 0 && testScript.MatchString(base):
		return ScopeTest
	case tables.Within(folders, "examples"),
		strings.HasSuffix(base, ".ipynb"):
		return ScopeExample
	}
	return classifyPlain(p, base, folders)
}

// classifyPlain tells documents, configuration and code apart.
func classifyPlain(p, base string, folders []string) Scope {
	ext := path.Ext(base)
	config := declaring(base) || requirements.MatchString(base) || base == "cmakelists.txt"
	switch {
	case anyOf(folders, "audit", "audits", "report", "reports") && isOneOf(ext, ".md", ".json", ".pdf"):
		return ScopeAudit
	case !config && isOneOf(ext, ".md", ".rst", ".txt", ".pdf", ".docx"), anyOf(folders, "docs"):
		return ScopeDocs
	case config || strings.HasPrefix(base, ".") || hidden(folders) || isOneOf(ext, ".toml", ".yaml", ".yml", ".json"),
		strings.HasPrefix(base, "dockerfile"), strings.HasPrefix(base, "docker-compose"), base == "jenkinsfile":
		return ScopeConfig
	case (File{Path: p}).Language() != "":
		return ScopeProduction
	}
	return ScopeOther
}

// vendored reports whether one of the folders of p holds other people's code
// or build products.
func (l *Layout) vendored(p string, folders []string) bool {
	if tables.Within(folders, "packages", "vendored", "built") {
		return true
	}
	for i, name := range folders {
		switch name {
		case "dist", "build":
			if product(p) {
				return true
			}
		case "env":
			dir := join(p, i+1)
			if l.has(dir+"/pyvenv.cfg") || l.has(dir+"/bin/activate") || l.has(dir+"/Scripts/activate") {
				return true
			}
		case "target":
			if dir := join(p, i); l.has(path.Join(dir, "Cargo.toml")) || l.has(path.Join(dir, "pom.xml")) {
				return true
			}
		}
		if strings.HasSuffix(name, ".egg-info") {
			return true
		}
	}
	return false
}

// join returns the first n components of a path.
func join(p string, n int) string {
	parts := strings.SplitN(p, "/", n+1)
	return strings.Join(parts[:min(n, len(parts))], "/")
}

// declaring reports whether a file name (lower case) declares a project.
func declaring(base string) bool {
	return isOneOf(base, "pyproject.toml", "setup.py", "setup.cfg", "requirements.txt", "package.json",
		"go.mod", "cargo.toml", "pom.xml", "build.gradle", "build.gradle.kts", "pipfile")
}

// rootManifest reports whether a file name (lower case) can mark the project root.
func rootManifest(base string) bool {
	return isOneOf(base, "pyproject.toml", "setup.py", "requirements.txt", "package.json", "go.mod",
		"cargo.toml", "pom.xml", "build.gradle", "build.gradle.kts")
}

// marked reports whether the first lines say that a generator wrote the file.
func marked(content []byte) bool { return generatedHead.Match(head(content)) }

// head is the first lines of a file.
func head(content []byte) []byte {
	head := content
	for i, n := 0, 0; i < len(content); i++ {
		if content[i] != '\n' {
			continue
		}
		if n++; n == headLines {
			head = content[:i]
			break
		}
	}
	return bytes.TrimSpace(head[:min(len(head), 4096)])
}

func hidden(folders []string) bool {
	for _, f := range folders {
		if strings.HasPrefix(f, ".") && f != "." && f != ".." {
			return true
		}
	}
	return false
}

func anyOf(list []string, wanted ...string) bool {
	for _, s := range list {
		if isOneOf(s, wanted...) {
			return true
		}
	}
	return false
}

func isOneOf(s string, list ...string) bool {
	return slices.Contains(list, s)
}
