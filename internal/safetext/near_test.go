package safetext

import "testing"

func TestNearest(t *testing.T) {
	known := []string{"git.count", "git.message", "proc.shell"}
	tests := map[string]struct {
		word  string
		limit int
		want  string
	}{
		"same":      {"git.count", 2, "git.count"},
		"case":      {"GIT.COUNT", 0, "git.count"},
		"swapped":   {"git.cuont", 2, "git.count"},
		"too far":   {"git.x", 2, ""},
		"far":       {"shell", 5, "proc.shell"},
		"empty":     {"", 3, ""},
		"first one": {"git.cossage", 4, "git.message"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if got := Nearest(tt.word, known, tt.limit); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}
