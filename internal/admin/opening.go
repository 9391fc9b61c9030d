package admin

import (
	"net/http"

	"agentchat/internal/account"
	"agentchat/internal/mail"
	"agentchat/internal/store/operator"
)

// invited is an account with the invitation link of its first owner.
type invited struct {
	Account
	InvitationLink string `json:"invitation_link"`
}

func (ex *exchange) open() (any, error) {
	var in struct {
		Email string `json:"email"`
		Name  string `json:"name"`
	}
	if err := ex.readBody(&in, "The body must be a JSON object with email and name."); err != nil {
		return nil, err
	}
	email, err := account.ParseEmail(in.Email)
	if err != nil {
		return nil, err
	}
	name, err := account.ParseName(in.Name)
	if err != nil {
		return nil, err
	}
	token, hash := mail.NewToken()
	opened, err := operator.On(ex.api.Store).OpenAccountFor(ex.acting("account create"), email, name, hash)
	ex.status = http.StatusCreated
	return invited{AccountOf(opened), mail.InvitationLink(ex.api.PanelURL, token)}, err
}

func (ex *exchange) renewInvitation() (any, error) {
	found, err := ex.account()
	if err != nil {
		return nil, err
	}
	token, hash := mail.NewToken()
	err = operator.On(ex.api.Store).RenewOwnersInvitation(ex.acting("account invitation"), found.ID, hash)
	return invited{AccountOf(found), mail.InvitationLink(ex.api.PanelURL, token)}, noAccount(err)
}
