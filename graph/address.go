package graph

import (
	"agentchat/graph/model"
	"agentchat/internal/identity"
)

// signedUp begins the sign-in of a new account; of nil, a mail is on its way.
func (ex *exchange) signedUp(in *identity.SignedIn) *model.SignUpPayload {
	if in == nil {
		return &model.SignUpPayload{MailSent: true}
	}
	ex.begin(*in)
	return &model.SignUpPayload{AccessToken: &in.AccessToken, ExpiresAt: &in.ExpiresAt, Account: &in.Account}
}
