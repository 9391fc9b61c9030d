package mail

import (
	_ "embed"
	htmltemplate "html/template"
	"regexp"
	"strings"
	"text/template"
	"unicode"
)

// Letter is the content of a message. Text that a user wrote must go through Quoted, and must not
// be in the subject.
type Letter struct {
	Subject string
	// Paragraphs are plain text, each one line.
	Paragraphs []string
	// Items are a list under the paragraphs; empty for none.
	Items []string
	// Link is the link for the reader, and LinkText its text; empty for none.
	Link, LinkText string
	// Last is the small print under the link: the reason for the email.
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

// linked matches the places where mail programs recognize links: the dot of a domain, the @ of an
// address, and the end of a scheme.
var linked = regexp.MustCompile(`(\.)(\pL)|(@|://)`)

// Quoted returns a user's text in quotation marks, on one line, so that mail programs recognize no
// link in it.
func Quoted(text string) string {
	words := strings.FieldsFunc(text, func(r rune) bool {
		return unicode.IsSpace(r) || !unicode.IsPrint(r)
	})
	return "“" + linked.ReplaceAllString(strings.Join(words, " "), "$1$3 $2") + "”"
}

// Test returns the letter of `agentchat mail test`.
func Test(panel string) Letter {
	return Letter{
		Subject:    "Test email from Agent Chat",
		Paragraphs: []string{"Agent Chat can send email."},
		Last:       "The operator of " + panel + " has sent this email as a test.",
	}
}
