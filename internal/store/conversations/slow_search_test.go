package conversations_test

import (
	"slices"
	"testing"

	"agentchat/internal/fault"
	"agentchat/internal/store/conversations"
	"agentchat/internal/store/storetest"
)

// TestSlowSearch: a search that takes longer than a statement of the panel may says what to do;
// another page that does is unavailable.
func TestSlowSearch(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{})
	tx, err := s.SQL().BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = tx.Rollback() }()
	if _, err := tx.ExecContext(t.Context(),
		`LOCK TABLE conversations IN ACCESS EXCLUSIVE MODE`); err != nil { // slow for everybody
		t.Fatal(err)
	}
	search, plain := conversations.ConversationQuery{First: 1, Filter: conversations.ConversationFilter{Search: "a"}}, conversations.ConversationQuery{First: 1}
	panel, slow := s.Panel(), make(chan error, 3)
	go func() {
		_, err := conversations.On(panel).ConversationPage(t.Context(), f.Account.ID, plain)
		slow <- err
	}()
	if _, err := conversations.On(panel).ConversationPage(t.Context(), f.Account.ID, search); !slices.Equal(storetest.FieldsOf(err), []string{"filter.search"}) {
		t.Errorf("a search of conversations: %v", err)
	}
	users := conversations.EndUserQuery{First: 1, Filter: conversations.EndUserFilter{Search: "a"}}
	if _, err := conversations.On(panel).EndUserPage(t.Context(), f.Account.ID, users); !slices.Equal(storetest.FieldsOf(err), []string{"filter.search"}) {
		t.Errorf("a search of end users: %v", err)
	}
	if err := <-slow; !fault.Is(err, fault.Unavailable) {
		t.Errorf("a page: %v", err)
	}
}
