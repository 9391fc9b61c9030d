package graph_test

import (
	"testing"
)

// Owners set the number of credits at which they are notified, and clear it.
func TestLowCreditsAt(t *testing.T) {
	t.Parallel()
	u := signedIn(t, newBench(t))
	const update = `mutation($input: UpdateAccountInput!) { updateAccount(input: $input) { account { lowCreditsAt name } } }`
	const query, field = `{ viewer { lowCreditsAt } }`, "updateAccount.account.lowCreditsAt"
	u.do(t, query, nil).wantValues(t, "at first", map[string]any{"viewer.lowCreditsAt": nil})
	u.do(t, update, vars{"input": vars{"lowCreditsAt": 50}}).wantValues(t, "set", map[string]any{field: 50})
	u.do(t, update, vars{"input": vars{"name": "Grace"}}).wantValues(t, "absent", map[string]any{field: 50})
	for _, bad := range []int{0, -1} {
		u.do(t, update, vars{"input": vars{"lowCreditsAt": bad}}).wantFields(t, "too low", "lowCreditsAt out_of_range")
	}
	u.do(t, update, vars{"input": vars{"lowCreditsAt": nil}}).wantValues(t, "cleared", map[string]any{field: nil})
}
