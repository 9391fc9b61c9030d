package charsets

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	xunicode "golang.org/x/text/encoding/unicode"
)

const (
	// maxSample is the size of the lines that are examined, in bytes.
	maxSample = 64 << 10
	// maxBad is the largest share of characters that cannot be decoded or do not occur in texts.
	maxBad  = 0.001
	badBits = 20
	// maxOdd is the largest share of characters in unexpected places for a reading to be certain.
	// maxOddOfFew applies instead if at most fewOdd characters are in such places.
	maxOdd      = 0.1
	maxOddOfFew = 0.2
	fewOdd      = 2
	// maxOddDeclared is the same in an encoding that the file declares.
	maxOddDeclared = 0.5
	// leastLead is the least lead of a certain reading over the next one, in bits. Only the places
	// where the two differ contribute to it.
	leastLead = 12
)

// Reading is a text in one of the encodings that it may have.
type Reading struct {
	// Name is that of the encoding in the Encoding Standard or by IANA, in lower case.
	Name string
	// Text has the lines with characters beyond ASCII, at most 64 KiB of them.
	Text string
	fit
}

// Detect returns the different readings of a text that is not valid UTF-8, the most probable first.
// If it is not certain, another one may be right, or none. Broken UTF-8 is never certain.
func Detect(data []byte) (readings []Reading, certain bool) {
	sample := foreignLines(data)
	known := map[string]bool{}
	for _, set := range charsets {
		text := Decode(set.enc, sample)
		same := cedillas.Replace(text)
		bad := float64(CountBad(text))
		if known[same] || bad > maxBad*float64(utf8.RuneCountInString(text)) {
			continue
		}
		known[same] = true
		r := Reading{Name: set.name, Text: text, fit: newTally(text).judge()}
		r.bits += set.rarity + badBits*bad
		readings = append(readings, r)
	}
	slices.SortStableFunc(readings, func(a, b Reading) int { return cmp.Compare(a.bits, b.bits) })
	if good, bad := CountUTF8(sample); bad*5 < good {
		broken := Reading{Name: "utf-8", Text: Decode(xunicode.UTF8, sample)}
		return slices.Insert(readings, 0, broken), false
	}
	return readings, isCertain(readings)
}

func isCertain(readings []Reading) bool {
	if len(readings) == 0 {
		return false
	}
	first := readings[0]
	odd := first.foreign - first.expected
	if odd > maxOdd*first.foreign && (odd > fewOdd || odd > maxOddOfFew*first.foreign) {
		return false
	}
	return len(readings) == 1 || readings[1].bits-first.bits >= leastLead
}

// IsNear reports whether the reading in an encoding is about as probable as the first one.
func IsNear(readings []Reading, enc encoding.Encoding, data []byte) bool {
	text := cedillas.Replace(Decode(enc, foreignLines(data)))
	return slices.ContainsFunc(readings, func(r Reading) bool {
		return cedillas.Replace(r.Text) == text && r.bits-readings[0].bits < leastLead
	})
}

// IsPlausible reports whether at least half of the characters beyond ASCII are in expected places.
func IsPlausible(text string) bool {
	f := newTally(string(foreignLines([]byte(text)))).judge()
	return f.foreign-f.expected <= maxOddDeclared*f.foreign
}

// cedillas replaces the comma below Romanian letters, which only ISO 8859-16 has, with the cedilla
// of other encodings.
var cedillas = strings.NewReplacer("Ș", "Ş", "ș", "ş", "Ț", "Ţ", "ț", "ţ")

// foreignLines returns the lines that have bytes beyond ASCII, each once.
func foreignLines(data []byte) []byte {
	known := map[string]bool{}
	var out []byte
	for len(data) > 0 && len(out) < maxSample {
		end := bytes.IndexAny(data, "\r\n") + 1
		if end == 0 {
			end = len(data)
		}
		line := data[:end]
		data = data[end:]
		isForeign := bytes.ContainsFunc(line, func(c rune) bool { return c >= utf8.RuneSelf })
		if isForeign && !known[string(line)] {
			known[string(line)] = true
			out = append(out, line[:min(len(line), maxSample-len(out))]...)
		}
	}
	return out
}

// Decode decodes a text. Invalid characters become U+FFFD.
func Decode(enc encoding.Encoding, data []byte) string {
	out, err := enc.NewDecoder().Bytes(data)
	if err != nil {
		// Cannot happen: decoders only fail for a short buffer.
		out = bytes.ToValidUTF8(data, []byte("\uFFFD"))
	}
	return string(out)
}

// CountUTF8 counts multi-byte UTF-8 characters, and the bytes beyond ASCII outside them. A
// character that is cut off at the end is bad only if there is no good one.
func CountUTF8(data []byte) (good, bad int) {
	for len(data) > 0 {
		c, size := utf8.DecodeRune(data)
		switch {
		case size > 1:
			good++
		case c == utf8.RuneError && (good == 0 || utf8.FullRune(data)):
			bad++
		case c == utf8.RuneError:
			return good, bad
		}
		data = data[size:]
	}
	return good, bad
}

// CountBad counts the characters beyond ASCII that are undecodable, unassigned, private or
// controls.
func CountBad(text string) (n int) {
	for _, c := range text {
		if c > unicode.MaxASCII && !IsCharacter(c) {
			n++
		}
	}
	return n
}

// IsCharacter reports whether a code point is assigned and may occur in text.
func IsCharacter(c rune) bool {
	return c != unicode.ReplacementChar && c != '\u0085' &&
		(unicode.IsSpace(c) || unicode.IsGraphic(c) || unicode.Is(unicode.Cf, c))
}
