package chat_test

import (
	"strings"
	"sync"
	"testing"

	"agentchat/internal/chat"
	"agentchat/internal/fault"
	"agentchat/internal/store/storetest"
)

// listener records a reply's stream; first is closed at its first text.
type listener struct {
	mu    sync.Mutex
	begun []chat.BegunTurn
	text  strings.Builder
	first chan struct{}
}

func newListener() *listener { return &listener{first: make(chan struct{})} }

func (l *listener) Begun(b chat.BegunTurn) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.begun = append(l.begun, b)
}

func (l *listener) Text(piece string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.text.Len() == 0 {
		close(l.first)
	}
	l.text.WriteString(piece)
}

func (l *listener) received() (begun int, text string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.begun), l.text.String()
}

func TestStreamIsWhatIsStored(t *testing.T) {
	t.Parallel()
	b := newSetup(t, 1)
	f := storetest.Seed(t, b.store, storetest.Options{})
	l := newListener()
	msg := newMessage(f, "s", "[[sandbox words=200]]")
	msg.Stream, msg.IdempotencyKey = l, "one"
	answer := send(t, b.replicas[0], msg)
	if begun, text := l.received(); begun != 1 || text != answer.Reply ||
		l.begun[0].MessageID != answer.MessageID ||
		l.begun[0].Session != "s" || l.begun[0].Caller == nil {
		t.Errorf("streamed %+v and %d bytes of %d", l.begun, len(text), len(answer.Reply))
	}
	again := newListener()
	msg.Stream = again
	if replay := send(t, b.replicas[0], msg); !replay.Replayed {
		t.Error("no replay")
	}
	if begun, text := again.received(); begun != 0 || text != "" {
		t.Errorf("a replay streamed %d turns and %q", begun, text)
	}
}

// TestStop tests that a message that is stopped before the first text fails and counts as an unpaid
// call. If it is stopped later, the reply so far is stored at the full price.
func TestStop(t *testing.T) {
	t.Parallel()
	b := newSetup(t, 1)
	f := storetest.Seed(t, b.store, storetest.Options{})
	useUnpaidCalls(t, b.store, f, 30)
	before := unpaidTAT(t, b.store, f)
	stop := make(chan struct{})
	early := newTestMessage(f, "s", "[[sandbox delay=5m]]")
	early.Stop, early.Stream = stop, begunThen(func() { close(stop) })
	wantFault(t, b.replicas[0], early, fault.Stopped)
	if stored, n := endOf(t, b.store, early.RequestID), spent(t, b.store, f, before); n != 1 ||
		stored != "FAILED sandbox/assistant false 1 stopped" {
		t.Errorf("before the first text: %s, %g unpaid calls", stored, n)
	}
	wantCredits(t, b.store, f, 100)

	l, stop := newListener(), make(chan struct{})
	late := newTestMessage(f, "s", "[[sandbox words=5000 pace=5ms]]")
	late.Stream, late.Stop = l, stop
	go func() {
		<-l.first
		close(stop)
	}()
	got := send(t, b.replicas[0], late)
	if got.Reply != l.text.String() || got.FinishReason != chat.FinishStopped ||
		len(strings.Fields(got.Reply)) > 4000 ||
		endOf(t, b.store, late.RequestID) != "ANSWERED sandbox/assistant false 1" {
		t.Errorf("after the first text: %+v, streamed %q", got, l.text.String())
	}
	wantCredits(t, b.store, f, 99)
}

// begunThen is a stream that calls a function when its turn has begun.
type begunThen func()

func (f begunThen) Begun(chat.BegunTurn) { f() }
func (begunThen) Text(string)            {}
