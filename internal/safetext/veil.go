package safetext

import (
	"encoding/base64"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// MinSecret is the length, in bytes, from which a secret can be hidden: shorter
// ones would hit innocent text.
const MinSecret = 8

// veiled is what stands in the place of a secret.
const veiled = "[key]"

// Veil hides the secrets that we hold ourselves, tokens and passwords: the one who
// was sent one can echo it. The nil Veil hides nothing.
type Veil struct{ words []string } // longest first

// NewVeil makes a veil over secrets as they are, quoted, percent-encoded, and in
// both alphabets of base64, also as a part of what was encoded. Secrets under
// MinSecret are left out; over none it is nil.
func NewVeil(secrets ...string) *Veil {
	v := &Veil{}
	for _, s := range secrets {
		if len(s) < MinSecret {
			continue
		}
		v.words = append(v.words, s, strings.Trim(strconv.Quote(s), `"`))
		for _, e := range []string{url.QueryEscape(s), url.PathEscape(s), percent(s)} {
			v.words = append(v.words, e, lowerHex(e))
		}
		for _, enc := range []*base64.Encoding{base64.StdEncoding, base64.URLEncoding, base64.RawStdEncoding, base64.RawURLEncoding} {
			v.words = append(v.words, enc.EncodeToString([]byte(s)))
		}
		for _, enc := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
			for before := range 3 {
				v.words = append(v.words, inside(enc, s, before))
			}
		}
	}
	slices.SortFunc(v.words, func(a, b string) int {
		if len(a) != len(b) {
			return len(b) - len(a)
		}
		return strings.Compare(a, b)
	})
	v.words = slices.Compact(v.words)
	if len(v.words) == 0 {
		return nil
	}
	return v
}

// Hide is s with [key] in the place of each secret.
func (v *Veil) Hide(s string) string {
	if v == nil {
		return s
	}
	for _, w := range v.words {
		s = strings.ReplaceAll(s, w, veiled)
	}
	return s
}

// inside is what base64 has of s whatever stands around it, when so many bytes
// modulo three stand before it: characters that hold bits of both are left out.
func inside(enc *base64.Encoding, s string, before int) string {
	all := enc.EncodeToString([]byte(strings.Repeat("x", before) + s))
	from := []int{0, 2, 3}[before]
	to := len(all)
	if (before+len(s))%3 != 0 {
		to--
	}
	return all[from:to]
}

// percent is s with every byte percent-encoded.
func percent(s string) string {
	var b strings.Builder
	for i := range len(s) {
		b.WriteString("%" + strings.ToUpper(strconv.FormatUint(uint64(s[i])+0x100, 16)[1:]))
	}
	return b.String()
}

// lowerHex writes the digits of percent-encoding small.
func lowerHex(s string) string {
	b := []byte(s)
	for i := 0; i+2 < len(b); i++ {
		if b[i] == '%' {
			copy(b[i+1:i+3], strings.ToLower(s[i+1:i+3]))
			i += 2
		}
	}
	return string(b)
}
