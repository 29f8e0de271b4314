package project

import (
	"context"
	"slices"

	"github.com/automaton-auditor/automaton/internal/code"
	"github.com/automaton-auditor/automaton/internal/court"
	regexp "github.com/automaton-auditor/automaton/internal/lazyregexp"
	"github.com/automaton-auditor/automaton/internal/probe"
	"github.com/automaton-auditor/automaton/internal/safetext"
)

// enoughErrors is how many places that expect an error are enough, and the share
// of test files, one in so many, that is asked for where there are few files.
// Design choice.
const (
	enoughErrors = 3
	errorFiles   = 10
	maxErrors    = 50 // places after which nothing more is looked for
)

func testsErrors() probe.Probe {
	return probe.Probe{
		ID: "tests.errors", Version: "1", Target: court.GithubRepo,
		Title: "Tests provoke errors",
		Doc: "Looks in test code, strings and comments left out, for what expects a failure in the usual test libraries: pytest.raises, assertThrows, toThrow, throws of an assertion, should_panic, is_err, a recovered panic, errors.Is, wantErr, a call that must not return without error, a status of 4xx. " +
			"Three such places are enough, or one for each ten test files where there are fewer; whether the right error is expected is not asked. Tests in languages whose libraries are not known here are unknown.",
		Remedy: "Add tests that give wrong input and check which error comes.",
		Effort: 30, Recall: 8500,
		Run: probe.Of(testCode, expectErrors),
	}
}

var (
	expectsError = regexp.MustCompile(`\b(?:raises\w*|assert_?[rR]aises?\w*|assert_?[tT]hrows?\w*|assertFails\w*|assertThat\w*Throw\w*|thrownBy|expectThrows|shouldThrow|shouldFail\w*|should_panic|raise_error|raise_exception|unwrap_err|expect_err\w*|is_err|assert_err\w*|assert_failure\w*|assertErr\w*|toThrow\w*|rejects|rejectedWith|ExpectedException|expectException\w*|expectError\w*|expectedErr\w*|ErrorIs|ErrorAs|ErrorContains|EqualError|[wW]antErr\w*|shouldErr\w*|isErr|errExpected|(?:EXPECT|ASSERT|REQUIRE|CHECK)_(?:THROW\w*|DEATH\w*|ANY_THROW)|REQUIRE_THROWS\w*|assertRaise|catch_error|ShouldThrow\w*|ThrowsA\w+|ThrowsExactly\w*)\b|\bThrows\s*[.<]|\.Throw(?:Async|Exactly\w*)?\s*<|\bRecord\.Exception|` +
		`\b(?:require|assert|is)\.Error\b|\berrors\.(?:Is|As)\b|\bexpected\s*=\s*\w+(?:Exception|Error)\b|\bmatches!\s*\([^()]*(?:\([^()]*\))?[^()]*,\s*Err\b|\berr\s*==\s*nil\b|\bErr\s*\(|\bfail\s*\(\s*\)?|\.throws(?:Async)?\s*\(|\bexpect\s*\(\s*[45]\d\d\b|\brecover\s*\(\s*\)|\b[wW]ant_?Panic\w*|\b\w+Panics?\s*\(|\bPanics\w*\s*\(|(?i:\bstatus\w*)\W{1,12}(?:4\d\d\b|\w*\.?Status(?:Bad|Not|Unauth|Forbid|Conflict|Unproc)\w*)`)
	testsKnown = []code.Language{"python", "go", "javascript", "typescript", "java", "kotlin", "rust", "c#", "c++", "ruby", "php", "scala", "elixir", "swift"}
)

// testCode is the code of test files, and of the tests that Rust keeps beside
// what they test.
func testCode(ctx context.Context, s *probe.Scene) ([]divided, error) {
	all, err := sources(ctx, s, "tests")
	if err != nil {
		return nil, err
	}
	own, err := sources(ctx, s, "production")
	if err != nil {
		return nil, err
	}
	for _, d := range own {
		if d.file.lang == "rust" && unitTests.MatchString(d.file.text) {
			all = append(all[:len(all):len(all)], d)
		}
	}
	return all, nil
}

func expectErrors(all []divided) probe.Finding {
	var at []court.Place
	known, files := 0, 0
	for _, d := range all {
		if len(at) >= maxErrors {
			break
		}
		if slices.Contains(testsKnown, d.file.lang) {
			known++
		}
		text := d.code()
		from := 0
		if d.file.lang == "rust" && d.file.scope == code.ScopeProduction {
			from = testsFrom(text)
		}
		found := expectsError.FindAllStringIndex(text[from:], 200)
		if len(found) > 0 {
			files++
		}
		for _, m := range found {
			at = append(at, d.file.place(lineOf(text, from+m[0])))
		}
	}
	want := min(enoughErrors, max(1, (len(all)+errorFiles-1)/errorFiles))
	switch {
	case len(at) >= want:
		many := ""
		if len(at) >= maxErrors {
			many = "at least "
		}
		return probe.Present(court.Structure, at, "%s in %s%s expect an error.", safetext.Capital(many+court.Count(len(at), "place")), many, court.Count(files, "test file"))
	case len(at) > 0:
		return probe.Partly(probe.Ratio(len(at), want), court.Structure, at, "%s in %s, of %d, expect an error.", court.Count(len(at), "place"), court.Count(files, "test file"), len(all))
	case len(all) > 0 && known == 0:
		return probe.Cannot(court.NoDetector, nil, "The audit does not know how tests in these languages expect errors.")
	}
	return probe.Missing(probe.Ratio(known, max(len(all), 1)), court.Structure, "Nothing in %s expects an error.", court.Count(len(all), "test file"))
}
