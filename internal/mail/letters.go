package mail

import "agentchat/internal/store/notifications"

// passwordReset returns the letter with the link for setting a new password.
func passwordReset(panel, link string) Letter {
	return Letter{
		Subject: "Set a new password for Agent Chat",
		Paragraphs: []string{
			"Someone, probably you, has asked for a new password for " + panel + ".",
			onceWithinAnHour,
		},
		Link:     link,
		LinkText: "Set a new password",
		Last:     "If it was not you, ignore this email: your password stays the same.",
	}
}

// passwordChanged returns the letter about a new password, with the keys that were created in the
// last 30 days.
func passwordChanged(panel string, keys []string) Letter {
	letter := Letter{
		Subject: "Your password for Agent Chat was changed",
		Paragraphs: []string{
			"Your password for " + panel + " was changed. " + signedOut +
				" Sign in with the new password.",
			"If it was not you, ask for a new password there at once, and contact the operator.",
		},
		Last: safety,
	}
	if len(keys) > 0 {
		letter.Paragraphs = append(letter.Paragraphs,
			"These keys and tokens were created in the last 30 days and still work. "+
				"Replace or revoke those that you do not recognize.")
		letter.Items = keys
	}
	return letter
}

const onceWithinAnHour = "The link works once, within an hour. A newer link replaces it."

// withLink returns the letter of an email with a link that contains a token.
func withLink(message notifications.Mail, panel, token string) Letter {
	switch message {
	case notifications.SignUpLink:
		return Letter{
			Subject: "Open your account for Agent Chat",
			Paragraphs: []string{
				"Someone, probably you, has signed up at " + panel + " with this address.",
				"The link opens the account, with the password that was chosen there. " + onceWithinAnHour,
			},
			// With the word new, the page asks for the password.
			Link: panel + "/verify#new&token=" + token, LinkText: "Open the account",
			Last: "If it was not you, ignore this email: without the link, no account is opened.",
		}
	case notifications.VerifyAddress:
		return Letter{
			Subject: "Confirm your address for Agent Chat",
			Paragraphs: []string{
				"Someone, probably you, has entered this address at " + panel + ".",
				"Open the link in the browser where you are signed in. " + onceWithinAnHour,
			},
			Link:     panel + "/verify#token=" + token,
			LinkText: "Confirm this address",
			Last:     "If it was not you, ignore this email: the address stays unconfirmed.",
		}
	case notifications.ChangeAddress:
		return Letter{
			Subject: "Confirm your new address for Agent Chat",
			Paragraphs: []string{
				"Someone, probably you, wants to use this address to sign in at " + panel + ".",
				"Open the link in the browser where you are signed in. " + onceWithinAnHour,
			},
			Link:     panel + "/verify#token=" + token,
			LinkText: "Use this address",
			Last:     "If it was not you, ignore this email: their address stays the same.",
		}
	default: // UndoChange
		return Letter{
			Subject: "Your address for Agent Chat was changed",
			Paragraphs: []string{
				"Your account at " + panel + " has another address now. Email about it no longer comes here.",
				"If it was not you, open the link to restore this address. That invalidates the " +
					"password, and you get another email with a link for a new one. The link works once, " +
					"within 7 days. Until then, no one else can use this address.",
			},
			Link:     panel + "/undo-address#token=" + token,
			LinkText: "Restore this address",
			Last:     safety,
		}
	}
}

// addressTaken returns the letter to the owner of an address that was used to sign up, or for
// another account.
func addressTaken(panel string) Letter {
	return Letter{
		Subject: "You already have an account for Agent Chat",
		Paragraphs: []string{
			"Someone, probably you, has signed up at " + panel + " with this address, or wants to use it for another account.",
			"It already has an account, so nothing has changed. Sign in to that account, or ask there for a new password.",
			"If its address was changed recently, and not by you, another email has a link that restores it.",
		},
		Link:     panel + "/login",
		LinkText: "Sign in",
		Last:     "If it was not you, ignore this email.",
	}
}
