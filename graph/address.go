package graph

import (
	"agentchat/graph/model"
	"agentchat/internal/identity"
)

// signedUp begins the sign-in of a new account. nil means that a link was mailed instead.
func (req *request) signedUp(in *identity.SignedIn) *model.SignUpPayload {
	if in == nil {
		return &model.SignUpPayload{MailSent: true}
	}
	req.begin(*in)
	return &model.SignUpPayload{
		AccessToken: &in.AccessToken,
		ExpiresAt:   &in.ExpiresAt,
		Account:     &in.Account,
	}
}
