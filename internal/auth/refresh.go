package auth

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"

	"github.com/google/uuid"
)

// A refresh token is the base64url text of the sign-in's id (16 bytes), its generation (4 bytes, big-endian) and the HMAC-SHA256 of
// both. It depends on nothing else, so that clients that renew a generation at the same time, or again after a lost answer, get
// the same successor.
const (
	refreshPayload = 16 + 4
	refreshBytes   = refreshPayload + sha256.Size
	maxGeneration  = 1<<31 - 1 // an integer in the database
)

// strictURL decodes only what it has encoded, except that it skips line breaks, which a length check finds.
var strictURL = base64.RawURLEncoding.Strict()

// The contexts that keep the MACs of one key apart.
const (
	refreshContext = "refresh\x00"
	browserContext = "browser\x00"
)

func mac(key []byte, context string, payload []byte) []byte {
	h := hmac.New(sha256.New, key)
	h.Write([]byte(context))
	h.Write(payload)
	return h.Sum(nil)
}

// MintRefresh returns the refresh token of a sign-in's generation, which counts from 1.
func (t *Tokens) MintRefresh(signInID uuid.UUID, generation uint32) string {
	token := append(make([]byte, 0, refreshBytes), signInID[:]...)
	token = binary.BigEndian.AppendUint32(token, generation)
	return strictURL.EncodeToString(append(token, mac(t.refreshKey, refreshContext, token)...))
}

// ParseRefresh returns the parts of a refresh token that we issued; ok is false for every other text. Without the database it does
// not know whether the sign-in was ended or the generation is the current one.
func (t *Tokens) ParseRefresh(text string) (signInID uuid.UUID, generation uint32, ok bool) {
	if len(text) != strictURL.EncodedLen(refreshBytes) {
		return uuid.Nil, 0, false
	}
	token, err := strictURL.DecodeString(text)
	if err != nil || len(token) != refreshBytes {
		return uuid.Nil, 0, false
	}
	payload := token[:refreshPayload]
	if !hmac.Equal(token[refreshPayload:], mac(t.refreshKey, refreshContext, payload)) {
		return uuid.Nil, 0, false
	}
	generation = binary.BigEndian.Uint32(payload[16:])
	return uuid.UUID(payload[:16]), generation, generation > 0 && generation <= maxGeneration
}

// RefreshHash returns the SHA-256 of a refresh token, which is stored. A fast hash is enough, because a MAC cannot be guessed.
func RefreshHash(text string) [32]byte { return sha256.Sum256([]byte(text)) }

// MintKnownBrowser returns the mark of a browser that has signed in to the account: guesses made elsewhere do not lock it out. The
// mark alone gives no access.
func (t *Tokens) MintKnownBrowser(accountID uuid.UUID) string {
	return strictURL.EncodeToString(mac(t.browserKey, browserContext, accountID[:]))
}

// IsKnownBrowser reports whether the text is the mark of a browser that has signed in to the account.
func (t *Tokens) IsKnownBrowser(accountID uuid.UUID, text string) bool {
	return hmac.Equal([]byte(text), []byte(t.MintKnownBrowser(accountID)))
}

// ThrottleKey returns the key under which attempts are counted: a keyed hash, so that the table of counts reveals no address, even
// to somebody who tries them all.
func (t *Tokens) ThrottleKey(purpose, subject string) [32]byte {
	return [32]byte(mac(t.throttleKey, purpose+"\x00", []byte(subject)))
}
