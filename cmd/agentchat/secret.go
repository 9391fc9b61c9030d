package main

import (
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"agentchat/internal/auth"
)

// secretFile holds the generated JWT secret in the data directory.
const secretFile = "jwt_secret"

// errNoSecret reports a missing secret: replicas could not agree on a generated one.
var errNoSecret = usagef("JWT_SECRET (--jwt-secret) is required with DATABASE_URL, the same for all replicas: "+
	"at least %d bytes, for instance from: openssl rand -base64 48", minSecretBytes)

// tokens returns an issuer that signs with the secret and also accepts tokens of the previous one.
func (s *secretSettings) tokens(database *databaseSettings) (*auth.Tokens, error) {
	secret, err := s.signingSecret(database)
	if err != nil {
		return nil, err
	}
	if s.JWTSecretPrevious == "" {
		return auth.NewTokens(secret)
	}
	return auth.NewTokens(secret, []byte(s.JWTSecretPrevious))
}

// signingSecret returns the configured secret, or the one in the data directory. The first start
// generates it. A damaged file is an error: a new secret would end every sign-in.
func (s *secretSettings) signingSecret(database *databaseSettings) ([]byte, error) {
	if s.JWTSecret != "" {
		return []byte(s.JWTSecret), nil
	}
	if !database.embedded() {
		return nil, errNoSecret
	}
	path := filepath.Join(database.DataDir, secretFile)
	content, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return makeSecret(path)
	}
	if err != nil {
		return nil, fmt.Errorf("cannot read the generated secret %s: %w", path, plainFileError(err))
	}
	secret := strings.TrimSpace(string(content))
	if len(secret) < minSecretBytes {
		return nil, fmt.Errorf("the generated secret %s is damaged: remove the file for a new one, "+
			"which ends all sign-ins", path)
	}
	return []byte(secret), nil
}

func makeSecret(path string) ([]byte, error) {
	var random [48]byte
	_, _ = rand.Read(random[:]) // never fails (Go 1.24)
	secret := base64.RawStdEncoding.EncodeToString(random[:])
	if err := writePrivateFile(path, []byte(secret+"\n")); err != nil {
		return nil, fmt.Errorf("cannot keep the generated secret: %w", err)
	}
	return []byte(secret), nil
}

// writePrivateFile replaces a file atomically. Only its owner can read it. It creates a missing
// directory.
func writePrivateFile(path string, content []byte) error {
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	temporary, err := os.CreateTemp(dir, "."+filepath.Base(path)+"-*") // 0600
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(temporary.Name()) }()
	_, err = temporary.Write(content)
	if err == nil {
		err = temporary.Sync()
	}
	if closeErr := temporary.Close(); err == nil {
		err = closeErr
	}
	if err == nil {
		err = os.Rename(temporary.Name(), path)
	}
	return err
}
