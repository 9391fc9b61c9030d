package account

import (
	"net/mail"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/idna"
	"golang.org/x/text/unicode/norm"

	"agentchat/internal/fault"
)

// domains converts a domain to the ASCII form that resolvers look up: lower case, with xn-- for
// labels in other letters.
var domains = idna.New(idna.MapForLookup(), idna.BidiRule(), idna.StrictDomainName(true),
	idna.VerifyDNSLength(true))

// ParseEmail returns the address in the only form in which it is stored and compared: trimmed, in
// lower case and NFC, with its domain in ASCII. Two addresses that look the same must not be two
// users, so the part before the @ must be in one script, without compatibility forms and invisible
// characters. Fault: InvalidInput on "email".
func ParseEmail(text string) (string, error) {
	invalid := func(reason fault.Reason, message string) (string, error) {
		field := fault.Field{Path: "email", Reason: reason, Message: message}
		if reason == fault.TooLong {
			field.Limit = MaxEmailBytes
		}
		return "", fault.Invalid(field)
	}
	const (
		noAddress = "Enter an email address like name@example.com."
		tooLong   = "The email address is longer than 254 bytes."
		notPlain  = "Write the part before the @ in the letters of one script, without special forms of letters or invisible characters."
	)
	email := strings.TrimSpace(text)
	switch {
	case email == "":
		return invalid(fault.Missing, "Enter an email address.")
	case len(email) > MaxEmailBytes:
		return invalid(fault.TooLong, tooLong)
	case !utf8.ValidString(email):
		return invalid(fault.InvalidValue, noAddress)
	}
	email = norm.NFC.String(strings.ToLower(norm.NFC.String(email)))
	local, domain, _ := strings.Cut(email, "@")
	domain, err := domains.ToASCII(domain)
	if err != nil {
		return invalid(fault.InvalidValue, noAddress)
	}
	email = local + "@" + domain
	if address, err := mail.ParseAddress(email); err != nil || address.Address != email ||
		strings.ContainsFunc(local, unicode.IsControl) {
		return invalid(fault.InvalidValue, noAddress)
	}
	if !plain(local) {
		return invalid(fault.InvalidCharacter, notPlain)
	}
	if len(email) > MaxEmailBytes {
		return invalid(fault.TooLong, tooLong)
	}
	return email, nil
}

// Mailbox returns a result of ParseEmail without the part from the first + to the @. Many providers
// deliver such addresses to one mailbox, so limits of emails to an address use it. Users are
// identified by the whole address, because elsewhere it may be another mailbox.
func Mailbox(email string) string {
	local, domain, _ := strings.Cut(email, "@")
	local, _, _ = strings.Cut(local, "+")
	return local + "@" + domain
}

// plain reports whether all letters of a text can be of one script, as defined by UTS #39, and
// every character is visible and in its normal form.
func plain(text string) bool {
	if !norm.NFKC.IsNormalString(text) {
		return false
	}
	possible := scripts
	for _, r := range text {
		if !unicode.IsGraphic(r) ||
			unicode.In(r, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector) {
			return false
		}
		if unicode.In(r, unicode.Common, unicode.Inherited) {
			continue
		}
		possible = slices.DeleteFunc(slices.Clone(possible), func(s []*unicode.RangeTable) bool {
			return !unicode.In(r, s...)
		})
	}
	return len(possible) > 0
}

// scripts holds all scripts, and the sets of scripts that one language combines.
var scripts = func() [][]*unicode.RangeTable {
	sets := [][]*unicode.RangeTable{
		{unicode.Han, unicode.Hiragana, unicode.Katakana}, {unicode.Han, unicode.Hangul}, {unicode.Han, unicode.Bopomofo},
	}
	for name, table := range unicode.Scripts {
		if name != "Common" && name != "Inherited" {
			sets = append(sets, []*unicode.RangeTable{table})
		}
	}
	return sets
}()
