package mail

import (
	"strings"

	"agentchat/internal/store/notifications"
)

// safety explains why a notice cannot be switched off.
const safety = "You get this email because it is about the security of your account."

// notice is a letter about an event, with advice in case it was not the reader.
type notice struct{ subject, what, otherwise string }

// letter returns the letter, with the panel's address.
func (n notice) letter(panel string) Letter {
	return Letter{
		Subject:    n.subject,
		Paragraphs: []string{strings.ReplaceAll(n.what, "{panel}", panel), n.otherwise},
		Last:       safety,
	}
}

const (
	signedOut  = "All other sessions are signed out."
	setAnother = "If it was not you, set a new password there at once, and contact the operator."
	askForOne  = "If it was not you, ask for a new password there at once, and contact the operator."
)

var notices = map[notifications.Mail]notice{
	notifications.NewBrowserMail: {
		"New sign-in to Agent Chat",
		"Someone, probably you, has signed in to {panel} with a new browser. " +
			"The settings there list your active sessions.",
		setAnother,
	},
	notifications.SecondFactorOn: {
		"Two-factor authentication for Agent Chat is on",
		"Two-factor authentication was turned on for {panel}: signing in requires a code from now on. " +
			signedOut,
		askForOne,
	},
	notifications.SecondFactorOff: {
		"Two-factor authentication for Agent Chat is off",
		"Two-factor authentication was turned off for {panel}: signing in requires only the password. " +
			signedOut,
		askForOne,
	},
	notifications.RecoveryCodeUsed: {
		"A recovery code for Agent Chat was used",
		"A recovery code was used for {panel} instead of the authenticator app. " +
			"It does not work again.",
		askForOne,
	},
	notifications.WrongCode: {
		"A wrong code was entered for Agent Chat",
		"Someone who knows your password, or uses one of your active sessions, has entered a " +
			"wrong code for {panel}. If this happens again soon, you get no further email.",
		"If you mistyped it, ignore this email. " + setAnother,
	},
}
