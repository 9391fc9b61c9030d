package main

import (
	"cmp"
	"context"
	"fmt"
	"net"
	"strings"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/account"
	"agentchat/internal/baseurl"
	"agentchat/internal/fault"
	"agentchat/internal/mail"
	"agentchat/internal/store/operator"
	"agentchat/internal/store/users"
)

// userListCmd is `agentchat user list`.
type userListCmd struct {
	databaseSettings
	Email string    `placeholder:"EMAIL" help:"Only the user with this email address."`
	Limit int       `placeholder:"N" min:"1" max:"100000" default:"1000" help:"How many to list."`
	After uuid.UUID `placeholder:"ID" help:"Begin after this user."`
}

// Run lists the users in the order of sign-up or invitation.
func (c *userListCmd) Run(ctx context.Context, out *output) error {
	query := operator.UserQuery{First: c.Limit + 1, After: c.After}
	if c.Email != "" {
		var err error
		if query.Email, err = account.ParseEmail(c.Email); err != nil {
			return err
		}
	}
	return withDatabase(ctx, &c.databaseSettings, out, openForCommand, func(db *database) error {
		found, err := operator.On(db.DB).UserPage(ctx, query)
		if err != nil {
			return err
		}
		if c.Email != "" && len(found) == 0 {
			return noUser(query.Email)
		}
		return printPage(out, "users", found, c.Limit,
			func(u operator.ListedUser) (uuid.UUID, string, any) {
				object := userObject{
					ID:            u.ID,
					Email:         u.Email,
					Name:          u.Name,
					CreatedAt:     u.CreatedAt.UTC(),
					EmailVerified: u.EmailVerified,
					SecondFactor:  u.SecondFactor,
					Accounts:      u.Accounts,
				}
				return u.ID, object.line(), object
			})
	})
}

// userObject is a user under --json.
type userObject struct {
	ID            uuid.UUID              `json:"id"`
	Email         string                 `json:"email"`
	Name          string                 `json:"name"`
	CreatedAt     time.Time              `json:"created_at"`
	EmailVerified bool                   `json:"email_verified"`
	SecondFactor  bool                   `json:"second_factor"`
	Accounts      []operator.UserAccount `json:"accounts"`
}

// line is the text form of a user.
func (u userObject) line() string {
	verified, factor := "unverified", "no second factor"
	if u.EmailVerified {
		verified = "verified"
	}
	if u.SecondFactor {
		factor = "second factor"
	}
	accounts := make([]string, len(u.Accounts))
	for i, a := range u.Accounts {
		accounts[i] = fmt.Sprintf("%s of %s %s", strings.ToLower(string(a.Role)), a.ID, a.Name)
	}
	return fmt.Sprintf("%s  %s  %-10s  %-16s  %s  %s  %s", u.ID, u.CreatedAt.Format(time.DateOnly),
		verified, factor, u.Email, u.Name, strings.Join(accounts, ", "))
}

// noUser is the error for an address without a user.
func noUser(email string) error { return fault.New(fault.NotFound, "There is no user "+email+".") }

// userSignOutCmd is `agentchat user sign-out`.
type userSignOutCmd struct {
	databaseSettings
	actingOperator
	Email string `placeholder:"EMAIL" help:"The user's email address."`
	All   bool   `help:"Sign all users out."`
}

// Run ends the sign-ins. Passwords stay unchanged, so users can sign in again.
func (c *userSignOutCmd) Run(ctx context.Context, out *output) error {
	if (c.Email == "") != c.All {
		return usagef("name the user by --email, or all users by --all")
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
		who, object := "all users", map[string]any{}
		end := func() (int, error) { return users.On(db.DB).EndEverySignIn(ctx, c.does("user sign-out")) }
		if !c.All {
			found, err := users.On(db.DB).UserByEmail(ctx, email)
			if fault.Is(err, fault.NotFound) {
				return noUser(email)
			}
			if err != nil {
				return err
			}
			who, object = email, map[string]any{"id": found.ID, "email": email}
			end = func() (int, error) {
				return users.On(db.DB).EndAllSignIns(ctx, found.ID, c.does("user sign-out"))
			}
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
	Email      string        `required:"" placeholder:"EMAIL" help:"The user's email address."`
	PublicURL  baseurl.URL   `name:"public-url" setting:"PUBLIC_URL" placeholder:"URL" help:"The address that users open, for the link; default http://localhost: and the port."`
	ListenAddr listenAddress `name:"listen-addr" setting:"LISTEN_ADDR" placeholder:"ADDR" default:"127.0.0.1:8080" help:"The address of the panel, for the port."`
}

// Run prints a link and stores only its hash. Earlier links stop working.
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
		err := users.On(db.DB).ResetByHand(ctx, email, hash, c.does("user reset-link"))
		if fault.Is(err, fault.NotFound) {
			return noUser(email)
		}
		if err != nil {
			return err
		}
		return out.result(link+"\nIt works once, within an hour, and cannot be shown again.",
			map[string]any{"email": email, "link": link})
	})
}

// userClearSecondFactorCmd is `agentchat user clear-second-factor`.
type userClearSecondFactorCmd struct {
	databaseSettings
	actingOperator
	Email string `required:"" placeholder:"EMAIL" help:"The user's email address."`
}

// Run switches the second factor off and ends every sign-in of the user. The password stays
// unchanged.
func (c *userClearSecondFactorCmd) Run(ctx context.Context, out *output) error {
	email, err := account.ParseEmail(c.Email)
	if err == nil {
		err = c.check()
	}
	if err != nil {
		return err
	}
	return withDatabase(ctx, &c.databaseSettings, out, openForCommand, func(db *database) error {
		found, err := users.On(db.DB).UserByEmail(ctx, email)
		if fault.Is(err, fault.NotFound) {
			return noUser(email)
		}
		if err != nil {
			return err
		}
		err = users.On(db.DB).ClearSecondFactor(ctx, found.ID,
			c.does("user clear-second-factor", "secondFactor"))
		if fault.Is(err, fault.NotFound) {
			return fault.New(fault.NotFound, email+" has no second factor.")
		}
		if err != nil {
			return err
		}
		return out.result(
			fmt.Sprintf("The second factor of %s is off, and every sign-in has ended.", email),
			map[string]any{"id": found.ID, "email": email})
	})
}
