package filetext

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"agentchat/internal/knowledge"
)

// format is a supported kind of file.
type format string

// The formats, as they appear in sentences.
const (
	plain format = "a text"
	page  format = "a web page"
	csv   format = "a table"
	docx  format = "a Word document"
	pdf   format = "a PDF"
)

var formats = map[string]format{
	".txt": plain, ".text": plain, ".log": plain, ".md": plain, ".markdown": plain, ".html": page, ".htm": page, ".xhtml": page,
	".csv": csv, ".tsv": csv, ".docx": docx, ".pdf": pdf,
}

// Sentences for owners about files that cannot be read.
const (
	unknownKind = "Files of this kind cannot be read. Upload a txt, md, html, csv, docx or pdf file."
	oldWord     = "The file is in a format of Word that is too old. Save it as .docx, and upload that."
	otherText   = "Documents of this kind cannot be read. Save it as .docx or .pdf, and upload that."
	otherTable  = "Spreadsheets cannot be read. Save each sheet as .csv, and upload those."
	otherSlides = "Slides of this kind cannot be read. Save them as .pdf, and upload that."
	archiveKind = "The file is an archive. Unpack it, and upload the files in it."
	imageKind   = "The file is a picture. Upload its text, or a PDF in which text can be selected."
	protected   = "The file is protected by a password. Save it without one, and upload that."
	damaged     = "The file is damaged. Open it, save it again, and upload that."
	noText      = "The file is not a text, whatever its name says. Upload a txt, md, html, csv, docx or pdf file."
)

// others are the extensions of unsupported files, with advice.
var others = map[string]string{
	".doc": oldWord, ".dot": oldWord, ".docm": otherText, ".odt": otherText, ".rtf": otherText, ".pages": otherText, ".epub": otherText,
	".xls": otherTable, ".xlsx": otherTable, ".xlsm": otherTable, ".ods": otherTable, ".numbers": otherTable,
	".ppt": otherSlides, ".pptx": otherSlides, ".odp": otherSlides, ".key": otherSlides,
	".zip": archiveKind, ".gz": archiveKind, ".7z": archiveKind, ".rar": archiveKind, ".tar": archiveKind,
	".png": imageKind, ".jpg": imageKind, ".jpeg": imageKind, ".gif": imageKind, ".tif": imageKind, ".tiff": imageKind, ".webp": imageKind,
	".bmp": imageKind, ".heic": imageKind, ".svg": imageKind,
}

// marks are the first bytes of unsupported files.
var marks = []struct{ beginning, sentence string }{
	{"{\\rtf", otherText}, {"\x89PNG", imageKind}, {"\xff\xd8\xff", imageKind}, {"GIF8", imageKind},
	{"II*\x00", imageKind}, {"MM\x00*", imageKind},
	{"\x1f\x8b", archiveKind}, {"7z\xbc\xaf", archiveKind}, {"Rar!", archiveKind},
}

// kindOf returns the format of a file according to its name. The content must not contradict it.
func kindOf(name string, data []byte) (format, error) {
	ending := knowledge.Extension(name)
	named, known := formats[ending]
	if bytes.HasPrefix(data, []byte("\xd0\xcf\x11\xe0")) {
		return "", refuse(oldOffice(ending, data))
	}
	for _, m := range marks {
		if bytes.HasPrefix(data, []byte(m.beginning)) {
			return "", refuse(m.sentence)
		}
	}
	if !known {
		if sentence, ok := others[ending]; ok {
			return "", refuse(sentence)
		}
		return "", refuse(unknownKind)
	}
	zipped := bytes.HasPrefix(data, []byte("PK\x03\x04"))
	if zipped && named != docx && !isDocx(data) {
		return "", refuse(archiveKind)
	}
	found := named
	switch {
	case zipped:
		found = docx
	case bytes.HasPrefix(data, []byte("%PDF-")) ||
		named == pdf && bytes.Contains(data[:min(len(data), 1024)], []byte("%PDF-")):
		found = pdf
	case named != pdf && named != docx:
	case beginsPage(data):
		found = page
	case named == docx && bytes.HasPrefix(data, []byte("PK")):
		return "", refuse(damaged)
	default:
		if _, err := decode(data, nil, &left{}); err != nil {
			return "", refuse(damaged)
		}
		found = plain
	}
	if found != named {
		return "", refuse(fmt.Sprintf("The name of the file ends in %s, but it is %s. Rename it, or upload the right file.", ending, found))
	}
	return named, nil
}

// beginsPage reports whether a file begins like a web page.
func beginsPage(data []byte) bool {
	start := strings.ToLower(string(bytes.TrimLeft(data[:min(len(data), 1024)],
		"\xef\xbb\xbf \t\r\n")))
	return slices.ContainsFunc([]string{"<!doctype html", "<html", "<head", "<body"},
		func(tag string) bool {
			return strings.HasPrefix(start, tag)
		})
}

// oldOffice returns advice for a file of old Microsoft programs. New ones use the same container
// for files with a password.
func oldOffice(ending string, data []byte) string {
	if bytes.Contains(data, utf16("EncryptedPackage")) {
		return protected
	}
	if sentence, ok := others[ending]; ok {
		return sentence
	}
	if bytes.Contains(data, utf16("WordDocument")) {
		return oldWord
	}
	return unknownKind
}

// utf16 returns an ASCII text in the encoding of such files.
func utf16(text string) []byte {
	out := make([]byte, 0, 2*len(text))
	for i := range len(text) {
		out = append(out, text[i], 0)
	}
	return out
}
