// Package topup makes the links to the operator's shop for the owners of accounts. The shop takes
// the money and adds the credits over /admin/v1.
package topup

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"agentchat/internal/baseurl"
)

const (
	// MinSecret is the least length of a secret, in bytes.
	MinSecret = 32
	// lifetime is the time for which the shop accepts a token.
	lifetime = 15 * time.Minute

	accountPlace = "{account}"
	tokenPlace   = "{token}"
)

// Shop is the shop where credits are bought.
type Shop struct {
	// URL must pass CheckURL.
	URL string
	// Secret is the key with which tokens are signed and the shop verifies them.
	Secret string
}

// CheckURL validates a shop's URL. It needs {account} and {token} after its host, and https unless
// the shop is on this machine, because anyone who reads a token can use it. The error completes a
// sentence that begins with a setting's name. It does not quote the URL.
func CheckURL(text string) error {
	u, err := url.Parse(text) // refuses braces in a host
	switch {
	case err != nil || u.Host == "" || u.User != nil || strings.ContainsAny(text, " \t\r\n"):
		return errors.New("is not the URL of a shop: write it like https://pay.example.com/?account={account}&token={token}")
	case u.Scheme != "https" && (u.Scheme != "http" || !baseurl.IsLoopback(u.Hostname())):
		return errors.New("must begin with https://, or with http:// and a loopback address like 127.0.0.1")
	case !strings.Contains(text, accountPlace) || !strings.Contains(text, tokenPlace):
		return errors.New("must contain " + accountPlace + " and " + tokenPlace +
			", which are replaced in each link")
	}
	return nil
}

// Link returns the shop's URL for an account, with a new token. A token is the account, its expiry
// as a Unix time in seconds, and a MAC, separated by dots: HMAC-SHA256 of the text before the
// second dot, in base64url without padding.
func (s *Shop) Link(account uuid.UUID, now time.Time) string {
	signed := account.String() + "." + strconv.FormatInt(now.Add(lifetime).Unix(), 10)
	mac := hmac.New(sha256.New, []byte(s.Secret))
	_, _ = mac.Write([]byte(signed)) // never fails
	token := signed + "." + base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
	return strings.NewReplacer(accountPlace, account.String(), tokenPlace, token).Replace(s.URL)
}
