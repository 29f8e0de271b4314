package pdf

// Options bounds what Read takes from a file. The zero value of a field means its default.
type Options struct {
	MaxBytes    int // bytes of the file; default 100 MiB, and never more than fits into one frame to a worker
	MaxPages    int // pages read, the count is of all; default 300
	MaxPageText int // bytes of text a page, in UTF-8; default 2 MiB
	MaxImages   int // images listed in the document; default 200

	Word bool `json:",omitempty"` // the file is DOCX and no PDF
}

// Defaults of Options.
const (
	defaultBytes    = 100 << 20
	defaultPages    = 300
	defaultPageText = 2 << 20
	defaultImages   = 200
)

// withDefaults replaces every field that is not positive.
func (o Options) withDefaults() Options {
	for _, f := range []struct {
		field *int
		value int
	}{
		{&o.MaxBytes, defaultBytes},
		{&o.MaxPages, defaultPages},
		{&o.MaxPageText, defaultPageText},
		{&o.MaxImages, defaultImages},
	} {
		if *f.field <= 0 {
			*f.field = f.value
		}
	}
	return o
}
