package chat_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sync"
	"testing"
	"time"

	"agentchat/internal/chat"
	"agentchat/internal/fault"
	"agentchat/internal/llm"
	"agentchat/internal/llm/catalogue"
	"agentchat/internal/store/storetest"
)

// answer is an answer of a scripted model: it sends the text of its reply, in two pieces, before its
// error.
type answer = func(context.Context) (llm.Reply, error)

// scripted is a model that gives its answers in turn, then the last one again, and keeps the
// requests.
type scripted struct {
	mu      sync.Mutex
	answers []answer
	asked   []llm.Request
}

func script(answers ...answer) *scripted { return &scripted{answers: answers} }

func (m *scripted) Generate(ctx context.Context, req llm.Request, emit func(string) error) (llm.Reply, error) {
	m.mu.Lock()
	next := m.answers[min(len(m.asked), len(m.answers)-1)]
	m.asked = append(m.asked, req)
	m.mu.Unlock()
	reply, failure := next(ctx)
	for _, piece := range []string{reply.Text[:len(reply.Text)/2], reply.Text[len(reply.Text)/2:]} {
		if err := emit(piece); err != nil && failure == nil {
			return reply, err
		}
	}
	if failure != nil {
		return llm.Reply{}, failure
	}
	return reply, nil
}

// last returns the latest request.
func (m *scripted) last() llm.Request { return m.asked[len(m.asked)-1] }

func says(text string) answer { return endsAs(text, llm.FinishStop) }

func endsAs(text string, finish llm.FinishReason) answer {
	return func(context.Context) (llm.Reply, error) {
		return llm.Reply{
			Text:         text,
			Finish:       finish,
			InputTokens:  new(int64(1000)),
			OutputTokens: new(int64(10)),
		}, nil
	}
}

func fails(err error) answer { return failsAfter("", err) }

func failsAfter(text string, err error) answer {
	return func(context.Context) (llm.Reply, error) { return llm.Reply{Text: text}, err }
}

func panics(context.Context) (llm.Reply, error) { panic("a bug in an adapter") }

// byProvider is a failure that only the provider or the operator can cause.
func byProvider(kind fault.Kind) error { return fault.Wrap(kind, llm.ErrProvider) }

// end is the end of a turn: a reply for a credit, or a failure with the unpaid calls that it takes.
type end struct {
	finish llm.FinishReason
	kind   fault.Kind
	unpaid float64
}

func paid(finish llm.FinishReason) end           { return end{finish: finish, unpaid: -1} }
func failed(kind fault.Kind, unpaid float64) end { return end{kind: kind, unpaid: unpaid} }

// TestEveryEndOfAReply tests that sent text is paid for, however the reply ends, unless the
// provider failed. Without sent text, a failure costs nothing. A failure takes an unpaid call if an
// owner or a caller can provoke it, and a charge gives one back.
func TestEveryEndOfAReply(t *testing.T) {
	t.Parallel()
	const stop, length, blocked, text = llm.FinishStop, llm.FinishLength, llm.FinishBlocked, "Hello"
	broken, brokenByProvider := failed(fault.ModelError, 1), failed(fault.ModelError, 0)
	refused, late := failed(fault.ContentBlocked, 1), failed(fault.ModelTimeout, 1)
	busy, ownFault := failed(fault.ModelUnavailable, 0), failed(fault.InsufficientCredits, 0)
	m := script(nil)
	b := newSetup(t, 1, offering(m))
	for _, tc := range []struct {
		name            string
		answer          answer
		whole, streamed end
	}{
		{"a reply", says(text), paid(stop), paid(stop)},
		{"cut at its limit", endsAs(text, length), paid(length), paid(length)},
		{"blocked after a text", endsAs(text, blocked), paid(blocked), paid(blocked)},
		{"a reason that is not known", endsAs(text, "tired"), paid(stop), paid(stop)},
		{"no text", says(""), broken, broken},
		{"cut before any text", endsAs("", length), broken, broken},
		{"blocked at once", endsAs("", blocked), refused, refused},
		{"a refused message", fails(fault.New(fault.ModelError, "")), broken, broken},
		{"late", fails(fault.New(fault.ModelTimeout, "")), late, late},
		{"a panic", panics, failed(fault.Internal, 1), failed(fault.Internal, 1)},
		{"a fault of the service's own", fails(byProvider(fault.InsufficientCredits)), ownFault, ownFault},
		{"the provider fails", fails(byProvider(fault.ModelError)), brokenByProvider, brokenByProvider},
		{"the provider fails after a text", failsAfter(text, byProvider(fault.ModelError)), brokenByProvider, broken},
		{"the provider is overloaded after a text", failsAfter(text, byProvider(fault.ModelUnavailable)),
			busy, failed(fault.ModelUnavailable, 1)},
		{"busy after a text", failsAfter(text, fault.New(fault.ModelUnavailable, "")), busy, paid(stop)},
		{"an error after a text", failsAfter(text, fault.New(fault.ModelError, "")), broken, paid(stop)},
		{"an unknown error after a text", failsAfter(text, errors.New("a bug")), broken, paid(stop)},
		{"refused after a text", failsAfter(text, fault.New(fault.ContentBlocked, "")), refused, paid(blocked)},
		{"too long", failsAfter(text, fault.Wrap(fault.ModelError, llm.ErrTooLong)), broken, paid(length)},
		{"late after a text", failsAfter(text, fault.New(fault.ModelTimeout, "")), late, paid(chat.FinishTimeout)},
	} {
		m.answers = []answer{tc.answer}
		for source, message := range map[string]func(storetest.Fixture, string, string) chat.Message{
			"API": newMessage, "playground": newTestMessage,
		} {
			for streamed, want := range map[bool]end{false: tc.whole, true: tc.streamed} {
				what := fmt.Sprintf("%s, %s, streamed %t", tc.name, source, streamed)
				f := storetest.Seed(t, b.store, storetest.Options{Model: testModel})
				useUnpaidCalls(t, b.store, f, 30)
				before := unpaidTAT(t, b.store, f)
				msg, l := message(f, "s", "hello"), newListener()
				if streamed {
					msg.Stream = l
				}
				got, err := b.replicas[0].Send(t.Context(), msg)
				stored, unpaid := endOf(t, b.store, msg.RequestID), spent(t, b.store, f, before)
				if want.kind != "" {
					if !fault.Is(err, want.kind) || stored != "FAILED test/model false 1 "+string(want.kind) ||
						unpaid != want.unpaid {
						t.Errorf("%s: %v, stored %s, %g unpaid calls", what, err, stored, unpaid)
					}
					wantCredits(t, b.store, f, 100)
					continue
				}
				if err != nil || stored != "ANSWERED test/model false 1" || unpaid != want.unpaid ||
					got.Answer.FinishReason != want.finish || got.Answer.Reply != text ||
					streamed && l.text.String() != text {
					t.Errorf("%s: %+v, %v, stored %s, %g unpaid calls", what, got.Answer, err, stored, unpaid)
				}
				wantCredits(t, b.store, f, 99)
			}
		}
	}
}

// TestUnpaidCallsOfAFreeModel tests that a model without a price takes no unpaid calls.
func TestUnpaidCallsOfAFreeModel(t *testing.T) {
	t.Parallel()
	b := newSetup(t, 1)
	f := storetest.Seed(t, b.store, storetest.Options{Model: "sandbox/free"})
	useUnpaidCalls(t, b.store, f, 30)
	before := unpaidTAT(t, b.store, f)
	send(t, b.replicas[0], newMessage(f, "s", "hello"))
	wantFault(t, b.replicas[0], newMessage(f, "s", "[[sandbox fail=blocked]]"), fault.ContentBlocked)
	if n := spent(t, b.store, f, before); n != 0 {
		t.Errorf("%g unpaid calls", n)
	}
}

// TestBlockedRepliesAreNoContext tests that a conversation continues without a blocked turn.
func TestBlockedRepliesAreNoContext(t *testing.T) {
	t.Parallel()
	b := newSetup(t, 1)
	f := storetest.Seed(t, b.store, storetest.Options{})
	send(t, b.replicas[0], newMessage(f, "s", "[[sandbox fail=blocked after=3]]"))
	wantSeen(t, "after a blocked reply", b.replicas[0], newMessage(f, "s", ""))
}

// hanging is a model that ignores its context, as a broken adapter would.
type hanging struct{ release chan struct{} }

func (m hanging) Generate(context.Context, llm.Request, func(string) error) (llm.Reply, error) {
	<-m.release
	return llm.Reply{Text: "too late"}, nil
}

// TestModelTimeout tests that a reply ends at the time limit, whatever the model does then. The
// text that was streamed is the reply.
func TestModelTimeout(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	defer close(release)
	b := newSetup(t, 1, func(c *chat.Config) {
		c.ModelTimeout = 300 * time.Millisecond
		c.Catalogue = sandboxOnly(catalogue.Entry{Name: "test/hanging", Model: hanging{release}})
	})
	f := storetest.Seed(t, b.store, storetest.Options{})
	hangs := storetest.Seed(t, b.store, storetest.Options{Model: "test/hanging"})
	slow := newMessage(f, "s", "[[sandbox words=1000 pace=20ms]]")
	wantFault(t, b.replicas[0], newMessage(hangs, "s", "hello"), fault.ModelTimeout)
	wantFault(t, b.replicas[0], slow, fault.ModelTimeout)
	l := newListener()
	slow.Stream = l
	if got := send(t, b.replicas[0], slow); got.FinishReason != chat.FinishTimeout ||
		got.Reply == "" || got.Reply != l.text.String() {
		t.Errorf("streamed %q, answered %+v", l.text.String(), got)
	}
	wantCredits(t, b.store, f, 99)
}

// TestImplausibleTokenCounts tests that such counts are dropped and change no price.
func TestImplausibleTokenCounts(t *testing.T) {
	t.Parallel()
	b := newSetup(t, 1)
	f := storetest.Seed(t, b.store, storetest.Options{})
	counts := fmt.Sprintf("[[sandbox tokens=-1:%d]]", math.MaxInt64)
	if got := send(t, b.replicas[0], newMessage(f, "s", counts)); got.InputTokens != nil ||
		got.OutputTokens != nil || got.CreditsRemaining != 99 {
		t.Errorf("%+v", got)
	}
}
