package auth_test

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/crypto/argon2"

	"agentchat/internal/auth"
)

const password = "correct horse battery staple"

// phc returns a hash at a low cost, without the code under test.
func phc(t *testing.T, memory, passes uint32, threads uint8, salt, secret string, length uint32) string {
	t.Helper()
	b64 := base64.RawStdEncoding
	key := argon2.IDKey([]byte(secret), []byte(salt), passes, memory, threads, length)
	return fmt.Sprintf("$argon2id$v=19$m=%d,t=%d,p=%d$%s$%s", memory, passes, threads,
		b64.EncodeToString([]byte(salt)), b64.EncodeToString(key))
}

func TestHashVerifies(t *testing.T) {
	t.Parallel()
	hasher := auth.NewHasher()
	for _, secret := range []string{password, " пароль-密码-🔑 ", "nul\x00" + strings.Repeat("x", 1024)} {
		hash, err := hasher.Hash(t.Context(), secret)
		if err != nil {
			t.Fatalf("Hash: %v", err)
		}
		for attempt, want := range map[string]bool{secret: true, secret + " ": false, strings.TrimSpace(secret) + "!": false} {
			got, err := hasher.Verify(t.Context(), hash, attempt)
			if err != nil || got != want {
				t.Errorf("Verify of %q against the hash of %q = %v, %v; want %v", attempt, secret, got, err, want)
			}
		}
	}
}

func TestHashForm(t *testing.T) {
	t.Parallel()
	hasher := auth.NewHasher()
	form := regexp.MustCompile(`^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$`)
	seen := map[string]bool{}
	for range 3 {
		hash, err := hasher.Hash(t.Context(), password)
		if err != nil {
			t.Fatalf("Hash: %v", err)
		}
		if !form.MatchString(hash) {
			t.Errorf("the hash %q does not match %v", hash, form)
		}
		if seen[hash] {
			t.Errorf("two hashes of one password are equal: the salt is not random")
		}
		seen[hash] = true
	}
}

// TestVerifyForeignHashes checks hashes of other implementations. The first two are test vectors of
// the argon2 reference implementation (src/test.c).
func TestVerifyForeignHashes(t *testing.T) {
	t.Parallel()
	hasher := auth.NewHasher()
	cases := []struct{ name, hash, secret string }{
		{"reference test vector, 64 MiB", "$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$" +
			"CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc", "password"},
		{"reference test vector, 256 KiB, two lanes", "$argon2id$v=19$m=256,t=2,p=2$c29tZXNhbHQ$" +
			"bQk8UB/VmZZF4Oo79iDXuL5/0ttZwg2f/5U52iv1cDc", "password"},
		{"another cost and lengths", phc(t, 64, 3, 2, "0123456789abcdefghij", password, 24), password},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if ok, err := hasher.Verify(t.Context(), c.hash, c.secret); err != nil || !ok {
				t.Errorf("Verify with the right password = %v, %v", ok, err)
			}
			if ok, err := hasher.Verify(t.Context(), c.hash, c.secret+"x"); err != nil || ok {
				t.Errorf("Verify with a wrong password = %v, %v", ok, err)
			}
		})
	}
}

func TestVerifyRefusesOddHashes(t *testing.T) {
	t.Parallel()
	hasher := auth.NewHasher()
	good := phc(t, 64, 1, 1, "0123456789abcdef", password, 32)
	if ok, err := hasher.Verify(t.Context(), good, password); !ok || err != nil {
		t.Fatalf("the base of this table does not verify: %v, %v", ok, err)
	}
	swap := func(old, with string) string { return strings.Replace(good, old, with, 1) }
	cases := map[string]string{
		"empty":                   "",
		"plain text":              password,
		"bcrypt":                  "$2a$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy",
		"argon2i":                 swap("argon2id", "argon2i"),
		"older version":           swap("v=19", "v=16"),
		"no version":              swap("$v=19", ""),
		"4 GiB of memory":         swap("m=64", "m=4194304"),
		"just over the bound":     swap("m=64", "m=262145"),
		"memory past 32 bits":     swap("m=64", "m=4294967360"),
		"a thousand passes":       swap("t=1", "t=1000"),
		"no passes":               swap("t=1", "t=0"),
		"no lanes":                swap("p=1", "p=0"),
		"255 lanes":               swap("p=1", "p=255"),
		"256 lanes (wraps to 0)":  swap("p=1", "p=256"),
		"less than 8 KiB a lane":  swap("m=64", "m=7"),
		"negative":                swap("m=64", "m=-64"),
		"signed":                  swap("m=64", "m=+64"),
		"leading zero":            swap("m=64", "m=064"),
		"another order":           swap("m=64,t=1", "t=1,m=64"),
		"a parameter too many":    swap("p=1", "p=1,keyid=AA"),
		"short salt":              swap("MDEyMzQ1Njc4OWFiY2RlZg", "MDEy"),
		"padded salt":             swap("MDEyMzQ1Njc4OWFiY2RlZg", "MDEyMzQ1Njc4OWFiY2RlZg=="),
		"line break in the salt":  swap("MDEyMzQ1Njc4OWFiY2RlZg", "MDEyMzQ1Njc4\nOWFiY2RlZg"),
		"empty key":               good[:strings.LastIndex(good, "$")+1],
		"short key":               good[:strings.LastIndex(good, "$")+1] + "AAAA",
		"a part too many":         good + "$",
		"something in front":      "x" + good,
		"a key of a megabyte":     good + strings.Repeat("A", 1<<20),
		"url alphabet in the key": good[:len(good)-2] + "-_",
	}
	for name, hash := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ok, err := hasher.Verify(t.Context(), hash, password)
			if ok || err == nil {
				t.Fatalf("Verify = %v, %v, and no error", ok, err)
			}
			if strings.Contains(err.Error(), "MDEy") || strings.Contains(err.Error(), password) {
				t.Errorf("the error %q holds part of the hash or the password", err)
			}
		})
	}
}

func TestHasherHonoursTheContext(t *testing.T) {
	t.Parallel()
	hasher := auth.NewHasher()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := hasher.Hash(ctx, password); !errors.Is(err, context.Canceled) {
		t.Errorf("Hash under an ended context: %v", err)
	}
	hash := phc(t, 64, 1, 1, "0123456789abcdef", password, 32)
	if ok, err := hasher.Verify(ctx, hash, password); ok || !errors.Is(err, context.Canceled) {
		t.Errorf("Verify under an ended context: %v, %v", ok, err)
	}
	if err := hasher.VerifyDummy(ctx, password); !errors.Is(err, context.Canceled) {
		t.Errorf("VerifyDummy under an ended context: %v", err)
	}
}

// With all four slots taken by slow hashes, a fifth caller waits, leaves when its context ends, and
// the next gets a slot once one is free again.
func TestAtMostFourAtOnce(t *testing.T) {
	t.Parallel()
	hasher := auth.NewHasher()
	slots, release := auth.OccupySlots(hasher)
	if slots < 1 || slots > 4 {
		t.Errorf("%d hashes may be computed at once, want 1 to 4", slots)
	}
	for cores, want := range map[int]int{1: 1, 2: 1, 3: 1, 4: 2, 8: 4, 64: 4} {
		if got := auth.ConcurrentHashes(cores); got != want {
			t.Errorf("%d cores: %d hashes at once, want %d", cores, got, want)
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if _, err := hasher.Hash(ctx, password); !errors.Is(err, context.DeadlineExceeded) {
		t.Fatalf("one hash more did not wait: %v", err)
	}
	var wg sync.WaitGroup
	waiting := make(chan error, 1)
	wg.Go(func() { waiting <- hasher.VerifyDummy(t.Context(), password) })
	release()
	wg.Wait()
	if err := <-waiting; err != nil {
		t.Errorf("a waiting hash did not get the freed slot: %v", err)
	}
}

// A refusal for an unknown address does the same work as one for a wrong password: about the same
// memory is allocated, which is what argon2 costs, and no clock is needed to tell.
func TestDummyCostsTheSame(t *testing.T) { //nolint:paralleltest // counts the process's allocations
	hasher := auth.NewHasher()
	hash, err := hasher.Hash(t.Context(), password)
	if err != nil {
		t.Fatalf("Hash: %v", err)
	}
	real := bytesPerRun(func() { _, _ = hasher.Verify(t.Context(), hash, "wrong password") })
	dummy := bytesPerRun(func() { _ = hasher.VerifyDummy(t.Context(), "wrong password") })
	if ratio := float64(dummy) / float64(real); ratio < 0.95 || ratio > 1.05 || real < 19<<20 {
		t.Errorf("a dummy takes %d bytes, a real one %d", dummy, real)
	}
}

// bytesPerRun counts what f allocates. Only meaningful in a test that is not parallel: those run
// while no other does.
func bytesPerRun(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}
