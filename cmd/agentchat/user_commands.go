package main

import (
	"context"
	"fmt"

	"agentchat/internal/account"
	"agentchat/internal/fault"
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
