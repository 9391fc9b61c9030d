package filetext_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"agentchat/internal/knowledge/filetext"
	"agentchat/internal/knowledge/filetext/filetest"
)

// notes returns the messages of a file's notes.
func notes(t *testing.T, p *filetext.Parser, name string, data []byte) (messages []string) {
	t.Helper()
	text, err := p.Read(name, "", data)
	if err != nil {
		t.Errorf("%s: %v", name, err)
	}
	if err := text.CheckReading(); err != nil {
		t.Error(err)
	}
	for _, n := range text.Notes {
		messages = append(messages, n.Message)
	}
	return messages
}

const (
	hidden       = "1 hidden part was left out."
	struck       = "1 struck-out part was left out."
	commented    = "1 commented part was left out."
	noPicture    = "1 picture has no description. Its content was not read."
	noValue      = "1 form field: its value was not read."
	notInserted  = "1 inserted document could not be read."
	numbering    = "1 list number has an unknown format and is written 1, 2, 3."
	twoValues    = "2 form fields: their values were not read."
	twoInserted  = "2 inserted documents could not be read."
	twoCommented = "2 commented parts were left out."
)

func TestNotesOfPages(t *testing.T) {
	t.Parallel()
	for page, want := range map[string][]string{
		"<!--[if IE]><![endif]--><img alt='b'><input type=submit value=b><input><p>a": nil,
		"<p hidden>b</p>a":      {hidden},
		"<!--b-->a":             {commented},
		"<s>b</s><del>b</del>a": {"2 struck-out parts were left out."},
		"<img src=b><canvas></canvas>a": {
			"2 pictures have no description. Their content was not read."},
		"<input value=b><select><option>b</select>a":                                      {twoValues},
		"<div style='visibility:hidden'><input value=b><select><option>b</select></div>a": nil,
		"<iframe src=b></iframe><video></video>a":                                         {twoInserted},
		"<iframe srcdoc='<s>b</s>c'></iframe>a":                                           {struck},
		"a<p>b\ufffd&#xf0b7;":                                                             {"2 characters could not be read, the first in line 3."},
		"<ol style='list-style: ethiopic-numeric'><li>a":                                  {numbering},
	} {
		if got := notes(t, &filetext.Parser{}, "a.html", []byte(page)); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", page, got, want)
		}
	}
}

func TestNotesOfWord(t *testing.T) {
	t.Parallel()
	p, runs, item := filetest.P, filetest.Runs, filetest.Item
	inner := filetest.Docx(runs([2]string{"<w:vanish/>", "b"}, [2]string{"", "c"}) + "<w:altChunk/>")
	bad := filetest.Docx(runs([2]string{"<w:strike/>", "b"}))
	for body, want := range map[string][]string{
		p("", "a"): nil,
		runs([2]string{"<w:vanish/>", "b"}, [2]string{"<w:strike/>", "b"}, [2]string{"", "c"}): {
			hidden, struck},
		"<w:p><w:r><w:commentReference/></w:r></w:p><w:p><w:del><w:r/></w:del></w:p>":   {struck, commented},
		`<w:p><w:r><w:drawing><wp:docPr/><a:blip/></w:drawing></w:r></w:p>`:             {noPicture},
		`<w:p><w:r><w:fldChar><w:ffData><w:ddList/></w:ffData></w:fldChar></w:r></w:p>`: {noValue},
		`<w:p><w:r><w:object><w:control/></w:object></w:r></w:p>`:                       {noValue},
		item(3, 0, "a"):           {numbering},
		`<w:altChunk r:id="r1"/>`: {hidden, notInserted},
		`<w:altChunk r:id="r2"/><w:altChunk r:id="missing"/>`: {twoInserted},
		p("", "\uf0b7"): {"1 character could not be read, in line 3."},
	} {
		data := filetest.Docx(p("", "a")+body,
			filetest.Part{Name: "word/numbering.xml", Text: filetest.Numbering},
			filetest.Part{Name: "word/b.docx", Text: string(inner)},
			filetest.Part{Name: "word/c.docx", Text: string(bad)},
			filetest.Part{Name: "word/_rels/document.xml.rels", Text: `<R><Relationship Id="r1" ` +
				`Target="b.docx"/><Relationship Id="r2" Target="c.docx"/></R>`})
		if got := notes(t, &filetext.Parser{}, "a.docx", data); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", body, got, want)
		}
	}
}

// TestNotesOfPDFs shows that characters without a meaning are counted, and what is not on the page
// itself. Among many codes that are no characters, codes of letters have no meaning, either.
func TestNotesOfPDFs(t *testing.T) {
	t.Parallel()
	d := filetest.Drawing{}
	d.Page()
	d.Text(50, 700, 12, strings.Split("guaran-", "")...)
	d.Text(50, 680, 12, strings.Split("tee of three", "")...)
	d.Picture()
	d.Page()
	d.Text(50, 700, 12, strings.Split("a b c", "")...)
	d.Codes("1 0 0 1 50 680", 12, 0x1d, 0x41, 0x7f)
	for _, annotation := range []string{"/Text /Contents (b)", "/Highlight /Contents (b)", "/Highlight",
		"/Widget /FT /Tx /V (b)", "/Widget /Parent 2 0 R", "/Widget /FT /Tx", "/FileAttachment"} {
		d.Annotate(annotation, 0, 0, 9, 9)
	}
	d.Page()
	d.Codes("1 0 0 1 50 700", 12, append(slices.Repeat([]int{'A'}, 30), 0x1d)...)
	d.Page()
	d.Picture()
	d.Attach()
	p := filetest.NewParser()
	want := []string{"4 characters could not be read, the first on page 2.", twoCommented, noPicture,
		twoValues, twoInserted}
	if got := notes(t, &p, "a.pdf", d.PDF()); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestNotesOfBrokenPages shows that pages that cannot be loaded are counted next to readable ones.
func TestNotesOfBrokenPages(t *testing.T) {
	t.Parallel()
	for pages, want := range map[string]string{
		"3 0 R 9 0 R":       "1 page could not be read: page 2.",
		"9 0 R 3 0 R 9 0 R": "2 pages could not be read, the first is page 1.",
	} {
		data := filetest.Raw("", "<< /Type /Catalog /Pages 2 0 R >>",
			filetest.Object(fmt.Sprintf("<< /Type /Pages /Kids [%s] /Count %d >>", pages,
				strings.Count(pages, "R"))),
			"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 99 99] /Contents 4 0 R /Resources << /Font "+
				"<< /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >> >>",
			filetest.Stream("", "BT /F 9 Tf 9 9 Td (a) Tj ET"))
		p := filetest.NewParser()
		if got := notes(t, &p, "a.pdf", data); !slices.Equal(got, []string{want}) {
			t.Errorf("%s: %q, want %q", pages, got, want)
		}
	}
}
