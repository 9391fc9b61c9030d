package graph_test

import (
	"strings"
	"testing"

	"agentchat/internal/account"
	"agentchat/internal/topup"
)

const topUpQuery = `{ viewer { topUpUrl } }`

// TestTopUpURL: editors and owners get a link of the account, and viewers get none. It is not
// logged.
func TestTopUpURL(t *testing.T) {
	t.Parallel()
	const secret = "a secret of thirty-two bytes, or more"
	shop := &topup.Shop{Secret: secret,
		URL: "https://pay.example.com/?account={account}&token={token}"}
	b := newBench(t, func(o *options) { o.graph.Shop = shop })
	owner, member := signedIn(t, b), signedIn(t, b)
	id := owner.account.ID.String()
	member.join(t, owner, account.Editor)
	for who, a := range map[string]answer{
		"owner":  owner.do(t, topUpQuery, nil),
		"editor": member.in(t, owner, topUpQuery, nil),
	} {
		link := a.text(t, "viewer.topUpUrl")
		if !strings.HasPrefix(link, "https://pay.example.com/?account="+id+"&token="+id+".") {
			t.Errorf("%s: %s", who, link)
		}
	}
	member.join(t, owner, account.Viewer)
	member.in(t, owner, topUpQuery, nil).wantValues(t, "viewer", map[string]any{"viewer.topUpUrl": nil})
	b.log.wantNoSecrets(t, secret, id+".")
}

func TestNoShop(t *testing.T) {
	t.Parallel()
	signedIn(t, newBench(t)).do(t, topUpQuery, nil).wantValues(t, "no shop", map[string]any{"viewer.topUpUrl": nil})
}
