package rest_test

import (
	"net/http"
	"strconv"
	"strings"
	"testing"

	"agentchat/internal/store/storetest"
)

// TestHostileResults tests that no result or error is an internal fault, and that accepted ones are
// stored unchanged.
func TestHostileResults(t *testing.T) {
	t.Parallel()
	b := newBench(t, storetest.Options{Credits: 10_000, Actions: deskActions}, unobserved)
	taken := 0
	for i, value := range hostileTexts {
		session := strconv.Itoa(i)
		asked := b.post(t, asking(session, "", "action=wait")).actions(t)
		for _, name := range []string{"error", "result"} {
			r := b.post(t, strings.Replace(results(session, value, asked), `"result"`, `"`+name+`"`, 1))
			switch {
			case r.StatusCode == http.StatusOK:
				taken++
				asked = b.post(t, asking(session, "", "action=wait")).actions(t)
			case r.StatusCode != http.StatusBadRequest:
				t.Errorf("%.60q as %s: %d %s", value, name, r.StatusCode, r.text)
			}
		}
	}
	seen := b.post(t, asking("last", "", "action=wait action=again")).actions(t)
	const exact = `{"a":[12345678901234567890,1e400,-0,1.10,"\u0000\ud83d\ude00\/é"]}`
	b.post(t, results("last", exact, seen)).whole(t)
	var stored string
	err := b.store.SQL().QueryRowContext(t.Context(),
		`SELECT action_results FROM turns WHERE action_results LIKE '%1e400,-0%'`).Scan(&stored)
	if err != nil || !strings.Contains(stored, `"result":`+exact) {
		t.Errorf("stored %s, %v", stored, err)
	}
	if log := b.journal.String(); strings.Contains(log, "internal fault") || taken < 30 {
		t.Errorf("%d taken: %.2000s", taken, log)
	}
	storetest.Audit(t, b.store)
}
