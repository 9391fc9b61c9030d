//go:build ignore

// Command gen writes letters.txt:
//
//	go run gen.go LINGUA UDHR OPENCC >letters.txt
//
// LINGUA is the folder language-models of github.com/pemistahl/lingua-go v1.4.0 (Apache 2.0), which
// counted letters in newspapers. It has no pairs for alphabets of one language: these come from
// UDHR, the folder data/udhr of github.com/eric-muller/udhr (texts of the United Nations). OPENCC is
// data/dictionary/TSCharacters.txt of github.com/BYVoid/OpenCC (Apache 2.0), because the Chinese
// newspapers are in traditional characters.
package main

import (
	"archive/zip"
	"cmp"
	"encoding/binary"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/unicode/norm"
)

const (
	rarestPair    = 1.0 / (1 << 10) // the least chance of a letter after another
	rarestForeign = 1.0 / (1 << 15) // if one of them is beyond ASCII
	rarestOfAll   = 1.0 / (1 << 21) // the least share of a pair among all
	frequentSigns = 1000
)

// alphabets are the letters of each language besides a to z. The newspapers contain misread letters,
// which would make misreadings look right.
var alphabets = map[string]string{
	"ca": "àçèéíïñòóúü", "cs": "áčďéěíňóřšťúůýž", "cy": "àáâäèéêëìíîïòóôöùúûüŵŷ", "da": "åæéø", "de": "äößüé",
	"en": "áâäçèéêëíïñóôöü", "eo": "ĉĝĥĵŝŭ", "es": "áéíñóúü", "et": "äõöüšž", "fi": "äåöšž", "fr": "àâæçèéêëîïôùûüÿœ", "ga": "áéíóú",
	"hr": "ćčđšž", "hu": "áéíóöőúüű", "is": "áæéíðóöúýþ", "it": "àèéìíîòóùú", "lt": "ąčėęįšūųž", "lv": "āčēģīķļņšūž",
	"nb": "åæéòóôø", "nl": "áèéêëíïóöúü", "pl": "ąćęłńóśźż", "pt": "àáâãçéêíóôõúü", "ro": "âăîşţșț", "sk": "áäčďéíĺľňóôŕšťúýž",
	"sl": "čšž", "sq": "çë", "sv": "åäéöü", "tr": "âçğîöûüış",
	"vi": "àáâãèéêìíòóôõùúýăđĩũơưạảấầẩẫậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹ",
	"be": "абвгдежзйклмнопрстуфхцчшыьэюяёіў", "bg": "абвгдежзийклмнопрстуфхцчшщъьюя",
	"mk": "абвгдежзиклмнопрстуфхцчшѓѕјљњќџ", "ru": "абвгдежзийклмнопрстуфхцчшщъыьэюяё",
	"sr": "абвгдежзиклмнопрстуфхцчшђјљњћџ", "uk": "абвгдежзийклмнопрстуфхцчшщьюяєіїґ",
	"ar": "ءآأؤإئابةتثجحخدذرزسشصضطظعغفقكلمنهوىيًٌٍَُِّْ",
	"fa": "ءآأؤئابتثجحخدذرزسشصضطظعغفقلمنهوپچژکگی", "ur": "ءآأؤئابتثجحخدذرزسشصضطظعغفقلمنوٹپچڈڑژکگںھہیے",
}

// ofUDHR are languages that LINGUA lacks, or whose alphabet no other language uses.
var ofUDHR = map[string]string{
	"el": "ell_monotonic", "he": "heb", "th": "tha", "br": "bre", "fo": "fao", "gd": "gla", "gl": "glg", "lb": "ltz",
	"mt": "mlt",
}

func main() {
	lingua, udhr, opencc := os.Args[1], os.Args[2], os.Args[3]
	for _, l := range slices.Sorted(maps.Keys(alphabets)) {
		letters, pairs := read(lingua, l, "unigrams"), read(lingua, l, "bigrams")
		for pair := range pairs {
			r := []rune(pair)
			pairs[pair] *= letters[string(r[0])]
			if !isIn(l, r[0]) || !isIn(l, r[1]) {
				delete(pairs, pair)
			}
		}
		if l == "vi" {
			pairs = vietnamese(pairs)
		}
		write(l, pairs)
	}
	for _, l := range slices.Sorted(maps.Keys(ofUDHR)) {
		text, err := os.ReadFile(filepath.Join(udhr, "udhr_"+ofUDHR[l]+".xml"))
		check(err)
		pairs := count(norm.NFC.String(tags.ReplaceAllString(string(text), " ")))
		if strings.Contains("el he th", l) {
			pairs = smooth(pairs)
		}
		write(l, pairs)
	}
	simplified := map[rune]rune{}
	table, err := os.ReadFile(opencc)
	check(err)
	for line := range strings.Lines(string(table)) {
		if r := []rune(line); len(r) > 2 && r[1] == '\t' {
			simplified[r[0]] = r[2]
		}
	}
	traditional := read(lingua, "zh", "unigrams")
	other := map[string]float64{}
	for c, p := range traditional {
		r := []rune(c)[0]
		if s, ok := simplified[r]; ok {
			r = s
		}
		other[string(r)] += p
	}
	writeSigns("zh-Hans", other)
	writeSigns("zh-Hant", traditional)
	writeSigns("ja", read(lingua, "ja", "unigrams"))
	writeSigns("ko", read(lingua, "ko", "unigrams"))
}

// isIn reports whether a language has a letter. No language has letters of two scripts.
func isIn(language string, c rune) bool {
	isLatin := unicode.Is(unicode.Latin, []rune(alphabets[language])[0])
	return strings.ContainsRune(alphabets[language], c) || isLatin && 'a' <= c && c <= 'z'
}

var tags = regexp.MustCompile("<[^>]*>")

// count returns the pairs of a text's letters.
func count(text string) map[string]float64 {
	pairs := map[string]float64{}
	last, all := ' ', 0.0
	for _, c := range strings.ToLower(text) {
		if isLetter(c) && isLetter(last) && (c < 0x250) == (last < 0x250) {
			pairs[string([]rune{last, c})]++
			all++
		}
		last = c
	}
	for p := range pairs {
		pairs[p] /= all
	}
	return pairs
}

// smooth adds a tenth of each letter's share to all pairs, because a text of the United Nations is too
// short to have every pair. In Latin letters, other languages have them.
func smooth(pairs map[string]float64) map[string]float64 {
	first, second := map[rune]float64{}, map[rune]float64{}
	for pair, p := range pairs {
		r := []rune(pair)
		first[r[0]] += p
		second[r[1]] += p
	}
	out := map[string]float64{}
	for a, p := range first {
		for b, q := range second {
			if pair := string([]rune{a, b}); a > unicode.MaxLatin1 && b > unicode.MaxLatin1 {
				out[pair] = 0.9*pairs[pair] + 0.1*p*q
			} else if pairs[pair] > 0 {
				out[pair] = pairs[pair]
			}
		}
	}
	return out
}

func isLetter(c rune) bool { return unicode.IsLetter(c) || unicode.IsMark(c) }

// vietnamese returns the pairs as windows-1258 has them: tones are characters of their own, except
// on some letters in texts of some programs.
func vietnamese(pairs map[string]float64) map[string]float64 {
	out := map[string]float64{}
	for pair, p := range pairs {
		for _, all := range []bool{false, true} {
			r := []rune(decompose(pair, all))
			for i := range len(r) - 1 {
				out[string(r[i:i+2])] += p / 2
			}
		}
	}
	return out
}

func decompose(text string, all bool) string {
	var out strings.Builder
	for _, c := range text {
		if _, ok := charmap.Windows1258.EncodeRune(c); ok && !all {
			out.WriteRune(c)
			continue
		}
		var tone rune
		rest := []rune{}
		for _, d := range norm.NFD.String(string(c)) {
			if strings.ContainsRune("\u0300\u0301\u0303\u0309\u0323", d) {
				tone = d
			} else {
				rest = append(rest, d)
			}
		}
		out.WriteString(norm.NFC.String(string(rest)))
		if tone != 0 {
			out.WriteRune(tone)
		}
	}
	return out.String()
}

// write writes a line for each first letter, and one for all letters.
func write(name string, pairs map[string]float64) {
	letters, second := map[rune]float64{}, map[rune]float64{}
	for pair, p := range pairs {
		r := []rune(pair)
		letters[r[0]] += p
		second[r[1]] += p
	}
	rows := map[rune]map[rune]float64{'_': second}
	for pair, p := range pairs {
		r := []rune(pair)
		least := rarestPair
		if r[0] >= 0x80 || r[1] >= 0x80 {
			least = rarestForeign
		}
		if p < rarestOfAll || p/letters[r[0]] < least {
			continue
		}
		if rows[r[0]] == nil {
			rows[r[0]] = map[rune]float64{}
		}
		rows[r[0]][r[1]] = p / letters[r[0]]
	}
	fmt.Println("[" + name + "]")
	for _, first := range slices.Sorted(maps.Keys(rows)) {
		groups := map[int][]rune{}
		for c, p := range rows[first] {
			if p >= rarestOfAll {
				bits := min(15, int(math.Round(-math.Log2(p))))
				groups[bits] = append(groups[bits], c)
			}
		}
		fmt.Print(string(first))
		for _, bits := range slices.Sorted(maps.Keys(groups)) {
			slices.Sort(groups[bits])
			fmt.Printf(" %x%s", bits, string(groups[bits]))
		}
		fmt.Println()
	}
}

func writeSigns(name string, signs map[string]float64) {
	all := slices.SortedFunc(maps.Keys(signs), func(a, b string) int {
		return cmp.Or(cmp.Compare(signs[b], signs[a]), cmp.Compare(a, b))
	})
	fmt.Printf("[%s]\n%s\n", name, strings.Join(all[:frequentSigns], ""))
}

// read returns a model of LINGUA: the chance of a letter, or of the second letter of a pair after
// the first. Models are in Protocol Buffers: field 4 is a set with a chance and its texts.
func read(dir, language, kind string) map[string]float64 {
	archive, err := zip.OpenReader(filepath.Join(dir, language, kind+".pb.bin.zip"))
	check(err)
	file, err := archive.File[0].Open()
	check(err)
	data, err := io.ReadAll(file)
	check(err)
	out := map[string]float64{}
	fields(data, func(set []byte) {
		var chance float64
		fields(set, func(text []byte) { out[string(text)] = chance },
			func(bits uint64) { chance = math.Float64frombits(bits) })
	}, nil)
	return out
}

// fields passes each field of a message on: those with a length and those of 8 bytes.
func fields(data []byte, sized func([]byte), fixed func(uint64)) {
	for len(data) > 0 {
		tag := data[0]
		data = data[1:]
		if tag&7 == 1 {
			fixed(binary.LittleEndian.Uint64(data))
			data = data[8:]
			continue
		}
		value, n := binary.Uvarint(data)
		data = data[n:]
		if tag&7 == 2 {
			sized(data[:value])
			data = data[value:]
		}
	}
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
