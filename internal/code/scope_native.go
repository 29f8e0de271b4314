package code

import (
	"path"
	"slices"
	"strings"

	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
	"github.com/automaton-auditor/automaton/internal/tables"
)

// What the builders of Java, Rust and Go agree on, where it differs from what
// folders are called elsewhere.

// sourceSet is where a file of a language of the Java machine stands: in the
// builders' layout src/SET/LANGUAGE the folders below are its package, and a
// package "com.example.demo" is not an example.
type sourceSet struct {
	outer []string // folders around the source set, lower case
	name  string   // "main", "test", ...; "" without that layout
}

// topLevel begin the names of packages outside of the builders' layout.
var topLevel = []string{"com", "org", "net", "io", "dev", "edu", "gov"}

func jvm(ext string) bool { return isOneOf(ext, ".java", ".kt", ".scala", ".groovy") }

func sourceSetOf(folders []string) sourceSet {
	for i := range folders {
		if folders[i] == "src" && i+2 < len(folders) && isOneOf(folders[i+2], "java", "kotlin", "scala", "groovy") {
			return sourceSet{folders[:i], folders[i+1]}
		}
	}
	if i := slices.IndexFunc(folders, func(f string) bool { return slices.Contains(topLevel, f) }); i >= 0 {
		return sourceSet{outer: folders[:i]}
	}
	return sourceSet{outer: folders}
}

// tests tells a source set that is not shipped: tests, their fixtures, and
// benchmarks.
func (s sourceSet) tests() bool {
	return strings.HasPrefix(s.name, "test") || strings.HasSuffix(s.name, "test") || isOneOf(s.name, "it", "jmh", "inttests")
}

// testClass is what Maven takes for a test by its name, in the case it has.
var testClass = regexp.MustCompile(`^Test[A-Z0-9].*\.(java|kt|scala|groovy)$|(^|[a-z0-9])(Tests?|TestCase|IT)\.(java|kt|scala|groovy)$|[a-z0-9]Spec\.(scala|groovy)$`)

// testType is what the file of a class of tests is called in C#, in the case it has.
var testType = regexp.MustCompile(`[a-z0-9](Tests?|Specs?|Facts)\.cs$`)

// testProject tells a folder that is called as a project of tests in C# is: by a part of its name.
func testProject(folder string) bool {
	return slices.ContainsFunc(strings.Split(folder, "."), func(part string) bool {
		return tables.Within([]string{part}, "tests") || strings.HasSuffix(part, "tests") || isOneOf(part, "unittest", "integrationtest", "benchmarks", "specs")
	})
}

// native classifies the source files of these languages; false for all others.
func (l *Layout) native(p, base string, folders []string) (Scope, bool) {
	ext := path.Ext(base)
	switch {
	case jvm(ext):
		set := sourceSetOf(folders)
		switch {
		case l.vendored(p, set.outer) || l.built(p, folders) || base == "mavenwrapperdownloader.java":
			return ScopeVendor, true
		case set.tests(), set.name == "" && (tables.Within(folders, "tests") || testClass.MatchString(path.Base(p))), tables.Within(set.outer, "tests"):
			return ScopeTest, true
		case tables.Within(set.outer, "examples"):
			return ScopeExample, true
		}
		return classifyPlain(p, base, set.outer), true
	case ext == ".cs" && !l.vendored(p, folders) && (slices.ContainsFunc(folders, testProject) || testType.MatchString(path.Base(p))):
		return ScopeTest, true
	case ext == ".rs" && !l.vendored(p, folders) && (anyOf(folders, "benches", "fuzz_targets") || isOneOf(base, "tests.rs", "test.rs") || strings.HasSuffix(base, "_tests.rs")):
		return ScopeTest, true
	}
	return "", false
}

// built tells what a builder of the Java machine has written below a module.
func (l *Layout) built(p string, folders []string) bool {
	for i, name := range folders {
		if name == "build" && (l.has(path.Join(join(p, i), "build.gradle")) || l.has(path.Join(join(p, i), "build.gradle.kts"))) {
			return true
		}
	}
	return false
}

// product tells whether a folder that is called build or dist holds what was
// built: sources of Go, Rust and Java there are as good as any.
func product(p string) bool {
	ext := strings.ToLower(path.Ext(p))
	return ext != ".go" && ext != ".rs" && !jvm(ext)
}

var (
	// goGenerated is what the tools of Go take for the mark of a generator, before
	// goPackage.
	goGenerated = regexp.MustCompile(`(?m)^// Code generated .* DO NOT EDIT\.\r?$`)
	goPackage   = regexp.MustCompile(`(?m)^package `)
	// wroteIt are marks of generators in the first lines: over two lines, or
	// without a word about editing.
	wroteIt = regexp.MustCompile(`(?is)generated\b.{0,200}?\bdo not (edit|modify)|(^|[\s*/])@generated\b|\bgenerated (from \S+ by ANTLR|by rust-bindgen)`)
	// javaGenerated is the annotation of a class at the outermost level. Others of
	// that name mean other things.
	javaGenerated = regexp.MustCompile(`(?m)^@(javax|jakarta)\.annotation\.(processing\.)?Generated\b`)
	javaMarked    = regexp.MustCompile(`(?ms)^import (javax|jakarta)\.annotation\.(processing\.)?Generated\b.*^@Generated\b`)
)

// generatedBy tells whether a source file of Go, Rust or Java says that a
// generator wrote it.
func generatedBy(p string, content []byte) bool {
	content = content[:min(len(content), 16<<10)]
	switch strings.ToLower(path.Ext(p)) {
	case ".go":
		if at := goPackage.FindIndex(content); at != nil {
			content = content[:at[0]]
		}
		return goGenerated.Match(content)
	case ".rs":
		return wroteIt.Match(head(content))
	case ".java", ".kt":
		return wroteIt.Match(head(content)) || javaGenerated.Match(content) || javaMarked.Match(content)
	}
	return false
}
