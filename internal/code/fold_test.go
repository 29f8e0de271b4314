package code

import "testing"

// TestIdentifiersAreFolded writes names as Python reads them all the same.
func TestIdentifiersAreFolded(t *testing.T) {
	p := loadFiles(t, []File{{Path: "a.py", Bytes: []byte("import ºs as o\nfrom ｓubprocess import run\no.ſystem('x')\nｒun('y')\n名 = 'ｒun'\n")}})
	for _, name := range []string{"system", "run"} {
		if calls := callsOf(p, name); len(calls) != 1 {
			t.Errorf("%d calls of %s are found", len(calls), name)
		}
	}
	m := p.Module("a.py")
	if len(m.Words("system")) != 1 || len(m.Words("名")) != 1 {
		t.Error("the words are not found among the code tokens")
	}
	if s := m.Strings(); len(s) != 3 || s[2].Text != "'ｒun'" {
		t.Errorf("strings are %v, want them as written", s)
	}
}
