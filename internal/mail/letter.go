package mail

import (
	_ "embed"
	htmltemplate "html/template"
	"regexp"
	"strings"
	"text/template"
	"unicode"

	"agentchat/internal/store"
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

// passwordReset has the link by which a password is set anew.
func passwordReset(panel, link string) Letter {
	return Letter{
		Subject: "Set a new password for Agent Chat",
		Paragraphs: []string{
			"Somebody, probably you, has asked for a new password for " + panel + ".",
			"The link works once, within an hour. A newer one takes its place.",
		},
		Link: link, LinkText: "Set a new password",
		Last: "If it was not you, you need not do anything: your password stays as it is.",
	}
}

// passwordChanged says that a password was set, and which keys of the last 30 days there are.
func passwordChanged(panel string, keys []string) Letter {
	letter := Letter{
		Subject: "Your password for Agent Chat was changed",
		Paragraphs: []string{
			"A new password was set for " + panel + ", and all other sign-ins have ended. Sign in with the new password.",
			"If it was not you, ask for a new password there at once, and tell the operator.",
		},
		Last: safety,
	}
	if len(keys) > 0 {
		letter.Paragraphs = append(letter.Paragraphs,
			"These keys were made in the last 30 days. Keys go on working: replace those that you do not know.")
		letter.Items = keys
	}
	return letter
}

// safety is why a notice cannot be switched off.
const safety = "You get this because it is about the safety of your account."

// notice is a letter that says no more than that something happened, and what to do if it was somebody else.
type notice struct{ subject, what, otherwise string }

// letter puts the panel's address in.
func (n notice) letter(panel string) Letter {
	return Letter{Subject: n.subject, Paragraphs: []string{strings.ReplaceAll(n.what, "{panel}", panel), n.otherwise}, Last: safety}
}

const (
	setAnother = "If it was not you, set a new password there at once, and tell the operator."
	askForOne  = "If it was not you, ask for a new password there at once, and tell the operator."
)

var notices = map[store.Mail]notice{
	store.NewBrowserMail: {
		"New sign-in to Agent Chat",
		"Somebody, probably you, has signed in to {panel} with a browser that was not used before. The settings there list all browsers " +
			"that are signed in.", setAnother,
	},
	store.SecondFactorOn: {
		"Your second factor for Agent Chat is on",
		"A second factor was set up for {panel}: signing in takes a code from now on. All other sign-ins have ended.", askForOne,
	},
	store.SecondFactorOff: {
		"Your second factor for Agent Chat is off",
		"The second factor for {panel} was removed: the password alone is enough to sign in. All other sign-ins have ended.", askForOne,
	},
	store.RecoveryCodeUsed: {
		"A recovery code for Agent Chat was used",
		"A recovery code was used for {panel} in the place of the second factor. It does not work again.", askForOne,
	},
	store.WrongCode: {
		"A wrong code was given for Agent Chat",
		"Somebody who knows your password, or uses one of your sign-ins, has given a wrong code for {panel}. If more follow, no further " +
			"mail tells of them.", "If you mistyped it, you need not do anything. " + setAnother,
	},
}
