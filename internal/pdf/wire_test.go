package pdf

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

type answering struct{ answer string }

func (a answering) Do(context.Context, []byte) ([]byte, error) { return []byte(a.answer), nil }

func TestAnswerIsNotTrusted(t *testing.T) {
	tests := map[string]struct {
		answer string
		want   string // in the error; empty when the answer is good
	}{
		"good":              {`{"status":"readable","total":2,"meta":{},"pages":[{"number":2,"width":1,"height":1,"glyphs":0,"paths":0,"objects":0}]}`, ""},
		"no JSON":           {`readable`, "decoding answer"},
		"unknown field":     {`{"status":"empty","score":5}`, `unknown object member name "score"`},
		"twice":             {`{"status":"damaged","total":1,"status":"empty"}`, "duplicate object member"},
		"twice below":       {`{"status":"readable","total":1,"pages":[{"number":1,"number":1}]}`, "duplicate object member"},
		"other letters":     {`{"status":"damaged","Status":"empty"}`, `unknown object member name "Status"`},
		"two values":        {`{"status":"empty"}{}`, "after top-level value"},
		"no text":           {"{\"status\":\"empty\",\"reason\":\"\xff\"}", "UTF-8"},
		"not a number":      {`{"status":"readable","total":1,"pages":[{"number":1,"width":1e999}]}`, "width"},
		"deep":              {strings.Repeat(`{"meta":`, 100_000), "decoding answer"},
		"cut":               {`{"status":"empty"`, "decoding answer"},
		"nothing":           {``, "decoding answer"},
		"unknown status":    {`{"status":"excellent"}`, `status "excellent"`},
		"not ours to say":   {`{"status":"too_large"}`, `status "too_large"`},
		"more than counted": {`{"status":"readable","total":0,"pages":[{"number":1}]}`, "1 of 0 pages"},
		"negative":          {`{"status":"readable","total":-1}`, "of -1 pages"},
		"wrong order":       {`{"status":"readable","total":3,"pages":[{"number":2},{"number":1}]}`, "page 1 after page 2"},
		"page too far":      {`{"status":"readable","total":1,"pages":[{"number":2}]}`, "page 2 after page 0"},
		"over the cap":      {`{"status":"readable","total":9,"pages":[{"number":1},{"number":2},{"number":3}]}`, "3 of 9 pages"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			_, err := Read(context.Background(), answering{test.answer}, []byte("%PDF-1.4"), Options{MaxPages: 2})
			switch {
			case test.want == "" && err != nil:
				t.Error(err)
			case test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)):
				t.Errorf("error is %v", err)
			}
		})
	}
}

func TestRequestRoundTrip(t *testing.T) {
	o := Options{MaxBytes: 5, MaxPages: 6, MaxPageText: 7, MaxImages: 8}
	request, err := encodeRequest([]byte("%PDF"), o)
	if err != nil {
		t.Fatal(err)
	}
	data, got, err := decodeRequest(request)
	if err != nil || string(data) != "%PDF" {
		t.Fatalf("%q, %v", data, err)
	}
	if diff := cmp.Diff(o, got); diff != "" {
		t.Error(diff)
	}
	for _, bad := range []string{"", "abc", "\x00\x00\x00\x05{}", "\xFF\xFF\xFF\xFF{}", "\x00\x00\x00\x02[]"} {
		if _, _, err := decodeRequest([]byte(bad)); err == nil {
			t.Errorf("%q was taken for a request", bad)
		}
	}
}

func FuzzDecodeAnswer(f *testing.F) {
	f.Add(`{"status":"readable","total":1,"pages":[{"number":1,"lines":[{"text":"a","box":{"x0":1}}]}]}`)
	f.Add(`{"status":"no_text","total":300,"notes":[{"code":"page_failed","page":1,"text":"x"}]}`)
	f.Add(`[]`)
	f.Fuzz(func(t *testing.T, answer string) {
		o := Options{MaxPages: 4}.withDefaults()
		d, err := decodeAnswer([]byte(answer), o)
		if (d == nil) == (err == nil) {
			t.Fatalf("document %v with error %v", d, err)
		}
		if d != nil && (len(d.Pages) > 4 || len(d.Pages) > d.Total) {
			t.Errorf("%d pages of %d", len(d.Pages), d.Total)
		}
	})
}

// FuzzRead: whatever the bytes, a file is either decided without a worker or handed over whole.
func FuzzRead(f *testing.F) {
	f.Add([]byte(""))
	f.Add([]byte("%PDF-1.4"))
	f.Add([]byte("\xEF\xBB\xBF<html>"))
	f.Add([]byte("version https://git-lfs.github.com/spec/v1\n"))
	f.Add([]byte("é\xC3"))
	f.Fuzz(func(t *testing.T, data []byte) {
		d, err := Read(context.Background(), answering{`{"status":"damaged","total":0,"meta":{}}`}, data, Options{MaxBytes: 4096})
		if err != nil {
			t.Fatal(err)
		}
		if d.Status == Readable || d.Reason == "" && d.Status != Damaged {
			t.Errorf("%s without a reader's answer: %q", d.Status, d.Reason)
		}
	})
}

// FuzzService: PDFium never takes the worker down, whatever it is fed.
func FuzzService(f *testing.F) {
	if err := compiled().Warm(); err != nil { // a first document that waits for the compiler looks as if it hung
		f.Fatal(err)
	}
	m := newMaker()
	m.page(text("F1", 12, 72, 700, "Evidence first.")+diagram(100, 100), "")
	f.Add(m.bytes())
	f.Add([]byte("%PDF-1.4\n1 0 obj\n<< /Type /Catalog /Pages 1 0 R /Kids [1 0 R] /Count 9 >>\nendobj\ntrailer << /Root 1 0 R >>"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if _, err := Read(context.Background(), compiled(), data, Options{MaxPages: 3, MaxBytes: 1 << 20}); err != nil {
			t.Error(err)
		}
	})
}
