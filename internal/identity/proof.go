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

// Proof is what a signed-in user gives to show that it is still the same person: the password and, where a second factor is on, a code of
// it or a recovery code.
type Proof struct {
	Password, Code string
	// codeAlone says that a code does without the password.
	codeAlone bool
}

// requirePassword returns an InvalidInput fault for an empty password.
func (p Proof) requirePassword(path string) error { return requirePassword(path, p.Password) }

// verify checks the proof of a signed-in user. Only wrong ones count as attempts, and they count and wait by sign-in: a stolen token has
// one, and must keep the user's other browsers from nothing. Faults: InvalidCredentials for a wrong password or code; SecondFactorRequired
// for no code where one is needed; RateLimited over MaxGuesses, which all proofs share.
func (s *Service) verify(ctx context.Context, p auth.Principal, given Proof, client Client) (users.Credentials, error) {
	leave, err := enter(ctx, s.hashQueues.known, p.SignInID.String())
	if err != nil {
		return users.Credentials{}, err
	}
	defer leave()
	giveBack, err := s.attempt(ctx, s.cfg.Tokens.ThrottleKey("password", p.SignInID.String()), uuid.Nil, MaxGuesses, GuessWindow)
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
	if err == nil || fault.Is(err, fault.SecondFactorRequired) || fault.Is(err, fault.InvalidInput) { // nothing was guessed
		if back := giveBack(); back != nil {
			return users.Credentials{}, back
		}
	}
	return found, err
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
		return fault.New(fault.InvalidCredentials, "The password is wrong.")
	}
	return nil
}

// checkCode uses up a code of the user's second factor, or a recovery code. Users without a factor need none. Faults: SecondFactorRequired
// for no code; wrong for one that does not fit.
func (s *Service) checkCode(ctx context.Context, c users.Credentials, text string, wrong fault.Kind, client Client) error {
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
	fits, err := users.On(s.cfg.Store).UseCode(ctx, c, code, s.cfg.Mail, client.Does("confirmPassword", audit.RecoveryCode))
	switch {
	case err != nil || fits:
		return err
	case c.WrongCodes >= users.MaxWrongCodes:
		return fault.New(wrong, "Too many codes in a row were wrong. Give a recovery code, or ask the operator.")
	default:
		return fault.New(wrong, "The code does not fit. Each one counts once: wait for the next, or give a recovery code.")
	}
}

// readCode tells codes of an app, which are six digits, from recovery codes. All are read in the same time, whether they fit or not.
// Fault: Unavailable when no secret of the service opens that of the factor, so that no right code counts as a wrong one.
func (s *Service) readCode(ctx context.Context, c users.Credentials, text string) (users.Code, error) {
	text = normalizeCode(text)
	if decoded, err := hex.DecodeString(text); err == nil && len(decoded) == recoveryBytes {
		hash := sha256.Sum256([]byte(text))
		return users.Code{Recovery: hash[:]}, nil
	}
	secret, ok := s.cfg.Tokens.Decrypt(c.UserID, c.SecondFactorSecret)
	if !ok {
		s.cfg.Logger.WarnContext(ctx, "no JWT_SECRET opens the secret of a second factor", slog.String("user", c.UserID.String()))
		return users.Code{}, fault.New(fault.Unavailable,
			"Codes cannot be checked now: the service lacks the secret that opens yours. Give a recovery code, or ask the operator.")
	}
	return users.Code{Step: auth.FitTOTP(secret, text, c.Now)}, nil
}

// normalizeCode is a code as it was made: people write it in groups, with spaces or hyphens, and in capitals.
func normalizeCode(text string) string {
	return strings.ToLower(strings.NewReplacer(" ", "", "\u00a0", "", "-", "").Replace(strings.TrimSpace(text)))
}
