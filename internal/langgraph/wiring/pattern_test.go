package wiring

import "testing"

func TestMatchPattern(t *testing.T) {
	tests := map[[2]string]bool{
		{"judge_*", "judge_a"}: true, {"judge_*", "judge_"}: true, {"judge_*", "a_judge_b"}: false,
		{"*_x", "a_x"}: true, {"*_x", "x"}: false, {"a*b*c", "abc"}: true, {"a*b*c", "axbyc"}: true, {"a*b*c", "acb"}: false, {"*", "any"}: true,
		{"a*a", "a"}: false,
	}
	for in, want := range tests {
		if got := matchPattern(in[0], in[1]); got != want {
			t.Errorf("%q %q: got %v, want %v", in[0], in[1], got, want)
		}
	}
}
