package auth

import (
	"crypto/hmac"
	"crypto/sha1" //nolint:gosec // authenticator apps require it, and an HMAC is safe with it
	"crypto/subtle"
	"encoding/binary"
	"fmt"
	"time"
)

// totpPeriod is the duration of a step, in seconds. An app shows each code for one step.
const totpPeriod = 30

// TOTPBytes is the length of a secret that RFC 4226 recommends.
const TOTPBytes = sha1.Size

// TOTP returns the code of a step (RFC 6238, with SHA-1 and six digits).
func TOTP(secret []byte, step int64) string {
	h := hmac.New(sha1.New, secret)
	h.Write(binary.BigEndian.AppendUint64(nil, uint64(step)))
	sum := h.Sum(nil)
	offset := sum[len(sum)-1] & 0xf
	return fmt.Sprintf("%06d", binary.BigEndian.Uint32(sum[offset:])&0x7fffffff%1_000_000)
}

// FitTOTP returns the step of a code: the current step, or the one before or after it, because
// clocks differ. It returns 0 for a wrong code, in the same time.
func FitTOTP(secret []byte, code string, now time.Time) (step int64) {
	for s := now.Unix()/totpPeriod - 1; s <= now.Unix()/totpPeriod+1; s++ {
		if subtle.ConstantTimeCompare([]byte(TOTP(secret, s)), []byte(code)) == 1 {
			step = s
		}
	}
	return step
}
