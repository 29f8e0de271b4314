package probe

import (
	"bytes"
	"encoding/json"
)

// maskJSON masks every string of a JSON text, keys of objects too: each is
// decoded for that, since an escape before a key hides its edge. The rest stays
// as it is. The text must be valid.
func maskJSON(raw []byte) []byte {
	var out bytes.Buffer
	at := 0
	for i := 0; i < len(raw); i++ {
		if raw[i] != '"' {
			continue
		}
		end := i + 1
		for end < len(raw) && raw[end] != '"' {
			if raw[end] == '\\' {
				end++
			}
			end++
		}
		if end >= len(raw) {
			break
		}
		var s string
		if err := json.Unmarshal(raw[i:end+1], &s); err == nil {
			if m := Mask(s); m != s {
				quoted, _ := json.Marshal(m) // a string always can be encoded
				out.Write(raw[at:i])
				out.Write(quoted)
				at = end + 1
			}
		}
		i = end
	}
	if at == 0 {
		return raw
	}
	out.Write(raw[at:])
	return out.Bytes()
}
