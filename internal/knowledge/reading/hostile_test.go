package reading_test

import (
	"bytes"
	"compress/flate"
	"compress/zlib"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"agentchat/internal/fault"
	"agentchat/internal/knowledge/filetext/filetest"
	"agentchat/internal/knowledge/reading"
	"agentchat/internal/testlong"
)

// zeros returns a compressed text of the given size.
func zeros(t *testing.T, size int64) string {
	t.Helper()
	var out bytes.Buffer
	w, err := zlib.NewWriterLevel(&out, flate.BestSpeed)
	if err == nil {
		_, err = io.CopyN(w, nothing{}, size)
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return out.String()
}

type nothing struct{}

func (nothing) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = ' '
	}
	return len(p), nil
}

// hostilePDFs returns the PDFs by their fault.
func hostilePDFs(t *testing.T) map[string][]byte {
	t.Helper()
	const catalog = "<< /Type /Catalog /Pages 2 0 R >>"
	page := func(contents string) filetest.Object {
		return filetest.Object("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] " + contents +
			" /Resources << /Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> /XObject << /X 4 0 R >> >> >>")
	}
	one := filetest.Object("<< /Type /Pages /Kids [3 0 R] /Count 1 >>")
	bomb := zeros(t, 600<<20)
	good := filetest.PDF(true, "Rückgabe", "a")
	return map[string][]byte{
		"a loop of pages":    filetest.Raw("", catalog, "<< /Type /Pages /Kids [3 0 R] /Count 9 >>", "<< /Type /Pages /Parent 2 0 R /Kids [2 0 R] /Count 9 >>"),
		"pages of their own": filetest.Raw("", catalog, "<< /Type /Pages /Kids [2 0 R 2 0 R] /Count 400 >>"),
		"100,000 pages":      filetest.Raw("", catalog, filetest.Object("<< /Type /Pages /Kids ["+strings.Repeat("3 0 R ", 100_000)+"] /Count 100000 >>"), page("")),
		"a bomb of contents": filetest.Raw("", catalog, one, page("/Contents 4 0 R"), filetest.Stream("/Filter /FlateDecode", bomb)),
		"a bomb in a bomb":   filetest.Raw("", catalog, one, page("/Contents 4 0 R"), filetest.Stream("/Filter [/FlateDecode /FlateDecode]", zlibbed(t, bomb))),
		"a bomb of objects": filetest.Raw("", catalog, one, page("/Contents 4 0 R"),
			filetest.Stream("/Type /ObjStm /N 100000 /First 1000000 /Filter /FlateDecode", bomb)),
		"a form in itself": filetest.Raw("", catalog, one, page("/Contents 5 0 R"),
			filetest.Stream("/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /X 4 0 R >> >>", strings.Repeat("/X Do ", 50)),
			filetest.Stream("", strings.Repeat("/X Do ", 1000))),
		"a million letters on each of 40 pages": filetest.Raw("", catalog,
			filetest.Object("<< /Type /Pages /Kids ["+strings.Repeat("3 0 R ", 40)+
				"] /Count 40 >>"), page("/Contents 4 0 R"),
			filetest.Stream("", "BT /F 1 Tf "+
				strings.Repeat("("+strings.Repeat("word ", 100)+") Tj T* ", 2_000)+" ET")),
		"deep arrays": filetest.Raw("", catalog, one, page("/Contents 4 0 R"), filetest.Object(strings.Repeat("[", 2_000_000))),
		"cut off":     good[:len(good)/3],
		"no objects":  []byte("%PDF-1.7\n%%EOF"),
		"garbage":     []byte("%PDF-" + strings.Repeat("\xff\x00obj<<", 100_000)),
	}
}

func zlibbed(t *testing.T, text string) string {
	t.Helper()
	var out bytes.Buffer
	w := zlib.NewWriter(&out)
	if _, err := io.WriteString(w, text); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// hostileFiles returns the other files by name.
func hostileFiles() map[string][]byte {
	p := filetest.P
	body := func(text string) []byte { return filetest.Docx(text) }
	part := func(name, text string) filetest.Part { return filetest.Part{Name: name, Text: text} }
	var many []filetest.Part
	for i := range 20_000 {
		many = append(many, part(fmt.Sprint("word/", i), ""))
	}
	laughs := `<!DOCTYPE w [<!ENTITY a "ha">`
	for c := 'b'; c <= 'j'; c++ {
		laughs += fmt.Sprintf(`<!ENTITY %c "%s">`, c, strings.Repeat(fmt.Sprintf("&%c;", c-1), 10))
	}
	laughs += `]><w:document xmlns:w="w"><w:p><w:r><w:t>&j;</w:t></w:r></w:p></w:document>`
	var fonts strings.Builder // which each paragraph repeats
	fonts.WriteString("<p>")
	for i := range 500 {
		fmt.Fprintf(&fonts, "<font a=%d>", i)
	}
	fonts.WriteString(strings.Repeat("</p><p>a", 490_000))
	return map[string][]byte{
		"ratio.docx":     body("<w:p>" + strings.Repeat("<w:r><w:t> </w:t></w:r>", 8_000_000) + "</w:p>"),
		"entries.docx":   filetest.Docx(p("", "a"), many...),
		"nested.docx":    filetest.Zip(part("word/document.xml", string(body(p("", "a"))))),
		"twice.docx":     filetest.Zip(part("word/document.xml", filetest.Document("")), part("word/document.xml", filetest.Document(p("", "a")))),
		"laughs.docx":    filetest.Zip(part("word/document.xml", laughs)),
		"deep.docx":      body(strings.Repeat("<w:sdt>", 1_000_000)),
		"tables.docx":    body(strings.Repeat("<w:tbl><w:tr><w:tc>", 80) + p("", "a")),
		"attribute.docx": body(`<w:p a="` + strings.Repeat("abcdefgh", 4_000_000) + `"/>`),
		"text.docx":      body(p("", strings.Repeat("abcdefg ", 4_000_000))),
		"cells.docx":     body("<w:tbl><w:tr>" + strings.Repeat("<w:tc><w:tcPr><w:gridSpan w:val='1000000'/></w:tcPr></w:tc>", 10_000)),
		"target.docx":    filetest.Zip(part("_rels/.rels", `<R><R Type="x/officeDocument" Target="../../../etc/passwd"/></R>`), part("word/document.xml", "<a/>")),
		"cut.docx":       body(p("", "a"))[:200],
		"divs.html":      []byte(strings.Repeat("<div>", 1<<20/5) + "a"),
		"tables.html":    []byte(strings.Repeat("<table><tr><td>", 600_000)),
		"spans.html":     []byte("<table>" + strings.Repeat("<tr><td rowspan=100000 colspan=100000>"+strings.Repeat("x", 100), 60_000)),
		"tag.html":       []byte("<a " + strings.Repeat("b=c ", 2_500_000)),
		"line.html":      []byte(strings.Repeat("a b", 10<<20/3)),
		"tags.html":      []byte(strings.Repeat("<b>", 10<<20/3)),
		"most.html":      []byte(strings.Repeat("<br>a", 999_000)),
		"fonts.html":     []byte(fonts.String()),
		"lists.html":     []byte(strings.Repeat("<ul><li>a", 1_000_000)),
		"pre.html":       []byte("<pre>" + strings.Repeat("`", 9<<20)),
		"columns.csv":    []byte(strings.Repeat(",a", 1_000_000)),
		"quote.csv":      []byte("a,b\n\"" + strings.Repeat("1,2\n", 2_000_000)),
		"quotes.csv":     []byte(strings.Repeat("\"", 10<<20-1)),
		"empty.csv":      []byte(strings.Repeat(",\n", 5_000_000)),
		"zeros.txt":      make([]byte, 10<<20),
		"noise.txt":      bytes.Repeat([]byte{0x81, 0xfe, 0x30, 0xff}, 2<<20),
	}
}

// TestHostile shows that each file is read or refused, within the limits of time and memory. A process that is killed for its memory also refuses.
func TestHostile(t *testing.T) {
	testlong.Only(t)
	t.Parallel()
	r := newReader(t)
	for name, data := range hostileFiles() {
		try(t, r, name, data)
	}
}

func TestHostilePDF(t *testing.T) {
	testlong.Only(t)
	t.Parallel()
	r := newReader(t)
	for what, data := range hostilePDFs(t) {
		try(t, r, what+".pdf", data)
	}
}

// TestMemoryIsBounded reads a file that takes too much memory, and then another file.
func TestMemoryIsBounded(t *testing.T) {
	t.Parallel()
	r := newReader(t)
	page := filetest.Object("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R >>")
	_, err := r.Read(t.Context(), "a.pdf", "",
		filetest.Raw("", "<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
			page,
			filetest.Stream("/Filter /FlateDecode", zeros(t, 600<<20))))
	if !fault.Is(err, fault.InvalidInput) || !strings.Contains(fault.ClientMessage(err), "memory") {
		t.Error(err)
	}
	if text, err := r.Read(t.Context(), "a.txt", "", []byte("a")); err != nil || text.Text != "a" {
		t.Errorf("%q, %v", text.Text, err)
	}
}

func try(t *testing.T, r *reading.Reader, name string, data []byte) {
	t.Helper()
	start := time.Now()
	text, err := r.Read(t.Context(), name, "", data)
	if err != nil && !fault.Is(err, fault.InvalidInput) ||
		time.Since(start) > reading.MaxTime+10*time.Second {
		t.Errorf("%s: %v after %v", name, err, time.Since(start))
	}
	t.Logf("%s (%d bytes): %.1f s, %d bytes, %v", name, len(data), time.Since(start).Seconds(),
		len(text.Text), err)
}
