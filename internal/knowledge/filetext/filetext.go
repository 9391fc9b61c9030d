// Package filetext extracts the text of files: plain text, Markdown, HTML, CSV, Word documents
// (docx) and PDF. Headings and tables become Markdown, and form feeds separate the pages of a PDF,
// as knowledge.Passages expects. Except for the compiled PDF reader, it opens no file and no
// connection. Files are hostile: read them in a separate process, as package reading does.
package filetext

import (
	"strings"

	"agentchat/internal/fault"
	"agentchat/internal/knowledge"
)

// Parser reads files. It is not safe for concurrent use.
type Parser struct {
	// Dir is the directory of the compiled PDF reader; if it is empty, each Parser compiles it again.
	Dir string
	pdf *pdfReader
}

// Prepare loads what Read needs for a file with this name, before the content is known. Afterwards,
// Read needs no file system.
func (p *Parser) Prepare(name string) error {
	if p.pdf != nil || knowledge.Extension(name) != ".pdf" {
		return nil
	}
	var err error
	p.pdf, err = newPDFReader(p.Dir)
	return err
}

// Read returns the text of a file. encoding is its canonical name if the file's owner has chosen
// one, or empty. Fault: InvalidInput, with a sentence for the file's owner, if there is no readable
// text; the notes then say which encodings the file may have.
func (p *Parser) Read(name, encoding string, data []byte) (knowledge.FileText, error) {
	var out knowledge.FileText
	if len(data) > knowledge.MaxFile {
		return out, refuse("The file is larger than 10 MB.")
	}
	kind, err := kindOf(name, data)
	if err != nil {
		return out, err
	}
	left := left{chosen: encoding}
	switch kind {
	case pdf:
		if err := p.Prepare(name); err != nil {
			return out, err
		}
		out.Text, out.Pages, err = p.pdf.read(data, &left)
	case docx:
		out.Text, err = readDocx(data, &left)
	case page:
		out.Text, err = readHTML(data, &left)
	case csv:
		out.Text, err = readCSV(data, &left)
	case plain:
		out.Text, err = decode(data, nil, &left)
	}
	if err != nil {
		return knowledge.FileText{Notes: left.notes}, err
	}
	out.Encoding = left.encoding
	out.Text = knowledge.Clean(out.Text)
	if kind != pdf {
		out.Text = strings.TrimSpace(strings.ReplaceAll(out.Text, "\f", "\n"))
		left.findUnreadable(out.Text)
	}
	if sentence := knowledge.Refusal(out.Text, out.Pages); sentence != "" {
		return knowledge.FileText{Notes: left.notes}, refuse(sentence)
	}
	out.Notes = left.all()
	return out, nil
}

// refuse returns a fault with a sentence for the owner of a file.
func refuse(sentence string) error { return fault.New(fault.InvalidInput, sentence) }

// errTooLong is the fault for a text that exceeds the limit before all of it was read.
var errTooLong = refuse("The text is longer than 2,000,000 characters. Split the file.")

// ErrMemory is the fault for a file that needs more memory than the process has that reads it.
var ErrMemory = refuse("The file needs too much memory to process. Make it smaller or split it.")
