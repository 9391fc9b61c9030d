// Package apikey generates and recognizes the keys of API exports and the tokens of accounts. A key
// is "agc_", 32 base62 characters from crypto/rand and 6 characters of CRC-32 over all of these, so
// that a mistyped key is refused before any query; a token begins with "agt_" instead. Only the
// SHA-256 of either is stored: with 190 bits of randomness, a slow hash would add nothing.
package apikey

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"fmt"
	"hash/crc32"
	"regexp"
	"strings"
	"time"

	"github.com/google/uuid"
)

// Prefix begins every key, and TokenPrefix every account token, so that secret scanners and people
// recognize them.
const (
	Prefix      = "agc_"
	TokenPrefix = "agt_"
)

const (
	alphabet       = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	randomLength   = 32
	checksumLength = 6
	// Length is the length of a whole key or token in bytes.
	Length = len(Prefix) + randomLength + checksumLength
)

// MaxOverlap is the longest time for which an export may have two keys while one is being replaced.
const MaxOverlap = 30 * 24 * time.Hour

// Key is a complete key or account token: a secret. Every way to print it is redacted; only Reveal
// returns the text.
type Key struct{ text string }

// Hash is the SHA-256 of a key, the only form in which keys are stored and looked up.
type Hash [sha256.Size]byte

// Mint generates a new key from crypto/rand.
func Mint() Key { return mint(Prefix) }

// MintToken is Mint for an account token.
func MintToken() Key { return mint(TokenPrefix) }

func mint(prefix string) Key {
	body := prefix + randomText(randomLength)
	return Key{text: body + checksum(body)}
}

// Parse recognizes a key by its form and checksum; ok is false for anything else. Only the database
// knows whether the key is in use.
func Parse(text string) (key Key, ok bool) { return parse(Prefix, text) }

// ParseToken is Parse for an account token.
func ParseToken(text string) (token Key, ok bool) { return parse(TokenPrefix, text) }

func parse(prefix, text string) (key Key, ok bool) {
	if len(text) != Length || text[:len(prefix)] != prefix {
		return Key{}, false
	}
	body, sum := text[:Length-checksumLength], text[Length-checksumLength:]
	if !isBase62(body[len(prefix):]) ||
		subtle.ConstantTimeCompare([]byte(checksum(body)), []byte(sum)) != 1 {
		return Key{}, false
	}
	return Key{text: text}, true
}

var shape = regexp.MustCompile(`ag[ct]_[0-9A-Za-z]{38}`)

// HasShape reports whether text contains something in the form of a key or token, whatever its
// checksum. It detects keys in places where they must not be, such as a URL.
func HasShape(text string) bool { return shape.MatchString(text) }

// Hash returns the SHA-256.
func (k Key) Hash() Hash { return sha256.Sum256([]byte(k.text)) }

// Hint returns the prefix and the last four characters, so that an owner recognizes the key.
func (k Key) Hint() string { return k.text[:len(Prefix)] + "…" + k.text[Length-4:] }

// Reveal returns the complete secret. Only use it for the one response that shows it to its owner.
func (k Key) Reveal() string { return k.text }

// String is redacted, so that a key cannot reach a log by accident.
func (k Key) String() string {
	if strings.HasPrefix(k.text, TokenPrefix) {
		return TokenPrefix + "[redacted]"
	}
	return Prefix + "[redacted]"
}

// GoString is redacted, too, for %#v.
func (k Key) GoString() string { return k.String() }

// Format redacts the key under every verb, including those that print unexported fields.
func (k Key) Format(f fmt.State, _ rune) { _, _ = f.Write([]byte(k.String())) }

// State says whether a key is accepted.
type State string

// The states of a key.
const (
	Active  State = "ACTIVE"
	Expired State = "EXPIRED"
	Removed State = "REMOVED"
)

// APIKey is a stored key without its hash.
type APIKey struct {
	ID        uuid.UUID
	AccountID uuid.UUID
	ExportID  uuid.UUID
	Hint      string
	State     State
	// CreatedBy is the user or account token that created it; nil for the service itself, which
	// creates the demo.
	CreatedBy *uuid.UUID
	CreatedAt time.Time
	// StopsAt is the expiry of a key that is being replaced; nil otherwise.
	StopsAt    *time.Time
	LastUsedAt *time.Time
}

func randomText(n int) string {
	// fair is the largest multiple of 62 in a byte. Higher bytes are drawn again, so that all
	// characters are equally likely.
	const fair = 256 - 256%len(alphabet)
	out := make([]byte, 0, n)
	var buf [64]byte
	for len(out) < n {
		_, _ = rand.Read(buf[:]) // never fails: crypto/rand ends the process instead (Go 1.24)
		for _, b := range buf {
			if int(b) < fair && len(out) < n {
				out = append(out, alphabet[int(b)%len(alphabet)])
			}
		}
	}
	return string(out)
}

// checksum writes the CRC-32 (IEEE) of body as six base62 digits; 62^6 exceeds 2^32, so nothing is
// lost.
func checksum(body string) string {
	sum := crc32.ChecksumIEEE([]byte(body))
	var out [checksumLength]byte
	for i := checksumLength - 1; i >= 0; i-- {
		out[i] = alphabet[sum%uint32(len(alphabet))]
		sum /= uint32(len(alphabet))
	}
	return string(out[:])
}

func isBase62(s string) bool {
	for i := range len(s) {
		c := s[i]
		if (c < '0' || c > '9') && (c < 'A' || c > 'Z') && (c < 'a' || c > 'z') {
			return false
		}
	}
	return true
}
