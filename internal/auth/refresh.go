package auth

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"slices"

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

// strictURL decodes only what it has encoded. It also skips line breaks: a check of the length finds those.
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

// Refresh is a refresh token that we issued.
type Refresh struct {
	SignInID uuid.UUID
	// Generation counts a sign-in's tokens from 1.
	Generation uint32
	keys       *keys
}

// Successor returns the token of the next generation. It is of the same secret, so that replicas of which some have a new secret agree on
// it: a sign-in keeps its secret for life.
func (r Refresh) Successor() string { return r.keys.mintRefresh(r.SignInID, r.Generation+1) }

// MintRefresh returns the refresh token of a sign-in's generation, which counts from 1.
func (t *Tokens) MintRefresh(signInID uuid.UUID, generation uint32) string {
	return t.current.mintRefresh(signInID, generation)
}

func (k *keys) mintRefresh(signInID uuid.UUID, generation uint32) string {
	token := append(make([]byte, 0, refreshBytes), signInID[:]...)
	token = binary.BigEndian.AppendUint32(token, generation)
	return strictURL.EncodeToString(append(token, mac(k.refresh, refreshContext, token)...))
}

// ParseRefresh reads a refresh token that we issued; ok is false for every other text. Without the database it does not know whether the
// sign-in was ended or the generation is the current one.
func (t *Tokens) ParseRefresh(text string) (token Refresh, ok bool) {
	if len(text) != strictURL.EncodedLen(refreshBytes) {
		return Refresh{}, false
	}
	decoded, err := strictURL.DecodeString(text)
	if err != nil || len(decoded) != refreshBytes {
		return Refresh{}, false
	}
	payload := decoded[:refreshPayload]
	for _, k := range t.accepted {
		if hmac.Equal(decoded[refreshPayload:], mac(k.refresh, refreshContext, payload)) {
			generation := binary.BigEndian.Uint32(payload[16:])
			return Refresh{uuid.UUID(payload[:16]), generation, k}, generation > 0 && generation <= maxGeneration
		}
	}
	return Refresh{}, false
}

// RefreshHash returns the SHA-256 of a refresh token, which is stored. A fast hash is enough, because a MAC cannot be guessed.
func RefreshHash(text string) [32]byte { return sha256.Sum256([]byte(text)) }

// MintKnownBrowser returns the mark of a browser that has signed in to the account: guesses made elsewhere do not lock it out. The
// mark alone gives no access.
func (t *Tokens) MintKnownBrowser(accountID uuid.UUID) string {
	return t.current.mintKnownBrowser(accountID)
}

func (k *keys) mintKnownBrowser(accountID uuid.UUID) string {
	return strictURL.EncodeToString(mac(k.browser, browserContext, accountID[:]))
}

// IsKnownBrowser reports whether the text is the mark of a browser that has signed in to the account.
func (t *Tokens) IsKnownBrowser(accountID uuid.UUID, text string) bool {
	return slices.ContainsFunc(t.accepted, func(k *keys) bool { return hmac.Equal([]byte(text), []byte(k.mintKnownBrowser(accountID))) })
}

// ThrottleKey returns the key under which attempts are counted: a keyed hash, so that nobody can learn an address from the table of
// counts, not even by trying all.
func (t *Tokens) ThrottleKey(purpose, subject string) [32]byte {
	return [32]byte(mac(t.current.throttle, purpose+"\x00", []byte(subject)))
}
