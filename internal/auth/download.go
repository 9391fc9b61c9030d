package auth

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"time"

	"github.com/google/uuid"
)

// Download holds the contents of a token. Until ExpiresAt, the user's session may start to download an
// account.
type Download struct {
	AccountID, UserID, SignInID uuid.UUID
	ExpiresAt                   time.Time
}

const (
	downloadContext = "download\x00"
	downloadPayload = 3*16 + 8
	downloadBytes   = downloadPayload + sha256.Size
)

// MintDownload returns a token: the base64url text of the IDs, the expiry (in milliseconds since
// 1970, big-endian) and their HMAC-SHA256.
func (t *Tokens) MintDownload(d Download) string {
	token := make([]byte, 0, downloadBytes)
	for _, id := range []uuid.UUID{d.AccountID, d.UserID, d.SignInID} {
		token = append(token, id[:]...)
	}
	token = binary.BigEndian.AppendUint64(token, uint64(d.ExpiresAt.UnixMilli()))
	return strictURL.EncodeToString(append(token, mac(t.current.download, downloadContext, token)...))
}

// ParseDownload reads a token; ok is false for a text that this service did not issue. It checks
// neither the expiry nor the session: the caller must check both.
func (t *Tokens) ParseDownload(text string) (d Download, ok bool) {
	if len(text) != strictURL.EncodedLen(downloadBytes) {
		return Download{}, false
	}
	decoded, err := strictURL.DecodeString(text)
	if err != nil || len(decoded) != downloadBytes {
		return Download{}, false
	}
	payload := decoded[:downloadPayload]
	for _, k := range t.accepted {
		if hmac.Equal(decoded[downloadPayload:], mac(k.download, downloadContext, payload)) {
			return Download{
				AccountID: uuid.UUID(payload[:16]),
				UserID:    uuid.UUID(payload[16:32]),
				SignInID:  uuid.UUID(payload[32:48]),
				ExpiresAt: time.UnixMilli(int64(binary.BigEndian.Uint64(payload[48:]))).UTC(),
			}, true
		}
	}
	return Download{}, false
}
