package chat_test

import (
	"context"
	"fmt"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"agentchat/internal/llm/catalogue"
	"agentchat/internal/llm/llmtest"
	"agentchat/internal/store"
	"agentchat/internal/store/storetest"
	"agentchat/internal/store/usage"
	"agentchat/internal/testlong"
)

// biller is a provider that writes its own bill. It serves one request at a time.
type biller struct {
	t      *testing.T
	cost   catalogue.Cost
	random *rand.Rand
	// bill is in nano-dollars, with each call rounded half up. open are the costs of the current turn,
	// unstated if a call of it did not state its usage.
	bill, open int64
	unstated   bool
	calls      int
}

// used answers with a random usage and bills it.
func (b *biller) used(text, finish string) llmtest.Reply {
	input, output := b.random.Int64N(100_000), b.random.Int64N(10_000)
	cached := b.random.Int64N(input + 1)
	sum := new(big.Rat)
	for _, part := range [][2]int64{
		{input - cached, b.cost.Input}, {cached, b.cost.CachedInput}, {output, b.cost.Output},
	} {
		dollars := new(big.Rat).SetFrac64(part[1], 1_000_000)
		sum.Add(sum, dollars.Mul(dollars, new(big.Rat).SetInt64(part[0])))
	}
	sum.Add(sum, big.NewRat(1, 2))
	b.open += new(big.Int).Div(sum.Num(), sum.Denom()).Int64()
	return used(text, finish, input, cached, output)
}

// answer follows the message: the words after "do" are the answers to its calls.
func (b *biller) answer(e *llmtest.Call) {
	var message string
	for _, m := range e.Request.OpenAI(b.t).Messages {
		if strings.HasPrefix(m.Content, "do ") {
			message = m.Content
		}
	}
	steps := strings.Fields(message)[1:]
	step := steps[b.calls]
	b.calls++
	switch step {
	case "text":
		b.used("Hello.", "stop")(e)
	case "fit":
		b.used(`{"note":"a","count":1}`, "stop")(e)
	case "misfit":
		b.used(`{"note":"a","count":0}`, "stop")(e)
	case "blocked":
		b.used("", "content_filter")(e)
	case "broken":
		b.unstated = true
		llmtest.OpenAIChunks(`{"choices":[],"error":{"code":500}}`)(e)
	case "busy":
		llmtest.Status(503)(e)
	case "refused":
		llmtest.Status(400)(e)
	default:
		llmtest.Status(500)(e)
	}
}

// scripts are the messages of the bill: to an agent with a fallback model, or to one with a schema.
var scripts = []struct {
	schema bool
	says   string
}{
	{false, "do text"}, {false, "do text"}, {true, "do fit"}, {false, "do busy text"}, {true, "do misfit fit"},
	{false, "do down text"}, {false, "do text"}, {true, "do fit"}, {false, "do blocked"}, {false, "do text"},
	{true, "do misfit misfit"}, {false, "do text"}, {false, "do broken text"}, {true, "do fit"}, {false, "do text"},
	{false, "do refused"}, {true, "do busy fit"}, {false, "do text"}, {true, "do misfit busy fit"}, {true, "do fit"},
}

// runScripts sends messages to the API and in the playground, and returns the account with the
// number of turns whose cost the provider did not state.
func runScripts(t *testing.T, b *costed, bill *biller, messages int) (f storetest.Fixture, unstated int) {
	t.Helper()
	f = storetest.Seed(t, b.store, storetest.Options{
		Model: "test/first", FallbackModel: "test/second", Credits: 10_000})
	structured := f
	structured.Agent = storetest.SeedAgent(t, b.store, f.Account.ID, storetest.Options{
		Model: "test/first", ReplySchema: orderSchema})
	b.provider.Always(bill.answer)
	for n := range messages {
		script, session := scripts[n%len(scripts)], fmt.Sprint(n/len(scripts))
		msg := newMessage(f, session, script.says)
		if script.schema {
			msg = newTestMessage(structured, session, script.says)
		}
		bill.calls, bill.open, bill.unstated = 0, 0, false
		_, err := b.replicas[0].Send(t.Context(), msg)
		if want := len(strings.Fields(script.says)) - 1; bill.calls != want {
			t.Fatalf("message %d, %q: %d calls, %v", n, script.says, bill.calls, err)
		}
		if bill.unstated {
			unstated++
		} else {
			bill.bill += bill.open
		}
	}
	return f, unstated
}

// ledgerOf returns the account's credit history.
func ledgerOf(t *testing.T, s *store.DB, f storetest.Fixture) (ledger string) {
	t.Helper()
	err := s.SQL().QueryRowContext(t.Context(), `
		SELECT string_agg(concat_ws(' ', number, kind, amount, balance_after), E'\n' ORDER BY number)
		FROM credit_entries WHERE account_id = $1`, f.Account.ID).Scan(&ledger)
	if err != nil {
		t.Fatal(err)
	}
	return ledger
}

// testBill tests that the usage matches the provider's own bill, and that prices change no credits.
func testBill(t *testing.T, messages int) {
	t.Helper()
	var ledgers [2]string
	for i, cost := range []*catalogue.Cost{nil, {Input: 123_457_000, CachedInput: 12_346_000, Output: 1_999_999_000}} {
		b := newCosted(t, cost)
		bill := &biller{t: t, random: rand.New(rand.NewPCG(1, 2))}
		if cost != nil {
			bill.cost = *cost
		}
		f, unstated := runScripts(t, b, bill, messages)
		for _, count := range []func(context.Context, int) (int, error){
			usage.On(b.store).CountFailedTurns,
			func(ctx context.Context, limit int) (int, error) {
				return usage.On(b.store).RollUpCharges(ctx, 1, limit)
			},
		} {
			if _, err := count(t.Context(), messages); err != nil {
				t.Fatal(err)
			}
		}
		want := fmt.Sprint(messages, bill.bill, unstated)
		if cost == nil { // without prices, only refused calls have a known cost
			want = fmt.Sprint(messages, 0, messages-messages/len(scripts))
		}
		var all, nanos, uncosted int64
		err := b.store.SQL().QueryRowContext(t.Context(), `
			SELECT sum(messages + failed), sum(provider_cost), sum(uncosted) FROM usage_rollups
			WHERE minutes = 60 AND account_id = $1`, f.Account.ID).Scan(&all, &nanos, &uncosted)
		if got := fmt.Sprint(all, nanos, uncosted); err != nil || got != want {
			t.Errorf("with the prices %+v, the usage has %s, %v; want %s", cost, got, err, want)
		}
		ledgers[i] = ledgerOf(t, b.store, f)
	}
	if ledgers[0] != ledgers[1] {
		t.Errorf("the ledgers differ:\n%s\nand\n%s", ledgers[0], ledgers[1])
	}
}

func TestBill(t *testing.T) {
	t.Parallel()
	testBill(t, 2*len(scripts))
}

func TestBillOf1000Turns(t *testing.T) {
	testlong.Only(t)
	t.Parallel()
	testBill(t, 1_000)
}
