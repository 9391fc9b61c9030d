package mail

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"agentchat/internal/outbox"
	"agentchat/internal/store"
	"agentchat/internal/store/accounts"
	"agentchat/internal/store/notifications"
	"agentchat/internal/store/users"
)

// Config configures a Worker.
type Config struct {
	Store  *store.DB
	Server Server
	// Panel is the panel's URL, the prefix of links, without a slash at its end.
	Panel  string
	Logger *slog.Logger
	// LookEvery is the interval for polling emails of other replicas and retries; 0 means 5 s.
	LookEvery time.Duration
}

// Worker sends the emails of the outbox, one at a time. Run does its work.
type Worker struct {
	*outbox.Worker
	cfg    Config
	sender *sender
}

// NewWorker returns a Worker. The store wakes it for new emails. Its error is that of ParseServer.
func NewWorker(cfg Config) (*Worker, error) {
	s, err := newSender(cfg.Server)
	if err != nil {
		return nil, err
	}
	w := &Worker{cfg: cfg, sender: s}
	w.Worker = outbox.NewWorker(outbox.Config{
		Store:     cfg.Store,
		Kind:      notifications.MailKind,
		Send:      w.send,
		Logger:    cfg.Logger,
		LookEvery: cfg.LookEvery,
	})
	cfg.Store.OnMail(w.Wake)
	return w, nil
}

// send writes an email and sends it.
func (w *Worker) send(ctx context.Context, m notifications.Outgoing) error {
	letter, err := w.write(ctx, m)
	if err == nil {
		_, err = w.sender.send(ctx, Message{ID: m.ID.String(), To: m.Address, Letter: letter})
	}
	return err
}

// write writes an email from current data. Fault: NotFound if the recipient no longer needs it, or
// a newer email replaces it.
func (w *Worker) write(ctx context.Context, m notifications.Outgoing) (Letter, error) {
	switch m.Message {
	case notifications.PasswordReset:
		text, hash := NewToken()
		return passwordReset(w.cfg.Panel, ResetLink(w.cfg.Panel, text)), users.On(w.cfg.Store).ResetForMail(ctx, m,
			hash)
	case notifications.SignUpLink, notifications.VerifyAddress, notifications.ChangeAddress, notifications.UndoChange:
		text, hash := NewToken()
		free, err := users.On(w.cfg.Store).LinkForMail(ctx, m, hash)
		if !free {
			return addressTaken(w.cfg.Panel), err
		}
		return withLink(m.Message, w.cfg.Panel, text), err
	case notifications.InvitationLink:
		text, hash := NewToken()
		i, err := accounts.On(w.cfg.Store).InvitationForMail(ctx, m, hash)
		return invitation(w.cfg.Panel, InvitationLink(w.cfg.Panel, text), i), err
	case notifications.RoleChanged, notifications.MemberRemoved:
		about, err := accounts.On(w.cfg.Store).Account(ctx, m.AccountID)
		return memberNotices[m.Message].about(w.cfg.Panel, about.Name), err
	case notifications.WebhookFailing:
		return w.webhookFailing(ctx, m)
	case notifications.PasswordChanged:
		recent, err := users.On(w.cfg.Store).RecentKeys(ctx, m.Address)
		keys := make([]string, len(recent))
		for i, k := range recent {
			keys[i] = fmt.Sprintf("%s of %s: %s", k.Hint, k.CreatedAt.UTC().Format(time.DateOnly),
				Quoted(k.ExportName))
		}
		return passwordChanged(w.cfg.Panel, keys), err
	case notifications.Mail(notifications.CreditsLow), notifications.Mail(notifications.CreditsUsedUp),
		notifications.Mail(notifications.ExportLimitNear), notifications.Mail(notifications.KeyStopsSoon):
		return w.event(ctx, m)
	default:
		if n, ok := notices[m.Message]; ok {
			return n.letter(w.cfg.Panel), nil
		}
		return Letter{}, &outbox.RefusedError{Err: errors.New("this version does not support this kind of email")}
	}
}

// NewToken makes the secret of a link, 32 random bytes in base64url, and its SHA-256, which is
// stored instead.
func NewToken() (text string, hash [32]byte) {
	var random [32]byte
	_, _ = rand.Read(random[:]) // never fails: crypto/rand ends the process instead (Go 1.24)
	text = base64.RawURLEncoding.EncodeToString(random[:])
	return text, sha256.Sum256([]byte(text))
}

// ResetLink returns the link for setting a new password. The part after # is never sent to a
// server, so it is in no log and no Referer.
func ResetLink(panel, token string) string { return panel + "/reset#token=" + token }

// InvitationLink returns the link for joining an account.
func InvitationLink(panel, token string) string { return panel + "/invitation#token=" + token }
