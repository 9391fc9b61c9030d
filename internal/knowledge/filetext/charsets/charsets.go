// Package charsets finds the encoding of a text by its letters. It knows how often a letter follows
// another one in 46 languages, and the commonest characters of Chinese, Japanese and Korean; see
// gen.go for the sources. The same bytes are more probable in one encoding than in another.
// Probabilities are in bits: 10 bits are 1 in 1024.
package charsets

import (
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
)

// charset is an encoding that a file may have.
type charset struct {
	name string // as the Encoding Standard or IANA has it, in lower case
	enc  encoding.Encoding
	// rarity is added to the bits of its readings, because few files have it.
	rarity float64
}

const (
	common = 0 // on Windows, and of several bytes
	older  = 2 // standards that the encodings of Windows extend
	dos    = 4 // and Mac
	rare   = 6
)

// charsets are all encodings of the Encoding Standard without escape sequences, and the code pages of
// DOS and Mac that x/text decodes. If a text reads the same in two of them, the first one counts.
var charsets = []charset{
	{"windows-1252", charmap.Windows1252, common},
	{"windows-1250", charmap.Windows1250, common},
	{"windows-1251", charmap.Windows1251, common},
	{"windows-1253", charmap.Windows1253, common},
	{"windows-1254", charmap.Windows1254, common},
	{"windows-1255", charmap.Windows1255, common},
	{"windows-1256", charmap.Windows1256, common},
	{"windows-1257", charmap.Windows1257, common},
	{"windows-874", charmap.Windows874, common},
	{"shift_jis", japanese.ShiftJIS, common},
	{"euc-jp", japanese.EUCJP, common},
	{"gb18030", simplifiedchinese.GB18030, common}, // extends gbk
	{"big5", traditionalchinese.Big5, common},
	{"euc-kr", korean.EUCKR, common},
	{"koi8-r", charmap.KOI8R, common},
	{"koi8-u", charmap.KOI8U, older},
	{"iso-8859-2", charmap.ISO8859_2, older},
	{"iso-8859-15", charmap.ISO8859_15, older},
	{"iso-8859-5", charmap.ISO8859_5, older},
	{"iso-8859-6", charmap.ISO8859_6, older},
	{"iso-8859-7", charmap.ISO8859_7, older},
	{"iso-8859-8", charmap.ISO8859_8, older},
	{"iso-8859-13", charmap.ISO8859_13, older},
	{"iso-8859-4", charmap.ISO8859_4, older},
	{"ibm850", charmap.CodePage850, dos},
	{"ibm437", charmap.CodePage437, dos},
	{"ibm00858", charmap.CodePage858, dos},
	{"ibm852", charmap.CodePage852, dos},
	{"ibm866", charmap.CodePage866, dos},
	{"ibm855", charmap.CodePage855, dos},
	{"ibm862", charmap.CodePage862, dos},
	{"macintosh", charmap.Macintosh, dos},
	{"x-mac-cyrillic", charmap.MacintoshCyrillic, dos},
	{"windows-1258", charmap.Windows1258, rare},
	{"iso-8859-3", charmap.ISO8859_3, rare},
	{"iso-8859-10", charmap.ISO8859_10, rare},
	{"iso-8859-14", charmap.ISO8859_14, rare},
	{"iso-8859-16", charmap.ISO8859_16, rare},
	{"ibm860", charmap.CodePage860, rare},
	{"ibm863", charmap.CodePage863, rare},
	{"ibm865", charmap.CodePage865, rare},
}
