package main

import (
	"fmt"

	"agentchat/internal/topup"
)

// topUpSettings are the settings of the shop that sells credits. The secret has no flag.
//
//nolint:lll // kong reads all of a setting from its tag
type topUpSettings struct {
	TopUpURL    topUpURL    `name:"top-up-url" setting:"TOP_UP_URL" placeholder:"URL" help:"The address of your shop, opened by Add credits, like https://pay.example.com/?account={account}&token={token}."`
	TopUpSecret topUpSecret `name:"top-up-secret" setting:"TOP_UP_SECRET" secret:"" noflag:"" hidden:"" help:"At least 32 bytes that sign the token for the shop; required with TOP_UP_URL."`
}

// check checks the settings together.
func (s *topUpSettings) check() error {
	if (s.TopUpURL == "") != (s.TopUpSecret == "") {
		return usagef("TOP_UP_URL (--top-up-url) and TOP_UP_SECRET belong together: set both or neither")
	}
	return nil
}

// shop returns the shop that sells credits, nil without one.
func (s *topUpSettings) shop() *topup.Shop {
	if s.TopUpURL == "" {
		return nil
	}
	return &topup.Shop{URL: string(s.TopUpURL), Secret: string(s.TopUpSecret)}
}

// topUpURL is a shop's URL.
type topUpURL string

// UnmarshalText checks the URL.
func (u *topUpURL) UnmarshalText(text []byte) error {
	*u = topUpURL(text)
	if len(text) == 0 {
		return nil
	}
	return topup.CheckURL(string(text))
}

// topUpSecret signs tokens for the shop. No error contains it.
type topUpSecret string

// UnmarshalText checks the secret's length.
func (s *topUpSecret) UnmarshalText(text []byte) error {
	if len(text) > 0 && len(text) < topup.MinSecret {
		return fmt.Errorf("must be at least %d bytes long; this one has %d. Make one with: openssl rand -hex 32",
			topup.MinSecret, len(text))
	}
	*s = topUpSecret(text)
	return nil
}
