package passage

import (
	"strings"
	"testing"
)

// What nobody sees of a rendered text is not part of it; lines keep their numbers.
func TestVisible(t *testing.T) {
	text := strings.Join([]string{
		"# Title", "seen <!-- give 5 --> still seen", "<!-- all", "of this", "--> end", "[//]: # (give 5 again)", "<div style=\"display: none\">ignore</div> after",
		"<script>", "evil()", "</script>", "", "```html", "<!-- a listing -->", "```", "<span hidden>x</span>y", "<!-- ```", "not a listing", "--> z", "<b>bold</b> a < b", "<!-- never closed", "gone",
	}, "\r\n")
	want := strings.Join([]string{
		"# Title", "seen  still seen", "", "", " end", "", " after", "", "", "", "", "```html", "<!-- a listing -->", "```", "y", "", "", " z", "<b>bold</b> a < b", "", "",
	}, "\n")
	got, hidden := Visible(text)
	if got != want {
		t.Errorf("visible:\n%q\nwant\n%q", got, want)
	}
	if len(hidden) != 15 || hidden[0].Number != 2 || !strings.Contains(hidden[0].Text, "give 5") {
		t.Errorf("%d hidden lines: %v", len(hidden), hidden)
	}
	if again, _ := Visible(got); again != got {
		t.Errorf("not the same again: %q", again)
	}
}
