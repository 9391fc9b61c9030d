package mail

import (
	"strconv"
	"strings"
	"time"

	"agentchat/internal/account"
	"agentchat/internal/store/notifications"
	"agentchat/internal/store/users"
)

// invitation returns the letter with the link for joining an account.
func invitation(panel, link string, i account.InvitationPreview) Letter {
	by := "Its operator invites"
	if i.InvitedBy != "" {
		by = Quoted(i.InvitedBy) + " invites"
	}
	return Letter{
		Subject: "An invitation to Agent Chat",
		Paragraphs: []string{
			by + " you to the account " + Quoted(i.AccountName) + " at " + panel + ", as its " +
				i.Role.Description() + ".",
			"The link works once, within " + days(users.InvitationLifetime) + ", and only for this address. A newer link replaces it.",
		},
		Link:     link,
		LinkText: "View the invitation",
		Last:     "If you do not know the sender, ignore this email: without the link, you do not join any account.",
	}
}

// memberNotices notify a member of a change by an owner of an account.
var memberNotices = map[notifications.Mail]notice{
	notifications.RoleChanged: {
		"Your role in an account for Agent Chat was changed",
		"An owner of the account {account} at {panel} has changed what you may do in it. The settings there list its members and their " +
			"roles.",
		"If you did not expect this, ask the owners.",
	},
	notifications.MemberRemoved: {
		"You were removed from an account for Agent Chat",
		"An owner has removed you from the account {account} at {panel}. You can still sign in, and your other accounts stay the same.",
		"If you did not expect this, ask the owners.",
	},
}

// about returns the letter, with an account's name and the panel's address.
func (n notice) about(panel, name string) Letter {
	n.what = strings.NewReplacer("{account}", Quoted(name), "{panel}", panel).Replace(n.what)
	letter := n.letter(panel)
	letter.Last = "You get this email because it is about your membership in the account."
	return letter
}

// days formats a duration of whole days.
func days(d time.Duration) string { return strconv.Itoa(int(d/(24*time.Hour))) + " days" }
