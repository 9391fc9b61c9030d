package filetext

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/unicode/utf32"

	xunicode "golang.org/x/text/encoding/unicode"
)

var (
	utf16LE = xunicode.UTF16(xunicode.LittleEndian, xunicode.IgnoreBOM)
	utf16BE = xunicode.UTF16(xunicode.BigEndian, xunicode.IgnoreBOM)
)

// byteOrderMarks are in the order in which they are tried, because one is a prefix of another.
var byteOrderMarks = []struct {
	mark string
	enc  encoding.Encoding
}{
	{"\xef\xbb\xbf", encoding.Nop},
	{"\xff\xfe\x00\x00", utf32.UTF32(utf32.LittleEndian, utf32.IgnoreBOM)},
	{"\xff\xfe", utf16LE}, {"\xfe\xff", utf16BE},
}

// decode converts a text to UTF-8. It recognizes the encoding by a byte order mark, by the zeros of
// UTF-16, by valid UTF-8, by the file's own declaration, if any, or by the frequency of its
// letters.
func decode(data []byte, declared encoding.Encoding, left *left) (string, error) {
	text, err := decoded(data, declared)
	if err != nil {
		return "", err
	}
	if binary(text) {
		return "", refuse(noText)
	}
	return text, nil
}

// binary reports whether a text has more than a few stray control characters.
func binary(text string) bool {
	n := 0
	for _, c := range text {
		if unicode.IsControl(c) && !unicode.IsSpace(c) {
			n++
		}
	}
	return n > 8+len(text)/200
}

func decoded(data []byte, declared encoding.Encoding) (string, error) {
	for _, m := range byteOrderMarks {
		if rest, ok := bytes.CutPrefix(data, []byte(m.mark)); ok {
			return with(m.enc, rest), nil
		}
	}
	text := string(data)
	if utf8.ValidString(text) && !binary(text) && !strings.Contains(text, "\x1b$") {
		return text, nil
	}
	if enc := bareUTF16(data); enc != nil {
		return with(enc, data), nil
	}
	switch {
	case bytes.Contains(data, []byte("\x1b$B")) || bytes.Contains(data, []byte("\x1b$@")):
		return with(japanese.ISO2022JP, data), nil
	case mostlyUTF8(data):
		return strings.ToValidUTF8(text, "\uFFFD"), nil
	case declared != nil:
		return with(declared, data), nil
	}
	if enc := guess(data); enc != nil {
		return with(enc, data), nil
	}
	return "", refuse("The encoding of the file cannot be recognized. Save it as UTF-8, and upload that.")
}

// with decodes a text. Invalid characters become U+FFFD.
func with(enc encoding.Encoding, data []byte) string {
	out, err := enc.NewDecoder().Bytes(data)
	if err != nil {
		// Cannot happen: decoders only fail for a short buffer.
		out = bytes.ToValidUTF8(data, []byte("\uFFFD"))
	}
	return string(out)
}

// bareUTF16 returns the byte order of a UTF-16 text without a mark, nil if it is not UTF-16. In
// UTF-16, line breaks and spaces contain zeros, and all characters are assigned.
func bareUTF16(data []byte) encoding.Encoding {
	if bytes.IndexByte(data, 0) < 0 || len(data)%2 != 0 {
		return nil
	}
	sample := data[:min(len(data), maxSample)]
	little, big := with(utf16LE, sample), with(utf16BE, sample)
	enc, text, none, others := utf16LE, little, unassigned(little), unassigned(big)
	if others < none {
		enc, text, none, others = utf16BE, big, others, none
	}
	if none == others || none > len(sample)/100 || !strings.ContainsAny(text, " \n\t0123456789.,") {
		return nil
	}
	return enc
}

// unassigned counts the invalid characters of a text.
func unassigned(text string) (n int) {
	for _, c := range text {
		if !isCharacter(c) {
			n++
		}
	}
	return n
}

// isCharacter reports whether a code point is assigned and may occur in text.
func isCharacter(c rune) bool {
	return c != unicode.ReplacementChar &&
		(unicode.IsSpace(c) || unicode.IsGraphic(c) || unicode.Is(unicode.Cf, c))
}

// mostlyUTF8 reports whether a text is UTF-8 except for a few bytes, like one that was truncated or
// concatenated carelessly.
func mostlyUTF8(data []byte) bool {
	good, bad := 0, 0
	for len(data) > 0 {
		c, size := utf8.DecodeRune(data)
		switch {
		case c == utf8.RuneError && size == 1:
			bad++
		case size > 1:
			good++
		}
		data = data[size:]
	}
	return bad == 0 || bad*20 < good
}
