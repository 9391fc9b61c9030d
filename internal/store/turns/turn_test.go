package turns_test

import (
	"slices"
	"strconv"
	"testing"
	"time"

	"agentchat/internal/apikey"
	"agentchat/internal/conversation"
	"agentchat/internal/store"
	"agentchat/internal/store/storetest"
	"agentchat/internal/store/turns"
)

func TestMain(m *testing.M) { storetest.Main(m) }

func TestRefusals(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name    string
		options storetest.Options
		arrange func(t *testing.T, s *store.DB, f storetest.Fixture)
		change  func(*turns.Begin)
		want    turns.Outcome
	}{
		{name: "unknown key", change: func(b *turns.Begin) { b.Key = apikey.Mint().Hash() }, want: turns.Unauthorized},
		{name: "removed export", arrange: storetest.RemoveExport, want: turns.Unauthorized},
		{name: "stopped key", arrange: storetest.ExecLater(`UPDATE api_keys SET stops_at = now() - interval '1 s'`), want: turns.Unauthorized},
		{name: "key that stops later", arrange: storetest.ExecLater(`UPDATE api_keys SET stops_at = now() + interval '1 h'`), want: turns.Begun},
		{name: "deleted agent", arrange: storetest.ExecLater(`UPDATE agents SET deleted_at = now()`), want: turns.Unauthorized},
		{name: "suspended account", arrange: storetest.Suspend, want: turns.AccountSuspended},
		{name: "suspended account, paused export", arrange: all(storetest.Suspend, storetest.ExecLater(`UPDATE api_exports SET paused_at = now()`)),
			want: turns.AccountSuspended},
		{name: "suspended account, draft", options: storetest.Options{Draft: true}, arrange: storetest.Suspend, want: turns.AccountSuspended},
		{name: "suspended account, stopped key", arrange: all(storetest.Suspend, storetest.ExecLater(`UPDATE api_keys SET stops_at = now()`)),
			want: turns.Unauthorized},
		{name: "suspended account, removed key", arrange: all(storetest.Suspend, storetest.ExecLater(`UPDATE api_keys SET removed_at = now()`)),
			want: turns.Unauthorized},
		{name: "suspended account, unknown key", arrange: storetest.Suspend, change: func(b *turns.Begin) { b.Key = apikey.Mint().Hash() },
			want: turns.Unauthorized},
		{name: "deleted account", arrange: storetest.ExecLater(`UPDATE accounts SET state = 'DELETED'`), want: turns.Unauthorized},
		{name: "draft", options: storetest.Options{Draft: true}, want: turns.Draft},
		{name: "model withdrawn", change: func(b *turns.Begin) { b.Models = []string{"other/model"} }, want: turns.ModelWithdrawn},
		{name: "no credits", options: storetest.Options{Credits: -1}, want: turns.InsufficientCredits},
		{name: "price minus one", options: storetest.Options{Credits: 6}, want: turns.InsufficientCredits,
			change: func(b *turns.Begin) { b.Prices = []int64{7} }},
		{name: "exactly the price", options: storetest.Options{Credits: 7}, want: turns.Begun,
			change: func(b *turns.Begin) { b.Prices = []int64{7} }},
		{name: "free at no credits", options: storetest.Options{Credits: -1}, want: turns.Begun,
			change: func(b *turns.Begin) { b.Prices = []int64{0} }},
		{name: "session under way", arrange: pendingTurn, want: turns.Busy},
		{name: "model unavailable", change: unavailable, want: turns.ModelUnavailable},
		{name: "another model unavailable", change: func(b *turns.Begin) { b.Unavailable = []string{"other/model"} }, want: turns.Begun},
		{name: "draft before model unavailable", options: storetest.Options{Draft: true}, change: unavailable, want: turns.Draft},
		{name: "session in flight before model unavailable", arrange: pendingTurn, change: unavailable, want: turns.Busy},
		{name: "no credits before model unavailable", options: storetest.Options{Credits: -1}, change: unavailable, want: turns.InsufficientCredits},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := storetest.New(t)
			f := storetest.Seed(t, s, c.options)
			if c.arrange != nil {
				c.arrange(t, s, f)
			}
			before, heldBefore := storetest.Credits(t, s, f.Account.ID)
			got := storetest.BeginTurn(t, s, f.Key, c.change)
			if got.Outcome != c.want {
				t.Fatalf("got %s, want %s", got.Outcome, c.want)
			}
			after, heldAfter := storetest.Credits(t, s, f.Account.ID)
			if c.want != turns.Begun && (before != after || heldBefore != heldAfter) {
				t.Errorf("a refusal moved credits: %d held %d, then %d held %d", before, heldBefore, after, heldAfter)
			}
			storetest.Audit(t, s)
		})
	}
}

func unavailable(b *turns.Begin) {
	b.Unavailable = []string{"other/model", storetest.SandboxModel}
}

// all arranges several things.
func all(arrange ...func(*testing.T, *store.DB, storetest.Fixture)) func(*testing.T, *store.DB, storetest.Fixture) {
	return func(t *testing.T, s *store.DB, f storetest.Fixture) {
		t.Helper()
		for _, one := range arrange {
			one(t, s, f)
		}
	}
}

func pendingTurn(t *testing.T, s *store.DB, f storetest.Fixture) {
	t.Helper()
	storetest.BeginTurn(t, s, f.Key, nil)
}

func TestHistoryIsWholeNewestTurnsInOrder(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{})
	for i := range 6 {
		storetest.AnswerTurn(t, s, f.Key, func(b *turns.Begin) { b.Message = string(rune('a' + i)) })
	}
	got := storetest.BeginTurn(t, s, f.Key, func(b *turns.Begin) { b.MaxContextBytes = 3*3 + 2 }) // a letter and "hi" each: three fit whole
	if len(got.History) != 3 || got.History[0].Message != "d" || got.History[2].Message != "f" || got.History[1].Reply != "hi" {
		t.Errorf("context: %+v", got.History)
	}
	if got.Number != 7 {
		t.Errorf("number %d, want 7", got.Number)
	}
}

// TestHistoryHasTokenCounts: the counts that the agent's current model reported, and the size of
// the prompt.
func TestHistoryHasTokenCounts(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{})
	settled := func(in turns.Settlement) {
		t.Helper()
		storetest.BeginTurn(t, s, f.Key, func(b *turns.Begin) { in.TurnID = b.TurnID })
		in.State, in.Reply, in.FinishReason = conversation.Answered, "hi", "stop"
		if got, err := turns.On(s).SettleTurn(t.Context(), in); err != nil || got.Outcome != turns.Settled {
			t.Fatalf("%+v %v", got, err)
		}
	}
	ten, twenty := int64(10), int64(20)
	settled(turns.Settlement{InputTokens: &ten, OutputTokens: &twenty, InputBytes: 30})
	settled(turns.Settlement{})
	settled(turns.Settlement{OutputTokens: &ten, InputBytes: 40})
	settled(turns.Settlement{InputTokens: &ten, OutputTokens: &ten, InputBytes: 50})
	storetest.Exec(t, s, `UPDATE turns SET model = 'other/model' WHERE number = 4`)
	got := storetest.BeginTurn(t, s, f.Key, nil)
	text := func(n *int64) string {
		if n == nil {
			return "-"
		}
		return strconv.FormatInt(*n, 10)
	}
	var counts []string
	for _, e := range got.History {
		counts = append(counts, text(e.InputTokens)+" "+text(e.OutputTokens)+" "+text(e.InputBytes))
	}
	if want := []string{"10 20 30", "- - -", "- 10 40", "- - 50"}; !slices.Equal(counts, want) {
		t.Errorf("input tokens, output tokens and input bytes of the turns: %q, want %q", counts, want)
	}
}

func TestTextIsStoredExactly(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	f := storetest.Seed(t, s, storetest.Options{})
	text := "h\u00e9 {\"a\",b} \\u0000 \u202e \uffff \x01 \x1b[31m NULL '' $1 \U0001f600 \\ \""
	storetest.AnswerTurn(t, s, f.Key, func(b *turns.Begin) { b.Message, b.Session = text, text })
	got := storetest.BeginTurn(t, s, f.Key, func(b *turns.Begin) { b.Session = text })
	if len(got.History) != 1 || got.History[0].Message != text {
		t.Errorf("got %+v, want %q", got.History, text)
	}
}

func TestRate(t *testing.T) {
	t.Parallel()
	for _, perMinute := range []int{1, 7, 140} {
		s := storetest.New(t)
		f := storetest.Seed(t, s, storetest.Options{RatePerMinute: perMinute})
		b := storetest.KeyCheck(storetest.NewBegin(f.Key))
		accepted, started := 0, time.Now()
		for {
			begun, err := turns.On(s).BeginTurn(t.Context(), b)
			if err != nil {
				t.Fatal(err)
			}
			if begun.Outcome == turns.RateLimited {
				break
			}
			accepted++
		}
		// The burst is one minute's worth, and the steady rate gives more while the loop runs.
		most := perMinute + int(time.Since(started).Seconds()*float64(perMinute)/60) + 1
		if accepted < perMinute || accepted > most {
			t.Errorf("%d a minute: accepted %d at once, want %d to %d", perMinute, accepted, perMinute, most)
		}
		b.SpendRate = false
		if begun, err := turns.On(s).BeginTurn(t.Context(), b); err != nil || begun.Outcome != turns.Admitted {
			t.Errorf("trying again without spending the rate: %s %v", begun.Outcome, err)
		}
	}
}
