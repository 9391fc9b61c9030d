// Package filetest makes files for tests: Word documents and PDFs, good and hostile ones.
package filetest

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"strings"
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
	`<w:style w:type="paragraph" w:styleId="Klausel1"><w:basedOn w:val="berschrift1"/>` +
	`<w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr></w:style>` +
	`<w:style w:type="paragraph" w:styleId="Klausel2"><w:basedOn w:val="Absatz"/>` +
	`<w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr></w:style>` +
	`<w:style w:type="character" w:styleId="Geheim"><w:rPr><w:vanish/></w:rPr></w:style>` +
	`<w:style w:type="paragraph" w:styleId="Verzeichnis1"><w:name w:val="toc 1"/></w:style>` +
	`<w:style w:type="paragraph" w:styleId="A"><w:name w:val="A"/><w:basedOn w:val="B"/></w:style>` +
	`<w:style w:type="paragraph" w:styleId="B"><w:name w:val="B"/><w:basedOn w:val="A"/></w:style></w:styles>`

// Numbering defines list 1, clauses like "1.", "1.1" and "(a)", list 2, which restarts it at 5, list
// 3 in an unknown format, and list 4, whose first level has no start and whose second has bullets.
const Numbering = `<w:numbering` + names + `><w:abstractNum w:abstractNumId="7">` +
	`<w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:pStyle w:val="Klausel1"/><w:lvlText w:val="%1."/></w:lvl>` +
	`<w:lvl w:ilvl="1"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:pStyle w:val="Klausel2"/><w:lvlText w:val="%1.%2"/></w:lvl>` +
	`<w:lvl w:ilvl="2"><w:start w:val="1"/><w:numFmt w:val="lowerLetter"/><w:lvlText w:val="(%3)"/></w:lvl>` +
	`<w:lvl w:ilvl="3"><w:numFmt w:val="bullet"/><w:lvlText w:val="&#xF0B7;"/></w:lvl></w:abstractNum>` +
	`<w:abstractNum w:abstractNumId="8"><w:lvl w:ilvl="0"><w:start w:val="1"/>` +
	`<w:numFmt w:val="bahtText"/><w:lvlText w:val="%1)"/></w:lvl></w:abstractNum>` +
	`<w:abstractNum w:abstractNumId="9"><w:lvl w:ilvl="0"><w:numFmt w:val="decimal"/><w:lvlText w:val="%1"/></w:lvl>` +
	`<w:lvl w:ilvl="1"><w:numFmt w:val="bullet"/></w:lvl>` +
	`<w:lvl w:ilvl="2"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="%1.%2.%3"/></w:lvl></w:abstractNum>` +
	`<w:num w:numId="1"><w:abstractNumId w:val="7"/></w:num>` +
	`<w:num w:numId="2"><w:abstractNumId w:val="7"/><w:lvlOverride w:ilvl="2"><w:startOverride w:val="5"/></w:lvlOverride></w:num>` +
	`<w:num w:numId="3"><w:abstractNumId w:val="8"/></w:num>` +
	`<w:num w:numId="4"><w:abstractNumId w:val="9"/></w:num></w:numbering>`

// Item returns a paragraph of a list, at a level from 0.
func Item(list, level int, text string) string {
	return fmt.Sprintf(`<w:p><w:pPr><w:numPr><w:ilvl w:val="%d"/><w:numId w:val="%d"/></w:numPr></w:pPr>`+
		`<w:r><w:t>%s</w:t></w:r></w:p>`, level, list, text)
}

// Runs returns a paragraph of runs, each of properties and a text.
func Runs(runs ...[2]string) string {
	var out strings.Builder
	for _, r := range runs {
		fmt.Fprintf(&out, `<w:r><w:rPr>%s</w:rPr><w:t xml:space="preserve">%s</w:t></w:r>`, r[0], r[1])
	}
	return "<w:p>" + out.String() + "</w:p>"
}

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
