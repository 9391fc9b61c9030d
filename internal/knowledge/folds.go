package knowledge

import (
	_ "embed" // tables of letters
	"strings"
	"sync"
	"sync/atomic"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

//go:generate go run folds_generate.go TSCharacters.txt

// Latin letters that Unicode does not decompose, and traditional Chinese characters. Their sources
// and licenses stand next to them.
var (
	//go:embed folds/latin.txt
	latinTable string
	//go:embed folds/simplified.txt
	simplifiedTable string
)

// folds maps a character to the form in which it is searched: ł to l, 國 to 国.
var folds = sync.OnceValue(func() map[rune]string {
	out := map[rune]string{}
	for _, table := range []string{latinTable, simplifiedTable} {
		_, pairs, _ := strings.Cut(table, "\n") // behind the comment
		for _, pair := range strings.Fields(pairs) {
			c, size := utf8.DecodeRuneInString(pair)
			out[c] = pair[size:]
		}
	}
	return out
})

// maxExpansion is the largest size of a plain form. A character with a longer one, such as U+FDFA,
// is kept unchanged, so that no text becomes much longer.
const maxExpansion = 4

// foldPage holds what is known of 256 characters: their plain forms, whether these can join the
// character before, the sizes of their normalized forms, and their scripts.
type foldPage struct {
	forms [256]string
	joins [256]bool
	sizes [256]uint8
	kinds [256]script
}

// foldPages are made when a text first needs them.
var foldPages [unicode.MaxRune>>8 + 1]atomic.Pointer[foldPage]

func foldPageOf(c rune) *foldPage {
	at := &foldPages[c>>8]
	if p := at.Load(); p != nil {
		return p
	}
	p := new(foldPage)
	fold := cases.Fold()
	for i := range p.forms {
		c := c&^0xFF + rune(i)
		normal := norm.NFKC.String(string(c))
		p.sizes[i], p.kinds[i] = uint8(utf8.RuneCountInString(normal)), scriptOf(c)
		if p.sizes[i] > maxExpansion {
			p.forms[i] = string(c)
		} else {
			p.forms[i] = plainForm(fold, c)
		}
		p.joins[i] = p.forms[i] != "" && !norm.NFC.PropertiesString(p.forms[i]).BoundaryBefore()
	}
	at.Store(p)
	return p
}

// kindOf returns the script of a character of a plain text. It is scriptOf, faster.
func kindOf(c rune) script { return foldPageOf(c).kinds[c&0xFF] }

// plainForm returns the normalized form of a character.
func plainForm(fold cases.Caser, c rune) string {
	if c == '\u00B4' { // Unicode decomposes it into a space and an accent
		return "'"
	}
	folded := strings.ToLower(fold.String(norm.NFKD.String(string(c)))) // Fold swaps Cherokee
	var out strings.Builder
	for _, c := range folded {
		if form, ok := folds()[c]; ok {
			out.WriteString(form)
		} else if c = plainRune(c); c >= 0 {
			out.WriteRune(c)
		}
	}
	return norm.NFKC.String(out.String())
}
