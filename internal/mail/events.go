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
	// owners is why they get mail about their account.
	owners = "You get this because you are an owner of this account."
	// utc is how a time is written.
	utc = "2006-01-02 15:04 UTC"
)

// event writes the mail about an event with the names that things have now. Fault: NotFound if it is nobody's by now.
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

func eventLetter(event notifications.Event, panel string, names notifications.EventNames, about notifications.EventData) Letter {
	account, export := "The account "+Quoted(names.Account)+" at "+panel, "The API export "+Quoted(names.Export)+" of the account "+
		Quoted(names.Account)+" at "+panel
	credits := Letter{Link: panel + "/usage/credits", LinkText: "Credits", Last: owners}
	ofExport := Letter{LinkText: "The API export", Last: owners}
	if about.ExportID != nil {
		ofExport.Link = panel + "/exports/" + about.ExportID.String()
	}
	switch event {
	case notifications.CreditsLow:
		credits.Subject = "Credits for Agent Chat are low"
		credits.Paragraphs = []string{fmt.Sprintf("%s has %d credits left. Its owners are told when there are %d or fewer.",
			account, figure(about.CreditsAvailable), figure(about.LowCreditsAt))}
		credits.Last += " At how many credits you are told is set there, under Settings."
		return credits
	case notifications.CreditsUsedUp:
		credits.Subject = "Credits for Agent Chat are used up"
		credits.Paragraphs = []string{
			fmt.Sprintf("%s has %d credits left, fewer than its last message cost.", account, figure(about.CreditsAvailable)),
			"Messages that cost more than what is left are refused until there are more.",
		}
		return credits
	case notifications.ExportLimitNear:
		ofExport.Subject = "An API export at Agent Chat is near its limit"
		ofExport.Paragraphs = []string{
			fmt.Sprintf("%s has used %d of the %d credits that it may use in this %s, by UTC.",
				export, figure(about.Used), figure(about.Limit), about.Period),
			"When they are used up, its callers are refused until the next " + about.Period + ", or until the limit is raised.",
		}
		return ofExport
	default: // KeyStopsSoon
		ofExport.Subject = "A key at Agent Chat stops soon"
		ofExport.Paragraphs = []string{
			fmt.Sprintf("%s has a key, %s, that stops at %s.", export, about.KeyHint, when(about.StopsAt)),
			"From then on, programs that use it are refused. Give them another key before, or move the time.",
		}
		return ofExport
	}
}

// figure and when read what an event of this type always has.
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
