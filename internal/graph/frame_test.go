package graph

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"
	"syscall"
	"testing"
	"testing/iotest"
)

func framed(t testing.TB, recs ...Record) []byte {
	t.Helper()
	out := []byte(magic)
	for _, r := range recs {
		text, err := frame(r)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, text...)
	}
	return out
}

func sameRecord(a, b Record) bool {
	return a.Task == b.Task && bytes.Equal(a.Outcome, b.Outcome) && a.At.Equal(b.At)
}

// A line is torn unless length, checksum and newline are right, to the digit.
func TestReadFrame(t *testing.T) {
	good := Record{Task: "000/A", Outcome: []byte(`{"x":1}`)}
	text := string(framed(t, good)[len(magic):])
	length, rest, _ := strings.Cut(text, " ")
	sum, body, _ := strings.Cut(rest, " ")
	for name, tt := range map[string]struct {
		line string
		recs int
	}{
		"good":               {text, 1},
		"leading zero":       {"0" + text, 0},
		"plus sign":          {"+" + text, 0},
		"two spaces":         {length + "  " + rest, 0},
		"capitals":           {length + " " + strings.ToUpper(sum) + " " + body, 0},
		"short checksum":     {length + " " + sum[1:] + " " + body, 0},
		"wrong checksum":     {length + " 00000000 " + body, 0},
		"longer than told":   {length + " " + sum + " " + strings.Replace(body, "\n", " \n", 1), 0},
		"carriage return":    {length + " " + sum + " " + strings.Replace(body, "\n", "\r\n", 1), 0},
		"huge length":        {"67108865 00000000 x", 0},
		"length beyond ints": {"99999999999999999999 00000000 x", 0},
		"no space":           {strings.Repeat("1", 100), 0},
		"negative":           {"-1 00000000 \n", 0},
		"empty line":         {"\n", 0},
	} {
		recs, n, err := readFrames(strings.NewReader(magic + tt.line))
		if err != nil || len(recs) != tt.recs || n != int64(len(magic)+tt.recs*len(text)) {
			t.Errorf("%s: %v, %d, %v", name, recs, n, err)
		}
	}
}

// A payload whose checksum holds and that is not a record was not torn: cutting it
// would destroy what another version wrote.
func TestReadFramesRefuses(t *testing.T) {
	for _, body := range []string{
		`{}`, `[]`, `{"task":"000/A"}`, `{"outcome":{}}`, `{"task":"head","outcome":{}}`,
		`{"head":{},"task":"000/A","outcome":{}}`, `{"task":`, strings.Repeat("[", 100_000),
	} {
		if _, n, err := readFrames(strings.NewReader(magic + string(line([]byte(body))))); err == nil || !strings.HasPrefix(err.Error(), "record 1: ") || n != int64(len(magic)) {
			t.Errorf("%.40s: %d, %v", body, n, err)
		}
	}
	// An error of the disk is not the end of the file.
	disk := io.MultiReader(strings.NewReader(magic), iotest.ErrReader(syscall.EIO))
	if _, _, err := readFrames(disk); !errors.Is(err, syscall.EIO) {
		t.Error(err)
	}
}

// FuzzReadFrames: whatever is in the file, what is read is a prefix that reads
// the same again, and any cut or flip of a journal gives a prefix of its
// records.
func FuzzReadFrames(f *testing.F) {
	recs := []Record{
		{Task: headTask, Outcome: []byte(`{"commit":"9f2c41d"}`)},
		{Task: "000/A", Outcome: []byte(`{"patch":{"q":"<é>"}}`)},
		{Task: "rewind/1", Outcome: []byte(`{"step":0,"tasks":["000/A"]}`)},
	}
	whole := framed(f, recs...)
	f.Add(whole, 70, byte(1))
	f.Add(whole[:50], 3, byte(0x80))
	f.Add([]byte(magic), 0, byte(0))
	f.Add([]byte(magic+"5 00000000 {...}\n"), 25, byte(2))
	f.Fuzz(func(t *testing.T, data []byte, at int, flip byte) {
		got, n, err := readFrames(bytes.NewReader(data))
		if n < 0 || n > int64(len(data)) || n == 0 && len(got) > 0 {
			t.Fatal(n, len(data), got)
		}
		again, m, err2 := readFrames(bytes.NewReader(data[:n]))
		if !slices.EqualFunc(got, again, sameRecord) || err == nil && (m != n || err2 != nil) {
			t.Fatal(n, m, err, err2)
		}
		if at < 0 || at >= len(whole) || flip == 0 {
			return
		}
		bad := bytes.Clone(whole)
		bad[at] ^= flip
		for _, harmed := range [][]byte{bad, whole[:at], bad[:max(at, len(bad)-1)]} {
			got, _, err := readFrames(bytes.NewReader(harmed))
			if len(got) > len(recs) || !slices.EqualFunc(got, recs[:len(got)], sameRecord) || err != nil && !errors.Is(err, ErrNotJournal) {
				t.Fatal(at, flip, got, err)
			}
		}
	})
}

// A record too long to be read back is not written.
func TestFrameTooLong(t *testing.T) {
	long := append(append([]byte(`"`), bytes.Repeat([]byte("x"), mostRecord)...), '"')
	if _, err := frame(Record{Task: "000/A", Outcome: long}); err == nil {
		t.Error("framed")
	}
}

// faulty is a file whose n-th call fails, half way when it is a write.
type faulty struct {
	bytes.Buffer
	calls, fail int
	err         error
}

func (f *faulty) Write(b []byte) (int, error) {
	if f.calls++; f.calls == f.fail {
		n, _ := f.Buffer.Write(b[:len(b)/2])
		return n, f.err
	}
	return f.Buffer.Write(b)
}

func (f *faulty) Sync() error {
	if f.calls++; f.calls == f.fail {
		return f.err
	}
	return nil
}

func (f *faulty) Close() error { return nil }

// Whichever write or sync fails, the error names the cause, nothing more is
// written, and what the file has is a prefix of the records.
func TestAppendFaults(t *testing.T) {
	all := []Record{{Task: "000/A", Outcome: []byte(`{"a":1}`)}, {Task: "000/B", Outcome: []byte(`{"b":1}`)}, {Task: "000/C", Outcome: []byte(`{"c":1}`)}}
	for fail := 1; fail <= 2*len(all); fail++ {
		for _, cause := range []error{syscall.ENOSPC, syscall.EIO} {
			file := &faulty{fail: fail, err: cause}
			file.WriteString(magic)
			j := &FileJournal{path: "case/journal", file: file, kept: map[string]int{}}
			for i, r := range all {
				kept, err := j.Append(t.Context(), r)
				if whole := i < (fail-1)/2; whole != (err == nil) || whole && !sameRecord(kept, r) {
					t.Errorf("fault %d: record %d: %v", fail, i, err)
				}
				if err != nil && (!errors.Is(err, cause) || !strings.Contains(err.Error(), `writing journal "case/journal"`)) {
					t.Errorf("fault %d: %v", fail, err)
				}
			}
			want := (fail - 1) / 2 // a record whose sync failed may be there or not
			recs, _, err := readFrames(&file.Buffer)
			if err != nil || len(recs) < want || len(recs) > want+1 || !slices.EqualFunc(recs, all[:len(recs)], sameRecord) {
				t.Errorf("fault %d: %v, %v", fail, recs, err)
			}
		}
	}
}
