package filetext

import (
	"archive/zip"
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"slices"
)

// Limits of a Word document, which is an archive of XML.
const (
	maxEntries = 5_000
	// maxUnpacked bounds all that is unpacked of a document, in bytes.
	maxUnpacked = 100 << 20
	// maxRatio is how many times as large as in the archive a part may be, if it has more than freeRatio bytes. Text has up to 30.
	maxRatio, freeRatio = 300, 1 << 20
	// maxToken bounds a text or a tag in XML, with all of its attributes, in bytes.
	maxToken = 8 << 20
	// maxDepth bounds elements within elements.
	maxDepth = 256
)

var (
	errTooLarge = refuse("The document has far more in it than its text. Save it again, or as .pdf, and upload that.")
	errDamaged  = refuse(damaged)
)

// archive is a zip archive whose parts are read one after the other, and have a common limit.
type archive struct {
	files []*zip.File
	left  int64
}

func openArchive(data []byte) (*archive, error) {
	opened, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	switch {
	case err != nil && !errors.Is(err, zip.ErrInsecurePath):
		return nil, errDamaged
	case len(opened.File) > maxEntries:
		return nil, errTooLarge
	case slices.ContainsFunc(opened.File, func(f *zip.File) bool { return f.Flags&1 != 0 }):
		return nil, refuse(protected)
	}
	return &archive{files: opened.File, left: maxUnpacked}, nil
}

// isDocx reports whether a file is a Word document, whatever its name is.
func isDocx(data []byte) bool {
	a, err := openArchive(data)
	return err == nil && a.has("word/document.xml")
}

func (a *archive) has(name string) bool {
	return slices.ContainsFunc(a.files, func(f *zip.File) bool { return f.Name == name })
}

// each calls visit with each token of a part that is XML, until it returns an error. A part that is not there has none.
func (a *archive) each(name string, visit func(xml.Token) error) error {
	i := slices.IndexFunc(a.files, func(f *zip.File) bool { return f.Name == name })
	if i < 0 {
		return nil
	}
	opened, err := a.files[i].Open()
	if err != nil {
		return errDamaged
	}
	defer func() { _ = opened.Close() }()
	in := &part{Reader: opened, archive: a, packed: int64(a.files[i].CompressedSize64)}
	decoder := xml.NewDecoder(in)
	for depth := 0; ; {
		in.token = 0
		token, err := decoder.Token()
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case in.err != nil:
			return in.err
		case err != nil:
			return errDamaged
		}
		switch token.(type) {
		case xml.StartElement:
			depth++
		case xml.EndElement:
			depth--
		case xml.Directive: // no document has one, and what it could define is not wanted
			return errDamaged
		}
		if depth > maxDepth {
			return errTooLarge
		}
		if err := visit(token); err != nil {
			return err
		}
	}
}

// part is a part of an archive, as it is unpacked.
type part struct {
	io.Reader
	archive *archive
	packed  int64 // its size in the archive
	read    int64
	token   int64 // how much was read for the token
	err     error // which limit was exceeded
}

// Read counts what was unpacked.
func (p *part) Read(into []byte) (int, error) {
	n, err := p.Reader.Read(into)
	p.read += int64(n)
	p.token += int64(n)
	p.archive.left -= int64(n)
	if p.archive.left < 0 || p.token > maxToken || p.read > freeRatio && p.read > maxRatio*p.packed {
		p.err = errTooLarge
		return 0, p.err
	}
	return n, err
}
