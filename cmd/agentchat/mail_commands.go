package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/account"
	"agentchat/internal/fault"
	"agentchat/internal/mail"
	"agentchat/internal/store/notifications"
)

// mailTestCmd is `agentchat mail test`.
type mailTestCmd struct {
	mailSettings
	To string `required:"" placeholder:"ADDRESS" help:"The address to send to."`
}

// Run sends a mail at once, without the outbox, and prints the server's response.
func (c *mailTestCmd) Run(ctx context.Context, out *output) error {
	to, err := account.ParseEmail(c.To)
	if err == nil {
		err = c.check(true)
	}
	if err != nil {
		return err
	}
	server := c.server()
	if server == nil {
		return usagef("SMTP_URL is not set: there is no mail server to test")
	}
	began := time.Now()
	said, err := mail.Send(ctx, *server,
		mail.Message{ID: uuid.NewString(), To: to, Letter: mail.Test("this service")})
	if ctx.Err() != nil {
		return errInterrupted
	}
	if err != nil {
		return err
	}
	return out.result("Handed over to the mail server, which said: "+said,
		map[string]any{"to": to, "said": said, "ms": time.Since(began).Milliseconds()})
}

// mailListCmd is `agentchat mail list`.
type mailListCmd struct{ databaseSettings }

// unsentMail is an unsent mail under --json.
type unsentMail struct {
	ID        uuid.UUID  `json:"id"`
	Message   string     `json:"message"`
	Email     string     `json:"email"`
	Tries     int16      `json:"tries"`
	CreatedAt time.Time  `json:"created_at"`
	FailedAt  *time.Time `json:"failed_at"`
	Error     string     `json:"error"`
}

// Run lists the oldest 1,000 unsent mails.
func (c *mailListCmd) Run(ctx context.Context, out *output) error {
	return withDatabase(ctx, &c.databaseSettings, out, openForCommand, func(db *database) error {
		found, err := notifications.On(db.DB).Unsent(ctx, notifications.MailKind)
		if err != nil {
			return err
		}
		mails, lines := []unsentMail{}, []string{}
		for _, m := range found {
			mails = append(mails, unsentMail{
				ID:        m.ID,
				Message:   string(m.Message),
				Email:     m.Address,
				Tries:     m.Tries,
				CreatedAt: m.CreatedAt,
				FailedAt:  m.FailedAt,
				Error:     m.Error,
			})
			lines = append(lines, unsentLine(m, m.Address))
		}
		if len(lines) == 0 {
			lines = append(lines, "No mail is waiting or has failed.")
		}
		return out.result(strings.Join(lines, "\n"), map[string]any{"mails": mails})
	})
}

// unsentLine formats a message of the outbox as a line.
func unsentLine(m notifications.UnsentMessage, about string) string {
	state := "waits"
	if m.FailedAt != nil {
		state = "failed"
	}
	return strings.TrimSpace(fmt.Sprintf("%s  %s  %s  %s  tries: %d  %s", m.ID, state, m.Message,
		about, m.Tries, m.Error))
}

// mailRetryCmd is `agentchat mail retry`.
type mailRetryCmd struct{ retryCmd }

// Run puts failed mails back in the queue. A replica with a mail server sends them.
func (c *mailRetryCmd) Run(ctx context.Context, out *output) error {
	return c.retry(ctx, out, notifications.MailKind)
}

// retryCmd retries failed messages of the outbox.
type retryCmd struct {
	databaseSettings
	actingOperator
	ID  string `name:"id" placeholder:"ID" help:"The message's ID, as listed."`
	All bool   `help:"Retry all failed messages."`
}

func (c *retryCmd) retry(ctx context.Context, out *output, kind notifications.Kind) error {
	if (c.ID == "") != c.All {
		return usagef("name one by --id, or all by --all")
	}
	if err := c.check(); err != nil {
		return err
	}
	var id uuid.UUID
	if !c.All {
		var err error
		if id, err = parseID(c.ID); err != nil {
			return err
		}
	}
	name := strings.ToLower(string(kind))
	return withDatabase(ctx, &c.databaseSettings, out, openForCommand, func(db *database) error {
		n, err := notifications.On(db.DB).Retry(ctx, kind, id, c.does(name+" retry"))
		if err == nil && n == 0 && !c.All {
			err = fault.New(fault.NotFound, "There is no failed "+name+" with this ID.")
		}
		if err != nil {
			return err
		}
		return out.result(fmt.Sprintf("Tried again: %d.", n), map[string]any{name + "s": n})
	})
}
