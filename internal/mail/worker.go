package mail

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"agentchat/internal/fault"
	"agentchat/internal/store"
)

const (
	lookEvery = 5 * time.Second
	// endWithin is how long the end of a try may take to be stored while the process ends.
	endWithin = 5 * time.Second
)

// Config configures a Worker.
type Config struct {
	Store  *store.Store
	Server Server
	// Panel is the panel's address, which links begin with, without a slash at its end.
	Panel  string
	Logger *slog.Logger
	// LookEvery is how often mails of other replicas are looked for, and those that are to be tried again; 0 means 5 s.
	LookEvery time.Duration
}

// Worker sends the mails of the outbox, one at a time. Run does its work.
type Worker struct {
	cfg    Config
	sender *sender
	// woken has an item when there may be a mail to send.
	woken chan struct{}
}

// NewWorker returns a Worker, which the store tells of new mails. Its error is that of ParseServer.
func NewWorker(cfg Config) (*Worker, error) {
	s, err := newSender(cfg.Server)
	if err != nil {
		return nil, err
	}
	w := &Worker{cfg: cfg, sender: s, woken: make(chan struct{}, 1)}
	cfg.Store.OnMail(w.wake)
	return w, nil
}

func (w *Worker) wake() {
	select {
	case w.woken <- struct{}{}:
	default:
	}
}

// Run sends mails until the context ends. It always returns nil.
func (w *Worker) Run(ctx context.Context) error {
	look := time.NewTicker(cmp.Or(w.cfg.LookEvery, lookEvery))
	defer look.Stop()
	for ctx.Err() == nil {
		w.sendAll(ctx)
		select {
		case <-w.woken:
		case <-look.C:
		case <-ctx.Done():
		}
	}
	return nil
}

// sendAll sends all mails that wait.
func (w *Worker) sendAll(ctx context.Context) {
	for ctx.Err() == nil {
		m, err := w.cfg.Store.ClaimMail(ctx)
		if err != nil {
			w.log(ctx, "looking for mails to send", err)
			return
		}
		w.try(ctx, m)
	}
}

// try writes a mail and hands it over. What becomes of it is stored even if the context ends meanwhile.
func (w *Worker) try(ctx context.Context, m store.OutboxMail) {
	letter, err := w.write(ctx, m)
	if err == nil {
		_, err = w.sender.send(ctx, Message{ID: m.ID.String(), To: m.Address, Letter: letter})
	}
	interrupted := ctx.Err() != nil
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), endWithin)
	defer cancel()
	_, final := errors.AsType[*RefusedError](err)
	_, inside := errors.AsType[*fault.Error](err)
	switch {
	case err == nil:
		w.log(ctx, "storing that a mail was sent", w.cfg.Store.MailSent(ctx, m))
	case fault.Is(err, fault.NotFound):
		w.log(ctx, "dropping a mail", w.cfg.Store.DropMail(ctx, m))
	case final:
		w.tell(ctx, m, "the mail server refuses a mail for good")
		w.log(ctx, "storing that a mail was refused", w.cfg.Store.MailFailed(ctx, m, err.Error()))
	case interrupted:
		w.log(ctx, "giving a mail back", w.cfg.Store.ReleaseMail(ctx, m))
	case inside: // the database: when the lease ends, it is tried again
		w.log(ctx, "writing a mail", err)
	default:
		w.tell(ctx, m, "a mail could not be handed over")
		w.log(ctx, "storing that a mail could not be handed over", w.cfg.Store.MailLater(ctx, m, err.Error()))
	}
}

// write writes a mail as things are now. Fault: NotFound if it is for nobody, or another one takes its place.
func (w *Worker) write(ctx context.Context, m store.OutboxMail) (Letter, error) {
	switch m.Message {
	case store.PasswordReset:
		text, hash := NewToken()
		return passwordReset(w.cfg.Panel, ResetLink(w.cfg.Panel, text)), w.cfg.Store.ResetForMail(ctx, m, hash)
	case store.SignUpLink, store.VerifyAddress, store.ChangeAddress, store.UndoChange:
		text, hash := NewToken()
		free, err := w.cfg.Store.LinkForMail(ctx, m, hash)
		if !free {
			return addressTaken(w.cfg.Panel), err
		}
		return withLink(m.Message, w.cfg.Panel, text), err
	case store.InvitationLink:
		text, hash := NewToken()
		i, err := w.cfg.Store.InvitationForMail(ctx, m, hash)
		return invitation(w.cfg.Panel, InvitationLink(w.cfg.Panel, text), i), err
	case store.RoleChanged, store.MemberRemoved:
		about, err := w.cfg.Store.Account(ctx, m.AccountID)
		return memberNotices[m.Message].about(w.cfg.Panel, about.Name), err
	case store.PasswordChanged:
		recent, err := w.cfg.Store.RecentKeys(ctx, m.Address)
		keys := make([]string, len(recent))
		for i, k := range recent {
			keys[i] = fmt.Sprintf("%s of %s: %s", k.Hint, k.CreatedAt.UTC().Format(time.DateOnly), Quoted(k.ExportName))
		}
		return passwordChanged(w.cfg.Panel, keys), err
	default:
		if n, ok := notices[m.Message]; ok {
			return n.letter(w.cfg.Panel), nil
		}
		return Letter{}, &RefusedError{errors.New("this version does not know the mail")}
	}
}

// NewToken makes the secret of a link, 32 random bytes in base64url, and its SHA-256, which is what is stored.
func NewToken() (text string, hash [32]byte) {
	var random [32]byte
	_, _ = rand.Read(random[:]) // never fails: crypto/rand ends the process instead (Go 1.24)
	text = base64.RawURLEncoding.EncodeToString(random[:])
	return text, sha256.Sum256([]byte(text))
}

// ResetLink is the link that sets a password anew. What is behind # goes into no log and no Referer.
func ResetLink(panel, token string) string { return panel + "/reset#token=" + token }

// InvitationLink is the link by which somebody joins an account.
func InvitationLink(panel, token string) string { return panel + "/invitation#token=" + token }

// tell logs a failed try. What the server said may have the address, and so stands in the outbox alone.
func (w *Worker) tell(ctx context.Context, m store.OutboxMail, what string) {
	w.cfg.Logger.WarnContext(ctx, what+"; agentchat mail list says why", slog.String("mail", m.ID.String()), slog.Int("try", int(m.Tries)))
}

// log logs an error, unless the mail is gone, or somebody else's.
func (w *Worker) log(ctx context.Context, what string, err error) {
	if err != nil && !fault.Is(err, fault.NotFound) && ctx.Err() == nil {
		w.cfg.Logger.WarnContext(ctx, what+" failed; it will be tried again", slog.String("error", err.Error()))
	}
}
