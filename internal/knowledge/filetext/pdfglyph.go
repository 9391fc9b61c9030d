package filetext

import (
	"slices"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// orderGlyphs gives the characters of each glyph the order of its font. Where text runs from right
// to left, PDFium reverses them: a glyph for "لا" becomes "ال".
func (p *pdfPage) orderGlyphs() {
	for first := 0; first < len(p.chars); {
		end := first + 1
		if c := p.chars[first].value; c <= 0xffff && isRightToLeft(c) || unicode.Is(unicode.Mn, c) {
			end = p.glyphEnd(first)
		}
		if glyph := p.chars[first:end]; len(glyph) > 1 && p.isReversed(glyph) {
			slices.Reverse(glyph)
		}
		first = end
	}
}

// glyphEnd returns the number of the first character after a glyph of right-to-left characters.
func (p *pdfPage) glyphEnd(first int) int {
	end := first + 1
	x, y, ok := 0.0, 0.0, false
	for ; end < len(p.chars); end++ {
		c := p.chars[end].value
		if !isRightToLeft(c) && !unicode.Is(unicode.Mn, c) {
			break
		}
		if end == first+1 {
			x, y, ok = p.origin(p.chars[first])
		}
		if x2, y2, ok2 := p.origin(p.chars[end]); !ok || !ok2 || x != x2 || y != y2 {
			break
		}
	}
	return end
}

// isReversed reports whether the characters of a glyph are in the wrong order. PDFium does not
// reverse those that it has from a presentation form, like U+FEFB.
func (p *pdfPage) isReversed(glyph []pdfChar) bool {
	text := make([]rune, 0, len(glyph))
	for _, c := range glyph {
		text = append(text, c.value)
	}
	if !slices.ContainsFunc(text, isRightToLeft) {
		return false
	}
	if unicode.Is(unicode.Mn, text[0]) != unicode.Is(unicode.Mn, text[len(text)-1]) {
		return unicode.Is(unicode.Mn, text[0])
	}
	if p.forms == nil {
		p.forms = presentationForms()
	}
	isForm := p.forms[string(text)]
	slices.Reverse(text)
	return !isForm || p.forms[string(text)]
}

// presentationForms returns the decompositions of the Hebrew and Arabic presentation forms.
func presentationForms() map[string]bool {
	forms := map[string]bool{}
	for _, block := range [][2]rune{{0xfb1d, 0xfdff}, {0xfe70, 0xfeff}} {
		for c := block[0]; c <= block[1]; c++ {
			if text := norm.NFKD.String(string(c)); text != string(c) {
				forms[text] = true
			}
		}
	}
	return forms
}

// isRightToLeft reports whether a character is a letter of a script that runs from right to left.
func isRightToLeft(c rune) bool {
	return unicode.IsLetter(c) && (c >= 0x590 && c < 0x900 || c >= 0xfb1d && c < 0xff00 ||
		c >= 0x10800 && c < 0x11000 || c >= 0x1e800 && c < 0x1f000)
}
