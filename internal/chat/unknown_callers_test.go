package chat_test

import (
	"context"
	"crypto/rand"
	"net/netip"
	"sync"
	"sync/atomic"
	"testing"

	"agentchat/internal/apikey"
	"agentchat/internal/chat"
	"agentchat/internal/fault"
	"agentchat/internal/store/storetest"
)

// overtakes checks that a quiet call ends before most of many noisy ones that came before it, all
// of them while the database had no time.
func overtakes(t *testing.T, b *setup, noisy, quiet func()) {
	t.Helper()
	const calls = 2000
	held, err := b.store.SQL().BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = held.Rollback() }()
	if _, err := held.ExecContext(t.Context(), `LOCK TABLE api_keys IN ACCESS EXCLUSIVE MODE`); err != nil {
		t.Fatal(err)
	}
	var begun, ended atomic.Int64
	var all sync.WaitGroup
	for range calls {
		all.Go(func() {
			begun.Add(1)
			noisy()
			ended.Add(1)
		})
	}
	eventually(t, func() bool { return begun.Load() == calls })
	before := make(chan int64)
	go func() {
		begun.Add(1)
		quiet()
		before <- ended.Load()
	}()
	eventually(t, func() bool { return begun.Load() == calls+1 })
	if err := held.Rollback(); err != nil {
		t.Fatal(err)
	}
	if n := <-before; n > calls/2 {
		t.Errorf("%d of %d noisy calls ended before the quiet one", n, calls)
	}
	all.Wait()
}

// TestNewKeyBesideMadeUpOnes tests that a good key that this process has not seen waits for few of
// the made-up ones from another network, for messages and for key checks.
func TestNewKeyBesideMadeUpOnes(t *testing.T) {
	t.Parallel()
	for name, call := range map[string]func(context.Context, *chat.Service, chat.Message) error{
		"messages": func(ctx context.Context, s *chat.Service, msg chat.Message) error {
			_, err := s.Send(ctx, msg)
			return err
		},
		"key checks": func(ctx context.Context, s *chat.Service, msg chat.Message) error {
			_, err := s.CheckKey(ctx, msg.Key, msg.Address)
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newSetup(t, 1)
			f := storetest.Seed(t, b.store, storetest.Options{})
			overtakes(t, b, func() {
				var key apikey.Hash
				var host [1]byte
				_, _ = rand.Read(key[:])
				_, _ = rand.Read(host[:])
				text := "s"
				msg := chat.Message{Key: key, Text: "hello", Session: &text,
					Address: netip.AddrFrom4([4]byte{203, 0, 113, host[0]})}
				if err := call(t.Context(), b.replicas[0], msg); !fault.Is(err, fault.Unauthorized) {
					t.Errorf("a made-up key: %v", err)
				}
			}, func() {
				msg := newMessage(f, "s", "hello")
				msg.Address = netip.MustParseAddr("198.51.100.7")
				if err := call(t.Context(), b.replicas[0], msg); err != nil {
					t.Error(err)
				}
			})
		})
	}
}

// TestKeyChecksTakeTurns tests that a key check waits for few of another account's.
func TestKeyChecksTakeTurns(t *testing.T) {
	t.Parallel()
	b := newSetup(t, 1)
	known := func() func() {
		f := storetest.Seed(t, b.store, storetest.Options{})
		check := func() {
			if _, err := b.replicas[0].CheckKey(t.Context(), f.Key.Hash(), netip.Addr{}); err != nil &&
				!fault.Is(err, fault.RateLimited) {
				t.Error(err)
			}
		}
		check() // from now on the key is known
		return check
	}
	overtakes(t, b, known(), known())
}
