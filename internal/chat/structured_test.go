package chat_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"

	"agentchat/internal/agent"
	"agentchat/internal/chat"
	"agentchat/internal/fault"
	"agentchat/internal/llm"
	"agentchat/internal/store"
	"agentchat/internal/store/storetest"
)

const orderSchema = `{"type":"object","required":["note","count"],"additionalProperties":false,
	"properties":{"note":{"type":"string"},"count":{"type":"integer","minimum":1}}}`

// storedShape has the stored fields of a turn.
type storedShape struct {
	state, reply, rejected string
	structured             bool
}

func shapeOf(t *testing.T, s *store.DB, requestID string) (got storedShape) {
	t.Helper()
	err := s.SQL().QueryRowContext(t.Context(), `
		SELECT state, coalesce(reply, ''), coalesce(rejected_reply, ''), coalesce(structured, false)
		FROM turns WHERE request_id = $1`, requestID).
		Scan(&got.state, &got.reply, &got.rejected, &got.structured)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// structuredCase is a row of TestStructuredReplies.
type structuredCase struct {
	name    string
	answers []answer
	hurried bool
	kind    fault.Kind
	details string
	unpaid  float64
	calls   int
}

// TestStructuredReplies tests that a reply that fits is charged once and sent as a whole, as the
// same JSON in the reply, its stream and its replay. One that does not is never sent, costs nothing
// and is shown to its owner. A second attempt has the first reply and its violation, and its tokens
// are added. If it fails by itself, or there is no time for it, the first fault stands.
func TestStructuredReplies(t *testing.T) {
	t.Parallel()
	const (
		fits, doesNot        = `{"note":"a","count":1}`, `{"note":"secret","count":0}`
		tooSmall, tooLong    = "map[path:/count reason:mismatch rule:minimum]", "map[reason:length]"
		noJSON, nothing      = "map[reason:not_json]", "map[]"
		invalid, unavailable = fault.InvalidOutput, fault.ModelUnavailable
	)
	away := fails(byProvider(unavailable))
	for _, tc := range []structuredCase{
		{"fits", []answer{says("```json\n" + fits + "\n```")}, false, "", "", -1, 1},
		{"fits then", []answer{says(doesNot), says(fits)}, false, "", "", 0, 2},
		{"never fits", []answer{says("prose"), says(doesNot)}, false, invalid, tooSmall, 2, 2},
		{"prose", []answer{says("prose")}, false, invalid, noJSON, 2, 2},
		{"not clean", []answer{says("{\"note\":\"a\x00\xff\",\"count\":1}")}, false, invalid, noJSON, 2, 2},
		{"cut", []answer{endsAs(fits[:9], llm.FinishLength)}, false, invalid, tooLong, 1, 1},
		{"cut at its end", []answer{endsAs(fits, llm.FinishLength)}, false, invalid, tooLong, 1, 1},
		{"too long", []answer{says(strings.Repeat(" ", 300_000) + fits)}, false, invalid, tooLong, 1, 1},
		{"then away", []answer{says(doesNot), away}, false, invalid, tooSmall, 1, 2},
		{"then refused", []answer{says(doesNot), fails(fault.New(fault.ContentBlocked, ""))},
			false, invalid, tooSmall, 2, 2},
		{"no time", []answer{says(doesNot), says(fits)}, true, invalid, tooSmall, 1, 1},
		{"away", []answer{away}, false, unavailable, nothing, 0, 1},
		{"blank", []answer{says(" \n")}, false, fault.ModelError, nothing, 1, 1},
		{"blocked after a text", []answer{endsAs("{", llm.FinishBlocked)}, false, fault.ContentBlocked,
			nothing, 1, 1},
		{"late after a text", []answer{failsAfter("{", fault.New(fault.ModelTimeout, ""))},
			false, fault.ModelTimeout, nothing, 1, 1},
		{"the provider fails after a text", []answer{failsAfter("{", byProvider(fault.ModelError))},
			false, fault.ModelError, nothing, 0, 1},
		{"a panic", []answer{panics}, false, fault.Internal, nothing, 1, 1},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			m := script()
			b := newSetup(t, 1, offering(m), func(c *chat.Config) {
				if tc.hurried {
					c.ModelTimeout = 9 * time.Second
				}
			})
			for i, message := range []func(storetest.Fixture, string, string) chat.Message{
				newMessage, newTestMessage,
			} {
				for _, streamed := range []bool{false, true} {
					f := storetest.Seed(t, b.store, storetest.Options{Model: testModel, ReplySchema: orderSchema})
					msg, l := message(f, "s", "How many?"), newListener()
					if msg.IdempotencyKey = "k"; streamed {
						msg.Stream = l
					}
					useUnpaidCalls(t, b.store, f, 20)
					before := unpaidTAT(t, b.store, f)
					m.answers, m.asked = tc.answers, nil
					got, err := b.replicas[0].Send(t.Context(), msg)
					what := fmt.Sprintf("source %d, streamed %t", i, streamed)
					if n := spent(t, b.store, f, before); len(m.asked) != tc.calls || n != tc.unpaid {
						t.Errorf("%s: %d calls, %g unpaid, %v", what, len(m.asked), n, err)
					}
					if len(m.asked) == 2 {
						wantSecondAttempt(t, m.asked[0], m.asked[1])
					}
					stored := shapeOf(t, b.store, msg.RequestID)
					if tc.kind != "" {
						wantRejected(t, what, tc, err, stored, l)
						wantCredits(t, b.store, f, 100)
						continue
					}
					if err != nil || stored != (storedShape{"ANSWERED", fits, "", true}) ||
						streamed && l.text.String() != fits {
						t.Fatalf("%s: %v, stored %+v, sent %q", what, err, stored, l.text.String())
					}
					wantCredits(t, b.store, f, 99)
					if a := got.Answer; a.Reply != fits || !a.Structured || a.FinishReason != llm.FinishStop ||
						*a.InputTokens != int64(1000*tc.calls) || *a.OutputTokens != int64(10*tc.calls) {
						t.Errorf("%s: %+v", what, a)
					}
					wantInputBytes(t, b.store, msg, m.asked)
					if again := send(t, b.replicas[0], msg); !again.Replayed || again.Reply != fits ||
						!again.Structured {
						t.Errorf("%s: replayed %+v", what, again)
					}
					send(t, b.replicas[0], message(f, "s", "And now?"))
					if h := m.last().History; len(h) != 1 ||
						h[0] != (llm.EarlierTurn{User: "How many?", Assistant: fits}) {
						t.Errorf("%s: the next message sees %+v", what, h)
					}
				}
			}
		})
	}
}

// wantRejected checks that nothing was sent of a rejected reply, and that its owner can see it.
func wantRejected(t *testing.T, what string, tc structuredCase, err error, stored storedShape, l *listener) {
	t.Helper()
	failed, _ := errors.AsType[*fault.Error](err)
	if failed == nil || failed.Kind != tc.kind || fmt.Sprint(failed.Details) != tc.details ||
		l.text.Len() > 0 {
		t.Errorf("%s: %v, %+v, sent %q", what, err, failed, l.text.String())
	}
	if stored.state != "FAILED" || stored.reply != "" || stored.structured ||
		(stored.rejected != "") != (tc.kind == fault.InvalidOutput) {
		t.Errorf("%s: stored %+v", what, stored)
	}
}

// wantSecondAttempt checks that the second request quotes the first reply only as a reply.
func wantSecondAttempt(t *testing.T, first, second llm.Request) {
	t.Helper()
	if first.Schema != orderSchema || first.Attempt > 1 || second.Attempt != 2 ||
		len(second.History) != 1 || second.History[0].User != "How many?" ||
		!strings.Contains(second.Message, orderSchema) || strings.Contains(second.Message, "secret") {
		t.Errorf("asked again: %+v after %+v", second, first)
	}
}

// wantInputBytes checks the stored size of all requests of a turn without earlier turns.
func wantInputBytes(t *testing.T, s *store.DB, msg chat.Message, asked []llm.Request) {
	t.Helper()
	bytes := 0
	for _, req := range asked {
		bytes += len(req.Instructions) + len(req.Schema) + len(req.Message)
		for _, e := range req.History {
			bytes += len(e.User) + len(e.Assistant)
		}
	}
	if storetest.CountRows(t, s, `SELECT count(*) FROM turns
		WHERE request_id = $1 AND input_bytes = $2 AND earlier_turns = 0`, msg.RequestID, bytes) != 1 {
		t.Errorf("the turn does not have %d bytes and no earlier turn", bytes)
	}
}

// TestLongRejectedReplies tests that the second attempt gets the whole first reply, and that an
// excerpt of the last one is stored. The database refuses more.
func TestLongRejectedReplies(t *testing.T) {
	t.Parallel()
	first, second := `{"note":"`+strings.Repeat("first", 4500),
		`{"note":"`+strings.Repeat("é", 22_500)+`","count":0}`
	m := script(says(first), says(second))
	b := newSetup(t, 1, offering(m))
	f := storetest.Seed(t, b.store, storetest.Options{Model: testModel, ReplySchema: orderSchema})
	msg := newMessage(f, "s", "How many?")
	wantFault(t, b.replicas[0], msg, fault.InvalidOutput)
	if m.last().History[0].Assistant != first {
		t.Errorf("asked again after %d bytes", len(m.last().History[0].Assistant))
	}
	got := shapeOf(t, b.store, msg.RequestID).rejected
	if utf8.RuneCountInString(got) > 500 || !strings.HasSuffix(got, `ééé","count":0}`) {
		t.Errorf("%d code points: %s", utf8.RuneCountInString(got), got)
	}
	if _, err := b.store.SQL().ExecContext(t.Context(),
		`UPDATE turns SET rejected_reply = repeat('é', 501)`); err == nil {
		t.Error("the database takes more")
	}
}

// TestUnsatisfiableSchema tests that a version whose replies keep breaking its schema is refused
// before anything is held. Other versions and the other replica are not affected.
func TestUnsatisfiableSchema(t *testing.T) {
	t.Parallel()
	b := newSetup(t, 2)
	f := storetest.Seed(t, b.store, storetest.Options{ReplySchema: orderSchema})
	for range 10 {
		wantFault(t, b.replicas[0], newMessage(f, uuid.NewString(), "[[sandbox output=text]]"),
			fault.InvalidOutput)
	}
	before := b.left(t, f)
	refused := wantFault(t, b.replicas[0], newMessage(f, "s", "hello"), fault.ModelUnavailable)
	if text := fault.ClientMessage(&refused); !strings.Contains(text, "break its reply schema") ||
		!strings.Contains(text, "owner") || refused.RetryAfter <= 50*time.Second ||
		refused.RetryAfter > time.Minute {
		t.Errorf("%q, %+v", text, refused)
	}
	if after := b.left(t, f); after.Turns != before.Turns || after.Held != 0 {
		t.Errorf("left %+v after %+v", after, before)
	}
	send(t, b.replicas[1], newMessage(f, "s", "hello"))
	send(t, b.replicas[0], newTestMessage(f, "s", "hello"))
	storetest.Edit(t, b.store, f.Agent, agent.Changes{Instructions: storetest.SetTo("Be brief.")})
	storetest.Publish(t, b.store, f.Agent)
	send(t, b.replicas[0], newMessage(f, "s", "hello"))
}
