package main

import (
	"errors"
	"net/mail"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	sending "agentchat/internal/mail"
)

// mailSettings are the settings of the mail server. They come only from the environment, because
// all users of the machine can see flags; refuseFlags refuses them on the command line.
//
//nolint:lll // kong reads all of a setting from its tag
type mailSettings struct {
	SMTPURL     smtpURL     `name:"smtp-url" setting:"SMTP_URL" secret:"" noflag:"" hidden:"" help:"The mail server, like smtp://user:password@mail.example.com:587, or smtps://. STARTTLS is required except on loopback. Without SMTP_URL the service sends no mail."`
	MailFrom    mailAddress `name:"mail-from" setting:"MAIL_FROM" secret:"" noflag:"" hidden:"" help:"The sender of mail, like Agent Chat <chat@example.com>; required with SMTP_URL."`
	MailReplyTo mailAddress `name:"mail-reply-to" setting:"MAIL_REPLY_TO" secret:"" noflag:"" hidden:"" help:"The address for replies; default MAIL_FROM."`
}

// server returns the mail server, nil without one.
func (m *mailSettings) server() *sending.Server {
	if m.SMTPURL == "" {
		return nil
	}
	return &sending.Server{URL: string(m.SMTPURL), From: m.MailFrom.parsed(),
		ReplyTo: m.MailReplyTo.parsed()}
}

// check checks the settings together. Mail has links, so it needs a public URL unless the mail
// server is on this machine.
func (m *mailSettings) check(hasPublicURL bool) error {
	if m.SMTPURL == "" {
		if m.MailFrom != "" || m.MailReplyTo != "" {
			return usagef("MAIL_FROM and MAIL_REPLY_TO need SMTP_URL, the mail server")
		}
		return nil
	}
	server, err := sending.ParseServer(string(m.SMTPURL))
	switch {
	case err != nil:
		return usagef("SMTP_URL %v", err)
	case m.MailFrom == "":
		return usagef("SMTP_URL needs MAIL_FROM, the sender of mail, like Agent Chat <chat@example.com>")
	case !hasPublicURL && !sending.IsLoopback(server):
		return usagef("SMTP_URL needs PUBLIC_URL (--public-url), because mail has links to it")
	}
	return nil
}

// smtpURL is the URL of a mail server. No error contains it.
type smtpURL string

// UnmarshalText checks the URL's form.
func (s *smtpURL) UnmarshalText(text []byte) error {
	if len(text) > 0 {
		if _, err := sending.ParseServer(string(text)); err != nil {
			return err
		}
	}
	*s = smtpURL(text)
	return nil
}

// mailAddress is an email address with an optional name.
type mailAddress string

// UnmarshalText checks the address.
func (m *mailAddress) UnmarshalText(text []byte) error {
	*m = mailAddress(text)
	if len(text) > 0 && m.parsed() == nil {
		return errors.New("must be an email address, like Agent Chat <chat@example.com>")
	}
	return nil
}

func (m *mailAddress) parsed() *mail.Address {
	address, err := mail.ParseAddress(string(*m))
	if err != nil {
		return nil
	}
	return address
}

// refuseFlags refuses a setting on the command line that may only come from the environment. The
// error does not contain the value.
func refuseFlags(node *kong.Node, args []string) error {
	if end := slices.Index(args, "--"); end >= 0 {
		args = args[:end]
	}
	for _, flag := range node.Flags {
		given := func(arg string) bool {
			return arg == "--"+flag.Name ||
				strings.HasPrefix(arg, "--"+flag.Name+"=")
		}
		if flag.Tag.Has("noflag") && slices.ContainsFunc(args, given) {
			name := settingName(flag.Value)
			return usagef("%s cannot be set on the command line, which all users of the machine can see: "+
				"set the variable %s, or %s_FILE", name, name, name)
		}
	}
	for _, child := range node.Children {
		if err := refuseFlags(child, args); err != nil {
			return err
		}
	}
	return nil
}
