package testruns_test

import (
	"context"
	"log/slog"
	"runtime"
	"testing"

	"github.com/google/uuid"

	"agentchat/internal/agent"
	"agentchat/internal/chat"
	"agentchat/internal/evaluation"
	"agentchat/internal/llm"
	"agentchat/internal/llm/catalogue"
	"agentchat/internal/llm/sandbox"
	"agentchat/internal/store"
	"agentchat/internal/store/storetest"
	"agentchat/internal/store/tests"
	"agentchat/internal/testruns"
)

// testModel is the name of the model that a test scripts; it costs 3 credits.
const testModel = "test/model"

// scripted is a model with scripted replies.
type scripted func(ctx context.Context, req llm.Request) (string, error)

func (m scripted) Generate(
	ctx context.Context, req llm.Request, _ func(string) error,
) (llm.Reply, error) {
	text, err := m(ctx, req)
	return llm.Reply{Text: text, Finish: llm.FinishStop}, err
}

// bench is a database with an agent and one replica.
type bench struct {
	*store.DB
	seeded storetest.Fixture
	models *catalogue.Live
	chats  *chat.Service
	worker *testruns.Worker
}

func newBench(t *testing.T, model scripted, o storetest.Options) *bench {
	t.Helper()
	b := &bench{DB: storetest.New(t), models: catalogue.NewLive(models(model, 3))}
	if model != nil {
		o.Model = testModel
	}
	b.seeded = storetest.Seed(t, b.DB, o)
	t.Cleanup(func() { storetest.Audit(ended{t}, b.DB) })
	b.chats, b.worker = b.replica(t, b.DB)
	return b
}

// ended is a test whose own context is over: its cleanups run.
type ended struct{ testing.TB }

func (ended) Context() context.Context { return context.Background() }

func models(model scripted, price int64) *catalogue.Catalogue {
	entries := []catalogue.Entry{{Name: storetest.SandboxModel, Provider: "sandbox", CreditsPerMessage: 1,
		ContextWindow: 32768, Sandbox: true, Model: sandbox.New()}}
	if model != nil {
		entries = append(entries, catalogue.Entry{Name: testModel, CreditsPerMessage: price,
			ContextWindow: 100_000, Sandbox: true, Model: model}) // no circuit breaker
	}
	return catalogue.New(entries)
}

// replica returns a chat service and a worker on a store.
func (b *bench) replica(t *testing.T, s *store.DB) (*chat.Service, *testruns.Worker) {
	t.Helper()
	log := slog.New(slog.DiscardHandler)
	chats := chat.New(chat.Config{Store: s, Catalogue: b.models, Logger: log})
	storetest.Ends(t, s, chats.Wait)
	return chats, testruns.New(testruns.Config{Store: s, Chat: chats, Catalogue: b.models, Logger: log})
}

// work runs a worker until the test ends or stop is called.
func work(t *testing.T, w *testruns.Worker) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() { _ = w.Run(ctx); close(done) }()
	stop = func() { cancel(); <-done }
	t.Cleanup(stop)
	return stop
}

func (b *bench) add(t *testing.T, documents ...string) (ids []uuid.UUID) {
	t.Helper()
	for _, d := range documents {
		c, err := evaluation.Parse([]byte(d))
		if err != nil {
			t.Fatal(err)
		}
		added, err := tests.On(b.DB).CreateCase(t.Context(), b.seeded.Account.ID, b.seeded.Agent.ID, c, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, added.ID)
	}
	return ids
}

func (b *bench) set(t *testing.T, changes tests.SettingsChanges) {
	t.Helper()
	_, err := tests.On(b.DB).UpdateSettings(t.Context(), b.seeded.Account.ID, b.seeded.Agent.ID, changes)
	if err != nil {
		t.Fatal(err)
	}
}

// addJudge adds a judge with the scripted model, and selects it.
func (b *bench) addJudge(t *testing.T) agent.Agent {
	t.Helper()
	judge := storetest.SeedAgent(t, b.DB, b.seeded.Account.ID, storetest.Options{Model: testModel,
		ReplySchema: `{"type": "object", "properties": {"passed": {"type": "boolean"}, "reason": {"type": "string"}},
			"required": ["passed", "reason"], "additionalProperties": false}`})
	b.set(t, tests.SettingsChanges{Judge: agent.Change[uuid.UUID]{Set: true, Value: &judge.ID}})
	return judge
}

func (b *bench) start(t *testing.T, change func(*tests.NewRun)) tests.Run {
	t.Helper()
	in := tests.NewRun{AgentID: b.seeded.Agent.ID, By: b.seeded.Account.OwnerID}
	if change != nil {
		change(&in)
	}
	run, err := tests.On(b.DB).StartRun(t.Context(), b.seeded.Account.ID, in, func(p tests.Plan) (int64, error) {
		price, err := testruns.PriceOf(b.models.Now(), p)
		return price.Most, err
	})
	if err != nil {
		t.Fatal(err)
	}
	return run
}

// end waits until a run has ended.
func (b *bench) end(t *testing.T, id uuid.UUID) tests.Run {
	t.Helper()
	for {
		run, err := tests.On(b.DB).Run(t.Context(), b.seeded.Account.ID, id)
		if err != nil {
			t.Fatal(err)
		}
		if run.EndedAt != nil {
			return run
		}
		runtime.Gosched()
	}
}

// results returns the results of a run by case number.
func (b *bench) results(t *testing.T, run tests.Run) map[int]tests.Result {
	t.Helper()
	page, err := tests.On(b.DB).ResultPage(t.Context(), run.AccountID, run.ID, tests.ResultQuery{First: store.MaxPage})
	if err != nil {
		t.Fatal(err)
	}
	out := map[int]tests.Result{}
	for _, r := range page.Items {
		out[r.CaseNumber] = r
	}
	return out
}

// charged is the sum of the account's charges.
func (b *bench) charged(t *testing.T) int {
	t.Helper()
	return storetest.CountRows(t, b.DB, `SELECT coalesce(-sum(amount), 0)::int FROM credit_entries
		WHERE account_id = $1 AND kind = 'CHARGE'`, b.seeded.Account.ID)
}

// expect checks how a run ended.
func expect(t *testing.T, got tests.Run, state tests.RunState, reason tests.StopReason, credits int64) {
	t.Helper()
	stopped := tests.StopReason("")
	if got.StopReason != nil {
		stopped = *got.StopReason
	}
	if got.State != state || stopped != reason || got.Credits != credits {
		t.Errorf("the run is %s, %q, for %d credits; want %s, %q, %d", got.State, stopped, got.Credits,
			state, reason, credits)
	}
}
