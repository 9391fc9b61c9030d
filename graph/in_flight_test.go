package graph_test

import "testing"

// TestRequestsInFlight: an account has 16 requests in flight, by POST and GET together. Others wait a second for a slot, and are then refused with a time; other
// accounts are not affected.
func TestRequestsInFlight(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	busy, quiet := signedIn(t, b), signedIn(t, b)
	tx, err := b.store.Own().SQL().BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = tx.Rollback() }()
	if _, err := tx.ExecContext(t.Context(), `LOCK TABLE agents IN ACCESS EXCLUSIVE MODE`); err != nil { // no request ends
		t.Fatal(err)
	}
	const slots, over = 16, 4
	answers := make(chan answer, slots+over)
	const list = `{ agents { nodes { id } } }`
	for i := range slots + over {
		go func() {
			if i%2 == 0 {
				answers <- busy.do(t, list, nil)
			} else {
				answers <- b.send(t, form{method: "GET", path: asked(list), header: map[string]string{"Authorization": "Bearer " + busy.token}})
			}
		}()
	}
	for range over {
		refused := <-answers
		if refused.code() != "RATE_LIMITED" || refused.Errors[0].Extensions["retryAfterSeconds"] != 1.0 {
			t.Errorf("over the limit: %s", refused.body)
		}
	}
	if a := quiet.do(t, `{ viewer { id } }`, nil); len(a.Errors) > 0 {
		t.Errorf("another account: %s", a.body)
	}
	if err := tx.Rollback(); err != nil {
		t.Fatal(err)
	}
	for range slots {
		if a := <-answers; len(a.Errors) > 0 {
			t.Errorf("at the limit: %s", a.body)
		}
	}
}
