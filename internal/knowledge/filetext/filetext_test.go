package filetext_test

import (
	"strings"
	"testing"

	"agentchat/internal/fault"
	"agentchat/internal/knowledge/filetext"
	"agentchat/internal/knowledge/filetext/filetest"
)

// read returns the text of a file, or, in brackets, the reason why it cannot be read.
func read(t *testing.T, name, data string) string {
	t.Helper()
	var p filetext.Parser
	text, err := p.Read(name, "", []byte(data))
	if err != nil {
		if !fault.Is(err, fault.InvalidInput) || !strings.HasSuffix(fault.ClientMessage(err), ".") {
			t.Errorf("%s: %v", name, err)
		}
		return "[" + fault.ClientMessage(err) + "]"
	}
	return text.Text
}

func TestKinds(t *testing.T) {
	t.Parallel()
	docx := string(filetest.Docx(filetest.P("", "a")))
	ole := "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + strings.Repeat("\x00", 500)
	wide := func(text string) string { return strings.Join(strings.Split(text, ""), "\x00") + "\x00" }
	for _, c := range []struct{ name, data, want string }{
		{"a.txt", "a\r\nb", "a\nb"},
		{"A.MD ", "# a", "# a"},
		{"a.docx", docx, "a"},
		{"a.pdf", docx, "[The name of the file ends in .pdf, but it is a Word document."},
		{"a.txt", docx, "but it is a Word document."},
		{"a.zip", docx, "an archive"},
		{"a.txt", string(filetest.Zip(filetest.Part{Name: "a", Text: "b"})), "an archive"},
		{"a.docx", string(filetest.Zip(filetest.Part{Name: "a", Text: "b"})), "damaged"},
		{"a.pdf", "\n<!DOCTYPE html><p>a", "but it is a web page."},
		{"a.docx", "<html><p>a", "but it is a web page."},
		{"a.pdf", "some text", "but it is a text."},
		{"a.html", "%PDF-1.4", "but it is a PDF."},
		{"a.pdf", "\x00\x01\x02\x03\x04" + strings.Repeat("\x00\x05", 50), "damaged"},
		{"a.docx", docx[:len(docx)-30], "damaged"},
		{"a.docx", ole + wide("EncryptedPackage"), "by a password"},
		{"a.doc", ole + wide("WordDocument"), "too old"},
		{"a.docx", ole + wide("WordDocument"), "too old"},
		{"a.xls", ole, "Spreadsheets"},
		{"a.doc", "{\\rtf1 a}", "Documents of this kind"},
		{"a.txt", "\x89PNG\r\n\x1a\n", "a picture"},
		{"a.jpg", "\xff\xd8\xff\xe0", "a picture"},
		{"a.xlsx", docx, "Spreadsheets"},
		{"a.pptx", docx, "Slides"},
		{"a.exe", "MZ", "of this kind"},
		{"a", "a", "of this kind"},
		{"a.txt", strings.Repeat("\x00\x01\x02a", 100), "not a text"},
		{"a.txt", " \n", "no text"},
		{"a.txt", "", "no text"},
		{"a.txt", strings.Repeat("a", 10<<20+1), "10 MB."},
		{"a.txt", strings.Repeat("a", 2_000_001), "2,000,000 characters"},
	} {
		if got := read(t, c.name, c.data); !strings.Contains(got, c.want) ||
			strings.HasPrefix(got, "[") != (len(c.want) > 5 || c.want[0] == '[') {
			t.Errorf("%s: %.100q, want %q", c.name, got, c.want)
		}
	}
}

func TestHTML(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ page, want string }{
		"a page": {
			`<!doctype html><html><head><title> The
				shop</title><style>p{}</style><script>if (a<b) "</p>"</script></head><body><nav><ul><li>Home</ul></nav>
				<h2>Returns</h2><p>Within <b>30</b> days&nbsp;&amp; free.<br>Ask   us.<p>Two<ul><li>one<li><p>two</p><p>more</p>
				<ul><li>in</ul></ul><ol><li>a</li><li>b</li></ol><pre>x
  y</pre><noscript>no</noscript></body>`,
			"# The shop\n\n## Returns\n\nWithin 30 days & free.\nAsk us.\n\nTwo\n\n- one\n- two\n\nmore\n\n  - in\n\n1. a\n2. b\n\n```\nx\n  y\n```",
		},
		"a table": {
			`<h1>Prices</h1><table><tr><th>Size<th>Price | net<tr><td rowspan=2>S<td>1<tr><td>2<tr><td colspan="2"><p>none</p><p>at all</table>`,
			"# Prices\n\n| Size | Price \\| net |\n| --- | --- |\n| S | 1 |\n| S | 2 |\n| none at all |  |",
		},
		"a layout": {
			`<table><tr><td>left<td><h2>A</h2><table><tr><td>x<td>y<tr><td>1<td>2</table>after</table>end`,
			"left\n\nA\n\n| x | y |\n| --- | --- |\n| 1 | 2 |\n\nafter\n\nend",
		},
		"unclosed":          {`<p>a<nav>b<p>c`, "a\n\nb\n\nc"},
		"a fence":           {"<pre>```\na</pre>", "````\n```\na\n````"},
		"a heading in code": {"<pre># a</pre>", "```\n# a\n```"},
		"ends alone":        {"</table></tr></ul></pre></h1>a</td>", "a"},
		"declared":          {"<meta charset=windows-1251><p>\xcf\xf0\xe8\xe2\xe5\xf2", "Привет"},
		"declared wrongly":  {"<meta charset=iso-8859-1><p>Привет, мир", "Привет, мир"},
		"nothing":           {"<script>a</script>", "[The file has no text.]"},
		"too deep":          {strings.Repeat("<div>", 600) + "a", "[The page is nested too deeply. Save it in another format.]"},
		"too many tags":     {strings.Repeat("<br>", 1_000_001), "[The file needs too much memory to process. Make it smaller or split it.]"},
		"numbers": {
			`<ol start=9 type=A><li>a<li value=28>b<li><ol type=i><li>c<li>d</ol><li type=1>e</ol>
				<ol reversed><li>f<li hidden>no<li>g</ol><ol style="list-style: simp-chinese-informal" start=20><li>h<li>i</ol>` +
				`<ol style="list-style-type: hebrew" start=15><li>j</ol><ol type=I start=4000><li>k</ol><table><tr><td><ol><li>l<li>m</ol><td>n<tr><td>o<td>p</table>`,
			"I. a\nAB. b\n  AC. i. c\n  ii. d\n30. e\n\n2. f\n1. g\n\n二十、 h\n二十一、 i\n\nטו. j\n\n4000. k\n\n" +
				"| 1. l 2. m | n |\n| --- | --- |\n| o | p |",
		},
		"number styles": {
			`<ol style="list-style: armenian" start=1999><li>a</ol><ol style="list-style: korean-hangul-formal" start=105><li>b</ol>` +
				`<ol style="list-style: cjk-earthly-branch" start=12><li>c<li>d</ol><ol style="list-style: hangul" start=15><li>e</ol>` +
				`<ol type=disc><li>f</ol><ol style="list-style: '*'"><li>g<li style="list-style-type: '7) '">h</ol>`,
			"ՌՋՂԹ. a\n\n일백오, b\n\n亥、 c\n一三、 d\n\n가가. e\n\n1. f\n\n- g\n7) h",
		},
		"numbered headings": {`<ol start=2><li><h2>Refunds</h2>a<li><h2>Returns</h2></ol>`, "## 2. Refunds\n\na\n\n## 3. Returns"},
		"raised": {
			`<p>10<sup>6</sup>, 10<sup>-<b>6</b></sup>, 10<sub>2</sub>, 1<sup>st</sup>, H<sub>2</sub>O, 3<sup>1</sup>/<sub>2</sub>, ` +
				`10<span style="vertical-align: super">2</span>5, 90%<sup><a href="#n1">[1]</a></sup> <math><msup><mn>2</mn><mn>8</mn></msup></math>`,
			"10^6, 10^-6, 10_2, 1st, H2O, 3 1/2, 10^2 5, 90%[^1] 2^8",
		},
		"links": {
			`<p><a href="HTTPS://shop.example/a (b)/ü">our <b>shop</b> </a>and <a href="mailto:a@b.example?subject=x">a@b.example</a>, ` +
				`<a href="tel:+4930123">+49 (30) 123</a> <a href="tel:123">call</a> <a href="/in">in</a> <a href="javascript:x">js</a> ` +
				`<a href="https://a.example/">a.example</a> <a href="http://a.example/` + strings.Repeat("a", 500) + `">long</a>` +
				`<h2><a href="https://c.example/">C</a></h2><a href="https://d.example/"><p>D</p><p>E</p></a>`,
			"[our shop](HTTPS://shop.example/a%20%28b%29/%C3%BC) and a@b.example, +49 (30) 123 [call](tel:123) in js a.example long\n\n" +
				"## C\n\n[C](https://c.example/)\n\n[D](https://d.example/)\n\nE",
		},
		"glosses": {
			`<p><ruby>漢<rp>(</rp><rt>かん</rt><rp>)</rp>字<rt>じ</rt></ruby>と<ruby>東<rt>とう</rt></ruby><ruby>京<rt>きょう</rt></ruby>`,
			"漢字(かんじ)と東京(とうきょう)",
		},
		"ticks and pictures": {
			`<table><tr><th>A<th>B<tr><td><input type=checkbox checked><td><img src=a alt="A tick"><tr><td><input type=checkbox><td>` +
				`<font face=Wingdings>&#252;</font> <span role=checkbox aria-checked=true></span><img src=b></table>`,
			"| A | B |\n| --- | --- |\n| [x] | A tick |\n| [ ] | ✓ [x] |",
		},
		"hidden": {
			`<p>a<span style="Display: none">b</span><b hidden>c</b><del>d</del><ins>e</ins><i style="text-decoration:red line-through">f</i>` +
				`<u style="font-size:0px">g<b style="font-size:9px">G</b></u><u style="font-size:0.5em">h</u><div style="position:absolute;left:-9999px">i</div><!-- j --><dialog>k</dialog>` +
				`<iframe hidden srcdoc="l"></iframe><svg hidden aria-label="m"></svg><div style="max-height:0;overflow:hidden">n</div>`,
			"aeGh",
		},
		"inserted": {`<p>a<iframe srcdoc="&lt;p>b&lt;iframe srcdoc='&lt;p>c'>&lt;/iframe>"></iframe><object data=d><p>e</object>`, "a\n\nb\n\ne"},
	} {
		got := strings.TrimSpace(read(t, "a.html", c.page))
		if got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

func TestCSV(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ data, want string }{
		"pipes":      {"a,b\nx|y,2", "| a | b |\n| --- | --- |\n| x\\|y | 2 |"},
		"ragged":     {"a,b\n1\n\n1,2,3", "| a | b |\n| --- | --- |\n| 1 |\n| 1 | 2 | 3 |"},
		"a title":    {"Prices\n\nFrom,May\nS,1,2\nM,2,3\n", "Prices\n\nFrom May\n\n| S | 1 | 2 |\n| --- | --- | --- |\n| M | 2 | 3 |"},
		"padded":     {"Prices;;\nS;1;\nM;2;3\n", "Prices\n\n| S | 1 |  |\n| --- | --- | --- |\n| M | 2 | 3 |"},
		"a wide row": {"a,b\n" + strings.Repeat("1,2\n", 2) + "1,2,3", "| a | b |\n| --- | --- |\n| 1 | 2 |\n| 1 | 2 |\n| 1 | 2 | 3 |"},
		"one column": {"a\nb\n", "a\n\nb"},
		"wide":       {strings.Repeat(",a", 1_000_000), "[A table has more than 1,000 columns. Remove the unneeded ones.]"},
	} {
		if got := read(t, "a.csv", c.data); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

func TestWord(t *testing.T) {
	t.Parallel()
	p := filetest.P
	cell := func(properties, text string) string {
		return "<w:tc><w:tcPr>" + properties + "</w:tcPr>" + p("", text) + "</w:tc>"
	}
	for name, c := range map[string]struct{ body, want string }{
		"headings": {
			p("Verzeichnis1", "Eins 1") + p("Kapitel", "Eins") + p("Absatz", "Eins.eins") + p("A", "Text") +
				`<w:p><w:pPr><w:outlineLvl w:val="2"/></w:pPr><w:r><w:t>Drei</w:t></w:r></w:p>`,
			"# Eins\n\n## Eins.eins\n\nText\n\n### Drei",
		},
		"runs": {
			`<w:p><w:pPr><w:tabs><w:tab w:val="left"/></w:tabs></w:pPr><w:r><w:t>Ver</w:t></w:r><w:r><w:t xml:space="preserve">sand </w:t></w:r>` +
				`<w:del><w:r><w:delText>no</w:delText></w:r></w:del><w:ins><w:r><w:t>yes</w:t><w:tab/><w:t>1</w:t><w:br/><w:t>2</w:t></w:r></w:ins>` +
				`<w:r><w:instrText>PAGE</w:instrText><w:footnoteReference w:id="2"/></w:r></w:p>`,
			"Versand yes 1\n2[^2]\n\n[^2]: A note.",
		},
		"lists": {
			`<w:p><w:pPr><w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr></w:pPr><w:r><w:t>a</w:t></w:r></w:p>` +
				`<w:p><w:pPr><w:numPr><w:ilvl w:val="1"/><w:numId w:val="1"/></w:numPr></w:pPr><w:r><w:t>b</w:t></w:r></w:p>`,
			"- a\n  - b\n\n[^2]: A note.",
		},
		"a table": {
			"<w:tbl><w:tr>" + cell("", "Größe") + cell("", "Preis") + "</w:tr><w:tr>" + cell(`<w:vMerge w:val="restart"/>`, "S") + cell("", "1") +
				"</w:tr><w:tr>" + cell("<w:vMerge/>", "") + cell("", "2") + "</w:tr><w:tr>" + cell(`<w:gridSpan w:val="2"/>`, "none") + "</w:tr></w:tbl>",
			"| Größe | Preis |\n| --- | --- |\n| S | 1 |\n| S | 2 |\n| none |  |\n\n[^2]: A note.",
		},
		"a box": {
			`<w:p><w:r><mc:AlternateContent><mc:Choice><w:txbxContent>` + p("", "box") + `</w:txbxContent></mc:Choice><mc:Fallback>` +
				p("", "again") + `</mc:Fallback></mc:AlternateContent><w:t>text</w:t></w:r></w:p>`,
			"box\n\ntext\n\n[^2]: A note.",
		},
	} {
		notes := `<w:footnotes xmlns:w="w"><w:footnote w:type="separator" w:id="0"><w:p/></w:footnote><w:footnote w:id="2">` +
			p("", " A note.") + `</w:footnote></w:footnotes>`
		got := read(t, "a.docx",
			string(filetest.Docx(c.body, filetest.Part{Name: "word/footnotes.xml", Text: notes})))
		if got = strings.TrimSuffix(got, "\n\n[^2]: A note."); got != strings.TrimSuffix(c.want, "\n\n[^2]: A note.") {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

func TestWordMeaning(t *testing.T) {
	t.Parallel()
	p, item, runs := filetest.P, filetest.Item, filetest.Runs
	const up, down = `<w:vertAlign w:val="superscript"/>`, `<w:vertAlign w:val="subscript"/>`
	link := func(text string) string {
		return `<w:hyperlink r:id="r1"><w:r><w:t>` + text + `</w:t></w:r></w:hyperlink>`
	}
	field := func(instruction, text string) string {
		return `<w:r><w:fldChar w:fldCharType="begin"/><w:instrText>` + instruction + `</w:instrText><w:fldChar w:fldCharType="separate"/><w:t>` +
			text + `</w:t><w:fldChar w:fldCharType="end"/></w:r>`
	}
	box := func(checked, shown string) string {
		return `<w:sdt><w:sdtPr><w14:checkbox><w14:checked w14:val="` + checked + `"/></w14:checkbox></w:sdtPr><w:sdtContent><w:r><w:t>` +
			shown + `</w:t></w:r></w:sdtContent></w:sdt>`
	}
	cell := func(text string) string { return "<w:tc><w:p>" + text + "</w:p></w:tc>" }
	for name, c := range map[string]struct{ body, want string }{
		"a contract": {
			p("Klausel1", "Refunds") + p("Klausel2", "Terms") + item(1, 2, "a") + item(1, 2, "b") + item(1, 3, "c") + p("Klausel2", "Cash") + item(1, 2, "d") +
				item(2, 2, "e") + item(1, 2, "f") + p("Klausel1", "Returns") + p("Klausel2", "Time") + item(3, 0, "g"),
			"# 1. Refunds\n\n## 1.1 Terms\n\n    (a) a\n    (b) b\n      - c\n\n## 1.2 Cash\n\n    (a) d\n    (e) e\n    (f) f\n\n" +
				"# 2. Returns\n\n## 2.1 Time\n\n1) g",
		},
		"skipped levels": {item(4, 2, "a") + item(4, 0, "b") + item(1, 2, "c") + item(1, 1, "d"),
			"0..1 a\n1 b\n    (a) c\n  1.2 d"},
		"raised": {
			runs([2]string{"", "10"}, [2]string{up, "1"}, [2]string{up, "6"}, [2]string{"", ", 10"}, [2]string{down, "2"}, [2]string{"", ", H"},
				[2]string{down, "2"}, [2]string{"", "O, 1"}, [2]string{up, "st"}) +
				`<w:p><m:oMath><m:sSup><m:e><m:r><m:t>2</m:t></m:r></m:e><m:sup><m:r><m:t>8</m:t></m:r></m:sup></m:sSup></m:oMath></w:p>`,
			"10^16, 10_2, H2O, 1st\n\n2^8",
		},
		"links": {
			"<w:p>" + link("the shop") + `<w:r><w:t xml:space="preserve"> </w:t></w:r>` + link("shop.example") + field(` HYPERLINK "mailto:a@b.example" `, " mail") + "</w:p>" +
				`<w:p><w:pPr><w:pStyle w:val="berschrift1"/></w:pPr>` + link("Shop") + "</w:p>",
			"[the shop](https://shop.example/) shop.example [mail](mailto:a@b.example)\n\n# Shop\n\n[Shop](https://shop.example/)",
		},
		"glosses": {
			`<w:p><w:r><w:ruby><w:rt><w:r><w:t>かん</w:t></w:r></w:rt><w:rubyBase><w:r><w:t>漢</w:t></w:r></w:rubyBase></w:ruby></w:r>` +
				`<w:r><w:ruby><w:rt><w:r><w:t>じ</w:t></w:r></w:rt><w:rubyBase><w:r><w:t>字</w:t></w:r></w:rubyBase></w:ruby></w:r></w:p>`,
			"漢字(かんじ)",
		},
		"ticks and pictures": {
			"<w:tbl><w:tr>" + cell(box("1", "☒")) + cell(`<w:r><w:rPr><w:rFonts w:ascii="Wingdings"/></w:rPr><w:sym w:font="Wingdings" w:char="F0FE"/><w:t>&#xFC;</w:t></w:r>`) + "</w:tr><w:tr>" + cell(box("0", "☐")) +
				cell(`<w:r><w:drawing><wp:docPr descr="A shop"/><a:blip/></w:drawing></w:r>`) + "</w:tr><w:tr>" +
				cell(`<w:r><w:fldChar w:fldCharType="begin"><w:ffData><w:checkBox><w:default w:val="0"/><w:checked/></w:checkBox></w:ffData></w:fldChar>`+
					`<w:instrText>FORMCHECKBOX</w:instrText><w:fldChar w:fldCharType="end"/></w:r>`) + cell("") + "</w:tr></w:tbl>",
			"| [x] | [x]✓ |\n| --- | --- |\n| [ ] | A shop |\n| [x] |  |",
		},
		"hidden": {
			runs([2]string{"", "a"}, [2]string{"<w:vanish/>", "b"}, [2]string{`<w:vanish w:val="0"/>`, "c"}, [2]string{"<w:strike/>", "d"},
				[2]string{`<w:rStyle w:val="Geheim"/>`, "e"}, [2]string{`<w:rPrChange><w:rPr><w:vanish/></w:rPr></w:rPrChange>`, "f"}),
			"acf",
		},
		"hidden rows and fields": {
			"<w:tbl><w:tr>" + cell("<w:r><w:t>a</w:t></w:r>") + "</w:tr><w:tr><w:trPr><w:hidden/></w:trPr>" + cell("<w:r><w:t>b</w:t></w:r>") + "</w:tr></w:tbl>" +
				`<w:p><w:r><w:fldChar w:fldCharType="begin"/><w:instrText>IF</w:instrText><w:t>c</w:t><w:fldChar w:fldCharType="separate"/><w:t>d</w:t></w:r></w:p>` +
				p("", "e") + `<w:p><w:r><w:fldChar w:fldCharType="begin"/></w:r></w:p>` + p("", "f"),
			"a\n\nd\n\ne\n\nf",
		},
		"inserted": {p("", "a") + `<w:altChunk r:id="r5"/><w:altChunk r:id="r6"/><w:altChunk r:id="r7"/>` + p("", "d"), "a\n\nb\n\n# c\n\nd"},
		"frames": {
			`<w:p><w:r><w:t>a</w:t></w:r></w:p><w:sectPr><w:headerReference w:type="default" r:id="r2"/><w:headerReference w:type="first" r:id="r3"/>` +
				`<w:footerReference w:type="default" r:id="r3"/></w:sectPr><w:sectPr><w:headerReference w:type="default" r:id="r4"/></w:sectPr>`,
			"Shop Page\n\na\n\nTerms",
		},
	} {
		inner := filetest.Docx(p("", "b")+`<w:altChunk r:id="r6"/>`, filetest.Part{Name: "word/a.html", Text: "<p>no"},
			filetest.Part{Name: "word/_rels/document.xml.rels", Text: `<R><Relationship Id="r6" Target="a.html"/></R>`})
		head := func(body string) string { return "<w:hdr>" + body + "</w:hdr>" }
		got := read(t, "a.docx", string(filetest.Docx(c.body,
			filetest.Part{Name: "word/numbering.xml", Text: filetest.Numbering},
			filetest.Part{Name: "word/a.docx", Text: string(inner)},
			filetest.Part{Name: "word/a.html", Text: "<h1>c</h1>"},
			filetest.Part{Name: "word/header1.xml", Text: head("<w:p><w:r><w:t>Shop Page</w:t></w:r>" + field("PAGE", "7") + "</w:p>")},
			filetest.Part{Name: "word/header2.xml", Text: head(p("", "Terms"))},
			filetest.Part{Name: "word/header3.xml", Text: head(p("", "Shop Page"))},
			filetest.Part{Name: "word/_rels/document.xml.rels", Text: `<R><Relationship Id="r1" TargetMode="External" Target="https://shop.example/"/>` +
				`<Relationship Id="r2" Target="header1.xml"/><Relationship Id="r3" Target="/word/header2.xml"/><Relationship Id="r4" Target="header3.xml"/>` +
				`<Relationship Id="r5" Target="a.docx"/><Relationship Id="r6" Target="a.html"/><Relationship Id="r7" Target="a.mht"/></R>`})))
		if got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
