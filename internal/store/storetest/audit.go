package storetest

import (
	"testing"

	"agentchat/internal/store"
	"agentchat/internal/store/operator"
)

// maxViolations is the number of violations that a failing test reports.
const maxViolations = 20

// Audit checks that the ledger is exact.
func Audit(t testing.TB, s *store.DB) {
	t.Helper()
	found, err := operator.On(s).Verify(t.Context(), maxViolations)
	must(t, err)
	for _, v := range found.Violations {
		t.Errorf("audit: %s: account %s: %s", v.Kind, v.AccountID, v.Figures)
	}
	if more := found.Total - int64(len(found.Violations)); more > 0 {
		t.Errorf("audit: %d more violations", more)
	}
}
