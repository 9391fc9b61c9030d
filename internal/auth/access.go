package auth

import (
	"crypto/hkdf"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/golang-jwt/jwt/v5"
	"github.com/google/uuid"

	"agentchat/internal/fault"
)

// AccessLifetime is the lifetime of an access token.
const AccessLifetime = 15 * time.Minute

const (
	accessIssuer   = "agentchat"
	accessAudience = "agentchat-panel"
	accessType     = "access"
	// accessLeeway is the tolerated difference between the clocks that issue and check a token.
	accessLeeway = 30 * time.Second
	// maxAccessBytes bounds the length of a token; those that IssueAccess returns have about 400
	// bytes.
	maxAccessBytes = 4096
	// minSecretBytes is the shortest key for HMAC-SHA256 (RFC 7518, section 3.2).
	minSecretBytes = 32
)

// accessHeader is the first part of every access token. Tokens with another header are refused
// without parsing it, so alg, kid, jku, jwk, x5u and crit have no effect.
var accessHeader = base64.RawURLEncoding.EncodeToString([]byte(`{"alg":"HS256","typ":"JWT"}`)) + "."

// Tokens issues and checks access tokens, refresh tokens, tokens of downloads and the marks of known
// browsers, and encrypts the secrets of second factors. Each has its own key. Tokens is safe for concurrent use.
// Replicas with the same secret accept each other's tokens.
type Tokens struct {
	// current signs new tokens. Tokens signed with any key of accepted are valid; current is its first
	// element.
	current  *keys
	accepted []*keys
	parser   *jwt.Parser
}

// keys holds the keys derived from one secret.
type keys struct {
	access, refresh, browser, throttle, download []byte
	cipher                                       cipherKey
}

// NewTokens derives the keys from the secret with HKDF (RFC 5869). Tokens of the other secrets are
// also accepted, so that a secret can be replaced while some replicas still use the old one. A
// secret shorter than 32 bytes is an error.
func NewTokens(secret []byte, others ...[]byte) (*Tokens, error) {
	t := &Tokens{parser: jwt.NewParser(
		jwt.WithValidMethods([]string{jwt.SigningMethodHS256.Alg()}),
		jwt.WithStrictDecoding(),
		jwt.WithoutClaimsValidation(), // At validates the claims, because it knows the time
	)}
	for _, s := range append([][]byte{secret}, others...) {
		k, err := deriveKeys(s)
		if err != nil {
			return nil, err
		}
		t.accepted = append(t.accepted, k)
	}
	t.current = t.accepted[0]
	return t, nil
}

func deriveKeys(secret []byte) (*keys, error) {
	if len(secret) < minSecretBytes {
		return nil, fmt.Errorf("the signing secret has %d bytes: it needs at least %d",
			len(secret), minSecretBytes)
	}
	k := &keys{}
	var encryption, encryptionID []byte
	for info, key := range map[string]*[]byte{
		"agentchat access token":  &k.access,
		"agentchat refresh token": &k.refresh,
		"agentchat known browser": &k.browser,
		"agentchat throttle":      &k.throttle,
		"agentchat download":      &k.download,
		"agentchat seal":          &encryption,
		"agentchat seal id":       &encryptionID,
	} {
		var err error
		if *key, err = hkdf.Key(sha256.New, secret, nil, info, sha256.Size); err != nil {
			return nil, fmt.Errorf("derive the token keys: %w", err)
		}
	}
	var err error
	if k.cipher, err = newCipherKey(encryption, encryptionID); err != nil {
		return nil, fmt.Errorf("derive the token keys: %w", err)
	}
	return k, nil
}

// claims holds an access token's claims. Times are whole seconds since 1970; the library's own
// types would also accept strings.
type claims struct {
	Issuer    string `json:"iss"`
	Audience  string `json:"aud"`
	Subject   string `json:"sub"`
	SignIn    string `json:"sid"`
	Type      string `json:"typ"`
	IssuedAt  *int64 `json:"iat"`
	ExpiresAt *int64 `json:"exp"`
	NotBefore *int64 `json:"nbf,omitempty"`
}

// UnmarshalJSON is strict: names are case-sensitive and appear once, and every value has its type.
func (c *claims) UnmarshalJSON(text []byte) error {
	type plain claims
	return json.Unmarshal(text, (*plain)(c))
}

func date(seconds *int64) (*jwt.NumericDate, error) {
	if seconds == nil {
		return nil, nil //nolint:nilnil // the library's way to say that a claim is absent
	}
	return &jwt.NumericDate{Time: time.Unix(*seconds, 0)}, nil
}

// The getters implement jwt.Claims.

// GetExpirationTime returns exp.
func (c *claims) GetExpirationTime() (*jwt.NumericDate, error) { return date(c.ExpiresAt) }

// GetIssuedAt returns iat.
func (c *claims) GetIssuedAt() (*jwt.NumericDate, error) { return date(c.IssuedAt) }

// GetNotBefore returns nbf.
func (c *claims) GetNotBefore() (*jwt.NumericDate, error) { return date(c.NotBefore) }

// GetIssuer returns iss.
func (c *claims) GetIssuer() (string, error) { return c.Issuer, nil }

// GetSubject returns sub.
func (c *claims) GetSubject() (string, error) { return c.Subject, nil }

// GetAudience returns aud.
func (c *claims) GetAudience() (jwt.ClaimStrings, error) {
	return jwt.ClaimStrings{c.Audience}, nil
}

// IssueAccess returns an access token of a sign-in and its expiry, AccessLifetime after now in
// whole seconds. The token is a JWT (RFC 7519) signed with HMAC-SHA256.
func (t *Tokens) IssueAccess(
	userID, signInID uuid.UUID, now time.Time,
) (token string, expiresAt time.Time) {
	issued := now.Unix()
	expires := now.Add(AccessLifetime).Unix()
	// Signing cannot fail: the claims are strings and numbers, and the key is bytes.
	token, _ = jwt.NewWithClaims(jwt.SigningMethodHS256, &claims{
		Issuer:    accessIssuer,
		Audience:  accessAudience,
		Subject:   userID.String(),
		SignIn:    signInID.String(),
		Type:      accessType,
		IssuedAt:  &issued,
		ExpiresAt: &expires,
	}).SignedString(t.current.access)
	return token, time.Unix(expires, 0).UTC()
}

// AccessToken is an access token with a valid signature; At checks whether it is valid now.
type AccessToken struct {
	principal Principal
	claims    claims
}

// UserID returns the token's user.
func (a AccessToken) UserID() uuid.UUID { return a.principal.UserID }

// SignInID returns the token's sign-in.
func (a AccessToken) SignInID() uuid.UUID { return a.principal.SignInID }

// ReadAccess checks an access token except for its times and whether its sign-in was ended. Fault:
// Unauthorized for everything that IssueAccess did not return.
func (t *Tokens) ReadAccess(token string) (AccessToken, error) {
	// The decoder skips line breaks, so without this check many texts would be the same token.
	if len(token) > maxAccessBytes || !strings.HasPrefix(token, accessHeader) ||
		strings.ContainsAny(token, "\r\n") {
		return AccessToken{}, unauthorized(errors.New("auth: not an access token of this service"))
	}
	c, err := t.claims(token)
	if err != nil {
		return AccessToken{}, unauthorized(err)
	}
	userID, okUser := parseID(c.Subject)
	signInID, okSignIn := parseID(c.SignIn)
	if c.Type != accessType || !okUser || !okSignIn || c.IssuedAt == nil {
		return AccessToken{}, unauthorized(errors.New("auth: the claims are not an access token's"))
	}
	return AccessToken{Principal{UserID: userID, SignInID: signInID}, c}, nil
}

// claims returns the claims of a token that was signed with an accepted key.
func (t *Tokens) claims(token string) (c claims, err error) {
	for _, k := range t.accepted {
		c = claims{}
		key := func(*jwt.Token) (any, error) { return k.access, nil }
		if _, err = t.parser.ParseWithClaims(token, &c, key); err == nil {
			return c, nil
		}
	}
	return claims{}, err
}

// At returns the token's principal, without an account, if it is valid now, with a leeway of 30 s.
// Fault: Unauthorized.
func (a AccessToken) At(now time.Time) (Principal, error) {
	err := jwt.NewValidator(
		jwt.WithExpirationRequired(),
		jwt.WithIssuedAt(),
		jwt.WithLeeway(accessLeeway),
		jwt.WithIssuer(accessIssuer),
		jwt.WithAudience(accessAudience),
		jwt.WithTimeFunc(func() time.Time { return now }),
	).Validate(&a.claims)
	if err != nil {
		return Principal{}, unauthorized(err)
	}
	return a.principal, nil
}

func unauthorized(err error) error { return fault.Wrap(fault.Unauthorized, err) }

// parseID reads a UUID, and only the form that IssueAccess writes.
func parseID(text string) (uuid.UUID, bool) {
	id, err := uuid.Parse(text)
	return id, err == nil && id != uuid.Nil && id.String() == text
}
