package store_test

import (
	"crypto/sha256"
	"fmt"
	"testing"

	"github.com/google/uuid"

	"agentchat/internal/fault"
	"agentchat/internal/store"
)

// signInHash stands for the hash of a refresh token of a generation: what it is made from does not matter to the store.
func signInHash(id uuid.UUID, generation uint32) [32]byte {
	return sha256.Sum256(fmt.Appendf(nil, "%s %d", id, generation))
}

// byUser is an entry of the audit trail for what a user does.
var byUser = store.AuditEntry{Actor: store.ByUser}

// signIn opens a sign-in of an account made by storetest.Seed, whose password hash is "none".
func signIn(t *testing.T, s *store.Store, accountID uuid.UUID) uuid.UUID {
	t.Helper()
	id := uuid.Must(uuid.NewV7())
	_, err := s.CreateSignIn(t.Context(), store.Credentials{UserID: accountID, PasswordHash: "none"}, store.NewSignIn{ID: id, RefreshHash: signInHash(id, 1),
		Browser: "Browser", Address: "127.0.0.1"})
	if err != nil {
		t.Fatal(err)
	}
	return id
}

func exec(t testing.TB, s *store.Store, query string, args ...any) {
	t.Helper()
	if _, err := s.DB().ExecContext(t.Context(), query, args...); err != nil {
		t.Fatal(err)
	}
}

func active(t *testing.T, s *store.Store, accountID, id uuid.UUID) bool {
	t.Helper()
	_, err := s.SignInActive(t.Context(), accountID, id, uuid.Nil)
	if err != nil && !fault.Is(err, fault.Unauthorized) {
		t.Fatal(err)
	}
	return err == nil
}
