package main

import (
	"context"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/account"
	"agentchat/internal/mail"
)

// mailTestCmd is `agentchat mail test`.
type mailTestCmd struct {
	mailSettings
	To string `required:"" placeholder:"ADDRESS" help:"Whom to send to."`
}

// Run sends a mail at once, past the outbox, and prints what the server said.
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
		return usagef("SMTP_URL is not set: there is no mail server to try")
	}
	began := time.Now()
	said, err := mail.Send(ctx, *server, mail.Message{ID: uuid.NewString(), To: to, Letter: mail.Test("this service")})
	if ctx.Err() != nil {
		return errInterrupted
	}
	if err != nil {
		return err
	}
	return out.result("Handed over to the mail server, which said: "+said,
		map[string]any{"to": to, "said": said, "ms": time.Since(began).Milliseconds()})
}
