package e2e_test

import (
	"regexp"
	"strconv"
	"testing"

	"agentchat/internal/store"
	"agentchat/internal/store/accounts"
	"agentchat/internal/store/storetest"
)

// pair is two replicas on one database.
type pair struct {
	url      string
	store    *store.DB
	replicas [2]*replica
}

func newPair(t testing.TB, env ...string) *pair {
	t.Helper()
	p := &pair{url: storetest.URL(t)}
	p.store = storetest.Open(t, p.url)
	for i := range p.replicas {
		p.replicas[i] = start(t, p.url, env...)
	}
	return p
}

func (p *pair) chat(i int) string { return p.replicas[i%2].Chat }

func (p *pair) credits(t testing.TB, f storetest.Fixture) (balance, held int64) {
	t.Helper()
	a, err := accounts.On(p.store).Account(t.Context(), f.Account.ID)
	if err != nil {
		t.Fatal(err)
	}
	return a.CreditBalance, a.CreditsHeld
}

var (
	turnPattern   = regexp.MustCompile(`This is turn (\d+) of our conversation`)
	beforePattern = regexp.MustCompile(`Before that you wrote: “([^”]*)”`)
)

func numberIn(pattern *regexp.Regexp, text string) int {
	m := pattern.FindStringSubmatch(text)
	if m == nil {
		return 0
	}
	n, _ := strconv.Atoi(m[1])
	return n
}

func held(t testing.TB, s *store.DB, f storetest.Fixture) int64 {
	t.Helper()
	a, err := accounts.On(s).Account(t.Context(), f.Account.ID)
	if err != nil {
		t.Fatal(err)
	}
	return a.CreditsHeld
}
