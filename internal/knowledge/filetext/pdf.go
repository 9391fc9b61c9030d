package filetext

import (
	"context"
	"errors"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/klippa-app/go-pdfium"
	pdferrors "github.com/klippa-app/go-pdfium/errors"
	"github.com/klippa-app/go-pdfium/requests"
	"github.com/klippa-app/go-pdfium/webassembly"
	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"

	"agentchat/internal/knowledge"
)

// maxPDFMemory bounds the memory of the PDF reader, in WebAssembly pages of 64 KiB: 128 MiB.
const maxPDFMemory = 2048

var (
	errPDF   = refuse("The PDF is damaged, or needs too much memory. Print it to a new PDF, or split it, and upload that.")
	errFonts = refuse("The text of the PDF cannot be read, because its fonts do not identify " +
		"their letters. Save it as .docx, and upload that.")
	errScan = refuse("The PDF contains only images of text. Recognize the text (OCR), and upload the result.")
)

// pdfReader is PDFium in WebAssembly: it has no file system, and only its own memory.
type pdfReader struct{ instance pdfium.Pdfium }

// newPDFReader compiles the reader, or loads the compiled one from a directory.
func newPDFReader(dir string) (*pdfReader, error) {
	config := wazero.NewRuntimeConfigCompiler().WithMemoryLimitPages(maxPDFMemory).
		WithCoreFeatures(api.CoreFeaturesV2 | experimental.CoreFeaturesExceptionHandling)
	if dir != "" {
		cache, err := wazero.NewCompilationCacheWithDir(dir)
		if err != nil {
			return nil, err
		}
		config = config.WithCompilationCache(cache)
	}
	pool, err := webassembly.Init(webassembly.Config{
		MinIdle:       0,
		MaxIdle:       1,
		MaxTotal:      1,
		RuntimeConfig: config,
		FSConfig:      wazero.NewFSConfig(),
		Stdout:        io.Discard,
		Stderr:        io.Discard,
	})
	if err != nil {
		return nil, err
	}
	instance, err := pool.GetInstanceWithContext(context.Background())
	if err != nil {
		return nil, err
	}
	return &pdfReader{instance}, nil
}

// read returns the text of a PDF. Use a reader for one file only: after a failure it is broken.
func (r *pdfReader) read(data []byte, left *left) (text string, pages int, err error) {
	defer func() {
		if recover() != nil { // the library's, for a file that it does not expect
			text, pages, err = "", 0, errPDF
		}
	}()
	document, err := r.instance.OpenDocument(&requests.OpenDocument{File: &data})
	switch {
	case errors.Is(err, pdferrors.ErrPassword) || errors.Is(err, pdferrors.ErrSecurity):
		return "", 0, refuse(protected)
	case err != nil:
		return "", 0, errPDF
	}
	count, err := r.instance.FPDF_GetPageCount(&requests.FPDF_GetPageCount{Document: document.Document})
	if err != nil {
		return "", 0, errPDF
	}
	if sentence := knowledge.Refusal("a", count.PageCount); sentence != "" {
		return "", 0, refuse(sentence)
	}
	var out strings.Builder
	r.countAttachments(document.Document, left)
	for i := range count.PageCount {
		page, err := r.page(document.Document, i, left)
		if i > 0 {
			out.WriteByte('\f')
		}
		if errors.Is(err, pdferrors.ErrPage) {
			if left.pages++; left.pages == 1 {
				left.firstPage = i + 1
			}
			continue
		}
		if err != nil { // a panic, or too little memory: the reader is broken
			return "", 0, errPDF
		}
		out.WriteString(strings.ReplaceAll(lines(page), "\f", " "))
		if out.Len() > maxBytes {
			return "", 0, errTooLong
		}
	}
	text = out.String()
	switch {
	case left.pages > 0 && strings.TrimSpace(text) == "" || count.PageCount == 0:
		return "", 0, errPDF
	case strings.TrimSpace(text) == "":
		return "", 0, errScan
	case tooUnreadable(text, left.unreadable):
		return "", 0, errFonts
	}
	return text, count.PageCount, nil
}

// lines returns the text of a page. It joins words that were hyphenated at the end of a line, which
// PDFium marks. Before a number the hyphen stays: it may be that of “ISO-9001”, and the last line
// of a page is followed by the page number.
func lines(text string) string {
	parts := strings.FieldsFunc(strings.ReplaceAll(text, "\r\n", "\n"), func(c rune) bool {
		return c == '\x02' || c == '\ufffe'
	})
	for i, part := range parts {
		if part = strings.TrimPrefix(part, "\n"); i > 0 {
			if first, _ := utf8.DecodeRuneInString(part); unicode.IsNumber(first) {
				part = "-" + part
			}
			parts[i] = part
		}
	}
	return strings.Join(parts, "")
}
