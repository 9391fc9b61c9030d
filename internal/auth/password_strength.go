package auth

import (
	"strings"
	"unicode/utf8"

	zxcvbn "github.com/ccojocar/zxcvbn-go"
	"github.com/ccojocar/zxcvbn-go/matching"

	"agentchat/internal/fault"
)

// Bounds of a new password, in Unicode code points.
const (
	MinPasswordLength = 8
	MaxPasswordLength = 256
)

const (
	// minGuessBits is the least entropy of a password: more than an attacker's first 10^6 guesses.
	minGuessBits = 19.93
	// maxEstimated bounds the bytes of a password that are estimated, because the time grows faster
	// than the length.
	maxEstimated = 64
)

// unsubstituted undoes common substitutions of letters. The library would try every combination of
// them, which can take minutes for a password of 64 characters.
var unsubstituted = strings.NewReplacer(
	"@", "a", "4", "a", "3", "e", "1", "i", "!", "i", "0", "o", "$", "s", "5", "s", "7", "t")

// CheckPassword checks the length of a new password, and refuses what an attacker who knows the
// account's email address would guess first. Fault: InvalidInput on path.
func CheckPassword(path, password, email string) error {
	invalid := func(reason fault.Reason, limit int64, message string) error {
		return fault.Invalid(fault.Field{Path: path, Reason: reason, Limit: limit, Message: message})
	}
	switch n := utf8.RuneCountInString(password); {
	case !utf8.ValidString(password):
		return invalid(fault.InvalidCharacter, 0, "The password is not valid UTF-8.")
	case n < MinPasswordLength:
		return invalid(fault.TooShort, MinPasswordLength, "The password must have at least 8 characters.")
	case n > MaxPasswordLength:
		return invalid(fault.TooLong, MaxPasswordLength, "The password must have at most 256 characters.")
	case guessable(password, email):
		return invalid(fault.Guessable, 0,
			"This password is too common. Choose another one.")
	}
	return nil
}

// guessable reports whether a password takes too few guesses. The estimate uses lists of common
// passwords, names and words, keyboard patterns, dates, sequences and the user's address.
func guessable(password, email string) bool {
	local, _, _ := strings.Cut(email, "@")
	known := []string{estimated(email), estimated(local)}
	password = estimated(password)
	for _, text := range []string{password, unsubstituted.Replace(password)} {
		strength := zxcvbn.PasswordStrength(text, known, matching.FilterL33tMatcher)
		if strength.Entropy < minGuessBits {
			return true
		}
	}
	return false
}

// estimated returns the part of a text that guessable estimates.
func estimated(text string) string { return text[:min(len(text), maxEstimated)] }
