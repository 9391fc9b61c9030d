package filetext

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/klippa-app/go-pdfium/requests"
	"golang.org/x/text/unicode/bidi"
)

const (
	// minRightToLeft is the least part of right-to-left letters in a block that runs from right to
	// left; the others may be names and addresses.
	minRightToLeft = 0.3
	// minGap is the least distance between words, in parts of the height of a letter.
	minGap = 0.05
	// maxLine is the largest number of characters of a line that is ordered.
	maxLine = 5_000
)

// pdfGlyph is a glyph of a line.
type pdfGlyph struct {
	chars       []pdfChar
	left, right float64
}

// orderLines gives lines with right-to-left letters their reading order. A block is a sequence of
// such lines. PDFium takes the direction of a line from its first word, and reverses each word of
// a line in the other direction alone.
func (p *pdfPage) orderLines() {
	if !slices.ContainsFunc(p.chars, func(c pdfChar) bool { return isRightToLeft(c.value) }) {
		return
	}
	chars := make([]pdfChar, 0, len(p.chars))
	lines := p.lines()
	for i := 0; i < len(lines); {
		end, toLeft, toRight := i, 0, 0
		for ; end < len(lines); end++ {
			n, all := countRightToLeft(lines[end])
			if n == 0 {
				break
			}
			toLeft, toRight = toLeft+n, toRight+all-n
		}
		base := bidi.LeftToRight
		if float64(toLeft) >= minRightToLeft*float64(toLeft+toRight) {
			base = bidi.RightToLeft
		}
		for _, line := range lines[i:end] {
			chars = append(chars, p.ordered(line, base)...)
		}
		if i = end; i < len(lines) {
			chars = append(chars, lines[i]...)
			i++
		}
	}
	p.chars = chars
}

// countRightToLeft counts the letters of a line that run from right to left, and all letters.
func countRightToLeft(line []pdfChar) (n, all int) {
	for _, c := range line {
		if isRightToLeft(c.value) {
			n++
		}
		if unicode.IsLetter(c.value) {
			all++
		}
	}
	return n, all
}

// ordered returns the characters of a line in reading order.
func (p *pdfPage) ordered(line []pdfChar, base bidi.Direction) []pdfChar {
	text := visible(line)
	if len(text) > maxLine {
		return line
	}
	glyphs := p.glyphs(text)
	if glyphs == nil {
		return line
	}
	runs := bidiRuns(glyphs, base)
	if runs == nil {
		return line
	}
	out := make([]pdfChar, 0, len(line)+8)
	for _, g := range slices.Concat(runs...) {
		out = append(out, g.chars...)
	}
	turnBrackets(out)
	return append(out, line[len(text):]...)
}

// glyphs returns the glyphs of a line from left to right; nil if the line runs in another direction.
// The spaces that PDFium added are put where the gaps are.
func (p *pdfPage) glyphs(line []pdfChar) []pdfGlyph {
	var glyphs, marks []pdfGlyph
	height, x0, y0, spaces := 0.0, 0.0, 0.0, 0
	for _, c := range line {
		if c.value == ' ' && p.isGenerated(c) {
			spaces++
			continue
		}
		box, ok := p.box(c)
		x, y, ok2 := p.origin(c)
		if !ok || !ok2 {
			return nil
		}
		g := pdfGlyph{[]pdfChar{c}, float64(box.Left), float64(box.Right)}
		switch n := len(glyphs); {
		case n > 0 && x == x0 && y == y0:
			glyphs[n-1].chars = append(glyphs[n-1].chars, c)
		case unicode.Is(unicode.Mn, c.value):
			marks = append(marks, g)
		case n > 0 && math.Abs(y-y0) > height/2:
			return nil
		default:
			height = max(height, float64(box.Top-box.Bottom))
			x0, y0 = x, y
			glyphs = append(glyphs, g)
		}
	}
	addMarks(glyphs, marks)
	slices.SortStableFunc(glyphs, func(a, b pdfGlyph) int { return cmp.Compare(a.left, b.left) })
	if spaces > 0 && len(glyphs) > 0 {
		glyphs = withSpaces(glyphs, spaces, minGap*height)
	}
	return glyphs
}

// isGenerated reports whether PDFium added a character.
func (p *pdfPage) isGenerated(c pdfChar) bool {
	got, err := p.pdf.FPDFText_IsGenerated(&requests.FPDFText_IsGenerated{
		TextPage: p.text, Index: c.index,
	})
	return err == nil && got.IsGenerated
}

// addMarks adds marks to the nearest letters.
func addMarks(glyphs, marks []pdfGlyph) {
	for _, mark := range marks {
		middle := (mark.left + mark.right) / 2
		nearest, least := -1, math.Inf(1)
		for i, g := range glyphs {
			if distance := max(g.left-middle, middle-g.right, 0); distance < least {
				nearest, least = i, distance
			}
		}
		if nearest >= 0 {
			glyphs[nearest].chars = append(glyphs[nearest].chars, mark.chars...)
		}
	}
}

// withSpaces returns glyphs with n spaces, in the widest gaps.
func withSpaces(glyphs []pdfGlyph, n int, least float64) []pdfGlyph {
	gap := func(i int) float64 {
		if i == 0 || glyphs[i-1].isSpace() || glyphs[i].isSpace() {
			return 0
		}
		return glyphs[i].left - glyphs[i-1].right
	}
	gaps := make([]float64, len(glyphs))
	for i := range glyphs {
		gaps[i] = gap(i)
	}
	slices.Sort(gaps)
	least = max(least, gaps[len(gaps)-min(n, len(gaps))])
	out := make([]pdfGlyph, 0, len(glyphs)+n)
	for i, g := range glyphs {
		if gap(i) >= least {
			space := pdfChar{' ', g.chars[0].index}
			out = append(out, pdfGlyph{chars: []pdfChar{space}})
		}
		out = append(out, g)
	}
	return out
}

func (g pdfGlyph) isSpace() bool { return unicode.IsSpace(g.chars[0].value) }

// bidiRuns returns the runs of a line in reading order; nil if they cannot be determined. It applies
// the bidirectional algorithm to the glyphs from left to right, as if they were in reading order:
// that reverses its effect.
func bidiRuns(glyphs []pdfGlyph, base bidi.Direction) [][]pdfGlyph {
	var text strings.Builder
	if base == bidi.LeftToRight { // a mark, because the option means “automatic”
		glyphs = slices.Insert(glyphs, 0, pdfGlyph{})
		text.WriteRune('\u200e')
	}
	for _, g := range glyphs {
		if len(g.chars) > 0 {
			text.WriteRune(g.chars[0].value)
		}
	}
	var paragraph bidi.Paragraph
	if _, err := paragraph.SetString(text.String(), bidi.DefaultDirection(base)); err != nil {
		return nil
	}
	order, err := paragraph.Order()
	if err != nil {
		return nil
	}
	var runs [][]pdfGlyph
	var inner []bool // whether the run may be part of a right-to-left one
	for i := range order.NumRuns() {
		run := order.Run(i)
		n := utf8.RuneCountInString(run.String())
		if n > len(glyphs) {
			return nil
		}
		part := glyphs[:n]
		glyphs = glyphs[n:]
		toLeft := run.Direction() == bidi.RightToLeft
		if toLeft {
			slices.Reverse(part)
		}
		runs = append(runs, part)
		inner = append(inner, base == bidi.RightToLeft || toLeft ||
			i > 0 && i+1 < order.NumRuns() && !strings.ContainsFunc(run.String(), unicode.IsLetter))
	}
	if len(glyphs) > 0 {
		return nil
	}
	for i := 0; i < len(runs); i++ {
		end := i
		for end < len(runs) && inner[end] {
			end++
		}
		slices.Reverse(runs[i:end])
		i = end
	}
	return runs
}

// turnBrackets gives brackets their direction: PDFium mirrors only some of those in a line.
func turnBrackets(line []pdfChar) {
	const brackets = "()[]{}"
	open := map[int]bool{}
	for i, c := range line {
		kind := strings.IndexRune(brackets, c.value)
		if kind < 0 {
			continue
		}
		kind /= 2
		begins := i == 0 || unicode.IsSpace(line[i-1].value) ||
			strings.ContainsRune("([{", line[i-1].value)
		ends := i+1 == len(line) || unicode.IsSpace(line[i+1].value)
		if open[kind] = begins && !ends || begins == ends && !open[kind]; open[kind] {
			line[i].value = rune(brackets[2*kind])
		} else {
			line[i].value = rune(brackets[2*kind+1])
		}
	}
}
