package filetext

import (
	"fmt"
	"slices"
	"unicode"

	"github.com/klippa-app/go-pdfium/enums"
	"github.com/klippa-app/go-pdfium/references"
	"github.com/klippa-app/go-pdfium/requests"
)

// maxAnnotations and maxObjects are the largest numbers of annotations and drawn objects of a page
// that are examined.
const maxAnnotations, maxObjects = 1_000, 100

// minCodes is the least ratio of codes that are not characters to other unmapped codes if codes are
// glyph numbers: the spaces alone exceed it. Otherwise codes are those of letters, except for a few
// quotation marks and ligatures.
const minCodes = 0.04

// findUnreadable counts the characters of the page that its fonts do not map to text. PDFium has
// their codes instead. Those that are characters count as right, unless the ratio of the others
// reaches minCodes.
func (p *pdfPage) findUnreadable() {
	if !slices.ContainsFunc(p.chars, p.isCode) {
		return
	}
	codes, unmapped := 0, 0
	for _, c := range p.chars {
		switch {
		case p.isCode(c):
			codes++
		case !unicode.IsSpace(c.value) && p.isUnmapped(c):
			unmapped++
		}
	}
	if p.left.unreadable == 0 {
		p.left.place = fmt.Sprintf("on page %d", p.page.ByIndex.Index+1)
	}
	p.left.unreadable += codes
	if float64(codes) >= minCodes*float64(unmapped) {
		p.left.unreadable += unmapped
	}
}

// isCode reports whether a character is a code that is no text.
func (p *pdfPage) isCode(c pdfChar) bool {
	return isUnreadable(c.value) && (!isHyphen(c.value) || p.isUnmapped(c))
}

// isHyphen reports whether a character is PDFium's mark for a word that is broken at the end of a
// line.
func isHyphen(c rune) bool { return c == '\x02' || c == '\ufffe' }

func (p *pdfPage) isUnmapped(c pdfChar) bool {
	got, err := p.pdf.FPDFText_HasUnicodeMapError(&requests.FPDFText_HasUnicodeMapError{
		TextPage: p.text, Index: c.index,
	})
	return err == nil && got.HasUnicodeMapError
}

// countAnnotations counts comments and the fields of forms, whose texts are not those of the page.
func (p *pdfPage) countAnnotations() {
	count, err := p.pdf.FPDFPage_GetAnnotCount(&requests.FPDFPage_GetAnnotCount{Page: p.page})
	if err != nil {
		return
	}
	for i := range min(count.Count, maxAnnotations) {
		got, err := p.pdf.FPDFPage_GetAnnot(&requests.FPDFPage_GetAnnot{Page: p.page, Index: i})
		if err != nil {
			continue
		}
		p.countAnnotation(got.Annotation)
		_, err = p.pdf.FPDFPage_CloseAnnot(&requests.FPDFPage_CloseAnnot{Annotation: got.Annotation})
		if err != nil {
			return
		}
	}
}

func (p *pdfPage) countAnnotation(annotation references.FPDF_ANNOTATION) {
	got, err := p.pdf.FPDFAnnot_GetSubtype(&requests.FPDFAnnot_GetSubtype{Annotation: annotation})
	if err != nil {
		return
	}
	has := func(key string) bool {
		got, err := p.pdf.FPDFAnnot_HasKey(&requests.FPDFAnnot_HasKey{Annotation: annotation, Key: key})
		return err == nil && got.HasKey
	}
	switch got.Subtype {
	case enums.FPDF_ANNOT_SUBTYPE_WIDGET:
		// A field has its own value, or its parent has it.
		p.left.values += count(has("V") || has("Parent"))
	case enums.FPDF_ANNOT_SUBTYPE_TEXT, enums.FPDF_ANNOT_SUBTYPE_FREETEXT,
		enums.FPDF_ANNOT_SUBTYPE_HIGHLIGHT, enums.FPDF_ANNOT_SUBTYPE_UNDERLINE,
		enums.FPDF_ANNOT_SUBTYPE_SQUIGGLY, enums.FPDF_ANNOT_SUBTYPE_STRIKEOUT,
		enums.FPDF_ANNOT_SUBTYPE_STAMP, enums.FPDF_ANNOT_SUBTYPE_CARET:
		p.left.comments += count(has("Contents"))
	case enums.FPDF_ANNOT_SUBTYPE_FILEATTACHMENT:
		p.left.parts++
	}
}

// countScans counts the pictures of a page without text.
func (p *pdfPage) countScans() {
	if slices.ContainsFunc(p.chars, func(c pdfChar) bool { return !unicode.IsSpace(c.value) }) {
		return
	}
	objects, err := p.pdf.FPDFPage_CountObjects(&requests.FPDFPage_CountObjects{Page: p.page})
	if err != nil {
		return
	}
	for i := range min(objects.Count, maxObjects) {
		object, err := p.pdf.FPDFPage_GetObject(&requests.FPDFPage_GetObject{Page: p.page, Index: i})
		if err != nil {
			return
		}
		kind, err := p.pdf.FPDFPageObj_GetType(&requests.FPDFPageObj_GetType{
			PageObject: object.PageObject,
		})
		if err != nil {
			return
		}
		p.left.pictures += count(kind.Type == enums.FPDF_PAGEOBJ_IMAGE)
	}
}

// countAttachments counts the files that are attached to a document.
func (r *pdfReader) countAttachments(document references.FPDF_DOCUMENT, left *left) {
	got, err := r.instance.FPDFDoc_GetAttachmentCount(&requests.FPDFDoc_GetAttachmentCount{
		Document: document,
	})
	if err == nil {
		left.parts += got.AttachmentCount
	}
}
