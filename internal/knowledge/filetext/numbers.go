package filetext

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// numerals write list numbers, by the names of the formats in CSS and in Word.
var numerals = numberFormats()

func numberFormats() map[string]func(int) string {
	out := map[string]func(int) string{}
	add := func(names string, write func(int) string) {
		for name := range strings.FieldsSeq(names) {
			out[name] = write
		}
	}
	for names, digits := range map[string]string{
		"decimalFullWidth decimalFullWidth2": "０１２３４５６７８９",
		"arabic-indic":                       "٠١٢٣٤٥٦٧٨٩",
		"persian urdu":                       "۰۱۲۳۴۵۶۷۸۹",
		"devanagari hindiNumbers":            "०१२३४५६७८९",
		"bengali":                            "০১২৩৪৫৬৭৮৯",
		"gujarati":                           "૦૧૨૩૪૫૬૭૮૯",
		"gurmukhi":                           "੦੧੨੩੪੫੬੭੮੯",
		"kannada":                            "೦೧೨೩೪೫೬೭೮೯",
		"khmer cambodian":                    "០១២៣៤៥៦៧៨៩",
		"lao":                                "໐໑໒໓໔໕໖໗໘໙",
		"malayalam":                          "൦൧൨൩൪൫൬൭൮൯",
		"mongolian":                          "᠐᠑᠒᠓᠔᠕᠖᠗᠘᠙",
		"myanmar":                            "၀၁၂၃၄၅၆၇၈၉",
		"oriya":                              "୦୧୨୩୪୫୬୭୮୯",
		"tibetan":                            "༠༡༢༣༤༥༦༧༨༩",
		"tamil":                              "௦௧௨௩௪௫௬௭௮௯",
		"telugu":                             "౦౧౨౩౪౫౬౭౮౯",
		"thai thaiNumbers":                   "๐๑๒๓๔๕๖๗๘๙",
		"cjk-decimal ideographDigital taiwaneseDigital": "〇一二三四五六七八九",
		"koreanDigital": "영일이삼사오육칠팔구",
	} {
		add(names, positional(digits))
	}
	for names, letters := range map[string]string{
		"lower-alpha lower-latin": "abcdefghijklmnopqrstuvwxyz",
		"upper-alpha upper-latin": "ABCDEFGHIJKLMNOPQRSTUVWXYZ",
		"lower-greek":             "αβγδεζηθικλμνξοπρστυφχψω",
		"hiragana":                "あいうえおかきくけこさしすせそたちつてとなにぬねのはひふへほまみむめもやゆよらりるれろわゐゑをん",
		"katakana":                "アイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワヰヱヲン",
		"hiragana-iroha":          "いろはにほへとちりぬるをわかよたれそつねならむうゐのおくやまけふこえてあさきゆめみしゑひもせす",
		"katakana-iroha":          "イロハニホヘトチリヌルヲワカヨタレソツネナラムウヰノオクヤマケフコエテアサキユメミシヱヒモセス",
		"hangul":                  "가나다라마바사아자차카타파하",
		"hangul-consonant":        "ㄱㄴㄷㄹㅁㅂㅅㅇㅈㅊㅋㅌㅍㅎ",
	} {
		add(names, alphabetic(letters, false))
	}
	for names, letters := range map[string]string{
		"lowerLetter":          "abcdefghijklmnopqrstuvwxyz",
		"upperLetter":          "ABCDEFGHIJKLMNOPQRSTUVWXYZ",
		"russianLower":         "абвгдежзиклмнопрстуфхцчшщыэюя",
		"russianUpper":         "АБВГДЕЖЗИКЛМНОПРСТУФХЦЧШЩЫЭЮЯ",
		"hebrew2":              "אבגדהוזחטיכלמנסעפצקרשת",
		"arabicAlpha":          "أبتثجحخدذرزسشصضطظعغفقكلمنهوي",
		"arabicAbjad":          "أبجدهوزحطيكلمنسعفصقرشتثخذضظغ",
		"ganada":               "가나다라마바사아자차카타파하",
		"chosung":              "ㄱㄴㄷㄹㅁㅂㅅㅇㅈㅊㅋㅌㅍㅎ",
		"thaiLetters":          "กขคงจฉชซฌญฎฏฐฑฒณดตถทธนบปผฝพฟภมยรลวศษสหฬอฮ",
		"aiueo aiueoFullWidth": "アイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワヲン",
		"iroha irohaFullWidth": "イロハニホヘトチリヌルヲワカヨタレソツネナラムウヰノオクヤマケフコエテアサキユメミシヱヒモセスン",
		"ideographTraditional": "甲乙丙丁戊己庚辛壬癸",
		"ideographZodiac":      "子丑寅卯辰巳午未申酉戌亥",
	} {
		add(names, alphabetic(letters, true))
	}
	add("decimal decimalHalfWidth", strconv.Itoa)
	add("decimal-leading-zero decimalZero", func(n int) string { return fmt.Sprintf("%02d", n) })
	add("numberInDash", func(n int) string { return "- " + strconv.Itoa(n) + " -" })
	add("ordinal", func(n int) string { return strconv.Itoa(n) + suffix(n) })
	add("hex", func(n int) string { return strings.ToUpper(strconv.FormatInt(int64(n), 16)) })
	add("lower-roman lowerRoman", func(n int) string { return strings.ToLower(additive(n, 3999, roman)) })
	add("upper-roman upperRoman", func(n int) string { return additive(n, 3999, roman) })
	add("hebrew hebrew1", func(n int) string {
		return strings.NewReplacer("יה", "טו", "יו", "טז").Replace(additive(n, 999, hebrew))
	})
	add("armenian upper-armenian",
		func(n int) string { return additive(n, 9999, letterSigns(armenian)) })
	add("lower-armenian",
		func(n int) string { return strings.ToLower(additive(n, 9999, letterSigns(armenian))) })
	add("georgian", func(n int) string { return additive(n, 9999, letterSigns(georgian)) })
	for name, letters := range map[string]string{
		"cjk-heavenly-stem": "甲乙丙丁戊己庚辛壬癸", "cjk-earthly-branch": "子丑寅卯辰巳午未申酉戌亥",
	} {
		add(name, func(n int) string {
			if runes := []rune(letters); n > 0 && n <= len(runes) {
				return string(runes[n-1])
			}
			return out["cjk-decimal"](n)
		})
	}
	add("decimalEnclosedCircle decimalEnclosedCircleChinese", from('①', 20))
	add("decimalEnclosedParen", from('⑴', 20))
	add("decimalEnclosedFullstop", from('⒈', 20))
	add("ideographEnclosedCircle", from('㊀', 10))
	addCounted(add)
	return out
}

// addCounted adds the formats of numbers in words.
func addCounted(add func(names string, write func(int) string)) {
	add("simp-chinese-informal trad-chinese-informal cjk-ideographic chineseCounting chineseCountingThousand taiwaneseCounting "+
		"taiwaneseCountingThousand", func(n int) string { return counted(n, "零一二三四五六七八九", "十百千", informal) })
	add("japanese-informal japaneseCounting",
		func(n int) string { return counted(n, "〇一二三四五六七八九", "十百千", plainest) })
	add("koreanCounting",
		func(n int) string { return counted(n, "영일이삼사오육칠팔구", "십백천", plainest) })
	add("simp-chinese-formal chineseLegalSimplified",
		func(n int) string { return counted(n, "零壹贰叁肆伍陆柒捌玖", "拾佰仟", formal) })
	add("trad-chinese-formal ideographLegalTraditional",
		func(n int) string { return counted(n, "零壹貳參肆伍陸柒捌玖", "拾佰仟", formal) })
	add("japanese-formal",
		func(n int) string { return counted(n, "零壱弐参四伍六七八九", "拾百阡", unzeroed) })
	add("korean-hangul-formal",
		func(n int) string { return counted(n, "영일이삼사오육칠팔구", "십백천", unzeroed) })
	add("korean-hanja-formal",
		func(n int) string { return counted(n, "零壹貳參四五六七八九", "拾百仟", unzeroed) })
	add("korean-hanja-informal",
		func(n int) string { return counted(n, "零一二三四五六七八九", "十百千", plainest) })
}

// numeral writes a list number. known is false if the style is not, and the number is decimal.
func numeral(n int, style string) (text string, known bool) {
	write, known := numerals[style]
	if known {
		text = write(n)
	}
	if text == "" { // the style has no such number
		text = strconv.Itoa(n)
	}
	return text, known
}

func suffix(n int) string {
	switch {
	case n%100 >= 11 && n%100 <= 13:
	case n%10 == 1:
		return "st"
	case n%10 == 2:
		return "nd"
	case n%10 == 3:
		return "rd"
	}
	return "th"
}

// positional writes decimal numbers with the digits of a script.
func positional(digits string) func(int) string {
	runes := []rune(digits)
	return func(n int) string {
		return strings.Map(func(c rune) rune {
			if c == '-' {
				return c
			}
			return runes[c-'0']
		}, strconv.Itoa(n))
	}
}

// alphabetic writes numbers as letters. After the last letter, Word repeats letters (aa, bb), and
// CSS counts on with two (aa, ab).
func alphabetic(letters string, repeats bool) func(int) string {
	runes := []rune(letters)
	return func(n int) string {
		if n < 1 || repeats && n > 30*len(runes) {
			return ""
		}
		if repeats {
			return strings.Repeat(string(runes[(n-1)%len(runes)]), (n-1)/len(runes)+1)
		}
		var out string
		for ; n > 0; n = (n - 1) / len(runes) {
			out = string(runes[(n-1)%len(runes)]) + out
		}
		return out
	}
}

// from writes numbers from 1 to last as consecutive characters.
func from(first rune, last int) func(int) string {
	return func(n int) string {
		if n < 1 || n > last {
			return ""
		}
		return string(first + rune(n-1))
	}
}

type sign struct {
	value int
	text  string
}

var roman = []sign{{1000, "M"}, {900, "CM"}, {500, "D"}, {400, "CD"}, {100, "C"}, {90, "XC"}, {50, "L"}, {40, "XL"}, {10, "X"}, {9, "IX"},
	{5, "V"}, {4, "IV"}, {1, "I"}}

var hebrew = []sign{{400, "ת"}, {300, "ש"}, {200, "ר"}, {100, "ק"}, {90, "צ"}, {80, "פ"}, {70, "ע"}, {60, "ס"}, {50, "נ"}, {40, "מ"},
	{30, "ל"}, {20, "כ"}, {10, "י"}, {9, "ט"}, {8, "ח"}, {7, "ז"}, {6, "ו"}, {5, "ה"}, {4, "ד"}, {3, "ג"}, {2, "ב"}, {1, "א"}}

// armenian and georgian are letters for 1 to 9, 10 to 90, 100 to 900 and 1,000 to 9,000.
const (
	armenian = "ԱԲԳԴԵԶԷԸԹԺԻԼԽԾԿՀՁՂՃՄՅՆՇՈՉՊՋՌՍՎՏՐՑՒՓՔ"
	georgian = "აბგდევზჱთიკლმნჲოპჟრსტჳფქღყშჩცძწჭხჴჯჰ"
)

// letterSigns returns the values of such letters, the largest first.
func letterSigns(letters string) (signs []sign) {
	unit := 1
	for i, c := range []rune(letters) {
		if i > 0 && i%9 == 0 {
			unit *= 10
		}
		signs = append(signs, sign{(i%9 + 1) * unit, string(c)})
	}
	slices.Reverse(signs)
	return signs
}

// additive writes a number as a sum of signs.
func additive(n, last int, signs []sign) string {
	if n < 1 || n > last {
		return ""
	}
	var out strings.Builder
	for _, s := range signs {
		for ; n >= s.value; n -= s.value {
			out.WriteString(s.text)
		}
	}
	return out.String()
}

// grammar says which words of a number in words are left out.
type grammar int

const (
	formal   grammar = iota // none
	unzeroed                // zeros
	informal                // the one of a leading ten
	plainest                // the one of tens, hundreds and thousands, and zeros
)

// counted writes a number with words for tens, hundreds and thousands.
func counted(n int, digits, places string, g grammar) string {
	if n < 0 || n > 9999 {
		return ""
	}
	digit, place := []rune(digits), []rune(places)
	if n == 0 {
		return string(digit[0])
	}
	var out []rune
	text := strconv.Itoa(n)
	for i, c := range text {
		at := len(text) - i - 1 // 0 for ones
		if c == '0' {
			continue
		}
		if i > 0 && text[i-1] == '0' && (g == formal || g == informal) {
			out = append(out, digit[0])
		}
		if c > '1' || at == 0 || g == formal || g == unzeroed || g == informal && (at > 1 || i > 0) {
			out = append(out, digit[c-'0'])
		}
		if at > 0 {
			out = append(out, place[at-1])
		}
	}
	return string(out)
}
