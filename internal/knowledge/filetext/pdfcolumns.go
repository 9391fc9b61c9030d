package filetext

import (
	"cmp"
	"math"
	"slices"
	"unicode"

	"github.com/klippa-app/go-pdfium/structs"
)

// minGutter is the least distance between tiers of columns, in parts of the height of a letter.
const minGutter = 1.5

// pdfColumn is a line that runs downwards, as far as it stays in one tier: columns of a tier stand
// next to each other.
type pdfColumn struct {
	chars  []pdfChar
	tier   int // from the top
	x, top float32
}

// orderColumns orders lines that run downwards, like those of Japanese and of tables turned to the
// right: tier by tier, from right to left. PDFium joins the tiers, and sorts columns from left to
// right, which is only right for Mongolian.
func (p *pdfPage) orderColumns() {
	chars := make([]pdfChar, 0, len(p.chars))
	for lines := p.lines(); len(lines) > 0; {
		n, several := 0, 0
		for n < len(lines) && p.runsDownwards(visible(lines[n])) {
			if len(visible(lines[n])) > 1 {
				several++
			}
			n++
		}
		columns := lines[:n]
		if several > 1 {
			columns = p.columns(columns)
		}
		chars = append(chars, slices.Concat(columns...)...)
		if lines = lines[n:]; len(lines) > 0 {
			chars = append(chars, lines[0]...)
			lines = lines[1:]
		}
	}
	p.chars = chars
}

// runsDownwards reports whether a line may be a column. A line of one character may.
func (p *pdfPage) runsDownwards(line []pdfChar) bool {
	if len(line) < 2 {
		return len(line) == 1
	}
	for _, c := range line {
		if unicode.Is(unicode.Mongolian, c.value) {
			return false
		}
	}
	first, ok := p.box(line[0])
	last, ok2 := p.box(line[len(line)-1])
	across := math.Abs(float64(first.Left+first.Right-last.Left-last.Right)) / 2
	down := float64(first.Top - last.Top)
	return ok && ok2 && down > 0 && across < down/2
}

// columns returns columns in reading order, each with its end.
func (p *pdfPage) columns(lines [][]pdfChar) [][]pdfChar {
	var boxes []structs.FPDF_FS_RECTF
	for _, line := range lines {
		for i, c := range line {
			if i > 0 && unicode.IsSpace(c.value) {
				boxes = append(boxes, boxes[len(boxes)-1])
				continue
			}
			box, ok := p.box(c)
			if !ok {
				return lines
			}
			boxes = append(boxes, box)
		}
	}
	var columns []pdfColumn
	edges, at := gutters(boxes), 0
	for _, line := range lines {
		for i, c := range line {
			tier := 0
			for tier < len(edges) && boxes[at].Top < edges[tier] {
				tier++
			}
			if i == 0 || tier != columns[len(columns)-1].tier {
				x := (boxes[at].Left + boxes[at].Right) / 2
				columns = append(columns, pdfColumn{tier: tier, x: x, top: boxes[at].Top})
			}
			last := &columns[len(columns)-1]
			last.chars = append(last.chars, c)
			at++
		}
	}
	slices.SortStableFunc(columns, func(a, b pdfColumn) int {
		return cmp.Or(cmp.Compare(a.tier, b.tier), cmp.Compare(b.x, a.x), cmp.Compare(b.top, a.top))
	})
	ordered := make([][]pdfChar, 0, len(columns))
	for _, c := range columns {
		ordered = append(ordered, append(visible(c.chars), pdfChar{'\n', c.chars[0].index}))
	}
	if end := lines[len(lines)-1]; end[len(end)-1].value != '\n' { // the end of the page
		ordered[len(ordered)-1] = visible(ordered[len(ordered)-1])
	}
	return ordered
}

// gutters returns the heights at which no character stands between two tiers, from the top.
func gutters(boxes []structs.FPDF_FS_RECTF) (edges []float32) {
	boxes = slices.SortedFunc(slices.Values(boxes), func(a, b structs.FPDF_FS_RECTF) int {
		return cmp.Compare(b.Top, a.Top)
	})
	height := float32(0)
	for _, box := range boxes {
		height = max(height, box.Top-box.Bottom)
	}
	low := boxes[0].Bottom
	for _, box := range boxes {
		if low-box.Top > minGutter*height {
			edges = append(edges, low)
		}
		low = min(low, box.Bottom)
	}
	return edges
}
