package mail

import (
	"strconv"
	"strings"
	"time"

	"agentchat/internal/account"
	"agentchat/internal/store/notifications"
	"agentchat/internal/store/users"
)

// roleWords are what a role lets somebody do.
var roleWords = map[account.Role]string{
	account.Owner:  "owner: you may do everything",
	account.Editor: "editor: you may read everything and change the agents, and what belongs to them",
	account.Viewer: "viewer: you may read",
}

// invitation has the link by which somebody joins an account.
func invitation(panel, link string, i account.InvitationPreview) Letter {
	by := "Its operator invites"
	if i.InvitedBy != "" {
		by = Quoted(i.InvitedBy) + " invites"
	}
	return Letter{
		Subject: "An invitation to Agent Chat",
		Paragraphs: []string{
			by + " you to the account " + Quoted(i.AccountName) + " at " + panel + ", as its " + roleWords[i.Role] + ".",
			"The link works once, within " + days(users.InvitationLifetime) + ", and with this address alone. A newer one takes its place.",
		},
		Link: link, LinkText: "Look at the invitation",
		Last: "If you do not know who that is, you need not do anything: without the link you become a member of nothing.",
	}
}

// memberNotices tell a member what an owner of an account has done.
var memberNotices = map[notifications.Mail]notice{
	notifications.RoleChanged: {
		"Your role in an account for Agent Chat was changed",
		"An owner of the account {account} at {panel} has changed what you may do in it. The settings there list its members and their " +
			"roles.",
		"If you did not expect this, ask the owners.",
	},
	notifications.MemberRemoved: {
		"You were removed from an account for Agent Chat",
		"An owner has removed you from the account {account} at {panel}. Your own sign-in and your other accounts stay as they are.",
		"If you did not expect this, ask the owners.",
	},
}

// about puts an account's name and the panel's address in.
func (n notice) about(panel, name string) Letter {
	n.what = strings.NewReplacer("{account}", Quoted(name), "{panel}", panel).Replace(n.what)
	letter := n.letter(panel)
	letter.Last = "You get this because it is about your part in the account."
	return letter
}

// days is a duration of whole days, as it is said.
func days(d time.Duration) string { return strconv.Itoa(int(d/(24*time.Hour))) + " days" }
