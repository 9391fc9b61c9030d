package charsets

import (
	_ "embed"
	"slices"
	"strings"
	"testing"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/ianaindex"
	"golang.org/x/text/unicode/norm"
)

//go:embed testdata/texts.txt
var texts string

// substitutes replaces characters that an encoding may lack, as programs do.
var substitutes = strings.NewReplacer("’", "'", "–", "-", "œ", "oe",
	"Œ", "Oe", "Ș", "Ş", "ș", "ş", "Ț", "Ţ", "ț", "ţ")

// TestCorpus reads each text in all encodings that have its letters. The limits in detect.go were chosen
// with other texts, and adjusted after these.
func TestCorpus(t *testing.T) {
	t.Parallel()
	read, long, doubtful := map[string]int{}, 0, 0
	_, sections, _ := strings.Cut(texts, "\n[")
	for section := range strings.SplitSeq(sections, "\n[") {
		name, text, _ := strings.Cut(section, "]\n")
		for _, set := range charsets {
			data, ok := encode(set, name[:2], text)
			if !ok {
				continue
			}
			read[set.name]++
			want := Decode(set.enc, foreignLines(data))
			isLong := foreignLetters(want) > 100
			readings, certain := Detect(data)
			at := slices.IndexFunc(readings, func(r Reading) bool {
				return cedillas.Replace(r.Text) == cedillas.Replace(want)
			})
			if certain && at != 0 || at < 0 || at > 3 {
				t.Errorf("%s in %s is read as %s (certain: %v), the right reading has place %d",
					name, set.name, readings[0].Name, certain, at)
			}
			if isLong {
				long++
				if !certain {
					doubtful++
				}
			}
		}
	}
	for _, set := range charsets {
		if read[set.name] == 0 {
			t.Errorf("no text is in %s", set.name)
		}
	}
	if doubtful*10 > long {
		t.Errorf("%d of %d long texts are doubtful", doubtful, long)
	}
	t.Logf("%d texts in encodings; of %d long ones, %d are doubtful", sum(read), long, doubtful)
}

// TestNames tests that owners can choose what is proposed.
func TestNames(t *testing.T) {
	t.Parallel()
	for _, set := range charsets {
		enc, err := htmlindex.Get(set.name)
		if err != nil {
			enc, err = ianaindex.IANA.Encoding(set.name)
		}
		if err != nil || enc != set.enc {
			t.Errorf("%s is the name of %v, %v", set.name, enc, err)
		}
	}
}

// encode returns a text of a language in an encoding, if people use it for the language and it has all
// letters.
func encode(set charset, language, text string) ([]byte, bool) {
	isCJK := slices.Contains([]string{"shift_jis", "euc-jp", "gb18030", "big5", "euc-kr"}, set.name)
	if isCJK != slices.Contains([]string{"zh", "ja", "ko"}, language) ||
		(set.enc == charmap.Windows1258) != (language == "vi") {
		return nil, false
	}
	if language == "vi" {
		text = splitTones(text)
	}
	for _, t := range []string{text, substitutes.Replace(text)} {
		data, err := set.enc.NewEncoder().String(t)
		if err == nil && Decode(set.enc, []byte(data)) == t {
			return []byte(data), true
		}
	}
	return nil, false
}

// splitTones writes the tones of Vietnamese as windows-1258 has them.
func splitTones(text string) string {
	var out strings.Builder
	for _, c := range text {
		letter, tone := []rune{}, ""
		for _, d := range norm.NFD.String(string(c)) {
			if strings.ContainsRune("\u0300\u0301\u0303\u0309\u0323", d) {
				tone = string(d)
			} else {
				letter = append(letter, d)
			}
		}
		out.WriteString(norm.NFC.String(string(letter)) + tone)
	}
	return out.String()
}

func foreignLetters(text string) (n int) {
	for _, c := range text {
		if c > 0x7f && scriptOf(c) != nil {
			n++
		}
	}
	return n
}

func sum(counts map[string]int) (all int) {
	for _, n := range counts {
		all += n
	}
	return all
}
