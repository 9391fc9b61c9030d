package filetext

import (
	"strings"
	"unicode"
	pairs "unicode/utf16"

	"github.com/klippa-app/go-pdfium"
	"github.com/klippa-app/go-pdfium/references"
	"github.com/klippa-app/go-pdfium/requests"
	"github.com/klippa-app/go-pdfium/structs"
)

// pdfPage is a page of a PDF, with its characters in PDFium's order of reading.
type pdfPage struct {
	pdf   pdfium.Pdfium
	left  *left
	page  requests.Page
	text  references.FPDF_TEXTPAGE
	chars []pdfChar
	marks map[int]string  // additional text before characters, by their number
	forms map[string]bool // presentationForms, if needed
}

// pdfChar is a character of a page. PDFium knows its place by the index.
type pdfChar struct {
	value rune
	index int
}

// page returns the text of a page.
func (r *pdfReader) page(
	document references.FPDF_DOCUMENT, number int, left *left,
) (string, error) {
	page := requests.Page{ByIndex: &requests.PageByIndex{Document: document, Index: number}}
	loaded, err := r.instance.FPDFText_LoadPage(&requests.FPDFText_LoadPage{Page: page})
	if err != nil {
		return "", err
	}
	p := pdfPage{pdf: r.instance, left: left, page: page, text: loaded.TextPage,
		marks: map[int]string{}}
	if err := p.load(); err != nil {
		return "", err
	}
	p.findUnreadable()
	p.countAnnotations()
	p.countScans()
	p.orderGlyphs()
	p.orderLines()
	p.orderColumns()
	p.joinRaised()
	p.markRaised()
	p.markLinks()
	var out strings.Builder
	for i, c := range p.chars {
		out.WriteString(p.marks[i])
		if c.value != 0 {
			out.WriteRune(c.value)
		}
	}
	out.WriteString(p.marks[len(p.chars)])
	_, err = r.instance.FPDFText_ClosePage(&requests.FPDFText_ClosePage{TextPage: p.text})
	return out.String(), err
}

// load reads the characters. PDFium has two for each character beyond U+FFFF: the halves of its
// UTF-16 pair, in reverse order where text runs from right to left.
func (p *pdfPage) load() error {
	count, err := p.pdf.FPDFText_CountChars(&requests.FPDFText_CountChars{TextPage: p.text})
	if err != nil {
		return err
	}
	var half rune // of a pair, if the last character is one
	for i := range count.Count {
		got, err := p.pdf.FPDFText_GetUnicode(&requests.FPDFText_GetUnicode{
			TextPage: p.text, Index: i,
		})
		if err != nil {
			return err
		}
		c := pdfChar{rune(uint32(got.Unicode)), i}
		switch pair := joinHalves(half, c.value); {
		case pair != 0:
			p.chars[len(p.chars)-1].value = pair
			half = 0
			continue
		case pairs.IsSurrogate(c.value):
			half = c.value
		default:
			half = 0
		}
		p.chars = append(p.chars, c)
	}
	return nil
}

// lines returns the lines of the page, with their ends.
func (p *pdfPage) lines() (lines [][]pdfChar) {
	first := 0
	for i, c := range p.chars {
		if c.value == '\n' {
			lines = append(lines, p.chars[first:i+1])
			first = i + 1
		}
	}
	return append(lines, p.chars[first:])
}

// visible returns a line without the spaces at its end.
func visible(line []pdfChar) []pdfChar {
	for len(line) > 0 && unicode.IsSpace(line[len(line)-1].value) {
		line = line[:len(line)-1]
	}
	return line
}

// box returns the area of a character.
func (p *pdfPage) box(c pdfChar) (structs.FPDF_FS_RECTF, bool) {
	got, err := p.pdf.FPDFText_GetLooseCharBox(&requests.FPDFText_GetLooseCharBox{
		TextPage: p.text, Index: c.index,
	})
	if err != nil {
		return structs.FPDF_FS_RECTF{}, false
	}
	return got.Rect, true
}

// joinHalves returns the character of two halves, in either order; 0 for other values.
func joinHalves(a, b rune) rune {
	for _, pair := range [][2]rune{{a, b}, {b, a}} {
		if c := pairs.DecodeRune(pair[0], pair[1]); c != '\ufffd' {
			return c
		}
	}
	return 0
}
