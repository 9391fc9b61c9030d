package identity

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"log/slog"
	"strings"

	"github.com/google/uuid"

	"agentchat/internal/auth"
	"agentchat/internal/fault"
	"agentchat/internal/store/audit"
	"agentchat/internal/store/users"
)

// Reauthentication holds the credentials with which a signed-in user reauthenticates: the password
// and, if a second factor is on, a code or a recovery code.
type Reauthentication struct {
	Password, Code string
	// codeAlone accepts a code without the password.
	codeAlone bool
}

// requirePassword returns an InvalidInput fault for an empty password.
func (r Reauthentication) requirePassword(path string) error {
	return requirePassword(path, r.Password)
}

// verify reauthenticates a signed-in user. Only wrong credentials count as attempts. Attempts are
// counted and queued per sign-in, so that the holder of a stolen token cannot lock out the user's
// other browsers. Faults: InvalidCredentials for a wrong password or code; SecondFactorRequired if
// a code is needed and missing; RateLimited over MaxGuesses, which all reauthentication shares.
func (s *Service) verify(
	ctx context.Context, p auth.Principal, given Reauthentication, client Client,
) (users.Credentials, error) {
	leave, err := enter(ctx, s.hashQueues.known, p.SignInID.String())
	if err != nil {
		return users.Credentials{}, err
	}
	defer leave()
	giveBack, err := s.attempt(ctx, s.reauthenticationKey(p), uuid.Nil, MaxGuesses, GuessWindow)
	if err != nil {
		return users.Credentials{}, err
	}
	found, err := users.On(s.cfg.Store).Credentials(ctx, p.UserID)
	if fault.Is(err, fault.NotFound) {
		return users.Credentials{}, fault.Wrap(fault.Unauthorized, err)
	}
	if err == nil && (found.SecondFactorAt == nil || !given.codeAlone) {
		err = s.checkPassword(ctx, found, given.Password)
	}
	if err == nil {
		err = s.checkCode(ctx, found, given.Code, fault.InvalidCredentials, client)
	}
	nothingGuessed := fault.Is(err, fault.SecondFactorRequired) || fault.Is(err, fault.InvalidInput)
	if err == nil || nothingGuessed {
		if back := giveBack(); back != nil {
			return users.Credentials{}, back
		}
	}
	return found, err
}

// reauthenticationKey returns the key that counts the wrong passwords and codes of a sign-in.
func (s *Service) reauthenticationKey(p auth.Principal) [32]byte {
	return s.cfg.Tokens.ThrottleKey("password", p.SignInID.String())
}

// checkPassword checks the password of a signed-in user.
func (s *Service) checkPassword(ctx context.Context, c users.Credentials, password string) error {
	if err := requirePassword("password", password); err != nil {
		return err
	}
	right, err := s.known.Verify(ctx, c.PasswordHash, password)
	if err != nil {
		return hashFault(err)
	}
	if !right {
		return fault.New(fault.InvalidCredentials, "Wrong password.")
	}
	return nil
}

// checkCode uses up a code of the user's second factor, or a recovery code. It accepts users
// without a second factor. Faults: SecondFactorRequired for no code; the kind in wrong for an
// invalid code.
func (s *Service) checkCode(
	ctx context.Context, c users.Credentials, text string, wrong fault.Kind, client Client,
) error {
	if c.SecondFactorAt == nil {
		return nil
	}
	if text == "" {
		return fault.Wrap(fault.SecondFactorRequired, nil)
	}
	code, err := s.readCode(ctx, c, text)
	if err != nil {
		return err
	}
	entry := client.Does("confirmPassword", audit.RecoveryCode)
	valid, err := users.On(s.cfg.Store).UseCode(ctx, c, code, s.cfg.Mail, entry)
	switch {
	case err != nil || valid:
		return err
	case c.WrongCodes >= users.MaxWrongCodes:
		return fault.New(wrong,
			"Too many wrong codes. Use a recovery code or contact the operator.")
	default:
		return fault.New(wrong, "Wrong code. Each works once. "+
			"Wait for the next one or use a recovery code.")
	}
}

// readCode tells an app's code of six digits from a recovery code, in constant time. Fault:
// Unavailable when the factor's secret cannot be decrypted, so that a right code does not count as
// wrong.
func (s *Service) readCode(
	ctx context.Context, c users.Credentials, text string,
) (users.Code, error) {
	text = normalizeCode(text)
	if decoded, err := hex.DecodeString(text); err == nil && len(decoded) == recoveryBytes {
		hash := sha256.Sum256([]byte(text))
		return users.Code{Recovery: hash[:]}, nil
	}
	secret, ok := s.cfg.Tokens.Decrypt(c.UserID, c.SecondFactorSecret)
	if !ok {
		s.cfg.Logger.WarnContext(ctx, "cannot decrypt a second factor with any JWT_SECRET",
			slog.String("user", c.UserID.String()))
		return users.Code{}, fault.New(fault.Unavailable, "This service can’t check codes right now. "+
			"Use a recovery code or contact the operator.")
	}
	return users.Code{Step: auth.FitTOTP(secret, text, c.Now)}, nil
}

// normalizeCode removes spaces and hyphens between groups of digits, and lowers capital letters.
func normalizeCode(text string) string {
	separators := strings.NewReplacer(" ", "", "\u00a0", "", "-", "")
	return strings.ToLower(separators.Replace(strings.TrimSpace(text)))
}
