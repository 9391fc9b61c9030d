package graph

import (
	"context"

	"github.com/google/uuid"

	"agentchat/graph/model"
	"agentchat/internal/account"
	"agentchat/internal/apikey"
	"agentchat/internal/store/accounts"
)

// accountTokens returns the tokens of an account. Fault: roleForbids.
func (r *Resolver) accountTokens(ctx context.Context, a *account.Account) ([]*account.Token, error) {
	if err := mayUse(ctx, "Account.accountTokens"); err != nil {
		return nil, err
	}
	found, err := accounts.On(r.store).Tokens(ctx, a.ID)
	actors := collect(found, func(t account.Token) *uuid.UUID { return &t.CreatedBy })
	loadersOf(ctx).actors.batch(actors)
	return pointers(found), err
}

// tokenMaker returns the user who created a token, without a name for a user who has left the
// account.
func tokenMaker(ctx context.Context, t *account.Token) (*model.Actor, error) {
	maker, err := actorOf(ctx, &t.CreatedBy)
	if maker == nil {
		maker = &model.Actor{Kind: model.ActorKindUser, ActorID: &t.CreatedBy}
	}
	return maker, err
}

// createAccountToken creates a token. Faults: those of account.NewToken.Parse and of
// store.CreateToken.
func (r *Resolver) createAccountToken(
	ctx context.Context, input model.CreateAccountTokenInput,
) (*model.CreateAccountTokenPayload, error) {
	in, err := account.NewToken{Name: input.Name, Role: input.Role, ExpiresAt: input.ExpiresAt.Value(),
		CreatedBy: principal(ctx).UserID}.Parse()
	if err != nil {
		return nil, err
	}
	secret := apikey.MintToken()
	made, err := accounts.On(r.store).CreateToken(ctx, owner(ctx), in, secret)
	if err != nil {
		return nil, err
	}
	return &model.CreateAccountTokenPayload{AccountToken: &made, Secret: secret.Reveal()}, nil
}
