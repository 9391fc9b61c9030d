package store_test

import (
	"testing"

	"agentchat/internal/conversation"
	"agentchat/internal/store"
	"agentchat/internal/store/storetest"
)

// block blocks or unblocks an end user of an account.
func block(t *testing.T, s *store.Store, f storetest.Fixture, user string, on bool) conversation.EndUser {
	t.Helper()
	got, err := s.BlockEndUser(t.Context(), f.Account.ID, user, on)
	if err != nil || got.Blocked != on || got.UserID != user {
		t.Fatalf("block %v: %+v %v", on, got, err)
	}
	return got
}

// ownLimit gives an end user a limit of their own; nil takes it away.
func ownLimit(t *testing.T, s *store.Store, f storetest.Fixture, user string, limit *int) conversation.EndUser {
	t.Helper()
	got, err := s.SetEndUserLimit(t.Context(), f.Account.ID, user, limit)
	if err != nil || (got.DailyMessageLimit == nil) != (limit == nil) || limit != nil && *got.DailyMessageLimit != *limit {
		t.Fatalf("limit: %+v %v", got, err)
	}
	return got
}
