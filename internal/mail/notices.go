package mail

import (
	"strings"

	"agentchat/internal/store/notifications"
)

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

var notices = map[notifications.Mail]notice{
	notifications.NewBrowserMail: {
		"New sign-in to Agent Chat",
		"Somebody, probably you, has signed in to {panel} with a browser that was not used before. The settings there list all browsers " +
			"that are signed in.", setAnother,
	},
	notifications.SecondFactorOn: {
		"Your second factor for Agent Chat is on",
		"A second factor was set up for {panel}: signing in takes a code from now on. All other sign-ins have ended.", askForOne,
	},
	notifications.SecondFactorOff: {
		"Your second factor for Agent Chat is off",
		"The second factor for {panel} was removed: the password alone is enough to sign in. All other sign-ins have ended.", askForOne,
	},
	notifications.RecoveryCodeUsed: {
		"A recovery code for Agent Chat was used",
		"A recovery code was used for {panel} in the place of the second factor. It does not work again.", askForOne,
	},
	notifications.WrongCode: {
		"A wrong code was given for Agent Chat",
		"Somebody who knows your password, or uses one of your sign-ins, has given a wrong code for {panel}. If more follow, no further " +
			"mail tells of them.", "If you mistyped it, you need not do anything. " + setAnother,
	},
}
