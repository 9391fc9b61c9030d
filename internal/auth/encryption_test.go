package auth_test

import (
	"bytes"
	"testing"

	"github.com/google/uuid"
)

func TestEncryption(t *testing.T) {
	t.Parallel()
	r := replaceSecret(t)
	user, text := uuid.New(), []byte("a secret of 20 bytes")
	encrypted := r.before.Encrypt(user, text)
	for name, tokens := range r.steps() {
		got, ok := tokens.Decrypt(user, encrypted)
		if want := tokens != r.after; ok != want || ok && !bytes.Equal(got, text) {
			t.Errorf("%s: decrypted %q, %v; want %v", name, got, ok, want)
		}
		current := tokens == r.before || tokens == r.acceptsAfter
		if got := bytes.HasPrefix(encrypted, tokens.EncryptionKeyID()); got != current {
			t.Errorf("%s: encrypted with the current key: %v, want %v", name, got, current)
		}
	}
	again := r.acceptsBefore.Encrypt(user, text)
	if got, ok := r.after.Decrypt(user, again); !ok || !bytes.Equal(got, text) {
		t.Errorf("encrypted again: %q %v", got, ok)
	}
	if bytes.Contains(encrypted, text) || bytes.Equal(encrypted, r.before.Encrypt(user, text)) {
		t.Error("the ciphertext contains the text, or is the same twice")
	}
	if _, ok := r.before.Decrypt(uuid.New(), encrypted); ok {
		t.Error("another user's ciphertext was decrypted")
	}
	for i := range encrypted {
		altered := bytes.Clone(encrypted)
		altered[i] ^= 1
		if _, ok := r.before.Decrypt(user, altered); ok {
			t.Errorf("decrypted with byte %d altered", i)
		}
		if _, ok := r.before.Decrypt(user, encrypted[:i]); ok {
			t.Errorf("decrypted with only %d bytes", i)
		}
	}
}
