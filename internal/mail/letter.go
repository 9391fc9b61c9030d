package mail

import (
	_ "embed"
	htmltemplate "html/template"
	"regexp"
	"strings"
	"text/template"
	"unicode"
)

// Letter is the content of a message. Whatever a user wrote goes through Quoted first, and never into the subject.
type Letter struct {
	Subject string
	// Paragraphs are plain text, each one line.
	Paragraphs []string
	// Items are a list under the paragraphs; empty for none.
	Items []string
	// Link is what the reader is to open, under the words of LinkText; empty for none.
	Link, LinkText string
	// Last stands under the link, small: why the reader got this.
	Last string
}

var (
	//go:embed letter.txt
	letterText string
	//go:embed letter.html
	letterHTML string

	asText = template.Must(template.New("text").Parse(letterText))
	asHTML = htmltemplate.Must(htmltemplate.New("html").Parse(letterHTML))
)

// bodies writes a letter as plain text and as HTML.
func (l Letter) bodies() (text, html string, err error) {
	var plain, twin strings.Builder
	if err := asText.Execute(&plain, l); err != nil {
		return "", "", err
	}
	err = asHTML.Execute(&twin, l)
	return plain.String(), twin.String(), err
}

// linked matches where mail programs make a link of a text: the dot of a domain, the sign of an address, and what follows a scheme.
var linked = regexp.MustCompile(`(\.)(\pL)|(@|://)`)

// Quoted returns a user's text in quotation marks, on one line, so that no mail program makes a link of any part of it.
func Quoted(text string) string {
	words := strings.FieldsFunc(text, func(r rune) bool { return unicode.IsSpace(r) || !unicode.IsPrint(r) })
	return "“" + linked.ReplaceAllString(strings.Join(words, " "), "$1$3 $2") + "”"
}

// Test is the letter of `agentchat mail test`.
func Test(panel string) Letter {
	return Letter{
		Subject:    "Test of mail from Agent Chat",
		Paragraphs: []string{"Agent Chat can send mail."},
		Last:       "The operator of " + panel + " has sent this to try it.",
	}
}
