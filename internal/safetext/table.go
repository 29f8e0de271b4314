package safetext

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// TableText is the text of a table that a person gave, with line ends of one character: UTF-8, or UTF-16 with a byte order
// mark, or without one where zeros beside the first character tell it. Another encoding cannot be told from its bytes; the
// error names the first line that is not UTF-8.
func TableText(raw []byte) (string, error) {
	var order binary.ByteOrder
	switch {
	case bytes.HasPrefix(raw, []byte{0xFF, 0xFE}), len(raw) > 1 && raw[0] != 0 && raw[1] == 0:
		order = binary.LittleEndian
	case bytes.HasPrefix(raw, []byte{0xFE, 0xFF}), len(raw) > 1 && raw[0] == 0 && raw[1] != 0:
		order = binary.BigEndian
	}
	text := string(raw)
	if order != nil {
		if len(raw)%2 != 0 {
			return "", errors.New("it is UTF-16 with half a character at its end; save it once more as CSV UTF-8")
		}
		units := make([]uint16, 0, len(raw)/2)
		for i := 0; i < len(raw); i += 2 {
			units = append(units, order.Uint16(raw[i:]))
		}
		text = string(utf16.Decode(units))
	}
	text = strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(strings.TrimPrefix(text, "\ufeff"))
	if strings.ContainsRune(text, 0) {
		return "", errors.New("it is not text")
	}
	if !utf8.ValidString(text) {
		for n, line := range strings.Split(text, "\n") {
			if !utf8.ValidString(line) {
				return "", fmt.Errorf("line %d is not UTF-8; save the table as CSV UTF-8", n+1)
			}
		}
	}
	return text, nil
}
