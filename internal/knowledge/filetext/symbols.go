package filetext

import "strings"

// ticked and empty are tick boxes.
const (
	ticked = "[x]"
	empty  = "[ ]"
)

// symbolFonts hold the characters of fonts whose codes are not those of Unicode.
var symbolFonts = map[string]map[rune]string{
	"wingdings": {
		'!': "✏", '"': "✂", '#': "✁", '(': "☎", ')': "✆", '*': "✉", '6': "⌛", '7': "⌨", '>': "✇", '?': "✍", 'A': "✌",
		'C': "👍", 'D': "👎", 'E': "☜", 'F': "☞", 'G': "☝", 'H': "☟", 'J': "☺", 'K': "😐", 'L': "☹", 'M': "💣", 'N': "☠",
		'Q': "✈", 'R': "☼", 'S': "💧", 'T': "❄", 'V': "✞", 'X': "✠", 'Y': "✡", 'Z': "☪", '[': "☯", 'j': "&", 'l': "●",
		'n': "■", 'o': empty, 'p': empty, 'q': empty, 'r': empty, 's': "⬧", 't': "⧫", 'u': "◆", 'v': "❖", 'w': "⬥", 'x': ticked,
		'z': "⌘", '{': "❀", '|': "✿", '}': "❝", '~': "❞",
		0x80: "⓪", 0x81: "①", 0x82: "②", 0x83: "③", 0x84: "④", 0x85: "⑤", 0x86: "⑥", 0x87: "⑦", 0x88: "⑧", 0x89: "⑨", 0x8a: "⑩",
		0x8b: "⓿", 0x8c: "❶", 0x8d: "❷", 0x8e: "❸", 0x8f: "❹", 0x90: "❺", 0x91: "❻", 0x92: "❼", 0x93: "❽", 0x94: "❾", 0x95: "❿",
		0x9e: "·", 0x9f: "•", 0xa1: "○", 0xa4: "◉", 0xa5: "◎", 0xa7: "▪", 0xa8: empty, 0xaa: "✦", 0xab: "★", 0xac: "✶", 0xad: "✴",
		0xae: "✹", 0xb1: "⌖", 0xb6: "☆", 0xd5: "⌫", 0xd6: "⌦", 0xd8: "➢", 0xdf: "←", 0xe0: "→", 0xe1: "↑", 0xe2: "↓", 0xe8: "➔",
		0xef: "⇦", 0xf0: "⇨", 0xf1: "⇧", 0xf2: "⇩", 0xf3: "⇔", 0xfb: "✗", 0xfc: "✓", 0xfd: ticked, 0xfe: ticked,
	},
	"wingdings 2": {
		'O': "✗", 'P': "✓", 'Q': ticked, 'R': ticked, 'S': ticked, 'T': ticked, 'U': "⮾", 'V': "⮿", 0x96: "•", 0x97: "●", 0x98: "●",
		0xa2: "■", 0xa3: empty, 0xa4: empty, 0xae: "◆", 0xaf: "◇",
	},
	"wingdings 3": {
		'f': "←", 'g': "→", 'h': "↑", 'i': "↓", 'p': "▲", 'q': "▼", 't': "◀", 'u': "▶", 0x80: "▲", 0x84: "▶",
	},
	"webdings": {
		'4': "▶", '3': "◀", '5': "▲", '6': "▼", 'a': "✓", 'c': empty, 'g': "■", 'i': "ℹ", 'n': "●", 'r': "✗", 'Y': "♥", 0xc8: "📞",
	},
	"symbol": greek(map[rune]string{
		'"': "∀", '$': "∃", '\'': "∋", '*': "∗", '-': "−", '@': "≅", '\\': "∴", '^': "⊥", '~': "∼",
		0xa0: "€", 0xa1: "ϒ", 0xa2: "′", 0xa3: "≤", 0xa4: "⁄", 0xa5: "∞", 0xa6: "ƒ", 0xa7: "♣", 0xa8: "♦", 0xa9: "♥", 0xaa: "♠",
		0xab: "↔", 0xac: "←", 0xad: "↑", 0xae: "→", 0xaf: "↓", 0xb0: "°", 0xb1: "±", 0xb2: "″", 0xb3: "≥", 0xb4: "×", 0xb5: "∝",
		0xb6: "∂", 0xb7: "•", 0xb8: "÷", 0xb9: "≠", 0xba: "≡", 0xbb: "≈", 0xbc: "…", 0xc0: "ℵ", 0xc5: "⊕", 0xc6: "∅", 0xc7: "∩",
		0xc8: "∪", 0xc9: "⊃", 0xca: "⊇", 0xcb: "⊄", 0xcc: "⊂", 0xcd: "⊆", 0xce: "∈", 0xcf: "∉", 0xd0: "∠", 0xd1: "∇", 0xd2: "®",
		0xd3: "©", 0xd4: "™", 0xd5: "∏", 0xd6: "√", 0xd7: "⋅", 0xd8: "¬", 0xd9: "∧", 0xda: "∨", 0xdb: "⇔", 0xdc: "⇐", 0xdd: "⇑",
		0xde: "⇒", 0xdf: "⇓", 0xe0: "◊", 0xe1: "⟨", 0xe2: "®", 0xe3: "©", 0xe4: "™", 0xe5: "∑", 0xf1: "⟩", 0xf2: "∫",
	}),
}

// greek adds the letters of the font Symbol.
func greek(to map[rune]string) map[rune]string {
	upper, lower := []rune("ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ"), []rune("αβχδεφγηιϕκλμνοπθρστυϖωξψζ")
	for i := range upper {
		to['A'+rune(i)], to['a'+rune(i)] = string(upper[i]), string(lower[i])
	}
	return to
}

// symbols translates a text in a font. Other fonts and unknown characters stay.
func symbols(text, font string) string {
	chars, ok := symbolFonts[strings.ToLower(strings.Trim(font, " \"'"))]
	if !ok {
		return text
	}
	var out strings.Builder
	for _, c := range text {
		if c >= 0xf000 && c <= 0xf0ff { // where Word puts the codes
			c -= 0xf000
		}
		if char, ok := chars[c]; ok {
			out.WriteString(char)
		} else {
			out.WriteRune(c)
		}
	}
	return out.String()
}
