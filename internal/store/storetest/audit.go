package storetest

import (
	"testing"

	"agentchat/internal/store"
)

// maxViolations is how many violations a failing test reports.
const maxViolations = 20

// Audit checks with store.Verify that the ledger is exact.
func Audit(t testing.TB, s *store.Store) {
	t.Helper()
	found, err := s.Verify(t.Context(), maxViolations)
	must(t, err)
	for _, v := range found.Violations {
		t.Errorf("audit: %s: account %s: %s", v.Kind, v.AccountID, v.Figures)
	}
	if more := found.Total - int64(len(found.Violations)); more > 0 {
		t.Errorf("audit: %d more violations", more)
	}
}
