package filetext_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/encoding/unicode/utf32"

	"agentchat/internal/fault"
	"agentchat/internal/knowledge"
	"agentchat/internal/knowledge/filetext"
)

// texts are typical of a shop's pages.
var texts = map[string]string{
	"de": "Rückgabe: Sie können die Ware innerhalb von 30 Tagen zurückschicken. Für Größen über XL gilt das nicht – fragen Sie „uns“.",
	"fr": "Les frais de port sont à la charge de l’acheteur. Vous êtes remboursé sous quatorze jours, s’il n’y a pas de défaut caché.",
	"pl": "Zwrot towaru jest możliwy w ciągu 30 dni. Koszty wysyłki ponosi kupujący, jeśli nie było żadnej wady. Proszę zadzwonić później.",
	"tr": "Ürünü otuz gün içinde iade edebilirsiniz. Kargo ücreti alıcıya aittir; şikâyetler için müşteri hizmetlerine başvurun, değişim ığdır.",
	"ru": "Товар можно вернуть в течение тридцати дней. Стоимость доставки оплачивает покупатель, если товар не имеет недостатков.",
	"el": "Μπορείτε να επιστρέψετε το προϊόν εντός τριάντα ημερών. Τα έξοδα αποστολής βαρύνουν τον αγοραστή.",
	"he": "ניתן להחזיר את המוצר בתוך שלושים יום. דמי המשלוח חלים על הקונה, אלא אם כן יש פגם.",
	"ar": "يمكن إرجاع المنتج خلال ثلاثين يوما من تاريخ الشراء. يتحمل المشتري تكاليف الشحن ما لم يكن المنتج معيبا.",
	"th": "ลูกค้าสามารถคืนสินค้าได้ภายในสามสิบวัน ผู้ซื้อเป็นผู้ชำระค่าจัดส่ง เว้นแต่สินค้ามีข้อบกพร่อง",
	"ja": "商品は三十日以内であれば返品できます。送料はお客様のご負担となりますが、商品に不具合がある場合はこの限りではありません。",
	"zh": "您可以在三十天内退货。运费由买方承担，但是商品有问题的除外。如果您有其他的问题，请与我们的客服联系，我们会在一天之内回复。",
	"tw": "您可以在三十天內退貨。運費由買方承擔，但是商品有問題的除外。如果您有其他的問題，請與我們的客服聯繫，我們會在一天之內回覆。",
	"ko": "상품은 삼십일 이내에 반품하실 수 있습니다. 배송비는 구매자가 부담하며, 상품에 하자가 있는 경우에는 그러하지 아니합니다.",
}

func TestEncodings(t *testing.T) {
	t.Parallel()
	little, big := unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM),
		unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM)
	for _, text := range texts {
		for name, c := range map[string]struct {
			mark string
			enc  encoding.Encoding
		}{
			"UTF-8": {"", encoding.Nop}, "UTF-8 with a mark": {"\xef\xbb\xbf", encoding.Nop},
			"UTF-16 with a mark": {"\xff\xfe", little}, "UTF-16BE with a mark": {"\xfe\xff", big},
			"UTF-32 with a mark": {"\xff\xfe\x00\x00", utf32.UTF32(utf32.LittleEndian, utf32.IgnoreBOM)},
			"UTF-16":             {"", little}, "UTF-16BE": {"", big},
		} {
			written, err := c.enc.NewEncoder().String("1. " + text + "\r\n")
			if err != nil {
				t.Fatal(err)
			}
			if got := read(t, "a.txt", c.mark+written); got != "1. "+text {
				t.Errorf("%s: %q, want %q", name, got, text)
			}
		}
	}
	for name, c := range map[string]struct {
		text string
		enc  encoding.Encoding
	}{
		"Windows-1252": {texts["de"], charmap.Windows1252}, "French": {texts["fr"], charmap.Windows1252}, "Windows-1250": {texts["pl"], charmap.Windows1250},
		"Windows-1254": {texts["tr"], charmap.Windows1254}, "Windows-1251": {texts["ru"], charmap.Windows1251}, "KOI8-R": {texts["ru"], charmap.KOI8R},
		"Windows-1253": {texts["el"], charmap.Windows1253}, "Windows-1255": {texts["he"], charmap.Windows1255},
		"Windows-1256": {texts["ar"], charmap.Windows1256}, "Windows-874": {texts["th"], charmap.Windows874},
		"Shift JIS": {texts["ja"], japanese.ShiftJIS}, "EUC-JP": {texts["ja"], japanese.EUCJP}, "ISO-2022-JP": {texts["ja"], japanese.ISO2022JP},
		"GB18030": {texts["zh"], simplifiedchinese.GB18030}, "Big5": {texts["tw"], traditionalchinese.Big5}, "EUC-KR": {texts["ko"], korean.EUCKR},
		"little":  {"The price is 5 £ for every customer, and it will not change before the summer.", charmap.Windows1252},
		"capital": {"ÄÖÜ, Übergrößen: SIEHE RÜCKSEITE", charmap.Windows1252},
	} {
		written, err := c.enc.NewEncoder().String(c.text)
		if err != nil {
			t.Fatal(name, err)
		}
		if got := read(t, "a.txt", written); got != c.text {
			t.Errorf("%s: %q, want %q", name, got, c.text)
		}
	}
}

func TestBrokenTexts(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ data, want string }{
		"lone surrogates": {"\xff\xfea\x00\x00\xd8b\x00", "a\ufffdb"},
		"an odd byte":     {"\xff\xfea\x00b", "a\ufffd"},
		"a zero":          {"Rückgabe\x00 in 30 Tagen", "Rückgabe  in 30 Tagen"},
		"cut off":         {texts["ru"][:len(texts["ru"])-2], texts["ru"][:len(texts["ru"])-3] + "\ufffd"},
		"noise":           {"\x81\x8d\xff\x90\xa0\x9d\x81\x8f\x81\x8d", "[The encoding is not certain. Open the file and choose the reading that is right.]"},
	} {
		if got := read(t, "a.txt", c.data); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// TestReadingsOfEncodings tests what decides about the encoding, and the notes about it.
func TestReadingsOfEncodings(t *testing.T) {
	t.Parallel()
	encoded := func(enc encoding.Encoding, text string) string {
		written, err := enc.NewEncoder().String(text)
		if err != nil {
			t.Fatal(err)
		}
		return written
	}
	page := func(head, body string) string {
		return "<html><head>" + head + "</head><body><p>" + body + "</p></body></html>"
	}
	const (
		koi8   = `<meta http-equiv="Content-Type" content='text/html; charset = "KOI8-R"'>`
		utf8   = `<meta charset=UTF-8>`
		cp1250 = `<META CHARSET="x-cp1250">`
		latin  = `<meta charset="iso-8859-1">`
		wrong  = "The file says %s, which is wrong. It was read as %s."
	)
	ru, zh, fr := texts["ru"], texts["zh"], texts["fr"]
	inKOI8, inGB := encoded(charmap.KOI8R, ru), encoded(simplifiedchinese.GBK, zh)
	long := strings.Repeat(ru+"\r\n", 10)
	for name, c := range map[string]struct {
		file, chosen, data string
		want, encoding     string
		notes              []string
	}{
		"chosen":                {"a.txt", "koi8-r", inKOI8, ru, "koi8-r", nil},
		"chosen, declared":      {"a.html", "koi8-r", page(utf8, inKOI8), ru, "koi8-r", []string{fmt.Sprintf(wrong, "UTF-8", "koi8-r")}},
		"chosen wrongly":        {"a.txt", "utf-8", inKOI8, "[The file is not utf-8. Choose another encoding.]", "", nil},
		"chosen, a bad byte":    {"a.txt", "utf-8", long + "\xff", strings.ReplaceAll(long, "\r", "") + "\ufffd", "utf-8", []string{"1 character could not be read, in line 11."}},
		"Vietnamese":            {"a.txt", "windows-1258", "Ph\xf4\xec\xd2", "Phố̉", "windows-1258", nil},
		"declared":              {"a.html", "", page(cp1250, "Rep\xf5"), "Repő", "windows-1250", nil},
		"declared in ASCII":     {"a.html", "", page(koi8, "a"), "a", "koi8-r", nil},
		"declared in XML":       {"a.xhtml", "", `<?xml version="1.0" encoding='cp1250'?>` + page("", "Rep\xf5"), "Repő", "windows-1250", nil},
		"declared late":         {"a.html", "", page("<style>"+strings.Repeat(".a {} ", 5000)+"</style>"+cp1250, "Rep\xf5"), "Repő", "windows-1250", nil},
		"declared for browsers": {"a.html", "", page(`<meta charset="utf-16">`, ru), ru, "utf-8", nil},
		"declared in the body":  {"a.html", "", page("", koi8+fr), fr, "utf-8", nil},
		"declared twice":        {"a.html", "", page(utf8+koi8, inKOI8), ru, "koi8-r", []string{fmt.Sprintf(wrong, "UTF-8", "koi8-r")}},
		"an unknown label":      {"a.html", "", page(`<meta charset="auto">`+cp1250, "Rep\xf5"), "Repő", "windows-1250", nil},
		"wrong, UTF-8":          {"a.html", "", page(koi8, ru), ru, "utf-8", []string{fmt.Sprintf(wrong, "KOI8-R", "utf-8")}},
		"wrong, undecodable":    {"a.html", "", page(utf8, inKOI8), ru, "koi8-r", []string{fmt.Sprintf(wrong, "UTF-8", "koi8-r")}},
		"wrong, nonsense":       {"a.html", "", page(latin, inGB), zh, "gb18030", []string{fmt.Sprintf(wrong, "iso-8859-1", "gb18030")}},
		"declared with spaces":  {"a.html", "", page(`<meta charset="utf-8`+strings.Repeat(" ", 300)+`">`, inKOI8), ru, "koi8-r", []string{fmt.Sprintf(wrong, "utf-8", "koi8-r")}},
		"declared oddly":        {"a.html", "", page(`<meta http-equiv=content-type content="\xdcber charset">`+cp1250, "Rep\xf5"), "Repő", "windows-1250", nil},
		"declared very often":   {"a.html", "", page(strings.Repeat(`<meta charset=gbk><meta charset=utf-8>`, 1500), inKOI8), ru, "koi8-r", []string{fmt.Sprintf(wrong, "gbk", "koi8-r")}},
		"HZ":                    {"a.txt", "", encoded(simplifiedchinese.HZGB2312, zh) + "~}", zh, "hz-gb-2312", nil},
		"not HZ":                {"a.txt", "", "Espa~{n}a ~}", "Espa~{n}a ~}", "utf-8", nil},
		"nearly UTF-8":          {"a.txt", "", long + "\xff\xff", strings.ReplaceAll(long, "\r", "") + "\ufffd\ufffd", "utf-8", []string{"2 characters could not be read, the first in line 11."}},
		"broken UTF-8": {"a.txt", "", "\xff" + ru, "[The encoding is not certain. Open the file and choose the reading that is right.]", "", []string{
			"It may be utf-8. �" + string([]rune(ru)[:59]),
		}},
		"wrong, short nonsense": {"a.html", "", page(latin, "\xcd\xcb\xbb\xf5"), "[The encoding is not certain. Open the file and choose the reading that is right.]", "", []string{
			`It may be windows-1252. -1"></head><body><p>ÍË»õ</p></body></html>`,
		}},
		"a mark in a sample": {"a.txt", "", " \ufeffa\xff\r\n" + ru, "[The encoding is not certain. Open the file and choose the reading that is right.]", "", []string{
			"It may be utf-8. a� / " + string([]rune(ru)[:60]),
		}},
		"doubtful": {"a.csv", "", "Name\nSauna\nRep\xf5", "[The encoding is not certain. Open the file and choose the reading that is right.]", "", []string{
			"It may be windows-1252. Repõ",
		}},
	} {
		var p filetext.Parser
		got, err := p.Read(c.file, c.chosen, []byte(c.data))
		if err != nil {
			got.Text = "[" + fault.ClientMessage(err) + "]"
		}
		var notes []string
		for _, n := range got.Notes {
			if n.Sample != nil {
				n.Message += " " + *n.Sample
			}
			notes = append(notes, n.Message)
		}
		if c.encoding == "" && len(notes) > 1 { // the most probable reading
			notes = notes[:1]
		}
		if strings.TrimSpace(got.Text) != strings.TrimSpace(c.want) || got.Encoding != c.encoding || !slices.Equal(notes, c.notes) {
			t.Errorf("%s: %q in %s, %q", name, got.Text, got.Encoding, notes)
		}
		if err := got.CheckReading(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestCheckEncoding tests that a label has one canonical name, which is a label of its own, and which
// knowledge.FileText accepts.
func TestCheckEncoding(t *testing.T) {
	t.Parallel()
	for label, want := range map[string]string{
		"GBK": "gbk", "latin1": "windows-1252", "iso-ir-6": "windows-1252", "cp437": "ibm437",
		"Extended_UNIX_Code_Packed_Format_for_Japanese": "euc-jp", "ISO_8859-6-E": "iso_8859-6-e",
		"johab": "", "replacement": "", "x-user-defined": "", "": "",
	} {
		got, err := filetext.CheckEncoding("a.txt", label)
		if got != want || (err == nil) != (want != "") {
			t.Errorf("%q is %q, %v; want %q", label, got, err, want)
		}
		if again, _ := filetext.CheckEncoding("a.csv", got); again != got ||
			(knowledge.FileText{Encoding: got}).CheckReading() != nil {
			t.Errorf("%q is not canonical: %q", got, again)
		}
	}
	if _, err := filetext.CheckEncoding("a.docx", "gbk"); err == nil {
		t.Error("a Word document has an encoding")
	}
}
