package filetext

import "strings"

// maxAddress is the longest address that is written, in bytes.
const maxAddress = 500

// linkAddress returns the address of a link, percent-encoded; empty if it must not be a link.
func linkAddress(address string) string {
	address = strings.Map(func(c rune) rune {
		if c == '\t' || c == '\n' || c == '\r' {
			return -1
		}
		return c
	}, strings.TrimSpace(address))
	scheme, rest, _ := strings.Cut(address, ":")
	switch strings.ToLower(scheme) {
	case "http", "https":
		if !strings.HasPrefix(rest, "//") {
			return ""
		}
	case "mailto", "tel":
	default:
		return ""
	}
	if len(address) > maxAddress {
		return ""
	}
	if address = escaped(address); len(address) > maxAddress {
		return ""
	}
	return address
}

// escaped percent-encodes the characters that would end a link.
func escaped(address string) string {
	const digits = "0123456789ABCDEF"
	var out strings.Builder
	for _, c := range []byte(address) {
		if c <= ' ' || c >= 0x7f || strings.IndexByte("()<>[]\\\"`{}|^", c) >= 0 {
			out.Write([]byte{'%', digits[c>>4], digits[c&15]})
		} else {
			out.WriteByte(c)
		}
	}
	return out.String()
}

// dialled removes the separators of a telephone number.
var dialled = strings.NewReplacer(" ", "", "-", "", "(", "", ")", "", "/", "", ".", "", "\u00a0", "",
	"%20", "", "%28", "", "%29", "")

// sameAddress reports whether the text of a link shows its address.
func sameAddress(text, address string) bool {
	bare := func(address string) string {
		address = strings.ToLower(address)
		for _, scheme := range []string{"https://", "http://"} {
			address = strings.TrimPrefix(address, scheme)
		}
		return strings.TrimSuffix(address, "/")
	}
	switch scheme, rest, _ := strings.Cut(address, ":"); strings.ToLower(scheme) {
	case "mailto":
		address, _, _ = strings.Cut(rest, "?")
	case "tel":
		text, address = dialled.Replace(text), dialled.Replace(rest)
	}
	return bare(escaped(text)) == bare(address)
}
