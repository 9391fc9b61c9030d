package storetest

import (
	"crypto/sha256"
	"fmt"
	"testing"

	"github.com/google/uuid"

	"agentchat/internal/fault"
	"agentchat/internal/store"
	"agentchat/internal/store/audit"
	"agentchat/internal/store/users"
)

// SignInHash returns a stand-in for the hash of a refresh token of a generation.
func SignInHash(id uuid.UUID, generation uint32) [32]byte {
	return sha256.Sum256(fmt.Appendf(nil, "%s %d", id, generation))
}

// ByUser is an audit entry for a change by a user.
var ByUser = audit.Entry{Actor: audit.ByUser}

// SignIn opens a sign-in of a user of Seed.
func SignIn(t *testing.T, s *store.DB, accountID uuid.UUID) uuid.UUID {
	t.Helper()
	id := uuid.Must(uuid.NewV7())
	_, err := users.On(s).CreateSignIn(t.Context(),
		users.Credentials{UserID: accountID, PasswordHash: "none"},
		users.NewSignIn{ID: id, RefreshHash: SignInHash(id, 1),
			Browser: "Browser", Address: "127.0.0.1"})
	if err != nil {
		t.Fatal(err)
	}
	return id
}

// Exec runs a statement.
func Exec(t testing.TB, s *store.DB, query string, args ...any) {
	t.Helper()
	if _, err := s.SQL().ExecContext(t.Context(), query, args...); err != nil {
		t.Fatal(err)
	}
}

// SignInWorks reports whether a sign-in is active.
func SignInWorks(t *testing.T, s *store.DB, accountID, id uuid.UUID) bool {
	t.Helper()
	_, err := users.On(s).SignInActive(t.Context(), accountID, id, uuid.Nil)
	if err != nil && !fault.Is(err, fault.Unauthorized) {
		t.Fatal(err)
	}
	return err == nil
}
