package main

import (
	"cmp"
	"context"
	"fmt"
	"net"

	"agentchat/internal/account"
	"agentchat/internal/baseurl"
	"agentchat/internal/fault"
	"agentchat/internal/mail"
)

// userSignOutCmd is `agentchat user sign-out`.
type userSignOutCmd struct {
	databaseSettings
	actingOperator
	Email string `placeholder:"EMAIL" help:"The user's e-mail address."`
	All   bool   `help:"Sign everybody out."`
}

// Run ends the sign-ins. Passwords stay as they are: users can sign in again.
func (c *userSignOutCmd) Run(ctx context.Context, out *output) error {
	if (c.Email == "") != c.All {
		return usagef("name the user by --email, or everybody by --all")
	}
	if err := c.check(); err != nil {
		return err
	}
	var email string
	if !c.All {
		var err error
		if email, err = account.ParseEmail(c.Email); err != nil {
			return err
		}
	}
	return withDatabase(ctx, &c.databaseSettings, out, openForCommand, func(db *database) error {
		who, object := "everybody", map[string]any{}
		end := func() (int, error) { return db.EndEverySignIn(ctx, c.does("user sign-out")) }
		if !c.All {
			found, err := db.UserByEmail(ctx, email)
			if fault.Is(err, fault.NotFound) {
				return fault.New(fault.NotFound, "There is no user "+email+".")
			}
			if err != nil {
				return err
			}
			who, object = email, map[string]any{"id": found.ID, "email": email}
			end = func() (int, error) { return db.EndAllSignIns(ctx, found.ID, c.does("user sign-out")) }
		}
		ended, err := end()
		if err != nil {
			return err
		}
		object["ended"] = ended
		return out.result(fmt.Sprintf("Sign-ins of %s that have ended: %d.", who, ended), object)
	})
}

// userResetLinkCmd is `agentchat user reset-link`.
//
//nolint:lll // kong reads all of a setting from its tag
type userResetLinkCmd struct {
	databaseSettings
	actingOperator
	Email      string        `required:"" placeholder:"EMAIL" help:"The user's e-mail address."`
	PublicURL  baseurl.URL   `name:"public-url" setting:"PUBLIC_URL" placeholder:"URL" help:"The address that people use, with which the link begins; default http://localhost: and the port."`
	ListenAddr listenAddress `name:"listen-addr" setting:"LISTEN_ADDR" placeholder:"ADDR" default:"127.0.0.1:8080" help:"Where the panel is served, for the port."`
}

// Run prints a link, of which only a hash is kept. It makes all earlier ones void.
func (c *userResetLinkCmd) Run(ctx context.Context, out *output) error {
	email, err := account.ParseEmail(c.Email)
	if err != nil {
		return err
	}
	if err := c.check(); err != nil {
		return err
	}
	_, port, _ := net.SplitHostPort(string(c.ListenAddr)) // the setting has been checked
	token, hash := mail.NewToken()
	link := mail.ResetLink(cmp.Or(string(c.PublicURL), "http://localhost:"+port), token)
	return withDatabase(ctx, &c.databaseSettings, out, openForCommand, func(db *database) error {
		err := db.ResetByHand(ctx, email, hash, c.does("user reset-link"))
		if fault.Is(err, fault.NotFound) {
			return fault.New(fault.NotFound, "There is no user "+email+".")
		}
		if err != nil {
			return err
		}
		return out.result(link+"\nIt works once, for an hour. Nobody can show it again.", map[string]any{"email": email, "link": link})
	})
}

// userClearSecondFactorCmd is `agentchat user clear-second-factor`.
type userClearSecondFactorCmd struct {
	databaseSettings
	actingOperator
	Email string `required:"" placeholder:"EMAIL" help:"The user's e-mail address."`
}

// Run switches the second factor off and ends every sign-in of the user. The password stays as it is.
func (c *userClearSecondFactorCmd) Run(ctx context.Context, out *output) error {
	email, err := account.ParseEmail(c.Email)
	if err == nil {
		err = c.check()
	}
	if err != nil {
		return err
	}
	return withDatabase(ctx, &c.databaseSettings, out, openForCommand, func(db *database) error {
		found, err := db.UserByEmail(ctx, email)
		if fault.Is(err, fault.NotFound) {
			return fault.New(fault.NotFound, "There is no user "+email+".")
		}
		if err != nil {
			return err
		}
		err = db.ClearSecondFactor(ctx, found.ID, c.does("user clear-second-factor", "secondFactor"))
		if fault.Is(err, fault.NotFound) {
			return fault.New(fault.NotFound, email+" has no second factor.")
		}
		if err != nil {
			return err
		}
		return out.result(fmt.Sprintf("The second factor of %s is off, and every sign-in has ended.", email),
			map[string]any{"id": found.ID, "email": email})
	})
}
