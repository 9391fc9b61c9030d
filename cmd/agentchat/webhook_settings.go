package main

import (
	"agentchat/internal/outgoing"
	"agentchat/internal/webhook"
)

// webhookSettings are the settings of the operator's webhook. Like mailSettings they have no flags.
// Commands that cause events need them too: without them they send no event.
//
//nolint:lll // kong reads all of a setting from its tag
type webhookSettings struct {
	WebhookURL    webhookURL    `name:"webhook-url" setting:"WEBHOOK_URL" secret:"" noflag:"" hidden:"" help:"The address of your program that receives events, like https://shop.example.com/webhooks; http:// only on this machine. Without WEBHOOK_URL no events are sent."`
	WebhookSecret webhookSecret `name:"webhook-secret" setting:"WEBHOOK_SECRET" secret:"" noflag:"" hidden:"" help:"At least 32 bytes that sign those events: whsec_ and base64, or any other text; required with WEBHOOK_URL."`
}

// ownerWebhookSettings are the settings of owners' webhooks.
//
//nolint:lll // kong reads all of a setting from its tag
type ownerWebhookSettings struct {
	OwnerWebhooks string         `name:"owner-webhooks" type:"choice" choices:"on|off" setting:"OWNER_WEBHOOKS" placeholder:"on|off" default:"off" help:"Whether owners may have webhooks."`
	OutgoingAllow outgoing.Allow `name:"outgoing-allow" setting:"OUTGOING_ALLOW" placeholder:"LIST" help:"host:port and CIDR:port, separated by commas, that owners' webhooks may reach, also by http, besides public addresses on port 443."`
}

// check checks the settings together.
func (w *webhookSettings) check() error {
	if (w.WebhookURL == "") != (w.WebhookSecret == "") {
		return usagef("WEBHOOK_URL and WEBHOOK_SECRET belong together: set both or neither")
	}
	return nil
}

// on reports whether events are sent.
func (w *webhookSettings) on() bool { return w.WebhookURL != "" }

// webhookURL is an address that may contain a password or a token. No error contains it.
type webhookURL string

// UnmarshalText checks the address.
func (w *webhookURL) UnmarshalText(text []byte) error {
	*w = webhookURL(text)
	if len(text) == 0 {
		return nil
	}
	return webhook.ParseURL(string(text))
}

// webhookSecret is the text of a secret that signs events.
type webhookSecret string

// UnmarshalText checks the secret.
func (w *webhookSecret) UnmarshalText(text []byte) error {
	*w = webhookSecret(text)
	if len(text) == 0 {
		return nil
	}
	_, err := webhook.ParseSecret(string(text))
	return err
}
