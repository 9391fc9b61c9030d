package storetest

import (
	"testing"

	"github.com/google/uuid"

	"agentchat/internal/conversation"
	"agentchat/internal/store"
	"agentchat/internal/store/ratings"
)

// GiveRating stores a rating of a reply of the account, as a caller or as its owner.
func GiveRating(
	t testing.TB, s *store.DB, f Fixture, turn uuid.UUID, kind conversation.RatingKind,
	value conversation.RatingValue, note string,
) {
	t.Helper()
	_, err := ratings.On(s).Rate(t.Context(), f.Account.ID, NewRating(f, turn, kind, value, note))
	must(t, err)
}

// NewRating returns a rating by a caller or by the account's owner.
func NewRating(
	f Fixture, turn uuid.UUID, kind conversation.RatingKind, value conversation.RatingValue,
	note string,
) ratings.Given {
	in := ratings.Given{Rating: conversation.Rating{TurnID: turn, Kind: kind, Value: value, Note: note}}
	if kind == conversation.ByTeam {
		in.RatedBy = &f.Account.OwnerID
	}
	return in
}
