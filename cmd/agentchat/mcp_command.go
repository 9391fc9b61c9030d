package main

import (
	"context"
	"errors"
	"io"
	"time"

	"agentchat/internal/apikey"
	"agentchat/internal/baseurl"
	"agentchat/internal/bridge"
)

// stdioTimeout is the time limit of a call: BRIDGE_TIMEOUT's default.
const stdioTimeout = 130 * time.Second

// mcpCmd is `agentchat mcp`.
//
//nolint:lll // kong reads all of a setting from its tag
type mcpCmd struct {
	logSettings
	URL    serviceURL `name:"url" setting:"AGENTCHAT_URL" placeholder:"URL" help:"The address of the service, required; http only for loopback, private addresses and names without a dot."`
	Key    exportKey  `name:"api-key" setting:"AGENTCHAT_API_KEY" secret:"" noflag:"" hidden:"" help:"The key of an API export, required."`
	UserID string     `name:"user-id" placeholder:"ID" help:"Your id for the end user."`
}

// Help returns the help about settings.
func (*mcpCmd) Help() string { return aboutSettings }

// Run serves until the client ends the connection.
func (c *mcpCmd) Run(ctx context.Context, p *process) error {
	if err := c.URL.check(); err != nil {
		return err
	}
	key, ok := apikey.Parse(string(c.Key))
	if !ok {
		return usagef("AGENTCHAT_API_KEY is required: the key of an API export, from the control panel")
	}
	return bridge.ServeStdio(ctx, bridge.Stdio{
		Config: bridge.Config{
			Service: baseurl.URL(c.URL),
			Timeout: stdioTimeout,
			Version: binaryVersion(),
			Logger:  c.logger(p.stderr),
		},
		Key:    key,
		UserID: c.UserID,
		In:     io.NopCloser(p.stdin),
		Out:    unclosed{p.stdout},
	})
}

// unclosed is a stream that stays open.
type unclosed struct{ io.Writer }

// Close does nothing.
func (unclosed) Close() error { return nil }

// exportKey is a key of an API export. No error contains it.
type exportKey string

// UnmarshalText checks the key's form.
func (k *exportKey) UnmarshalText(text []byte) error {
	if _, ok := apikey.Parse(string(text)); !ok && len(text) > 0 {
		return errors.New("is not the key of an API export: it begins with agc_ and has 42 characters")
	}
	*k = exportKey(text)
	return nil
}
