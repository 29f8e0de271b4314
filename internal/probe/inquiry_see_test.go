package probe_test

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/automaton-auditor/automaton/internal/court"
	"github.com/automaton-auditor/automaton/internal/probe"
)

// see is what calls show, as an Inquirer gets it.
func see(t testing.TB, s func(*inquirer) *probe.Scene, calls ...probe.Call) []string {
	t.Helper()
	in := &inquirer{moves: []probe.Move{{Calls: calls}}}
	scene := s(in)
	inquire(t, scene, court.RepoInvestigator, contracts(court.GithubRepo))
	if len(in.asked) != 2 {
		t.Fatalf("%d turns", len(in.asked))
	}
	var out []string
	for _, x := range in.asked[1].Seen {
		if len(x.Text) > 8<<10 || !utf8.ValidString(x.Text) {
			t.Errorf("%+v shows %d bytes", x.Call, len(x.Text))
		}
		out = append(out, x.Text)
	}
	return out
}

func inquired(t testing.TB, archive string) func(*inquirer) *probe.Scene {
	return func(in *inquirer) *probe.Scene {
		return inquiryScene(t, archive, func(o *probe.Options) { o.Inquirer = in })
	}
}

func TestSee(t *testing.T) {
	tests := []struct {
		name string
		call probe.Call
		want string
	}{
		{"list", probe.Call{Tool: "list", Query: "app/*.py"}, "app/main.py (294 bytes)\napp/settings.py (50 bytes)\napp/spare.py (42 bytes)"},
		{"a link", probe.Call{Tool: "list", Query: "link*"}, "link.py (symlink, never followed)"},
		{"no files", probe.Call{Tool: "list", Query: "*.rs"}, "nothing"},
		{"a bad glob", probe.Call{Tool: "list", Query: strings.Repeat("a", 280) + "[b-a]"}, "reading glob"},
		{"read", probe.Call{Tool: "read", Path: "app/main.py", From: 8, To: 9}, "app/main.py, lines 8 to 9 of 13\n8|     total = json.loads(order)[\"total\"]\n9|     return total * 2"},
		{"a secret", probe.Call{Tool: "read", Path: "app/settings.py", From: 1, To: 1}, "app/settings.py, lines 1 to 1 of 2\n1| API = \"[redacted:anthropic_key]\""},
		{"past the end", probe.Call{Tool: "read", Path: "app/main.py", From: 99}, "\"app/main.py\" has 13 lines"},
		{"a link is not read", probe.Call{Tool: "read", Path: "link.py"}, "\"link.py\" is a symlink, which is never followed"},
		{"outside", probe.Call{Tool: "read", Path: "../../etc/passwd"}, "there is no file \"../../etc/passwd\" at this commit"},
		{"absolute", probe.Call{Tool: "read", Path: "/etc/passwd"}, "there is no file \"/etc/passwd\" at this commit"},
		{"git's own", probe.Call{Tool: "read", Path: ".git/config"}, "there is no file \".git/config\" at this commit"},
		{"grep", probe.Call{Tool: "grep", Query: `again|json\.`}, "README.md:1: Orders are validated strictly and tried again.\napp/main.py:8:     total = json.loads(order)[\"total\"]"},
		{"grep in code", probe.Call{Tool: "grep", Query: "json", Where: "code"}, "app/main.py:2: import json\napp/main.py:8:     total = json.loads(order)[\"total\"]"},
		{"grep in comments", probe.Call{Tool: "grep", Query: "retries", Where: "comment"}, "app/main.py:1: \"\"\"Handles orders, retries included.\"\"\"\napp/main.py:7:     # retries three times\ndeploy.yml:1: run: make deploy # retries"},
		{"grep in strings", probe.Call{Tool: "grep", Query: "total", Where: "string", Path: "app/**"}, "app/main.py:8:     total = json.loads(order)[\"total\"]\napp/main.py:13:     print(handle('{\"total\": 1}'))"},
		{"grep for a secret", probe.Call{Tool: "grep", Query: "API", Path: "app/*"}, "app/settings.py:1: API = \"[redacted:anthropic_key]\""},
		{"a bad pattern", probe.Call{Tool: "grep", Query: "(a"}, "the pattern \"(a\" cannot be read"},
		{"no pattern", probe.Call{Tool: "grep"}, "the pattern \"\" cannot be read"},
		{"a bad part", probe.Call{Tool: "grep", Query: "a", Where: "dreams"}, "where is any, code, string or comment, not \"dreams\""},
		{"symbols", probe.Call{Tool: "symbols", Query: "handle"}, "function app.main.handle app/main.py:5-9"},
		{"symbols by a star", probe.Call{Tool: "symbols", Query: "*hand*"}, "function app.main.handle app/main.py:5-9\nfunction tests.test_main.test_handle tests/test_main.py:2-2"},
		{"no symbol", probe.Call{Tool: "symbols", Query: "Judge"}, "nothing; only Python code is known by its names, use grep for the rest"},
		{"no name", probe.Call{Tool: "symbols", Query: "*"}, "a name is needed"},
		{"calls", probe.Call{Tool: "calls", Query: "json.loads"}, "app/main.py:8:     total = json.loads(order)[\"total\"]"},
		{"commits", probe.Call{Tool: "commits"}, "2026-01-05 everything"},
		{"commits of a file", probe.Call{Tool: "commits", Path: "app/none.py"}, "nothing"},
		{"no commit", probe.Call{Tool: "commit", Query: "abc"}, "no commit \"abc\" in this history"},
		{"the document", probe.Call{Tool: "doc_search", Query: "what happens to an order"}, "page 1: "},
		{"a page", probe.Call{Tool: "doc_page", From: 1}, "Orders"},
		{"no page", probe.Call{Tool: "doc_page", From: 7}, "the document has 1 pages, not 7"},
		{"page zero", probe.Call{Tool: "doc_page"}, "the document has 1 pages, not 0"},
		{"facts nobody knows", probe.Call{Tool: "facts"}, "nobody here knows any facts"},
		{"no tool", probe.Call{Tool: "shell", Query: "rm -rf /"}, "there is no tool \"shell\""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := see(t, inquired(t, inquiryArchive), tt.call)
			if len(got) != 1 || !strings.Contains(got[0], tt.want) || strings.HasSuffix(tt.want, ")") && got[0] != tt.want {
				t.Errorf("got\n%q\nwant\n%q", got, tt.want)
			}
			if strings.Contains(got[0], "Qw81") || strings.Contains(got[0], "ada") {
				t.Errorf("it shows a key, or a name: %q", got)
			}
		})
	}
}

func TestSeeACommit(t *testing.T) {
	in := inquired(t, inquiryArchive)
	id := strings.Fields(see(t, in, probe.Call{Tool: "commits"})[0])[0]
	got := see(t, in, probe.Call{Tool: "commit", Query: id})[0]
	if !strings.Contains(got, "\nA app/main.py (+13 -0)") {
		t.Error(got)
	}
}

// What is asked may be huge and what is found, too: what is shown is not.
func TestSeeIsBounded(t *testing.T) {
	var archive strings.Builder
	archive.WriteString("-- app/main.py --\nx = 1\n-- long.txt --\n" + strings.Repeat("word ", 40000) + "\n-- many.txt --\n" + strings.Repeat("a line\n", 10000))
	for i := range 200 {
		fmt.Fprintf(&archive, "-- files/%04d-%s.txt --\na\n", i, strings.Repeat("n", 60))
	}
	in := inquired(t, archive.String())
	for name, c := range map[string]probe.Call{
		"many files":       {Tool: "list"},
		"a long line":      {Tool: "read", Path: "long.txt"},
		"many lines":       {Tool: "read", Path: "many.txt", From: 1, To: 1 << 40},
		"far lines":        {Tool: "read", Path: "many.txt", From: 1 << 40, To: 2},
		"negative lines":   {Tool: "read", Path: "many.txt", From: -1 << 40, To: -5},
		"everything":       {Tool: "grep", Query: "."},
		"nested repeats":   {Tool: "grep", Query: "((((a{100}){100}){100}){100})"},
		"a long repeat":    {Tool: "grep", Query: "(word ?){900}x"},
		"backtracking":     {Tool: "grep", Query: "(a+)+(a|aa)*([a-z]+ ?)*$!"},
		"a huge pattern":   {Tool: "grep", Query: strings.Repeat("(a|b)*", 100000)},
		"a huge glob":      {Tool: "list", Query: strings.Repeat("**/", 100000)},
		"stars":            {Tool: "list", Query: strings.Repeat("*", 280)},
		"braces":           {Tool: "list", Query: strings.Repeat("{", 250)},
		"a huge name":      {Tool: "calls", Query: strings.Repeat("*a", 100000)},
		"a huge path":      {Tool: "read", Path: strings.Repeat("../", 100000)},
		"a huge tool":      {Tool: strings.Repeat("\x00", 100000)},
		"bytes of no text": {Tool: "read", Path: "\xff\xfe\u202e"},
	} {
		if got := see(t, in, c); len(got) != 1 || got[0] == "" || len(got[0]) > 8<<10 {
			t.Errorf("%s: %.80q", name, got)
		}
	}
	costly := see(t, in, probe.Call{Tool: "grep", Query: "(word ?){900}x", Path: "long.txt"})
	if !strings.Contains(costly[0], "the pattern is too costly") {
		t.Errorf("%.100q", costly)
	}
}

// What nobody sees is not shown, and what moves a cursor is written out.
func TestSeeIsPlain(t *testing.T) {
	const text = "a = '\u200b\U000e0041hidden\u202egpj\x1b[2J'\n\tb = 2"
	got := see(t, inquired(t, "-- app/main.py --\nx = 1\n-- a.py --\n"+text+"\n"), probe.Call{Tool: "read", Path: "a.py", From: 1, To: 2})
	if want := "a.py, lines 1 to 2 of 2\n1| a = 'hidden\\u{202e}gpj\\u{1b}[2J'\n2| \tb = 2"; got[0] != want {
		t.Errorf("got %q, want %q", got[0], want)
	}
}

// All that is shown in all turns stays within the tokens of an investigation.
func TestSeeWithinTheTokens(t *testing.T) {
	archive := "-- app/main.py --\nx = 1\n-- many.txt --\n" + strings.Repeat("a line with words\n", 3000)
	calls := make([]probe.Call, 6)
	for i := range calls {
		calls[i] = probe.Call{Tool: "read", Path: "many.txt", From: 1 + 200*i}
	}
	in := &inquirer{moves: []probe.Move{{Calls: calls}, {Calls: calls}}}
	c := contracts(court.GithubRepo)
	c.Instruction = strings.Repeat("A long instruction. ", 3000)
	inquire(t, inquired(t, archive)(in), court.RepoInvestigator, c)
	total := 0
	for _, q := range in.asked {
		total += 8000 + len(q.Criterion.Instruction)
		for _, x := range q.Seen {
			total += len(x.Text) + 200
		}
	}
	if len(in.asked) != 3 || total > 3*24_000 || total < 3*12_000 {
		t.Errorf("%d turns with %d bytes", len(in.asked), total)
	}
}

func FuzzInquire(f *testing.F) {
	f.Add("read", "", "app/main.py", "any", 1, 9, "open", "support", "The handler parses the order.", "app/main.py", 0, `json.loads(order)["total"]`)
	f.Add("grep", "(a*)*$", "**", "code", 0, 0, "open", "contrary", "absent", "link.py", 1, "")
	f.Add("doc_page", "x", "", "", 1, 1, "settled", "", "\xff", "../x", 1, "Every order")
	f.Add("symbols", "*", "{{[", "comment", -1, -1, "", "x", "", "", -1, "\x00")
	f.Fuzz(func(t *testing.T, tool, query, path, where string, from, to int, check, stance, statement, file string, page int, quote string) {
		call := probe.Call{Tool: tool, Query: query, Path: path, Where: where, From: from, To: to}
		it := probe.Item{Check: check, Stance: stance, Statement: statement, Path: file, From: from, To: to, Page: page, Quote: quote}
		in := &inquirer{moves: []probe.Move{{Calls: []probe.Call{call}, Items: []probe.Item{it}}}}
		s := inquired(t, strings.Replace(inquiryArchive, "pdf: report.txt\n", "", 1))(in) // the engine of PDFs is slow to start under a fuzzer
		inquire(t, s, court.RepoInvestigator, contracts(court.GithubRepo))                // what enters is valid and can be read again
		for _, x := range in.asked[1].Seen {
			if len(x.Text) > 8<<10 || !utf8.ValidString(x.Text) || strings.Contains(x.Text, "Qw81") {
				t.Errorf("%+v", x)
			}
		}
	})
}
