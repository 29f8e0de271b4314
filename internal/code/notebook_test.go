package code

import (
	"errors"
	"slices"
	"strings"
	"testing"
)

func TestNotebook(t *testing.T) {
	for name, c := range map[string]struct {
		raw  string
		want string // lines of code, with the lines of the file they stand on
		err  string
	}{
		"lines of their own": {
			raw:  "{\"cells\": [\n{\"cell_type\": \"code\", \"source\": [\n\"import os\\n\",\n\"os.system('ls')\"]},\n{\"source\": [\"x = 1\"],\n\"cell_type\": \"code\"}]}",
			want: "3 import os|4 os.system('ls')|5 x = 1",
		},
		"one string":              {raw: `{"cells": [{"cell_type": "code", "source": "a = 1\nb = 2"}, {"cell_type": "code", "source": "c"}]}`, want: "1 a = 1|1 b = 2|1 c"},
		"a line in two strings":   {raw: "{\"cells\": [{\"cell_type\": \"code\", \"source\": [\"a \",\n\"= 1\\n\", \"b\"]}]}", want: "1 a = 1|2 b"},
		"what is no code":         {raw: `{"cells": [{"cell_type": "markdown", "source": "import os"}, {"cell_type": "raw", "source": ["x"]}, {"outputs": [{"text": ["import os"]}], "cell_type": "code", "source": []}]}`},
		"magic":                   {raw: `{"cells": [{"cell_type": "code", "source": "%load_ext x\nif a:\n    !ls -l\nb = (c\n % d != e)\nf = !ls\n?g\ng.h?\n%who"}]}`, want: "1 pass|1 if a:|1     pass|1 b = (c|1  % d != e)|1 pass|1 pass|1 pass|1 pass"},
		"cells of magic":          {raw: `{"cells": [{"cell_type": "code", "source": "\n%%bash\nrm x"}, {"cell_type": "code", "source": "%%time\ny = 1"}]}`, want: "1 y = 1"},
		"another language":        {raw: `{"cells": [{"cell_type": "code", "source": "x <- 1"}], "metadata": {"kernelspec": {"language": "R"}}}`, err: errNotPython.Error()},
		"broken behind a cell":    {raw: `{"cells": [{"cell_type": "code", "source": "x = 1"}, {"cell_`, want: "1 x = 1", err: "reading notebook: unexpected EOF"},
		"no notebook":             {raw: `[1]`, err: "reading notebook: no JSON object"},
		"another shape of fields": {raw: `{"cells": [{"cell_type": "code", "source": {"a": ["b"]}}, {"cell_type": "code", "source": 7}], "worksheets": null}`, want: "1 ab"},
	} {
		t.Run(name, func(t *testing.T) {
			text, _, starts, err := pythonOf(File{Path: "a.ipynb", Bytes: []byte(c.raw)})
			if c.err == "" && err != nil || c.err != "" && (err == nil || !strings.Contains(err.Error(), c.err)) {
				t.Fatalf("error %v, want %q", err, c.err)
			}
			m := &Module{text: text, starts: starts}
			var got []string
			at := 0
			for line := range strings.Lines(text) {
				if code := strings.TrimSuffix(line, "\n"); code != "" {
					got = append(got, string(rune('0'+m.lineAt(at)))+" "+code)
				}
				at += len(line)
			}
			if have := strings.Join(got, "|"); have != c.want && !errors.Is(err, errNotPython) {
				t.Errorf("got  %s\nwant %s", have, c.want)
			}
		})
	}
}

func TestNotebookCells(t *testing.T) {
	f := File{Path: "a.ipynb", Bytes: []byte("{\"cells\": [\n{\"cell_type\": \"markdown\", \"source\": [\n\"# A\"]},\n{\"cell_type\": \"code\",\n\"source\": [\n\"a\\n\",\n\"b\"]}\n]}")}
	if got := f.Cells(); !slices.Equal(got, []int{3, 6}) {
		t.Errorf("cells begin on lines %d", got)
	}
	if got := (File{Path: "a.py", Bytes: f.Bytes}).Cells(); got != nil {
		t.Errorf("of a file that is no notebook, cells begin on lines %d", got)
	}
}

// Where there is no other code, the notebooks are the program.
func TestNotebookScope(t *testing.T) {
	notebook := File{Path: "work/a.ipynb", Bytes: []byte(`{"cells": []}`)}
	readme := File{Path: "README.md", Bytes: []byte("# A\n")}
	if got := Survey([]File{notebook, readme}).Scope(notebook.Path); got != ScopeProduction {
		t.Errorf("alone it is %s", got)
	}
	if got := Survey([]File{notebook, readme, {Path: "a.py", Bytes: []byte("x = 1\n")}}).Scope(notebook.Path); got != ScopeExample {
		t.Errorf("beside a program it is %s", got)
	}
}

func FuzzNotebook(f *testing.F) {
	f.Add([]byte(`{"cells": [{"cell_type": "code", "source": ["a\n", "b"]}], "metadata": {"language_info": {"name": "python"}}}`))
	f.Add([]byte("{\"cells\":[{\"source\":\"%%bash\\nx\",\n\"cell_type\":\"code\"},\r\n{}]"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		file := File{Path: "a.ipynb", Bytes: raw}
		text, _, starts, _ := pythonOf(file)
		if len(starts) < file.Lines() {
			t.Fatalf("%d lines of %d have a start", len(starts), file.Lines())
		}
		for i, at := range starts {
			if i > 0 && at <= starts[i-1] || int(at) > len(text) || i > 0 && text[at-1] != '\n' {
				t.Fatalf("line %d starts at %d of %q", i+1, at, text)
			}
		}
		file.Cells()
	})
}
