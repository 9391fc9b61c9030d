package chat_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"

	"agentchat/internal/chat"
	"agentchat/internal/fault"
	"agentchat/internal/llm"
	"agentchat/internal/llm/catalogue"
	"agentchat/internal/store"
	"agentchat/internal/store/storetest"
)

const orderSchema = `{"type":"object","required":["note","count"],"additionalProperties":false,
	"properties":{"note":{"type":"string"},"count":{"type":"integer","minimum":1}}}`

// stored has the stored fields of a turn.
type storedShape struct {
	state, reply, rejected string
	structured             bool
}

func shapeOf(t *testing.T, s *store.DB, requestID string) (got storedShape) {
	t.Helper()
	err := s.SQL().QueryRowContext(t.Context(), `SELECT state, coalesce(reply, ''), coalesce(rejected_reply, ''), coalesce(structured, false)
		FROM turns WHERE request_id = $1`, requestID).Scan(&got.state, &got.reply, &got.rejected, &got.structured)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// TestStructuredReplies: a reply that fits is charged once and comes at once, as the same JSON in
// the reply, its stream and its replay; one that does not is free and never sent, and its owner
// sees it.
func TestStructuredReplies(t *testing.T) {
	t.Parallel()
	b := newSetup(t, 2, nil)
	for _, tc := range []struct {
		directive string
		want      fault.Kind
		details   string
		rejected  bool
		free      float64
	}{
		{"", "", "", false, -1}, {"output=misfit_once", "", "", false, 0},
		{"output=misfit", fault.InvalidOutput, "map[path: reason:mismatch rule:required]", true,
			2}, {"output=text", fault.InvalidOutput, "map[reason:not_json]", true, 2},
		{"output=cut", fault.InvalidOutput, "map[reason:length]", true, 1},
		{"words=70000", fault.InvalidOutput, "map[reason:length]", true, 1},
		{"finish=length", fault.InvalidOutput, "map[reason:length]", true, 1},
		{"history", fault.InvalidOutput, "map[path: reason:mismatch rule:additionalProperties]", true, 2},
		{"fail=blocked", fault.ContentBlocked, "map[]", false, 1},
		{"fail=blocked after=3", fault.ContentBlocked, "map[]", false, 1},
		{"fail=timeout after=3", fault.ModelTimeout, "map[]", false, 1},
		{"fail=error after=3", fault.ModelError, "map[]", false, 0},
		{"fail=panic", fault.Internal, "map[]", false, 1},
	} {
		f := storetest.Seed(t, b.store, storetest.Options{ReplySchema: orderSchema})
		useUnpaidCalls(t, b.store, f, 20)
		for i, msg := range []chat.Message{newMessage(f, tc.directive, ""), newTestMessage(f, tc.directive, "")} {
			for _, streamed := range []bool{false, true} {
				name := fmt.Sprintf("%q, source %d, streamed %t", tc.directive, i, streamed)
				msg.Text, msg.RequestID, msg.IdempotencyKey = "Hello [[sandbox "+tc.directive+"]]", uuid.NewString(), uuid.NewString()
				if tc.directive == "" {
					msg.Text = "Hello"
				}
				listening := newListener()
				if msg.Stream = nil; streamed {
					msg.Stream = listening
				}
				before, _ := balance(t, b.store, f)
				tat := unpaidTAT(t, b.store, f)
				got, err := b.replicas[0].Send(t.Context(), msg)
				after, held := balance(t, b.store, f)
				kept := shapeOf(t, b.store, msg.RequestID)
				if spent := spent(t, b.store, f, tat); spent != tc.free || held != 0 {
					t.Errorf("%s: %g unpaid calls, want %g; %d held", name, spent, tc.free, held)
				}
				if tc.want != "" {
					failed, _ := errors.AsType[*fault.Error](err)
					if failed == nil || failed.Kind != tc.want || fmt.Sprint(failed.Details) != tc.details ||
						after != before || listening.text.Len() > 0 {
						t.Errorf("%s: %v, %v, charged %d, sent %q", name, err, failed, before-after, listening.text.String())
					}
					if kept.state != "FAILED" || kept.reply != "" || kept.structured || (kept.rejected != "") != tc.rejected {
						t.Errorf("%s: stored %+v", name, kept)
					}
					continue
				}
				if err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				const want = `{"count":1,"note":"Hello"}`
				if a := got.Answer; a.Reply != want || !a.Structured || a.FinishReason != llm.FinishStop ||
					before-after != 1 || streamed && listening.text.String() != want {
					t.Errorf("%s: %+v, charged %d, sent %q", name, got.Answer, before-after, listening.text.String())
				}
				if kept != (storedShape{"ANSWERED", want, "", true}) {
					t.Errorf("%s: stored %+v", name, kept)
				}
				replayed, err := b.replicas[1].Send(t.Context(), msg)
				if err != nil || !replayed.Answer.Replayed || replayed.Answer.Reply != want || !replayed.Answer.Structured {
					t.Errorf("%s: replayed %+v %v", name, replayed.Answer, err)
				}
			}
		}
	}
	storetest.Audit(t, b.store)
}

// scripted is a model that gives its answers in turn and keeps the requests.
type scripted struct {
	mu      sync.Mutex
	answers []func(ctx context.Context) (llm.Reply, error)
	asked   []llm.Request
}

func (m *scripted) Generate(ctx context.Context, req llm.Request, emit func(string) error) (llm.Reply, error) {
	m.mu.Lock()
	next := m.answers[min(len(m.asked), len(m.answers)-1)]
	m.asked = append(m.asked, req)
	m.mu.Unlock()
	reply, err := next(ctx)
	if err == nil && emit != nil {
		err = emit(reply.Text)
	}
	return reply, err
}

func says(text string) func(context.Context) (llm.Reply, error) {
	return func(context.Context) (llm.Reply, error) {
		in, out := int64(1000), int64(10)
		return llm.Reply{Text: text, Finish: llm.FinishStop, InputTokens: &in, OutputTokens: &out}, nil
	}
}

func fails(err error) func(context.Context) (llm.Reply, error) {
	return func(context.Context) (llm.Reply, error) { return llm.Reply{}, err }
}

// TestSecondAttempt: it has the first reply and what was wrong with it, but not the conversation's
// next message; its tokens and bytes are added; and if it fails by itself, or there is no time for
// it, the first one's fault is the answer.
func TestSecondAttempt(t *testing.T) {
	t.Parallel()
	const fits, not = `{"note":"a","count":1}`, `{"note":"secret","count":0}`
	away := &fault.Error{Kind: fault.ModelUnavailable, Err: llm.ErrProvider}
	for _, tc := range []struct {
		name    string
		answers []func(context.Context) (llm.Reply, error)
		limit   time.Duration
		want    fault.Kind
		rule    string
		calls   int
	}{
		{"fits at once", []func(context.Context) (llm.Reply, error){says("```json\n" + fits + "\n```")},
			0, "", "", 1},
		{"fits then", []func(context.Context) (llm.Reply, error){says(not), says(fits)}, 0, "", "", 2},
		{"never fits", []func(context.Context) (llm.Reply, error){says("prose"), says(not)}, 0,
			fault.InvalidOutput, "minimum", 2},
		{"then away", []func(context.Context) (llm.Reply, error){says(not), fails(away)}, 0,
			fault.InvalidOutput, "minimum", 2},
		{"then refused",
			[]func(context.Context) (llm.Reply, error){says(not),
				fails(fault.New(fault.ContentBlocked, ""))}, 0, fault.InvalidOutput, "minimum", 2},
		{"no time", []func(context.Context) (llm.Reply, error){says(not), says(fits)}, 9 * time.Second,
			fault.InvalidOutput, "minimum", 1},
		{"away", []func(context.Context) (llm.Reply, error){fails(away)}, 0, fault.ModelUnavailable, "", 1},
		{"blank", []func(context.Context) (llm.Reply, error){says(" \n")}, 0, fault.ModelError, "", 1},
		{"too long in one piece",
			[]func(context.Context) (llm.Reply, error){says(strings.Repeat(" ", 300_000) + fits)}, 0,
			fault.InvalidOutput, "", 1},
		{"not clean",
			[]func(context.Context) (llm.Reply, error){says("{\"note\":\"a\x00\xff\",\"count\":1}")}, 0,
			fault.InvalidOutput, "", 2},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			m := &scripted{answers: tc.answers}
			b := newSetup(t, 1, func(c *chat.Config) {
				c.Catalogue = sandboxOnly(catalogue.Entry{Name: "test/scripted", CreditsPerMessage: 1, Model: m,
					ContextWindow: 100_000})
				c.ModelTimeout = tc.limit
			})
			f := storetest.Seed(t, b.store, storetest.Options{Model: "test/scripted", ReplySchema: orderSchema})
			msg := newMessage(f, "s", "How many?")
			got, err := b.replicas[0].Send(t.Context(), msg)
			failed, _ := errors.AsType[*fault.Error](err)
			if len(m.asked) != tc.calls || tc.want == "" != (err == nil) || failed != nil &&
				(failed.Kind != tc.want || fmt.Sprint(failed.Details["rule"]) != tc.rule && tc.rule != "") {
				t.Fatalf("%d calls, %v %+v", len(m.asked), err, failed)
			}
			if len(m.asked) == 2 {
				again := m.asked[1]
				if again.Attempt != 2 || len(again.History) != 1 || again.History[0].User != "How many?" ||
					!strings.Contains(again.Message, orderSchema) ||
					strings.Contains(again.Message, "secret") || m.asked[0].Schema != orderSchema || m.asked[0].Attempt > 1 {
					t.Errorf("asked again: %+v", again)
				}
			}
			if err == nil {
				var bytes int64
				for _, asked := range m.asked {
					bytes += int64(len(asked.Instructions) + len(asked.Schema) + len(asked.Message))
					for _, e := range asked.History {
						bytes += int64(len(e.User) + len(e.Assistant))
					}
				}
				var counted, earlier int64
				err := b.store.SQL().QueryRowContext(t.Context(),
					`SELECT input_bytes, earlier_turns FROM turns`).Scan(&counted, &earlier)
				if err != nil || counted != bytes || earlier != 0 { // the rejected reply is no earlier turn
					t.Errorf("%d bytes, want %d, with %d earlier turns: %v", counted, bytes, earlier, err)
				}
				if a := got.Answer; a.Reply != fits || *a.InputTokens != int64(1000*tc.calls) ||
					*a.OutputTokens != int64(10*tc.calls) {
					t.Errorf("%+v", a)
				}
				m.answers = []func(context.Context) (llm.Reply, error){says(fits)}
				send(t, b.replicas[0], newMessage(f, "s", "And now?"))
				if next := m.asked[len(m.asked)-1]; len(next.History) != 1 ||
					next.History[0] != (llm.EarlierTurn{User: "How many?", Assistant: fits}) {
					t.Errorf("the next message sees %+v", next.History)
				}
			}
			storetest.Audit(t, b.store)
		})
	}
}

// TestLongRejectedReplies: the second attempt gets the whole first reply, and what is stored of the
// last one is an excerpt. The database refuses more.
func TestLongRejectedReplies(t *testing.T) {
	t.Parallel()
	first, second := `{"note":"`+strings.Repeat("first", 4500), `{"note":"`+strings.Repeat("é",
		22_500)+`","count":0}`
	m := &scripted{answers: []func(context.Context) (llm.Reply, error){says(first), says(second)}}
	b := newSetup(t, 1, func(c *chat.Config) {
		c.Catalogue = sandboxOnly(catalogue.Entry{Name: "test/scripted", CreditsPerMessage: 1, Model: m})
	})
	f := storetest.Seed(t, b.store, storetest.Options{Model: "test/scripted", ReplySchema: orderSchema})
	msg := newMessage(f, "s", "How many?")
	_, err := b.replicas[0].Send(t.Context(), msg)
	if !fault.Is(err, fault.InvalidOutput) || m.asked[1].History[0].Assistant != first {
		t.Errorf("%v, asked again after %d bytes", err, len(m.asked[1].History[0].Assistant))
	}
	got := shapeOf(t, b.store, msg.RequestID).rejected
	if utf8.RuneCountInString(got) > 500 || !strings.HasSuffix(got, `ééé","count":0}`) {
		t.Errorf("%d code points: %s", utf8.RuneCountInString(got), got)
	}
	if _, err := b.store.SQL().ExecContext(t.Context(), `UPDATE turns SET rejected_reply = repeat('é', 501)`); err == nil {
		t.Error("the database takes more")
	}
}

// TestUnsatisfiableSchema tests that after ten rejected replies in a minute, more than half of all,
// a version's messages are refused before anything is held. Other versions and the other replica
// are not affected.
func TestUnsatisfiableSchema(t *testing.T) {
	t.Parallel()
	b := newSetup(t, 2, nil)
	f := storetest.Seed(t, b.store, storetest.Options{ReplySchema: orderSchema})
	other := storetest.Seed(t, b.store, storetest.Options{ReplySchema: orderSchema})
	reject := func(f storetest.Fixture, s *chat.Service) error {
		_, err := s.Send(t.Context(), newMessage(f, uuid.NewString(), "[[sandbox output=text]]"))
		return err
	}
	for i := range 10 { // of the other, as many fit
		send(t, b.replicas[0], newMessage(other, "s", "hello"))
		if err := errors.Join(reject(f, b.replicas[0]),
			reject(other, b.replicas[0])); !fault.Is(err, fault.InvalidOutput) {
			t.Fatalf("rejected reply %d: %v", i, err)
		}
	}
	turns := func() (n int) {
		if err := b.store.SQL().QueryRowContext(t.Context(), `SELECT count(*) FROM turns`).Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	before := turns()
	_, err := b.replicas[0].Send(t.Context(), newMessage(f, "s", "hello"))
	refused, _ := errors.AsType[*fault.Error](err)
	if text := fault.ClientMessage(err); !strings.Contains(text, "break its reply schema") ||
		!strings.Contains(text, "owner") {
		t.Errorf("the refusal says %q", text)
	}
	if refused == nil || refused.Kind != fault.ModelUnavailable ||
		refused.RetryAfter <= 50*time.Second || refused.RetryAfter > time.Minute || turns() != before {
		t.Errorf("%v %+v, %d turns", err, refused, turns()-before)
	}
	send(t, b.replicas[0], newMessage(other, "s", "hello"))
	send(t, b.replicas[1], newMessage(f, "s", "hello"))
	if _, err := b.replicas[0].Send(t.Context(), newTestMessage(f, "s", "hello")); err != nil {
		t.Errorf("the draft: %v", err)
	}
	storetest.Publish(t, b.store, f.Agent)
	edited := f.Agent
	edited.Instructions = "Be brief."
	if _, err := b.store.SQL().ExecContext(t.Context(),
		`UPDATE agents SET settings = settings || '{"instructions":"Be brief."}' WHERE id = $1`,
		f.Agent.ID); err != nil {
		t.Fatal(err)
	}
	storetest.Publish(t, b.store, edited)
	send(t, b.replicas[0], newMessage(f, "s", "hello"))
	storetest.Audit(t, b.store)
}
