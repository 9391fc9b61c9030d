package filetext

import (
	"strings"
	"unicode"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
)

// script is a legacy encoding, with the characters outside of ASCII that are frequent in its texts.
type script struct {
	enc encoding.Encoding
	// latin means that such characters occur singly between ASCII letters. Characters of other scripts
	// never follow an ASCII letter.
	latin    bool
	frequent string
}

// typographic marks are frequent in all scripts.
const typographic = "–—’‘“”„«»…·•°©§€£±½×№，。、「」"

// scripts are in order of preference for texts with the same score.
var scripts = []script{
	{charmap.Windows1252, true, "äöüßÄÖÜéèàçñáíóúêëîïôâûùãõåøæœÉ¿¡"},
	{charmap.Windows1250, true, "ąćęłńóśźżáčďéěíňřšťúůýžőűăâîşţŁŚŻČŘŠŽ"},
	{charmap.Windows1254, true, "ğüşıöçİŞÜÖÇâî"},
	{charmap.Windows1251, false, "оеаинтсрвлкмдпуяыьгзбчі"},
	{charmap.KOI8R, false, "оеаинтсрвлкмдпуяыьгзбч"},
	{charmap.Windows1253, false, "αοιετσνηυρπκλμςάίόέήύώ"},
	{charmap.Windows1255, false, "יוהלאתרמבשנעםדחקפט"},
	{charmap.Windows1256, false, "اليمنوتربدعسفهةكحجقأىإ"},
	{charmap.Windows874, false, "านรอกเงมยลวดทสตะปบคหแจพไใโ่้ิีัุูำ็์"},
	{japanese.ShiftJIS, false, "のにはをたがでてとしれさいるなもかっらすりこまきくんあうえおけそつどやよろわじだばめーンスイルトリアクラ日本人年一大"},
	{japanese.EUCJP, false, "のにはをたがでてとしれさいるなもかっらすりこまきくんあうえおけそつどやよろわじだばめーンスイルトリアクラ日本人年一大"},
	{simplifiedchinese.GB18030, false, "的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过发后作里用道行" +
		"所然家种事成方多经么去法学如都同现当没动面起看定天分还进好小部其些主样理心本前开但因只从想实日者意无力与长把机第公此" +
		"工使明性全三关点正业外将两高间由问很最重并物请个可天"},
	{traditionalchinese.Big5, false, "的一是不了在人有我他這個們中來上大為和國地到以說時要就出會可也你對生能而子那得於著下自之年過發後作用道行" +
		"所然家種事成方多經麼去法學如都同現當沒動面起看定天分還進好小部其些主樣理心本前開但因只從想實日者意無力與長把機第公此" +
		"工使明性全三關點正業外將兩高間由問很最重並物請"},
	{korean.EUCKR, false, "이다는의에가을를고하지도로은한기사서나인리아어대자그해시정부일게있었수니세보전과만으여구성주들제장"},
}

const (
	// maxSample is the size of the part of a text that is examined, in bytes.
	maxSample = 64 << 10
	// leastScore is the least share of frequent characters among a text's characters outside of ASCII.
	leastScore = 0.3
	// fewForeign is the share of characters outside of ASCII below which the encoding does not matter.
	fewForeign = 0.02
)

// guess returns the encoding in which a text's characters resemble a language most, nil if there is
// none.
func guess(data []byte) encoding.Encoding {
	sample := data[:min(len(data), maxSample)]
	var best encoding.Encoding
	most := leastScore
	for _, s := range scripts {
		if score := s.score(with(s.enc, sample)); score > most {
			best, most = s.enc, score
		}
	}
	if best != nil {
		return best
	}
	foreign := 0
	for _, b := range sample {
		if b >= 0x80 {
			foreign++
		}
	}
	if float64(foreign) < fewForeign*float64(len(sample)) {
		return charmap.Windows1252
	}
	return nil
}

// score returns the share of frequent characters among a text's characters outside of ASCII.
// Impossible characters reduce it.
func (s script) score(text string) float64 {
	all, frequent := 0, 0
	before := ' '
	for _, c := range text {
		last := before
		before = c
		if c < 0x80 {
			continue
		}
		all++
		switch {
		case c == unicode.ReplacementChar || unicode.IsControl(c):
			frequent -= 3
		case strings.ContainsRune(typographic, c) ||
			strings.ContainsRune(s.frequent, c) && s.follows(last):
			frequent++
		}
	}
	return float64(frequent) / float64(max(1, all))
}

// follows reports whether a letter of the script may follow a character.
func (s script) follows(last rune) bool {
	return !unicode.IsLetter(last) || s.latin == (last < 0x80)
}
