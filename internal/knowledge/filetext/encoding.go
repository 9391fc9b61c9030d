package filetext

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/simplifiedchinese"
	xunicode "golang.org/x/text/encoding/unicode"
	"golang.org/x/text/encoding/unicode/utf32"
	"golang.org/x/text/unicode/norm"

	"agentchat/internal/knowledge"
	"agentchat/internal/knowledge/filetext/charsets"
)

// charset is an encoding with its canonical name.
type charset struct {
	name string
	enc  encoding.Encoding
}

var (
	utf16LE   = charset{"utf-16le", xunicode.UTF16(xunicode.LittleEndian, xunicode.IgnoreBOM)}
	utf16BE   = charset{"utf-16be", xunicode.UTF16(xunicode.BigEndian, xunicode.IgnoreBOM)}
	utf32LE   = charset{"utf-32le", utf32.UTF32(utf32.LittleEndian, utf32.IgnoreBOM)}
	plainUTF8 = charset{"utf-8", xunicode.UTF8}
)

// byteOrderMarks are in the order in which they are tried, because one is a prefix of another.
var byteOrderMarks = []struct {
	mark string
	charset
}{{"\xef\xbb\xbf", plainUTF8}, {"\xff\xfe\x00\x00", utf32LE}, {"\xff\xfe", utf16LE}, {"\xfe\xff", utf16BE}}

const (
	// maxSample is the size of the part of a text that is examined, in bytes.
	maxSample = 64 << 10
	// maxUndecodable is the largest share of undecodable characters in the encoding that an owner has
	// chosen, and among those of UTF-8 beyond ASCII.
	maxUndecodable = 0.005
)

// decode converts a text to UTF-8, and adds the encoding and notes about it to left. Fault:
// InvalidInput; if the encoding is not certain, the notes name the candidates.
func decode(data []byte, declared []declaration, left *left) (string, error) {
	set, err := charsetOf(data, declared, left)
	if err != nil {
		return "", err
	}
	text := set.decode(data)
	isWhole := set.name == "utf-8" && utf8.Valid(data) // and has replacement characters of its own
	if left.chosen != "" && !isWhole && undecodable(text) > maxUndecodable {
		return "", refuse(fmt.Sprintf("The file is not %s. Choose another encoding.", set.name))
	}
	if binary(text) {
		return "", refuse(noText)
	}
	left.encoding = set.name
	if len(declared) > 0 && declared[0].name != set.name {
		left.notes = append(left.notes, knowledge.Note{
			Code:     knowledge.NoteDeclaration,
			Count:    1,
			Encoding: new(set.name),
			Message: fmt.Sprintf("The file says %s, which is wrong. It was read as %s.",
				declared[0].label, set.name),
		})
	}
	if first := strings.Index(text, "\uFFFD"); first >= 0 && !isWhole {
		left.unreadable = strings.Count(text, "\uFFFD")
		left.place = fmt.Sprintf("in line %d", lineOf(text, first))
	}
	return text, nil
}

// lineOf returns the number of the line with the character at an offset, from 1.
func lineOf(text string, offset int) int {
	before := text[:offset]
	return 1 + strings.Count(before, "\n") + strings.Count(before, "\r") -
		strings.Count(before, "\r\n")
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

// charsetOf returns the encoding of a text: the first that fits of the owner's choice, the byte order
// mark, UTF-8, the file's declarations, forms that no other encoding has, and what its letters are.
func charsetOf(data []byte, declared []declaration, left *left) (charset, error) {
	if left.chosen != "" {
		name, enc := encodingOf(left.chosen)
		return charset{name, enc}, nil
	}
	for _, m := range byteOrderMarks {
		if bytes.HasPrefix(data, []byte(m.mark)) {
			return m.charset, nil
		}
	}
	good, bad := charsets.CountUTF8(data)
	if good > 0 && utf8.Valid(data) && !binary(string(data)) {
		return plainUTF8, nil
	}
	isASCII := good+bad == 0
	if isASCII && isISO2022JP(data) {
		return charset{"iso-2022-jp", japanese.ISO2022JP}, nil
	}
	var implausible []declaration
	for _, d := range declared {
		text := d.decode(data)
		switch {
		case undecodable(text) > 0:
		case charsets.IsPlausible(text):
			return d.charset, nil
		default:
			implausible = append(implausible, d)
		}
	}
	if set, ok := bareUTF16(data); ok {
		return set, nil
	}
	hz := charset{"hz-gb-2312", simplifiedchinese.HZGB2312}
	switch {
	case isASCII && isHZ(data, hz):
		return hz, nil
	case float64(bad) <= maxUndecodable*float64(good):
		return plainUTF8, nil
	}
	readings, certain := charsets.Detect(data)
	if certain {
		name, enc := encodingOf(readings[0].Name)
		set := charset{name, enc}
		// Only the first lines were examined.
		if len(data) <= maxSample || undecodable(set.decode(data)) <= maxUndecodable {
			return set, nil
		}
	}
	for _, d := range implausible { // such as a page with one unusual letter
		if charsets.IsNear(readings, d.enc, data) {
			return d.charset, nil
		}
	}
	return charset{}, ask(readings, declared, left)
}

// ask adds the readings of a text to left, those that the file declares first, and returns the fault
// for a text whose encoding is not certain.
func ask(readings []charsets.Reading, declared []declaration, left *left) error {
	if len(readings) == 0 {
		return refuse("The encoding of the file cannot be recognized. Save it as UTF-8, and upload that.")
	}
	slices.SortStableFunc(readings, func(a, b charsets.Reading) int {
		return rankOf(declared, a) - rankOf(declared, b)
	})
	left.notes = append(left.notes, candidates(readings)...)
	return refuse(uncertain + "Open the file and choose the reading that is right.")
}

// rankOf returns the place of a reading among the declared encodings; their number if it is not one.
func rankOf(declared []declaration, r charsets.Reading) int {
	at := slices.IndexFunc(declared, func(d declaration) bool { return d.name == r.Name })
	if at < 0 {
		return len(declared)
	}
	return at
}

// decode decodes a text. Invalid characters become U+FFFD.
func (c charset) decode(data []byte) string {
	text := strings.TrimPrefix(charsets.Decode(c.enc, data), "\uFEFF")
	if c.name == "windows-1258" { // tones follow their letters
		text = norm.NFC.String(text)
	}
	if !strings.HasPrefix(c.name, "utf-") && strings.ContainsFunc(text, isUndefined) {
		text = strings.Map(func(c rune) rune {
			if isUndefined(c) {
				return '\uFFFD'
			}
			return c
		}, text)
	}
	return text
}

// isUndefined reports whether a character is a control, to which decoders convert undefined bytes. NEL
// ends lines in EBCDIC.
func isUndefined(c rune) bool { return 0x80 <= c && c <= 0x9f && c != '\u0085' }

// undecodable returns the share of a text's characters that could not be decoded.
func undecodable(text string) float64 {
	return float64(strings.Count(text, "\uFFFD")) / float64(max(1, utf8.RuneCountInString(text)))
}

// isISO2022JP reports whether an ASCII text has an escape sequence that begins Japanese.
func isISO2022JP(data []byte) bool {
	return bytes.Contains(data, []byte("\x1b$B")) || bytes.Contains(data, []byte("\x1b$@"))
}

// isHZ reports whether an ASCII text has escape sequences around Chinese.
func isHZ(data []byte, hz charset) bool {
	if !bytes.Contains(data, []byte("~{")) || !bytes.Contains(data, []byte("~}")) {
		return false
	}
	text := hz.decode(data)
	return undecodable(text) == 0 && charsets.IsPlausible(text)
}

// bareUTF16 returns the byte order of a UTF-16 text without a mark. In UTF-16, line breaks and spaces
// contain zeros, and all characters are assigned.
func bareUTF16(data []byte) (charset, bool) {
	if bytes.IndexByte(data, 0) < 0 || len(data)%2 != 0 {
		return charset{}, false
	}
	sample := data[:min(len(data), maxSample)]
	set, text := utf16LE, utf16LE.decode(sample)
	none, others := charsets.CountBad(text), charsets.CountBad(utf16BE.decode(sample))
	if others < none {
		set, text, none, others = utf16BE, utf16BE.decode(sample), others, none
	}
	if none == others || none > len(sample)/100 || !strings.ContainsAny(text, " \n\t0123456789.,") {
		return charset{}, false
	}
	return set, true
}
