package pdf

import "testing"

// A trap ends the session: nothing is asked any more, and every answer is none.
func TestSessionKeepsTrap(t *testing.T) {
	c := &scan{engine: &engine{cacheDir: t.TempDir()}, data: pictured(), doc: &Document{}}
	defer c.close()
	if err := c.open(); err != nil {
		t.Fatal(err)
	}
	if n, ok := c.s.count("FPDF_GetPageCount", 0); !ok || n != 0 || c.s.dead != nil {
		t.Errorf("no document has %d pages, %v, %v", n, ok, c.s.dead)
	}
	const nowhere = object(0xFFFFFFF0)
	if b, ok := c.s.bounds(nowhere); ok || c.s.dead == nil {
		t.Fatalf("what lies beyond the memory has bounds %v, %v", b, c.s.dead)
	}
	if at, ok := c.s.call("malloc", 8); ok || at != 0 {
		t.Errorf("asked after the trap: %d, %v", at, ok)
	}
}
