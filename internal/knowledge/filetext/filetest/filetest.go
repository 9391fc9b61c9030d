// Package filetest makes files for tests: Word documents and PDFs, good and hostile ones.
package filetest

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"strings"
	"unicode/utf16"
)

// Part is a part of an archive.
type Part struct{ Name, Text string }

// Zip returns an archive with the parts.
func Zip(parts ...Part) []byte {
	var out bytes.Buffer
	archive := zip.NewWriter(&out)
	for _, p := range parts {
		w, err := archive.Create(p.Name)
		if err == nil {
			_, err = io.WriteString(w, p.Text)
		}
		if err != nil {
			panic(err) // writing to a buffer cannot fail
		}
	}
	if err := archive.Close(); err != nil {
		panic(err)
	}
	return out.Bytes()
}

// names declares the XML prefixes of a part.
const names = ` xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"` +
	` xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"`

// Styles are the styles of a document from a German version of Word.
const Styles = `<w:styles` + names + `>` +
	`<w:style w:type="paragraph" w:styleId="berschrift1"><w:name w:val="heading 1"/></w:style>` +
	`<w:style w:type="paragraph" w:styleId="Kapitel"><w:name w:val="Kapitel"/><w:basedOn w:val="berschrift1"/></w:style>` +
	`<w:style w:type="paragraph" w:styleId="Absatz"><w:name w:val="Absatz"/><w:pPr><w:outlineLvl w:val="1"/></w:pPr></w:style>` +
	`<w:style w:type="paragraph" w:styleId="Verzeichnis1"><w:name w:val="toc 1"/></w:style>` +
	`<w:style w:type="paragraph" w:styleId="A"><w:name w:val="A"/><w:basedOn w:val="B"/></w:style>` +
	`<w:style w:type="paragraph" w:styleId="B"><w:name w:val="B"/><w:basedOn w:val="A"/></w:style></w:styles>`

// Document returns the main part of a Word document.
func Document(body string) string {
	return `<?xml version="1.0" encoding="UTF-8"?><w:document` + names + `><w:body>` + body +
		`</w:body></w:document>`
}

// Docx returns a Word document, with additional parts if given.
func Docx(body string, more ...Part) []byte {
	parts := []Part{{"[Content_Types].xml", "<Types/>"}, {"word/document.xml", Document(body)},
		{"word/styles.xml", Styles}}
	return Zip(append(parts, more...)...)
}

// P returns a paragraph with a style, "" for none.
func P(style, text string) string {
	return `<w:p><w:pPr><w:pStyle w:val="` + style + `"/></w:pPr><w:r><w:t>` + text +
		`</w:t></w:r></w:p>`
}

// Object is a PDF object: the text between obj and endobj.
type Object string

// Stream returns an object with a stream; dictionary holds its entries besides the length.
func Stream(dictionary, data string) Object {
	return Object(fmt.Sprintf("<< /Length %d %s >>\nstream\n%s\nendstream", len(data), dictionary,
		data))
}

// Raw returns a PDF of objects, numbered from 1; the first is the catalog. trailer holds additional
// entries of its trailer.
func Raw(trailer string, objects ...Object) []byte {
	var out bytes.Buffer
	out.WriteString("%PDF-1.7\n")
	places := make([]int, 0, len(objects))
	for i, o := range objects {
		places = append(places, out.Len())
		fmt.Fprintf(&out, "%d 0 obj\n%s\nendobj\n", i+1, o)
	}
	at := out.Len()
	fmt.Fprintf(&out, "xref\n0 %d\n0000000000 65535 f \n", len(objects)+1)
	for _, place := range places {
		fmt.Fprintf(&out, "%010d 00000 n \n", place)
	}
	fmt.Fprintf(&out, "trailer\n<< /Size %d /Root 1 0 R %s >>\nstartxref\n%d\n%%%%EOF\n",
		len(objects)+1, trailer, at)
	return out.Bytes()
}

// PDF returns a PDF with a text on each page. With toUnicode, its font maps codes to characters;
// without, it maps none.
func PDF(toUnicode bool, pages ...string) []byte {
	const first = 7 // the number of the first page's object
	kids, codes := make([]string, 0, len(pages)), map[uint16]bool{}
	var more []Object
	for i, text := range pages {
		kids = append(kids, fmt.Sprintf("%d 0 R", first+2*i))
		var content strings.Builder
		content.WriteString("BT /F 12 Tf 20 TL 50 780 Td\n")
		for line := range strings.SplitSeq(text, "\n") {
			content.WriteString("<")
			for _, unit := range utf16.Encode([]rune(line)) {
				codes[unit] = true
				if !toUnicode {
					unit %= 27 // a place in the font
				}
				fmt.Fprintf(&content, "%04X", unit)
			}
			content.WriteString("> Tj T*\n")
		}
		content.WriteString("ET")
		more = append(more,
			Object(fmt.Sprintf("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents %d 0 R "+
				"/Resources << /Font << /F 3 0 R >> >> >>", first+2*i+1)),
			Stream("", content.String()))
	}
	var cmap strings.Builder
	for code := range codes {
		fmt.Fprintf(&cmap, "1 beginbfchar <%04X> <%04X> endbfchar\n", code, code)
	}
	reference := "/ToUnicode 6 0 R"
	if !toUnicode {
		reference = ""
	}
	return Raw("", append([]Object{
		"<< /Type /Catalog /Pages 2 0 R >>",
		Object(fmt.Sprintf("<< /Type /Pages /Kids [%s] /Count %d >>", strings.Join(kids, " "),
			len(pages))),
		Object("<< /Type /Font /Subtype /Type0 /BaseFont /Plain /Encoding /Identity-H /DescendantFonts [4 0 R] " + reference + " >>"),
		"<< /Type /Font /Subtype /CIDFontType2 /BaseFont /Plain /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) " +
			"/Supplement 0 >> /FontDescriptor 5 0 R /DW 600 >>",
		"<< /Type /FontDescriptor /FontName /Plain /Flags 4 /FontBBox [0 0 600 800] /ItalicAngle 0 /Ascent 800 /Descent 0 /StemV 80 >>",
		Stream("", "/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapType 2 def\n"+
			"1 begincodespacerange <0000> <FFFF> endcodespacerange\n"+cmap.String()+"endcmap end end"),
	}, more...)...)
}
