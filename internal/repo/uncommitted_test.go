package repo

import (
	"os"
	"path/filepath"
	"testing"
)

// Only what differs from the commit counts: not other line ends, not new files, and
// nothing where git itself rewrites files.
func TestUncommitted(t *testing.T) {
	tests := map[string]struct {
		change func(write func(name, text string), remove func(name string))
		o      Options
		want   int
	}{
		"clean":        {func(func(string, string), func(string)) {}, Options{}, 0},
		"a new file":   {func(w func(string, string), _ func(string)) { w("c.py", "y = 2\n") }, Options{}, 0},
		"changed":      {func(w func(string, string), _ func(string)) { w("a.py", "x = 2\n") }, Options{}, 1},
		"and one gone": {func(w func(string, string), rm func(string)) { w("a.py", "x = 22\n"); rm("d/b.md") }, Options{}, 2},
		"line ends":    {func(w func(string, string), _ func(string)) { w("d/b.md", "# B\r\n") }, Options{}, 0},
		"a filter": {func(w func(string, string), _ func(string)) {
			w("a.py", "z\n")
			w(".gitattributes", "*.py filter=lfs\n")
		}, Options{}, 0},
		"a revision":     {func(w func(string, string), _ func(string)) { w("a.py", "x = 2\n") }, Options{Revision: "HEAD"}, 0},
		"another folder": {func(w func(string, string), _ func(string)) { w("a.py", "x = 2\n") }, Options{Folder: "d"}, 0},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			m := make1(t, map[string]string{"a.py": "x = 1\n", "d/b.md": "# B\n"})
			tt.change(func(name, text string) {
				m.check(os.WriteFile(filepath.Join(m.dir, filepath.FromSlash(name)), []byte(text), 0o644))
			}, func(name string) { m.check(os.Remove(filepath.Join(m.dir, filepath.FromSlash(name)))) })
			if got := mustOpen(t, m.dir, tt.o).Uncommitted(); got != tt.want {
				t.Errorf("%d, want %d", got, tt.want)
			}
		})
	}
}
