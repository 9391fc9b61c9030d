package auth

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"

	"github.com/google/uuid"
)

// sealIDBytes is how many bytes of a sealed text say which secret opens it.
const sealIDBytes = 8

// sealer seals under one secret.
type sealer struct {
	id []byte
	// aead puts a random nonce before what it seals.
	aead cipher.AEAD
}

func newSealer(key, id []byte) (sealer, error) {
	block, err := aes.NewCipher(key)
	if err != nil {
		return sealer{}, err
	}
	aead, err := cipher.NewGCMWithRandomNonce(block)
	return sealer{id[:sealIDBytes], aead}, err
}

// Seal encrypts a text for a user with AES-256-GCM, so that only Open with the same user returns it. It begins with SealID.
func (t *Tokens) Seal(userID uuid.UUID, text []byte) []byte {
	s := t.current.sealer
	return s.aead.Seal(bytes.Clone(s.id), nil, text, userID[:])
}

// SealID is what begins all that is sealed under the secret that issues. Anything else has to be sealed anew before that other secret
// is dropped.
func (t *Tokens) SealID() []byte { return bytes.Clone(t.current.sealer.id) }

// Open returns what was sealed for a user; ok is false if none of the secrets opens it.
func (t *Tokens) Open(userID uuid.UUID, sealed []byte) (text []byte, ok bool) {
	for _, k := range t.accepted {
		if rest, mine := bytes.CutPrefix(sealed, k.sealer.id); mine {
			text, err := k.sealer.aead.Open(nil, nil, rest, userID[:])
			return text, err == nil
		}
	}
	return nil, false
}
