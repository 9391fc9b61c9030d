// Package filetest makes files for tests: Word documents and PDFs, good and hostile ones.
package filetest

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
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
