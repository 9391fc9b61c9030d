package mail

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"agentchat/internal/outbox"
	"agentchat/internal/store/notifications"
)

const (
	// owners explains to owners why they get mail about their account.
	owners = "You get this email because you are an owner of this account."
	// utc is the format of times.
	utc = "2006-01-02 15:04 UTC"
)

// event writes the email about an event, with current names. Fault: NotFound if its subject no
// longer exists or the recipient is no longer an owner.
func (w *Worker) event(ctx context.Context, m notifications.Outgoing) (Letter, error) {
	var about notifications.EventData
	if err := json.Unmarshal([]byte(m.Data), &about); err != nil {
		return Letter{}, &outbox.RefusedError{Err: err}
	}
	names, err := notifications.On(w.cfg.Store).EventForMail(ctx, m.Address, about)
	if err != nil {
		return Letter{}, err
	}
	return eventLetter(notifications.Event(m.Message), w.cfg.Panel, names, about), nil
}

func eventLetter(event notifications.Event, panel string, names notifications.EventNames,
	about notifications.EventData) Letter {
	account, export := "The account "+Quoted(names.Account)+" at "+panel,
		"The API export "+Quoted(names.Export)+" of the account "+
			Quoted(names.Account)+" at "+panel
	credits := Letter{Link: panel + "/usage/credits", LinkText: "Credits", Last: owners}
	ofExport := Letter{LinkText: "The API export", Last: owners}
	if about.ExportID != nil {
		ofExport.Link = panel + "/exports/" + about.ExportID.String()
	}
	switch event {
	case notifications.CreditsLow:
		credits.Subject = "Credits for Agent Chat are low"
		credits.Paragraphs = []string{fmt.Sprintf("%s has %d credits left. Its owners are notified at %d or fewer.",
			account, figure(about.CreditsAvailable), figure(about.LowCreditsAt))}
		credits.Last += " You can change this threshold there, under Settings."
		return credits
	case notifications.CreditsUsedUp:
		credits.Subject = "Credits for Agent Chat are used up"
		credits.Paragraphs = []string{
			fmt.Sprintf("%s has %d credits left, fewer than its last message cost.", account,
				figure(about.CreditsAvailable)),
			"Messages that cost more than the remaining credits are rejected until credits are added.",
		}
		return credits
	case notifications.ExportLimitNear:
		ofExport.Subject = "An API export at Agent Chat is near its limit"
		ofExport.Paragraphs = []string{
			fmt.Sprintf("%s has used %d of the %d credits of its limit for this %s (UTC).",
				export, figure(about.Used), figure(about.Limit), about.Period),
			"At the limit, requests fail with limit_reached until the next " + about.Period +
				", or until the limit is raised.",
		}
		return ofExport
	default: // KeyStopsSoon
		ofExport.Subject = "A key at Agent Chat expires soon"
		ofExport.Paragraphs = []string{
			fmt.Sprintf("%s has a key, %s, that expires at %s.", export, about.KeyHint, when(about.StopsAt)),
			"After that, requests with it are rejected. Replace the key before then, or extend its expiry.",
		}
		return ofExport
	}
}

// webhookFailing writes the email about a webhook that was turned off. Fault: NotFound if the
// recipient is no longer an owner.
func (w *Worker) webhookFailing(ctx context.Context, m notifications.Outgoing) (Letter, error) {
	names, err := notifications.On(w.cfg.Store).EventForMail(ctx, m.Address,
		notifications.EventData{AccountID: m.AccountID})
	return Letter{
		Subject: "A webhook at Agent Chat was turned off",
		Paragraphs: []string{
			"A webhook of the account " + Quoted(names.Account) + " at " + w.cfg.Panel +
				" was turned off, because all attempts failed for three days, or its address answered 410.",
			"It gets no events until an owner resumes it.",
		},
		Link:     w.cfg.Panel + "/settings/webhooks",
		LinkText: "Webhooks",
		Last:     owners,
	}, err
}

// figure and when return a value that an event of the given type always has.
func figure(n *int64) int64 {
	if n == nil {
		return 0
	}
	return *n
}

func when(at *time.Time) string {
	if at == nil {
		return "an unknown time"
	}
	return at.UTC().Format(utc)
}
