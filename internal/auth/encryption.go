package auth

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"

	"github.com/google/uuid"
)

// keyIDBytes is the length of the prefix of a ciphertext that identifies its key.
const keyIDBytes = 8

// cipherKey encrypts with the key of one secret.
type cipherKey struct {
	id []byte
	// aead prepends a random nonce to each ciphertext.
	aead cipher.AEAD
}

func newCipherKey(key, id []byte) (cipherKey, error) {
	block, err := aes.NewCipher(key)
	if err != nil {
		return cipherKey{}, err
	}
	aead, err := cipher.NewGCMWithRandomNonce(block)
	return cipherKey{id[:keyIDBytes], aead}, err
}

// Encrypt encrypts a text with AES-256-GCM. The ID of its user or webhook is authenticated data, so
// Decrypt needs the same ID. The result begins with EncryptionKeyID.
func (t *Tokens) Encrypt(id uuid.UUID, text []byte) []byte {
	k := t.current.cipher
	return k.aead.Seal(bytes.Clone(k.id), nil, text, id[:])
}

// EncryptionKeyID returns the prefix of everything that the current secret encrypts. What begins
// differently must be encrypted again before its secret is removed.
func (t *Tokens) EncryptionKeyID() []byte { return bytes.Clone(t.current.cipher.id) }

// Decrypt returns what was encrypted for an ID; ok is false if none of the secrets decrypts it.
func (t *Tokens) Decrypt(id uuid.UUID, encrypted []byte) (text []byte, ok bool) {
	for _, k := range t.accepted {
		if rest, found := bytes.CutPrefix(encrypted, k.cipher.id); found {
			text, err := k.cipher.aead.Open(nil, nil, rest, id[:])
			return text, err == nil
		}
	}
	return nil, false
}
