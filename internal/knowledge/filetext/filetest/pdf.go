package filetest

import (
	"fmt"
	"strings"
	"unicode/utf16"
)

// PDF returns a PDF with a text on each page. With toUnicode, its font maps codes to characters;
// without, it maps none.
func PDF(toUnicode bool, pages ...string) []byte {
	d := Drawing{anonymous: !toUnicode}
	for _, text := range pages {
		d.Page()
		for i, line := range strings.Split(text, "\n") {
			d.Text(50, 780-20*float64(i), 12, strings.Split(line, "")...)
		}
	}
	return d.PDF()
}

// Drawing is a PDF that is drawn glyph by glyph. Each glyph is a code of one font, which maps it to
// one or more characters.
type Drawing struct {
	pages     []drawnPage
	codes     map[string]int
	anonymous bool // the font does not map codes
	attached  string
}

type drawnPage struct{ content, annotations strings.Builder }

// Page begins a page of 595 by 842 points.
func (d *Drawing) Page() { d.pages = append(d.pages, drawnPage{}) }

// Text draws glyphs from a point to the right, each 0.6 of the font size wide.
func (d *Drawing) Text(x, y, size float64, glyphs ...string) {
	d.Turned(fmt.Sprintf("1 0 0 1 %g %g", x, y), size, glyphs...)
}

// Turned draws glyphs with a text matrix.
func (d *Drawing) Turned(matrix string, size float64, glyphs ...string) {
	if d.codes == nil {
		d.codes = map[string]int{}
	}
	codes := make([]int, 0, len(glyphs))
	for _, glyph := range glyphs {
		if d.codes[glyph] == 0 {
			d.codes[glyph] = len(d.codes) + 1
		}
		code := d.codes[glyph]
		if d.anonymous {
			code %= 27 // a place in the font
		}
		codes = append(codes, code)
	}
	d.Codes(matrix, size, codes...)
}

// Codes draws codes with a text matrix. The font maps those of glyphs only.
func (d *Drawing) Codes(matrix string, size float64, codes ...int) {
	content := &d.pages[len(d.pages)-1].content
	fmt.Fprintf(content, "BT /F %g Tf %s Tm <", size, matrix)
	for _, code := range codes {
		fmt.Fprintf(content, "%04X", code)
	}
	content.WriteString("> Tj ET\n")
}

// Picture draws a picture of one point.
func (d *Drawing) Picture() {
	d.pages[len(d.pages)-1].content.WriteString("BI /W 1 /H 1 /CS /G /BPC 8 ID a EI\n")
}

// Link adds a link to a rectangle of the page.
func (d *Drawing) Link(address string, left, bottom, right, top float64) {
	d.Annotate(fmt.Sprintf("/Link /A << /S /URI /URI (%s) >> ", address), left, bottom, right, top)
}

// Annotate adds an annotation to a rectangle of the page: its subtype, and its other entries.
func (d *Drawing) Annotate(entries string, left, bottom, right, top float64) {
	fmt.Fprintf(&d.pages[len(d.pages)-1].annotations, "<< /Type /Annot /Subtype %s "+
		"/Rect [%g %g %g %g] >> ", entries, left, bottom, right, top)
}

// Attach attaches a file that is not there.
func (d *Drawing) Attach() {
	d.attached = "/Names << /EmbeddedFiles << /Names [(a) << /Type /Filespec /F (a) >>] >> >>"
}

// PDF returns the file.
func (d *Drawing) PDF() []byte {
	const first = 7 // the number of the first page's object
	kids := make([]string, 0, len(d.pages))
	var pages []Object
	for i := range d.pages {
		p := &d.pages[i]
		kids = append(kids, fmt.Sprintf("%d 0 R", first+2*i))
		pages = append(pages,
			Object(fmt.Sprintf("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents %d 0 R "+
				"/Annots [%s] /Resources << /Font << /F 3 0 R >> >> >>", first+2*i+1, p.annotations.String())),
			Stream("", p.content.String()))
	}
	var cmap strings.Builder
	for glyph, code := range d.codes {
		fmt.Fprintf(&cmap, "1 beginbfchar <%04X> <", code)
		for _, unit := range utf16.Encode([]rune(glyph)) {
			fmt.Fprintf(&cmap, "%04X", unit)
		}
		cmap.WriteString("> endbfchar\n")
	}
	reference := "/ToUnicode 6 0 R"
	if d.anonymous {
		reference = ""
	}
	return Raw("", append([]Object{
		Object("<< /Type /Catalog /Pages 2 0 R " + d.attached + " >>"),
		Object(fmt.Sprintf("<< /Type /Pages /Kids [%s] /Count %d >>", strings.Join(kids, " "),
			len(kids))),
		Object("<< /Type /Font /Subtype /Type0 /BaseFont /Plain /Encoding /Identity-H /DescendantFonts [4 0 R] " + reference + " >>"),
		"<< /Type /Font /Subtype /CIDFontType2 /BaseFont /Plain /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) " +
			"/Supplement 0 >> /FontDescriptor 5 0 R /DW 600 >>",
		"<< /Type /FontDescriptor /FontName /Plain /Flags 4 /FontBBox [0 0 600 800] /ItalicAngle 0 /Ascent 800 /Descent 0 /StemV 80 >>",
		Stream("", "/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapType 2 def\n"+
			"1 begincodespacerange <0000> <FFFF> endcodespacerange\n"+cmap.String()+"endcmap end end"),
	}, pages...)...)
}
