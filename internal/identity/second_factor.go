package identity

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base32"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/google/uuid"
	"rsc.io/qr"

	"agentchat/internal/auth"
	"agentchat/internal/fault"
	"agentchat/internal/store/audit"
	"agentchat/internal/store/users"
)

const (
	// recoveryCodes is the number of recovery codes of a user, recoveryBytes the length of each.
	recoveryCodes = 10
	recoveryBytes = 16
	// factorName is the issuer that an app shows next to the email address.
	factorName = "Agent Chat"
)

// NewFactor is a second factor to set up, in three forms.
type NewFactor struct {
	// Secret is in base32 (RFC 4648) without padding.
	Secret string
	// URI is for authenticator apps; QRCode shows it, as a data URI of a PNG.
	URI, QRCode string
}

// StartSecondFactor creates the secret of a second factor, which the sign-in can confirm within
// users.PendingFactorFor. Fault: Conflict while a factor is on.
func (s *Service) StartSecondFactor(ctx context.Context, p auth.Principal) (NewFactor, error) {
	user, err := users.On(s.cfg.Store).User(ctx, p.UserID)
	if err != nil {
		return NewFactor{}, err
	}
	secret := make([]byte, auth.TOTPBytes)
	_, _ = rand.Read(secret) // never fails: crypto/rand ends the process instead (Go 1.24)
	encrypted := s.cfg.Tokens.Encrypt(p.UserID, secret)
	err = users.On(s.cfg.Store).StartSecondFactor(ctx, p.UserID, p.SignInID, encrypted)
	if err != nil {
		return NewFactor{}, err
	}
	out := NewFactor{Secret: base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(secret)}
	label := url.PathEscape(factorName + ":" + user.Email)
	issuer := url.PathEscape(factorName)
	out.URI = fmt.Sprintf("otpauth://totp/%s?secret=%s&issuer=%s", label, out.Secret, issuer)
	code, err := qr.Encode(out.URI, qr.M)
	if err != nil {
		return NewFactor{}, fault.Wrap(fault.Internal, err)
	}
	out.QRCode = "data:image/png;base64," + base64.StdEncoding.EncodeToString(code.PNG())
	return out, nil
}

// ConfirmSecondFactor switches on the factor that the sign-in has started, and ends all other
// sign-ins. It returns the recovery codes, which cannot be shown again. Faults: InvalidCredentials
// for a wrong code; RateLimited over MaxGuesses, which all reauthentication shares; Conflict when
// no factor was started, or one is on.
func (s *Service) ConfirmSecondFactor(
	ctx context.Context, p auth.Principal, code string, client Client,
) ([]string, error) {
	giveBack, err := s.attempt(ctx, s.reauthenticationKey(p), uuid.Nil, MaxGuesses, GuessWindow)
	if err != nil {
		return nil, err
	}
	pending, err := users.On(s.cfg.Store).PendingSecondFactor(ctx, p.UserID, p.SignInID)
	secret, decrypted := s.cfg.Tokens.Decrypt(p.UserID, pending.EncryptedSecret)
	if fault.Is(err, fault.NotFound) || err == nil && !decrypted {
		return nil, fault.New(fault.Conflict,
			"The setup expired after 10 minutes. Start again.")
	}
	if err != nil {
		return nil, err
	}
	step := auth.FitTOTP(secret, normalizeCode(code), pending.Now)
	if step == 0 {
		return nil, fault.New(fault.InvalidCredentials,
			"Wrong code. Check that your device’s clock is right.")
	}
	if err := giveBack(); err != nil {
		return nil, err
	}
	texts, hashes := newRecoveryCodes()
	change := s.change(p, nil, client.Does("confirmSecondFactor", "secondFactor"))
	return texts, users.On(s.cfg.Store).SetSecondFactor(ctx, change, pending.EncryptedSecret, step, hashes)
}

// RemoveSecondFactor switches the second factor off, and ends all other sign-ins. Faults: those of
// verifyFactor.
func (s *Service) RemoveSecondFactor(
	ctx context.Context, p auth.Principal, given Reauthentication, client Client,
) error {
	found, err := s.verifyFactor(ctx, p, given, client)
	if err != nil {
		return err
	}
	entry := client.Does("removeSecondFactor", "secondFactor")
	return users.On(s.cfg.Store).RemoveSecondFactor(ctx, s.change(p, &found, entry))
}

// RenewRecoveryCodes replaces all recovery codes, and ends all other sign-ins. Faults: those of
// verifyFactor.
func (s *Service) RenewRecoveryCodes(
	ctx context.Context, p auth.Principal, given Reauthentication, client Client,
) ([]string, error) {
	found, err := s.verifyFactor(ctx, p, given, client)
	if err != nil {
		return nil, err
	}
	texts, hashes := newRecoveryCodes()
	entry := client.Does("renewRecoveryCodes", "recoveryCodes")
	return texts, users.On(s.cfg.Store).RenewRecoveryCodes(ctx, s.change(p, &found, entry), hashes)
}

// verifyFactor reauthenticates a user who has a second factor. Faults: those of verify;
// InvalidInput for an empty password; Conflict for a user without a second factor; RateLimited over
// MaxChanges.
func (s *Service) verifyFactor(
	ctx context.Context, p auth.Principal, given Reauthentication, client Client,
) (users.Credentials, error) {
	if err := given.requirePassword("password"); err != nil {
		return users.Credentials{}, err
	}
	found, err := s.verify(ctx, p, given, client)
	if err == nil && found.SecondFactorAt == nil {
		err = fault.New(fault.Conflict, "Two-factor authentication is off.")
	}
	if err == nil {
		err = s.countChange(ctx, p, "second factor")
	}
	return found, err
}

func (s *Service) change(
	p auth.Principal, found *users.Credentials, by audit.Entry,
) users.FactorChange {
	out := users.FactorChange{UserID: p.UserID, SignInID: p.SignInID, Notify: s.cfg.Mail, By: by}
	if found != nil {
		out.Since = found.SecondFactorAt
	}
	return out
}

// RecoveryCodesLeft returns the number of the user's unused recovery codes.
func (s *Service) RecoveryCodesLeft(ctx context.Context, p auth.Principal) (int, error) {
	return users.On(s.cfg.Store).RecoveryCodesLeft(ctx, p.UserID)
}

// newRecoveryCodes returns recovery codes in groups for reading, and the SHA-256 of each after
// normalizeCode. A fast hash is enough, because 128 random bits cannot be guessed.
func newRecoveryCodes() (texts []string, hashes [][32]byte) {
	for range recoveryCodes {
		random := make([]byte, recoveryBytes)
		_, _ = rand.Read(random) // never fails, as above
		text := hex.EncodeToString(random)
		var groups []string
		for group := range slices.Chunk([]byte(text), 4) {
			groups = append(groups, string(group))
		}
		texts = append(texts, strings.Join(groups, "-"))
		hashes = append(hashes, sha256.Sum256([]byte(text)))
	}
	return texts, hashes
}
