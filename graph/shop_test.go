package graph_test

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"agentchat/internal/account"
	"agentchat/internal/topup"
)

const topUpQuery = `{ viewer { topUpUrl } }`

// TestTopUpURL: editors and owners get a new link of their account each time, which expires in 15
// minutes; viewers get none.
func TestTopUpURL(t *testing.T) {
	t.Parallel()
	shop := &topup.Shop{URL: "https://pay.example.com/?account={account}&token={token}",
		Secret: "a secret of thirty-two bytes, or more"}
	b := newBench(t, func(o *options) { o.graph.Shop = shop })
	owner, member := signedIn(t, b), signedIn(t, b)
	check := func(say string, a answer, of *user) {
		t.Helper()
		id := of.account.ID.String()
		token, ok := strings.CutPrefix(a.wantNone(t, say).text(t, "viewer.topUpUrl"),
			"https://pay.example.com/?account="+id+"&token=")
		parts := strings.Split(token, ".")
		if !ok || len(parts) != 3 || parts[0] != id {
			t.Fatalf("%s: %s", say, a.body)
		}
		end, err := strconv.ParseInt(parts[1], 10, 64)
		if left := time.Until(time.Unix(end, 0)); err != nil || left > 15*time.Minute || left < 14*time.Minute {
			t.Errorf("%s: %v left, %v", say, left, err)
		}
	}
	check("owner", owner.do(t, topUpQuery, nil), owner)
	member.join(t, owner, account.Editor)
	check("editor", member.in(t, owner, topUpQuery, nil), owner)
	check("their own account", member.in(t, member, topUpQuery, nil), member)
	member.join(t, owner, account.Viewer)
	member.in(t, owner, topUpQuery, nil).wantValues(t, "viewer", map[string]any{"viewer.topUpUrl": nil})
	for _, secret := range []string{shop.Secret, owner.account.ID.String() + "."} {
		if found := b.log.lines(secret); len(found) != 0 {
			t.Errorf("the log has %q: %v", secret, found)
		}
	}
}

func TestNoShop(t *testing.T) {
	t.Parallel()
	signedIn(t, newBench(t)).do(t, topUpQuery, nil).wantValues(t, "no shop", map[string]any{"viewer.topUpUrl": nil})
}
