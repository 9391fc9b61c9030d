package identity_test

import (
	"bytes"
	"testing"

	"github.com/google/uuid"

	"agentchat/internal/auth"
	"agentchat/internal/identity"
	"agentchat/internal/store/webhooks"
)

// TestTheSecretReplacedTwice replaces the secret twice while a user stays signed in: the user's
// second factor is encrypted again without another sign-in, and so are both secrets of a webhook. A
// replica with a wrong secret changes nothing.
func TestTheSecretReplacedTwice(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	replica := func(current byte, others ...byte) (*identity.Service, *auth.Tokens) {
		t.Helper()
		var more [][]byte
		for _, o := range others {
			more = append(more, bytes.Repeat([]byte{o}, 32))
		}
		tokens, err := auth.NewTokens(bytes.Repeat([]byte{current}, 32), more...)
		if err != nil {
			t.Fatal(err)
		}
		config := identity.Config{Store: b.store, Hasher: auth.NewHasher(), Tokens: tokens}
		config.SignUpOpen = func() bool { return true }
		return identity.New(config), tokens
	}
	var first *auth.Tokens
	b.Service, first = replica(1)
	b.unmailed = b.Service
	user := b.signUp(t).Principal
	d := b.setUp(t, user)
	id := uuid.Must(uuid.NewV7())
	_, err := webhooks.On(b.store).Create(t.Context(), user.AccountID, webhooks.New{ID: id, Secret: first.Encrypt(id, []byte("former"))})
	if err == nil {
		_, err = webhooks.On(b.store).Rotate(t.Context(), user.AccountID, id, first.Encrypt(id, []byte("new")))
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, step := range [][]byte{{1, 2}, {2, 1}, {2, 3}, {3, 2}, {4}} {
		s, _ := replica(step[0], step[1:]...)
		if err := s.Reencrypt(t.Context()); err != nil { // as Run does at its start
			t.Fatal(err)
		}
	}
	for secret, want := range map[byte]int{1: 1, 2: 1, 3: 0, 4: 1} {
		_, tokens := replica(secret)
		if n, err := identity.LostFactors(t.Context(), b.store, tokens); n != want || err != nil {
			t.Errorf("with secret %d, %d factors are lost, %v, want %d", secret, n, err, want)
		}
	}
	service, tokens := replica(3)
	b.Service = service
	hooks, err := webhooks.On(b.store).SecretsToReencrypt(t.Context(), []byte("any"), uuid.Nil, 9)
	if err != nil || len(hooks) != 1 {
		t.Fatal(hooks, err)
	}
	secret, _ := tokens.Decrypt(id, hooks[0].Secret)
	former, _ := tokens.Decrypt(id, hooks[0].Previous)
	if string(secret) != "new" || string(former) != "former" {
		t.Errorf("the webhook's secrets with the third secret alone: %q, %q", secret, former)
	}
	if err := b.enter(t, d.code(0)); err != nil {
		t.Errorf("a code with the third secret alone: %v", err)
	}
}
