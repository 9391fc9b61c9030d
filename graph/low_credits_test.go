package graph_test

import (
	"net/http"
	"testing"
)

// Owners set the number of credits at which they are notified, and clear it; other members read it.
func TestLowCreditsAt(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	u := signedIn(t, b)
	const update = `mutation($input: UpdateAccountInput!) { updateAccount(input: $input) { account { lowCreditsAt name } } }`
	const query, field = `{ viewer { lowCreditsAt } }`, "updateAccount.account.lowCreditsAt"
	u.do(t, query, nil).wantValues(t, "at first", map[string]any{"viewer.lowCreditsAt": nil})
	u.do(t, update, vars{"input": vars{"lowCreditsAt": 50}}).wantValues(t, "set", map[string]any{field: 50})
	u.do(t, update, vars{"input": vars{"name": "Grace"}}).wantValues(t, "absent", map[string]any{field: 50})
	for _, bad := range []int{0, -1} {
		u.do(t, update, vars{"input": vars{"lowCreditsAt": bad}}).wantFields(t, "too low", "lowCreditsAt out_of_range")
	}
	if _, err := b.store.SQL().ExecContext(t.Context(), `UPDATE memberships SET role = 'EDITOR' WHERE account_id = $1`, u.account.ID); err != nil {
		t.Fatal(err)
	}
	u.do(t, update, vars{"input": vars{"lowCreditsAt": 1}}).want(t, "an editor", http.StatusOK, "FORBIDDEN")
	u.do(t, query, nil).wantValues(t, "an editor reads", map[string]any{"viewer.lowCreditsAt": 50})
	if _, err := b.store.SQL().ExecContext(t.Context(), `UPDATE memberships SET role = 'OWNER' WHERE account_id = $1`, u.account.ID); err != nil {
		t.Fatal(err)
	}
	u.do(t, update, vars{"input": vars{"lowCreditsAt": nil}}).wantValues(t, "cleared", map[string]any{field: nil})
}
