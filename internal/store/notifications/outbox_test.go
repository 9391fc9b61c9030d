package notifications_test

import (
	"testing"

	"github.com/google/uuid"

	"agentchat/internal/fault"
	"agentchat/internal/store/accounts"
	"agentchat/internal/store/audit"
	"agentchat/internal/store/notifications"
	"agentchat/internal/store/storetest"
	"agentchat/internal/store/users"
)

// TestMailIsTold: OnMail hears of each mail that was queued, and of none whose transaction was
// rolled back.
func TestMailIsTold(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{})
	notified := 0
	s.OnMail(func() { notified++ })
	if err := notifications.On(s).QueueMail(t.Context(), notifications.PasswordReset, f.Account.Email); err != nil || notified != 1 {
		t.Errorf("queued: notified %d times, %v", notified, err)
	}
	link := users.Link{Purpose: notifications.VerifyAddress, UserID: f.Account.OwnerID, Email: f.Account.Email}
	if err := users.On(s).QueueLink(t.Context(), link); err != nil || notified != 2 {
		t.Errorf("a link: notified %d times, %v", notified, err)
	}
	unknown := audit.Entry{Actor: "unknown", Action: "requestVerification"}
	if err := users.On(s).QueueLink(t.Context(), link, unknown); err == nil || notified != 2 {
		t.Errorf("a link whose entry is refused: notified %d times, %v", notified, err)
	}
	change := accounts.MemberChange{AccountID: f.Account.ID, UserID: f.Account.OwnerID, By: uuid.New(), Notify: true}
	if err := accounts.On(s).RemoveMember(t.Context(), change, false); !fault.Is(err, fault.Conflict) || notified != 2 {
		t.Errorf("a removal that is refused: notified %d times, %v", notified, err)
	}
}
