package filetext_test

import (
	"bytes"
	"compress/zlib"
	"errors"
	"strings"
	"testing"

	"agentchat/internal/fault"
	"agentchat/internal/knowledge"
	"agentchat/internal/knowledge/filetext/filetest"
)

// TestPDFOfBrokenWords shows that a broken word is joined, but not with a number.
func TestPDFOfBrokenWords(t *testing.T) {
	t.Parallel()
	p := filetest.NewParser()
	text, err := p.Read("a.pdf",
		filetest.PDF(true, "A guaran-\ntee by ISO-\n9001 for the pass-\n43", "word."))
	if want := "A guarantee by ISO-9001 for the pass-43\fword."; err != nil || text.Text != want {
		t.Errorf("%q, %v, want %q", text.Text, err, want)
	}
}

// TestPDFOfRareCharacters shows that characters beyond U+FFFF are read, also between Arabic letters.
func TestPDFOfRareCharacters(t *testing.T) {
	t.Parallel()
	d := filetest.Drawing{}
	d.Page()
	d.Text(50, 700, 12, "a", "😀", "𠮷", "吉")
	d.Text(50, 680, 12, "س", "😀", "م")
	d.Page()
	d.Text(50, 700, 12, "𝑎", "𝑥", "=", "𝟎")
	p := filetest.NewParser()
	text, err := p.Read("a.pdf", d.PDF())
	if want := "a😀𠮷吉\nم😀س\f𝑎𝑥=𝟎"; err != nil || text.Text != want {
		t.Errorf("%q, %v, want %q", text.Text, err, want)
	}
}

// TestPDF reads a file with one page per language.
func TestPDF(t *testing.T) {
	t.Parallel()
	order := []string{"de", "ru", "ar", "zh", "ja", "th", "ko", "he"}
	var pages []string
	for _, language := range order {
		text := texts[language]
		// Written from left to right, in the order in which they are drawn.
		if language == "ar" || language == "he" {
			runes := []rune(text)
			for i, j := 0, len(runes)-1; i < j; i, j = i+1, j-1 {
				runes[i], runes[j] = runes[j], runes[i]
			}
			text = string(runes)
		}
		pages = append(pages, "Line 1\n"+text)
	}
	p := filetest.NewParser()
	text, err := p.Read("a.pdf", filetest.PDF(true, pages...))
	if err != nil || text.Pages != len(order) {
		t.Fatalf("%d pages: %v", text.Pages, err)
	}
	for i, got := range strings.Split(text.Text, "\f") {
		squeeze := func(text string) string { return strings.Join(strings.Fields(text), "") }
		if want := "Line1" + squeeze(texts[order[i]]); squeeze(got) != want {
			t.Errorf("%s: %q, want %q", order[i], got, want)
		}
	}
	for i, passage := range knowledge.Passages(text.Text, true) {
		if passage.Page != i+1 {
			t.Errorf("passage %d is on page %d", i, passage.Page)
		}
	}
}

func TestPDFsThatCannotBeRead(t *testing.T) {
	t.Parallel()
	empty := filetest.Object("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] >>")
	const page = "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 99 99] " +
		"/Resources << /Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >>"
	var bomb bytes.Buffer
	w := zlib.NewWriter(&bomb)
	_, err := w.Write(bytes.Repeat([]byte(" "), 150<<20))
	if err = errors.Join(err, w.Close()); err != nil {
		t.Fatal(err)
	}
	many := strings.TrimSuffix(strings.Repeat("3 0 R ", 501), " ")
	for name, c := range map[string]struct {
		data []byte
		want string
	}{
		"a scan": {filetest.Raw("", "<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [3 0 R] /Count 1 >>", empty), "only images"},
		"501 pages": {
			filetest.Raw("", "<< /Type /Catalog /Pages 2 0 R >>", filetest.Object("<< /Type /Pages /Kids ["+
				many+"] /Count 501 >>"), empty), "500 pages",
		},
		"a password": {
			filetest.Raw("/ID [<00> <00>] /Encrypt << /Filter /Standard /V 2 /R 3 /Length 128 /P -4 /O <"+
				strings.Repeat("11", 32)+"> /U <"+
				strings.Repeat("22", 32)+
				"> >>", "<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [3 0 R] /Count 1 >>", empty), "password",
		},
		"fonts that say nothing": {filetest.PDF(false, "Rückgabe in dreißig Tagen", texts["ru"]), "its fonts"},
		"a page that takes too much memory": {
			filetest.Raw("", "<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [3 0 R 4 0 R] /Count 2 >>",
				filetest.Object(page+" /Contents 5 0 R >>"), filetest.Object(page+" /Contents 6 0 R >>"),
				filetest.Stream("", "BT /F 9 Tf 9 9 Td (Page 1) Tj ET"),
				filetest.Stream("/Filter /FlateDecode", bomb.String())), "memory",
		},
		"garbage": {[]byte("%PDF-1.7\n" + strings.Repeat("\x01\x02", 1000)), "damaged"},
	} {
		p := filetest.NewParser()
		_, err := p.Read("a.pdf", c.data)
		if !fault.Is(err, fault.InvalidInput) || !strings.Contains(fault.ClientMessage(err), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
