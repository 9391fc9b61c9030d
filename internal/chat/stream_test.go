package chat_test

import (
	"strings"
	"sync"
	"testing"

	"github.com/google/uuid"

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
	b := newSetup(t, 1, nil)
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
	storetest.Audit(t, b.store)
}

// A message that is stopped before the first text fails and costs nothing; later, the reply so far
// is stored at the full price.
func TestStop(t *testing.T) {
	t.Parallel()
	b := newSetup(t, 1, nil)
	f := storetest.Seed(t, b.store, storetest.Options{})
	s := b.replicas[0]

	stop := make(chan struct{})
	early := newTestMessage(f, "s", "[[sandbox delay=5m]]")
	early.Stop = stop
	early.Stream = begunThen(func() { close(stop) })
	got, err := s.Send(t.Context(), early)
	if !fault.Is(err, fault.Stopped) || got.FailedTurn == uuid.Nil {
		t.Fatalf("before the first text: %+v %v", got, err)
	}
	if state, _, reply := replyOf(t, b.store, got.FailedTurn); state != "FAILED" || reply != "" {
		t.Errorf("before the first text: %s %q", state, reply)
	}
	if left, held := balance(t, b.store, f); left != 100 || held != 0 {
		t.Errorf("before the first text: balance %d, held %d", left, held)
	}

	l, stop := newListener(), make(chan struct{})
	late := newTestMessage(f, "s", "[[sandbox words=5000 pace=5ms]]")
	late.Stream, late.Stop = l, stop
	go func() {
		<-l.first
		close(stop)
	}()
	got, err = s.Send(t.Context(), late)
	if err != nil || got.Answer.CreditsRemaining != 99 {
		t.Fatalf("after the first text: %+v %v", got, err)
	}
	state, _, reply := replyOf(t, b.store, got.Answer.MessageID)
	if _, text := l.received(); state != "ANSWERED" || reply != text || reply == "" ||
		len(strings.Fields(reply)) > 4000 {
		t.Errorf("after the first text: %s, stored %q, streamed %q", state, reply, text)
	}
	var finish string
	query := `SELECT finish_reason FROM turns WHERE id = $1`
	if err := b.store.SQL().QueryRowContext(t.Context(), query,
		got.Answer.MessageID).Scan(&finish); err != nil || finish != "stopped" {
		t.Errorf("finish reason %q %v", finish, err)
	}
	if left, held := balance(t, b.store, f); left != 99 || held != 0 {
		t.Errorf("after the first text: balance %d, held %d", left, held)
	}
	storetest.Audit(t, b.store)
}

// begunThen is a stream that calls a function when its turn has begun.
type begunThen func()

func (f begunThen) Begun(chat.BegunTurn) { f() }
func (begunThen) Text(string)            {}
