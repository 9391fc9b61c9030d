package auth

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"slices"

	"github.com/google/uuid"
)

// A refresh token is the base64url text of the sign-in's ID (16 bytes), its generation (4 bytes,
// big-endian) and the HMAC-SHA256 of both. It contains nothing random, so that requests that renew
// a generation at the same time, or again after a lost response, get the same successor.
const (
	refreshPayload = 16 + 4
	refreshBytes   = refreshPayload + sha256.Size
	maxGeneration  = 1<<31 - 1 // an integer in the database
)

// strictURL accepts only its own encoding, except that it skips line breaks. Callers check the
// length to refuse those.
var strictURL = base64.RawURLEncoding.Strict()

// Contexts separate the kinds of MAC of one key.
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

// Refresh is a refresh token with a valid MAC.
type Refresh struct {
	SignInID uuid.UUID
	// Generation numbers a sign-in's tokens, starting at 1.
	Generation uint32
	keys       *keys
}

// Successor returns the token of the next generation. It uses the same secret, so that replicas
// agree on it even if only some have a new secret: a sign-in keeps its secret for life.
func (r Refresh) Successor() string { return r.keys.mintRefresh(r.SignInID, r.Generation+1) }

// MintRefresh returns the refresh token of a sign-in's generation.
func (t *Tokens) MintRefresh(signInID uuid.UUID, generation uint32) string {
	return t.current.mintRefresh(signInID, generation)
}

func (k *keys) mintRefresh(signInID uuid.UUID, generation uint32) string {
	token := append(make([]byte, 0, refreshBytes), signInID[:]...)
	token = binary.BigEndian.AppendUint32(token, generation)
	return strictURL.EncodeToString(append(token, mac(k.refresh, refreshContext, token)...))
}

// ParseRefresh reads a refresh token; ok is false for a text that this service did not issue. It
// does not check whether the sign-in was ended or the generation is current: only the database
// knows.
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
			valid := generation > 0 && generation <= maxGeneration
			return Refresh{uuid.UUID(payload[:16]), generation, k}, valid
		}
	}
	return Refresh{}, false
}

// RefreshHash returns the stored form of a refresh token, its SHA-256. A fast hash is enough,
// because a MAC cannot be guessed.
func RefreshHash(text string) [32]byte { return sha256.Sum256([]byte(text)) }

// MintKnownBrowser returns the mark of a browser in which the user has signed in. Wrong passwords
// from other browsers do not lock it out. The mark alone gives no access.
func (t *Tokens) MintKnownBrowser(userID uuid.UUID) string {
	return t.current.mintKnownBrowser(userID)
}

func (k *keys) mintKnownBrowser(userID uuid.UUID) string {
	return strictURL.EncodeToString(mac(k.browser, browserContext, userID[:]))
}

// IsKnownBrowser reports whether the text is the mark of a browser in which the user has signed in.
func (t *Tokens) IsKnownBrowser(userID uuid.UUID, text string) bool {
	return slices.ContainsFunc(t.accepted, func(k *keys) bool {
		return hmac.Equal([]byte(text), []byte(k.mintKnownBrowser(userID)))
	})
}

// ThrottleKey returns the key under which attempts are counted. It is a keyed hash, so that the
// table of counts reveals no address, even to someone who hashes all addresses.
func (t *Tokens) ThrottleKey(purpose, subject string) [32]byte {
	return [32]byte(mac(t.current.throttle, purpose+"\x00", []byte(subject)))
}
