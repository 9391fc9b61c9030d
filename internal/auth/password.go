// Package auth holds password hashes, tokens and principals.
package auth

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"fmt"
	"runtime"
	"strconv"
	"strings"

	"golang.org/x/crypto/argon2"
)

// The cost of new hashes: argon2id with 19 MiB, two passes and one lane, from OWASP's password
// storage guidance. Hashes with another cost still verify.
const (
	argonMemory  = 19 * 1024 // KiB
	argonTime    = 2
	argonThreads = 1
	saltLength   = 16
	keyLength    = 32
)

// Bounds of the parameters in a stored hash, so that a manipulated one cannot exhaust memory or
// CPU.
const (
	maxArgonMemory  = 256 * 1024 // KiB
	maxArgonTime    = 16
	maxArgonThreads = 16
	minSaltLength   = 8 // RFC 9106, section 3.1
	maxSaltLength   = 64
	minKeyLength    = 16
	maxKeyLength    = 64
	maxPHCLength    = 512
)

// maxConcurrent is the most hashes that a Hasher computes at once, so that a flood of sign-ins
// takes at most 4 times 19 MiB. The small Hasher takes another 19 MiB.
const maxConcurrent = 4

// concurrentHashes returns the number of hashes to compute at once. Half of the cores stay free for
// chats.
func concurrentHashes(cores int) int { return min(maxConcurrent, max(1, cores/2)) }

var errMalformedHash = errors.New("auth: the stored password hash is malformed or out of bounds")

// Hasher hashes and verifies passwords with argon2id (RFC 9106), at most four at once and on at
// most half of the cores. It is safe for concurrent use.
type Hasher struct {
	slots chan struct{}
}

// NewHasher returns a Hasher. Use one per process, because each has its own limit.
func NewHasher() *Hasher {
	return &Hasher{slots: make(chan struct{}, concurrentHashes(runtime.GOMAXPROCS(0)))}
}

// NewSmallHasher returns a Hasher that computes one hash at a time. It is for the few passwords
// that must not wait for many others.
func NewSmallHasher() *Hasher { return &Hasher{slots: make(chan struct{}, 1)} }

// Hash returns the password's hash as a PHC string with a new random salt, or the context's error
// if that ends first.
func (h *Hasher) Hash(ctx context.Context, password string) (string, error) {
	p := defaults()
	p.salt = make([]byte, saltLength)
	_, _ = rand.Read(p.salt) // never fails: crypto/rand ends the process instead (Go 1.24)
	var err error
	if p.key, err = h.derive(ctx, p, keyLength, password); err != nil {
		return "", err
	}
	return p.String(), nil
}

// Verify reports whether phc is the password's hash, in constant time for hashes of the same cost.
// It returns an error if the context ends, or if phc is malformed or out of bounds. No error
// contains any part of phc or the password.
func (h *Hasher) Verify(ctx context.Context, phc, password string) (bool, error) {
	p, err := parsePHC(phc)
	if err != nil {
		return false, err
	}
	key, err := h.derive(ctx, p, uint32(len(p.key)), password)
	if err != nil {
		return false, err
	}
	return subtle.ConstantTimeCompare(key, p.key) == 1, nil
}

// VerifyDummy takes as long as Verify and accepts nothing. It is for addresses without a user, so
// that the time of a refusal does not reveal whether a user exists. It returns the context's error.
func (h *Hasher) VerifyDummy(ctx context.Context, password string) error {
	p := defaults()
	p.salt = make([]byte, saltLength)
	_, err := h.derive(ctx, p, keyLength, password)
	return err
}

// derive computes the key when a slot is free.
func (h *Hasher) derive(
	ctx context.Context, p params, length uint32, password string,
) ([]byte, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	select {
	case h.slots <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	defer func() { <-h.slots }()
	return argon2.IDKey([]byte(password), p.salt, p.time, p.memory, p.threads, length), nil
}

// params holds the parts of a PHC string.
type params struct {
	memory  uint32
	time    uint32
	threads uint8
	salt    []byte
	key     []byte
}

func defaults() params {
	return params{memory: argonMemory, time: argonTime, threads: argonThreads}
}

// String writes the PHC string: $argon2id$v=19$m=…,t=…,p=…$salt$key, in base64 without padding.
// https://github.com/P-H-C/phc-string-format/blob/master/phc-sf-spec.md
func (p params) String() string {
	b64 := base64.RawStdEncoding
	cost := fmt.Sprintf("m=%d,t=%d,p=%d", p.memory, p.time, p.threads)
	return fmt.Sprintf("$argon2id$v=%d$%s$%s$%s",
		argon2.Version, cost, b64.EncodeToString(p.salt), b64.EncodeToString(p.key))
}

// parsePHC reads a PHC string strictly: parameters in a fixed order, as plain decimal numbers
// within their bounds.
func parsePHC(phc string) (params, error) {
	parts := strings.Split(phc, "$")
	if len(phc) > maxPHCLength || len(parts) != 6 || parts[0] != "" || parts[1] != "argon2id" ||
		parts[2] != "v="+strconv.Itoa(argon2.Version) {
		return params{}, errMalformedHash
	}
	costs := strings.Split(parts[3], ",")
	if len(costs) != 3 {
		return params{}, errMalformedHash
	}
	memory, okM := cost(costs[0], "m=", maxArgonMemory)
	time, okT := cost(costs[1], "t=", maxArgonTime)
	threads, okP := cost(costs[2], "p=", maxArgonThreads)
	salt, okS := decodeBase64(parts[4], minSaltLength, maxSaltLength)
	key, okK := decodeBase64(parts[5], minKeyLength, maxKeyLength)
	if !okM || !okT || !okP || !okS || !okK || memory < 8*threads {
		return params{}, errMalformedHash
	}
	return params{memory: memory, time: time, threads: uint8(threads), salt: salt, key: key}, nil
}

// cost reads "name=number", with a number from 1 to limit without a sign or a leading zero.
func cost(text, prefix string, limit uint32) (uint32, bool) {
	digits, ok := strings.CutPrefix(text, prefix)
	if !ok {
		return 0, false
	}
	n, err := strconv.ParseUint(digits, 10, 32)
	if err != nil || n < 1 || n > uint64(limit) || strconv.FormatUint(n, 10) != digits {
		return 0, false
	}
	return uint32(n), true
}

func decodeBase64(text string, shortest, longest int) ([]byte, bool) {
	out, err := base64.RawStdEncoding.Strict().DecodeString(text)
	skippedByDecoder := strings.ContainsAny(text, "\r\n")
	if err != nil || len(out) < shortest || len(out) > longest || skippedByDecoder {
		return nil, false
	}
	return out, true
}
