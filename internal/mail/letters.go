package mail

import "agentchat/internal/store/notifications"

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
			"These keys and tokens were made in the last 30 days, and keep working: replace or remove those that you do not know.")
		letter.Items = keys
	}
	return letter
}

const onceWithinAnHour = "It works once, within an hour. A newer one takes its place."

// withLink is the letter of a mail that a link was promised for, with a token of it.
func withLink(message notifications.Mail, panel, token string) Letter {
	switch message {
	case notifications.SignUpLink:
		return Letter{
			Subject: "Open your account for Agent Chat",
			Paragraphs: []string{
				"Somebody, probably you, has signed up at " + panel + " with this address.",
				"The link opens the account, together with the password that was chosen there. " + onceWithinAnHour,
			},
			// By the word the page knows at once that it has to ask for the password.
			Link: panel + "/verify#new&token=" + token, LinkText: "Open the account",
			Last: "If it was not you, you need not do anything: without the link there is no account.",
		}
	case notifications.VerifyAddress:
		return Letter{
			Subject: "Confirm your address for Agent Chat",
			Paragraphs: []string{
				"Somebody, probably you, has said at " + panel + " that this is their address.",
				"Open the link where you are signed in. " + onceWithinAnHour,
			},
			Link: panel + "/verify#token=" + token, LinkText: "Confirm this address",
			Last: "If it was not you, you need not do anything: the address stays unconfirmed.",
		}
	case notifications.ChangeAddress:
		return Letter{
			Subject: "Confirm your new address for Agent Chat",
			Paragraphs: []string{
				"Somebody, probably you, wants to sign in at " + panel + " with this address from now on.",
				"Open the link where you are signed in. " + onceWithinAnHour,
			},
			Link: panel + "/verify#token=" + token, LinkText: "Use this address",
			Last: "If it was not you, you need not do anything: the address does not become theirs.",
		}
	default: // UndoChange
		return Letter{
			Subject: "Your address for Agent Chat was changed",
			Paragraphs: []string{
				"Your account at " + panel + " has another address now. Mail about it no longer comes here.",
				"If it was not you, bring this address back by the link. That makes the password void, and a mail with a " +
					"link for a new one follows. The link works once, within 7 days. Until then nobody else can have this address.",
			},
			Link: panel + "/undo-address#token=" + token, LinkText: "Bring this address back",
			Last: safety,
		}
	}
}

// addressTaken tells the owner of an address that somebody has tried to sign up with it, or to make it theirs.
func addressTaken(panel string) Letter {
	return Letter{
		Subject: "You have an account for Agent Chat already",
		Paragraphs: []string{
			"Somebody, probably you, has signed up at " + panel + " with this address, or wants it for another account.",
			"It has an account already, so nothing was done. Sign in with it, or ask there for a new password.",
			"If its address was changed lately, and not by you, a mail about that has a link that brings it back.",
		},
		Link: panel + "/login", LinkText: "Sign in",
		Last: "If it was not you, you need not do anything.",
	}
}
