package filetext_test

import (
	"bytes"
	"compress/zlib"
	"errors"
	"fmt"
	"slices"
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
	text, err := p.Read("a.pdf", "",
		filetest.PDF(true, "A guaran-\ntee by ISO-\n9001 for the pass-\n43", "word."))
	if want := "A guarantee by ISO-9001 for the pass-43\fword."; err != nil || text.Text != want {
		t.Errorf("%q, %v, want %q", text.Text, err, want)
	}
}

// TestPDFOfRareCharacters shows that characters beyond U+FFFF are read, also between Arabic ones.
func TestPDFOfRareCharacters(t *testing.T) {
	t.Parallel()
	d := filetest.Drawing{}
	d.Page()
	d.Text(50, 700, 12, "a", "😀", "𠮷", "吉")
	d.Text(50, 680, 12, "س", "😀", "م")
	d.Page()
	d.Text(50, 700, 12, "𝑎", "𝑥", "=", "𝟎")
	p := filetest.NewParser()
	text, err := p.Read("a.pdf", "", d.PDF())
	if want := "a😀𠮷吉\nم😀س\f𝑎𝑥=𝟎"; err != nil || text.Text != want {
		t.Errorf("%q, %v, want %q", text.Text, err, want)
	}
}

// TestPDFOfJoinedLetters shows that the letters of one glyph keep their order, also where text runs
// from right to left, and that presentation forms become letters.
func TestPDFOfJoinedLetters(t *testing.T) {
	t.Parallel()
	d := filetest.Drawing{}
	want := []string{"ffix", "e\u0302\u0301", "السلام", "السلام", "الله م", "שָלוֹם", "لحم", "fi"}
	for _, glyphs := range [][]string{
		{"ffi", "x"},
		{"e\u0302\u0301"},
		{"م", "لا", "س", "ل", "ا"},
		{"\ufee1", "\ufefc", "\ufeb4", "\ufedf", "\ufe8d"},
		{"م", " ", "الله"},
		{"ם", "וֹ", "ל", "שָ"},
		{"م", "لح"},
		{"\ufb01"},
	} {
		d.Page()
		d.Text(50, 700, 12, glyphs...)
	}
	p := filetest.NewParser()
	text, err := p.Read("a.pdf", "", d.PDF())
	if got := strings.Split(text.Text, "\f"); err != nil || !slices.Equal(got, want) {
		t.Errorf("%q, %v, want %q", got, err, want)
	}
}

// TestPDFOfDirections shows that each block is read in its direction.
func TestPDFOfDirections(t *testing.T) {
	t.Parallel()
	d := filetest.Drawing{}
	var want []string
	// The lines are drawn from left to right; | separates them.
	for drawn, read := range map[string]string{
		"English דג בא and":           "English אב גד and",
		"English דג 12 בא and":        "English אב 12 גד and",
		"בא SKU-12 גד":                "דג SKU-12 אב",
		"בא a.example/b גד":           "דג a.example/b אב",
		"(הד) אבג 12":                 "12 גבא (דה)",
		"12 345 בא":                   "אב 345 12",
		"תירבע|English name בא|תירבע": "עברית|אב English name|עברית",
		".ברק 50% לע":                 "על 50% קרב.",
	} {
		d.Page()
		want = append(want, strings.ReplaceAll(read, "|", "\n"))
		for i, line := range strings.Split(drawn, "|") {
			d.Text(50, 700-20*float64(i), 12, strings.Split(line, "")...)
		}
	}
	// Words without spaces, drawn from right to left.
	d.Page()
	want = append(want, "אב AB (גד) דה 12")
	for i, word := range []string{"בא", "AB", "(דג)", "הד", "12"} {
		d.Text(300-40*float64(i), 700, 12, strings.Split(word, "")...)
	}
	p := filetest.NewParser()
	text, err := p.Read("a.pdf", "", d.PDF())
	if got := strings.Split(text.Text, "\f"); err != nil || !slices.Equal(got, want) {
		t.Errorf("%q, %v, want %q", got, err, want)
	}
}

// TestPDFOfColumns shows that lines that run downwards are read from right to left, except
// Mongolian ones.
func TestPDFOfColumns(t *testing.T) {
	t.Parallel()
	d := filetest.Drawing{}
	column := func(x, y float64, text string) {
		d.Turned(fmt.Sprintf("0 -1 1 0 %g %g", x, y), 12, strings.Split(text, "")...)
	}
	d.Page()
	for i, text := range []string{"first", "日本 second", "3"} {
		column(300-20*float64(i), 700, text)
		column(300-20*float64(i), 400, text)
	}
	d.Page()
	column(300, 700, "ᠠ first")
	column(320, 700, "ᠡ second")
	p := filetest.NewParser()
	text, err := p.Read("a.pdf", "", d.PDF())
	const tier = "first\n日本 second\n3"
	if want := tier + "\n" + tier + "\fᠠ first\nᠡ second"; err != nil || text.Text != want {
		t.Errorf("%q, %v, want %q", text.Text, err, want)
	}
}

// TestPDFOfRaisedDigits shows that raised and lowered digits do not join others.
func TestPDFOfRaisedDigits(t *testing.T) {
	t.Parallel()
	// Each text has a height in points, its font a size.
	type part struct {
		text       string
		rise, size float64
	}
	on := func(text string) part { return part{text, 0, 12} }
	up := func(text string) part { return part{text, 4, 7} }
	down := func(text string) part { return part{text, -1.5, 7} }
	var want []string
	d := filetest.Drawing{}
	for text, parts := range map[string][]part{
		"10^6 m":     {on("10"), up("6"), on(" m")},
		"10^-16, 1":  {on("10"), up("-16"), on(", 1")},
		"10_2":       {on("10"), down("2")},
		"H2O":        {on("H"), down("2"), on("O")},
		"1st":        {on("1"), up("st")},
		"30 days.^3": {on("30 days."), up("3")},
		"5 1/2":      {on("5"), up("1"), on("/"), down("2")},
		"2^3 4":      {on("2"), up("3"), on("4")},
		"x^2_1":      {on("x"), up("2"), down("1")},
		"2^3":        {on("2"), {"3", 6, 12}},
		"^1 Note":    {up("1"), on("Note")},
		"10.5-6":     {on("10"), on(".5"), on("-6")},
	} {
		want = append(want, text, text)
		for _, turned := range []bool{false, true} {
			d.Page()
			x := 50.0
			for _, p := range parts {
				glyphs := strings.Split(p.text, "")
				if turned { // the matrix contains the size
					d.Turned(fmt.Sprintf("0 %g %g 0 %g %g", p.size, -p.size, 300-p.rise, x), 1, glyphs...)
				} else {
					d.Text(x, 700+p.rise, p.size, glyphs...)
				}
				x += 0.6 * p.size * float64(len(glyphs))
			}
		}
	}
	p := filetest.NewParser()
	text, err := p.Read("a.pdf", "", d.PDF())
	if got := strings.Split(text.Text, "\f"); err != nil || !slices.Equal(got, want) {
		t.Errorf("%q, %v, want %q", got, err, want)
	}
}

// TestPDFOfLinks shows that the addresses of links are read.
func TestPDFOfLinks(t *testing.T) {
	t.Parallel()
	d := filetest.Drawing{}
	d.Page()
	for i, line := range []string{
		"See our terms", "of use, or https://a-", "b.example/c or mail", "me@a.example or a file.",
		"A note", "none",
	} {
		d.Text(0, 700-20*float64(i), 10, strings.Split(line, "")...)
	}
	// Each line is 20 points high, each character 6 wide.
	over := func(address string, line, first, end float64) {
		d.Link(address, 6*first, 697-20*line, 6*end, 709-20*line)
	}
	over("https://a.example/b c?(d)", 0, 8, 13)
	over("https://a.example/b c?(d)", 1, 0, 6)
	over("https://a-b.example/c", 1, 11, 21)
	over("https://a-b.example/c", 2, 0, 11)
	over("mailto:me@a.example", 2, 15, 19)
	over("mailto:me@a.example", 3, 0, 12)
	over("file:///etc/passwd", 3, 16, 22)
	over("https://a.example/"+strings.Repeat("a", 500), 4, 0, 6)
	over("tel:+123", 4, 5, 6)
	p := filetest.NewParser()
	text, err := p.Read("a.pdf", "", d.PDF())
	want := "See our [terms of use](https://a.example/b%20c?%28d%29), or https://a-b.example/c or " +
		"[mail me@a.example](mailto:me@a.example) or a file.\nA not[e](tel:+123)\nnone"
	if err != nil || text.Text != want {
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
	text, err := p.Read("a.pdf", "", filetest.PDF(true, pages...))
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
		_, err := p.Read("a.pdf", "", c.data)
		if !fault.Is(err, fault.InvalidInput) || !strings.Contains(fault.ClientMessage(err), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
