package graph_test

import (
	"testing"

	"agentchat/internal/account"
)

// TestRequestsInFlight: a user has 16 requests in flight, by POST and GET together, and so has an
// account token. Others wait a second for a slot and are then refused with a time. The requests of
// a token take none of its user's slots, nor of another account's.
func TestRequestsInFlight(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	u, other := signedIn(t, b), signedIn(t, b)
	const list = `{ agents { nodes { id } } }`
	const slots, over = 16, 4
	for who, token := range map[string]string{"a user": other.token, "a token": u.newToken(t, account.Viewer)} {
		tx, err := b.store.Own().SQL().BeginTx(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = tx.Rollback() }()
		if _, err := tx.ExecContext(t.Context(), `LOCK TABLE agents IN ACCESS EXCLUSIVE MODE`); err != nil { // no request ends
			t.Fatal(err)
		}
		answers := make(chan answer, slots+over)
		for i := range slots + over {
			go func() {
				if i%2 == 0 {
					answers <- b.by(t, token, list, nil)
				} else {
					answers <- b.send(t, form{method: "GET", path: asked(list), header: map[string]string{
						"Authorization": "Bearer " + token}})
				}
			}()
		}
		for range over {
			refused := <-answers
			if refused.code() != "RATE_LIMITED" || refused.Errors[0].Extensions["retryAfterSeconds"] != 1.0 {
				t.Errorf("%s over the limit: %s", who, refused.body)
			}
		}
		u.do(t, whose, nil).wantNone(t, "the token's user, while "+who+" is at the limit")
		if err := tx.Rollback(); err != nil {
			t.Fatal(err)
		}
		for range slots {
			if a := <-answers; len(a.Errors) > 0 {
				t.Errorf("%s at the limit: %s", who, a.body)
			}
		}
	}
}
