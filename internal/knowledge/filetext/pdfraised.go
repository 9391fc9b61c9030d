package filetext

import (
	"math"
	"strings"
	"unicode"

	"github.com/klippa-app/go-pdfium/requests"
)

// The smallest distance of a raised or lowered digit from the baseline, as a part of the font size
// there: for a digit in a smaller font, and for others.
const (
	minSmallRise = 0.1
	minRise      = 0.25
)

// markRaised separates raised and lowered digits from the text that they would join: 10^6, 10_2,
// word^1, 5 1/2. Lowered digits join letters: H2O.
func (p *pdfPage) markRaised() {
	base, level := 0, 0 // the last character on the baseline; 1 above it, -1 below
	for i := range p.chars {
		if !p.raisable(i) {
			base, level = i, 0
			p.markLeading(i)
			continue
		}
		now := p.level(base, i)
		switch {
		case now == level:
		case now > 0 && p.fraction(i):
			p.marks[i] = " "
		case now > 0:
			p.marks[i] = "^"
		case now < 0 && (level > 0 || unicode.IsDigit(p.chars[base].value)):
			p.marks[i] = "_"
		case now == 0 && unicode.IsDigit(p.chars[i-1].value):
			p.marks[i] = " "
		}
		if level = now; now == 0 {
			base = i
		}
	}
}

// markLeading separates raised digits that begin a word, like the number of a footnote, from the
// character that follows them: ^1 Note.
func (p *pdfPage) markLeading(next int) {
	first := next
	for first > 0 && unicode.IsDigit(p.chars[first-1].value) {
		first--
	}
	alone := first == next || unicode.IsSpace(p.chars[next].value)
	if !alone && (first == 0 || unicode.IsSpace(p.chars[first-1].value)) && p.level(next, first) > 0 {
		p.marks[first], p.marks[next] = "^", " "
	}
}

// raisable reports whether a character may be raised: a digit, or a sign before one, that follows a
// character other than space.
func (p *pdfPage) raisable(i int) bool {
	if i == 0 || unicode.IsSpace(p.chars[i-1].value) {
		return false
	}
	return unicode.IsDigit(p.chars[i].value) || strings.ContainsRune("+-−", p.chars[i].value) &&
		i+1 < len(p.chars) && unicode.IsDigit(p.chars[i+1].value)
}

// fraction reports whether the digits from a character on are a numerator.
func (p *pdfPage) fraction(i int) bool {
	for i < len(p.chars) && unicode.IsDigit(p.chars[i].value) {
		i++
	}
	return i < len(p.chars) && strings.ContainsRune("/⁄", p.chars[i].value)
}

// level returns 1 if a character is raised above the baseline of another, -1 if it is lowered.
func (p *pdfPage) level(base, i int) int {
	_, rise, smaller := p.shift(base, i)
	least := minRise
	if smaller {
		least = minSmallRise
	}
	switch {
	case rise >= least && rise < 1:
		return 1
	case rise <= -least && rise > -1:
		return -1
	}
	return 0
}

// joinRaised removes the line breaks that PDFium puts before and after raised and lowered text if
// there is only one character next to it.
func (p *pdfPage) joinRaised() {
	kept := p.chars[:0]
	for i := 0; i < len(p.chars); i++ {
		if len(kept) > 0 && p.isBreak(i) && p.continues(len(kept)-1, i+2) {
			i++
			continue
		}
		kept = append(kept, p.chars[i])
	}
	p.chars = kept
}

// isBreak reports whether a line break that PDFium added begins at a character.
func (p *pdfPage) isBreak(i int) bool {
	return i+2 < len(p.chars) && p.chars[i].value == '\r' && p.chars[i+1].value == '\n'
}

// continues reports whether a character stands directly after another, above or below its baseline.
func (p *pdfPage) continues(from, to int) bool {
	along, rise, _ := p.shift(from, to)
	return rise != 0 && math.Abs(rise) < 0.9 && along > 0 && along < 1.2
}

// shift returns how far a character is along and above the baseline of another, in parts of the
// larger font size, and whether its own is smaller. The result is 0, 0 without a rise.
func (p *pdfPage) shift(from, to int) (along, rise float64, smaller bool) {
	x, y, ok := p.origin(p.chars[from])
	x2, y2, ok2 := p.origin(p.chars[to])
	if !ok || !ok2 || x == x2 || y == y2 {
		return 0, 0, false
	}
	x, y = x2-x, y2-y
	upX, upY := p.up(from)
	size, size2 := math.Hypot(upX, upY), math.Hypot(p.up(to))
	unit := size * max(size, size2)
	if unit == 0 {
		return 0, 0, false
	}
	return (x*upY - y*upX) / unit, (x*upX + y*upY) / unit, size2 < 0.9*size
}

// origin returns the place of a character on its baseline.
func (p *pdfPage) origin(c pdfChar) (x, y float64, ok bool) {
	got, err := p.pdf.FPDFText_GetCharOrigin(&requests.FPDFText_GetCharOrigin{
		TextPage: p.text, Index: c.index,
	})
	if err != nil {
		return 0, 0, false
	}
	return got.X, got.Y, true
}

// up returns the direction from the foot to the head of a character. Its length is the font size.
func (p *pdfPage) up(i int) (x, y float64) {
	size, err := p.pdf.FPDFText_GetFontSize(&requests.FPDFText_GetFontSize{
		TextPage: p.text, Index: p.chars[i].index,
	})
	if err != nil {
		return 0, 0
	}
	got, err := p.pdf.FPDFText_GetMatrix(&requests.FPDFText_GetMatrix{
		TextPage: p.text, Index: p.chars[i].index,
	})
	if err != nil {
		return 0, 0
	}
	return size.FontSize * float64(got.Matrix.C), size.FontSize * float64(got.Matrix.D)
}
