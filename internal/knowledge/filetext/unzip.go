package filetext

import (
	"archive/zip"
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"path"
	"slices"
	"strings"
)

// Limits of a Word document, which is an archive of XML.
const (
	maxEntries = 5_000
	// maxUnpacked bounds the unpacked size of a document, in bytes.
	maxUnpacked = 100 << 20
	// maxRatio is the highest compression ratio of a part with more than freeRatio bytes. Text
	// compresses up to 30 times.
	maxRatio, freeRatio = 300, 1 << 20
	// maxToken bounds an XML token, a text or a tag with its attributes, in bytes.
	maxToken = 8 << 20
	// maxDepth bounds the nesting of elements.
	maxDepth = 256
)

var (
	errTooLarge = refuse("The document contains far more than its text. Save it again, or as .pdf, and upload that.")
	errDamaged  = refuse(damaged)
)

// archive is a zip archive whose parts are read in sequence and share a size limit.
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

// isDocx reports whether a file is a Word document, whatever its name.
func isDocx(data []byte) bool {
	a, err := openArchive(data)
	return err == nil && a.has("word/document.xml")
}

// document returns the name of the main part of the archive.
func (a *archive) document() (string, error) {
	name := "word/document.xml"
	err := a.each("_rels/.rels", func(token xml.Token) error {
		if start, ok := token.(xml.StartElement); ok &&
			strings.HasSuffix(attribute(start, "Type"), "/officeDocument") {
			name = strings.TrimPrefix(path.Clean("/"+attribute(start, "Target")), "/")
		}
		return nil
	})
	return name, err
}

func (a *archive) has(name string) bool {
	return slices.ContainsFunc(a.files, func(f *zip.File) bool { return f.Name == name })
}

// open opens a part; nil if it is missing.
func (a *archive) open(name string) (*part, error) {
	i := slices.IndexFunc(a.files, func(f *zip.File) bool { return f.Name == name })
	if i < 0 {
		return nil, nil
	}
	opened, err := a.files[i].Open()
	if err != nil {
		return nil, errDamaged
	}
	return &part{ReadCloser: opened, archive: a, packed: int64(a.files[i].CompressedSize64)}, nil
}

// content returns a part that is not XML. It is bounded like a token.
func (a *archive) content(name string) ([]byte, error) {
	in, err := a.open(name)
	if err != nil {
		return nil, err
	}
	if in == nil {
		return nil, errDamaged
	}
	defer func() { _ = in.Close() }()
	return io.ReadAll(in)
}

// each calls visit with each token of an XML part, until it returns an error. A missing part has no
// tokens.
func (a *archive) each(name string, visit func(xml.Token) error) error {
	in, err := a.open(name)
	if in == nil || err != nil {
		return err
	}
	defer func() { _ = in.Close() }()
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
		case xml.Directive: // documents have no DTD, and entities must not be defined
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

// attribute returns the value of an attribute, by its name without a namespace.
func attribute(start xml.StartElement, name string) string {
	for _, a := range start.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// part is a part of an archive that is being unpacked.
type part struct {
	io.ReadCloser
	archive *archive
	packed  int64 // its compressed size
	read    int64
	token   int64 // bytes read for the current token
	err     error // the limit that was exceeded
}

// Read counts the unpacked bytes.
func (p *part) Read(into []byte) (int, error) {
	n, err := p.ReadCloser.Read(into)
	p.read += int64(n)
	p.token += int64(n)
	p.archive.left -= int64(n)
	if p.archive.left < 0 || p.token > maxToken || p.read > freeRatio && p.read > maxRatio*p.packed {
		p.err = errTooLarge
		return 0, p.err
	}
	return n, err
}
