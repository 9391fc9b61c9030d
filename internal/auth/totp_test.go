package auth_test

import (
	"testing"
	"time"

	"agentchat/internal/auth"
)

// The vectors of RFC 6238, appendix B, for SHA-1: their last six of eight digits.
func TestTOTPVectors(t *testing.T) {
	t.Parallel()
	secret := []byte("12345678901234567890")
	for at, code := range map[int64]string{59: "287082", 1111111109: "081804", 1111111111: "050471", 1234567890: "005924",
		2000000000: "279037", 20000000000: "353130"} {
		for off, fits := range map[int64]bool{-2: false, -1: true, 0: true, 1: true, 2: false} {
			want := int64(0)
			if fits {
				want = at / 30
			}
			if at+30*off < 0 {
				continue
			}
			if got := auth.FitTOTP(secret, code, time.Unix(at+30*off, 0)); got != want {
				t.Errorf("the code of %d, %d steps off: %d, want %d", at, off, got, want)
			}
		}
	}
	for _, code := range []string{"", "28708", "2870820", "287083", "94287082", " 287082", "２８７０８２"} {
		if got := auth.FitTOTP(secret, code, time.Unix(59, 0)); got != 0 {
			t.Errorf("%q fits step %d", code, got)
		}
	}
}
