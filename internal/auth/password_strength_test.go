package auth_test

import (
	"errors"
	"strings"
	"testing"

	"agentchat/internal/auth"
	"agentchat/internal/fault"
)

// TestCheckPassword: too short and too long passwords are refused, and those that an attacker would
// try first, with a reason; others are taken in any script. The long ones answer at once: trying
// every substitution of letters in the last one would take minutes.
func TestCheckPassword(t *testing.T) {
	t.Parallel()
	const email = "ada.lovelace@example.com"
	for _, in := range []string{
		password, "kTq3vbX9", " spaces stay ", "nul\x00 is fine", "пароль-密码-🔑", "Ada.Lovelace saw the engine", strings.Repeat("kéTq3vbX", 32),
		"4@8({[<3691!|70$5+2%x" + strings.Repeat("|1!7+$5[{(<@4x%", 10),
	} {
		if err := auth.CheckPassword("password", in, email); err != nil {
			t.Errorf("%q: %v", in, err)
		}
	}
	for in, want := range map[string]fault.Reason{
		"": fault.TooShort, "1234567": fault.TooShort, strings.Repeat("é", 257): fault.TooLong,
		"\xff\xff\xff\xff\xff\xff\xff\xff": fault.InvalidCharacter,
		"password":                         fault.Guessable, "12345678": fault.Guessable, "aaaaaaaa": fault.Guessable, "qwertyuiop": fault.Guessable,
		"Password1!": fault.Guessable, "P@$$w0rd": fault.Guessable, "letmein123": fault.Guessable, "19991231": fault.Guessable,
		email: fault.Guessable, "ADA.Lovelace@Example.com": fault.Guessable, "ada.lovelace": fault.Guessable, "ada.lovelace1": fault.Guessable,
		strings.Repeat("a", 256): fault.Guessable, strings.Repeat("1", 100): fault.Guessable,
	} {
		err := auth.CheckPassword("newPassword", in, email)
		f, ok := errors.AsType[*fault.Error](err)
		if !ok || f.Kind != fault.InvalidInput || len(f.Fields) != 1 || f.Fields[0].Path != "newPassword" || f.Fields[0].Reason != want ||
			f.Fields[0].Message == "" {
			t.Errorf("%q: %+v, want %s", in, err, want)
		}
	}
}
