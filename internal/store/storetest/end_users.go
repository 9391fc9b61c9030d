package storetest

import (
	"testing"

	"agentchat/internal/conversation"
	"agentchat/internal/store"
	"agentchat/internal/store/conversations"
)

// Block blocks or unblocks an end user of an account.
func Block(t *testing.T, s *store.DB, f Fixture, user string, on bool) conversation.EndUser {
	t.Helper()
	got, err := conversations.On(s).BlockEndUser(t.Context(), f.Account.ID, user, on)
	if err != nil || got.Blocked != on || got.UserID != user {
		t.Fatalf("block %v: %+v %v", on, got, err)
	}
	return got
}

// SetOwnLimit sets the limit of an end user; nil removes it.
func SetOwnLimit(
	t *testing.T, s *store.DB, f Fixture, user string, limit *int,
) conversation.EndUser {
	t.Helper()
	got, err := conversations.On(s).SetEndUserLimit(t.Context(), f.Account.ID, user, limit)
	if err != nil || (got.DailyMessageLimit == nil) != (limit == nil) ||
		limit != nil && *got.DailyMessageLimit != *limit {
		t.Fatalf("limit: %+v %v", got, err)
	}
	return got
}
