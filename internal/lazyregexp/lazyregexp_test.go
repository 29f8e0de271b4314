package lazyregexp

import (
	"sync"
	"testing"
)

func TestFirstUse(t *testing.T) {
	r := MustCompile(`a(b*)`)
	if r.made != nil {
		t.Error("the pattern is compiled before anybody uses it")
	}
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			if m := r.FindStringSubmatch("xabb"); len(m) != 2 || m[1] != "bb" {
				t.Errorf("found %q", m)
			}
		})
	}
	all.Wait()
	defer func() {
		if recover() == nil {
			t.Error("no panic over what is no pattern")
		}
	}()
	MustCompile(`a(`).MatchString("a")
}

func TestCompile(t *testing.T) {
	if _, err := Compile(`a(`); err == nil {
		t.Error("no error over what is no pattern")
	}
	r, err := Compile(`^a+$`)
	if err != nil || !r.MatchString("aa") || r.MatchString("b") || r.String() != `^a+$` {
		t.Errorf("%v, %v", r, err)
	}
}
